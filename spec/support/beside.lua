-- For comparing a command with the system's own program.
local shell = require "spec.support.shell"

local beside = {}

-- Runs a program with words as the shell reads them: exit status, output, error output.
function beside.run(folder, program, words)
  return shell.run(("cd %s && LC_ALL=C.UTF-8 %s %s"):format(shell.quote(folder), program, words))
end

-- The records of an output, which end in a zero byte, a newline or a bar, in one order: a
-- directory has its entries in any.
function beside.sorted(text)
  local records = {}
  for record in text:gmatch "[^%z\n|]*[%z\n|]?" do
    records[#records + 1] = record
  end
  table.sort(records)
  return table.concat(records)
end

return beside
