-- Servers that a script of bash starts in namespaces of its own (inside.sh), for as long as a spec
-- wants them.
--
--   local server, reason = inside.start(place, "SHARDS=1 bash spec/support/radosgw.sh", words...)
--   server.place       a folder for the spec, which ends with the server
--   server.ready       what the script says of itself
--   server.run(line)   -> exit status, output, error output of a line of bash inside
--   server.stop()
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local inside = {}

-- Why there can be none here; nil when there can. programs: those that must be installed.
function inside.missing(programs)
  local lacking = {}
  for _, program in ipairs(programs) do
    if not shell.has(program) and not shell.has("/usr/sbin/" .. program) then
      lacking[#lacking + 1] = program
    end
  end
  if lacking[1] then
    return "not installed: " .. table.concat(lacking, ", ")
  end
  local user = shell.output "id -u" == "0" and "" or "unshare --map-root-user "
  local status, _, err = shell.run(user .. "unshare --pid --fork --mount-proc --kill-child " ..
    "mount -t tmpfs none /mnt")
  return status ~= 0 and "no namespaces here: " .. err:gsub("%s+$", "") or nil
end

-- Waits until the shell finds it true; false when that takes too long.
local function wait(condition, seconds)
  local loop = ("until %s; do sleep 0.05; done"):format(condition)
  return shell.run(("timeout %d sh -c"):format(seconds), loop) == 0
end

function inside.start(place, script, ...)
  local words = { shell.quote(place) }
  for i, word in ipairs { ... } do
    words[i + 1] = shell.quote(tostring(word))
  end
  local pipe = io.popen(("exec env -u LD_PRELOAD setpriv --pdeathsig KILL env %s %s"):format(script,
    table.concat(words, " ")), "w")
  local ended = wait(("[ -e %s/ready ] || [ -e %s/failed ]"):format(place, place), 600)
  local server, number = { place = place, ready = tmpdir.content(place .. "/ready") }, 0

  function server.run(line)
    number = number + 1
    pipe:write(line, "\n")
    pipe:flush()
    local file = place .. "/" .. number
    assert(wait("[ -e " .. file .. ".status ]", 300), "no answer from inside to: " .. line)
    return tonumber(tmpdir.content(file .. ".status")), tmpdir.content(file .. ".out"),
      tmpdir.content(file .. ".err")
  end

  function server.stop()
    pipe:close()
    tmpdir.remove(place)
  end

  if server.ready then
    return server
  end
  local why = ended and tmpdir.content(place .. "/failed") or "not ready after ten minutes"
  server.stop()
  return nil, why
end

return inside
