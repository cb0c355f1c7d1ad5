-- Other programs, as cases start them.
local program = {}

-- Runs a line of shell, which must succeed.
function program.run(line)
  assert(os.execute(line), line)
end

function program.is_installed(name)
  return os.execute("command -v " .. name .. " >/dev/null") == true
end

return program
