-- Runs commands of the operating system: the second opinion that specs ask for.
local shell = {}

function shell.quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

local function take(name)
  local file = assert(io.open(name, "rb"))
  local content = file:read("*a")
  file:close()
  os.remove(name)
  return content
end

local prefix

-- A name for a small file that nothing has: in memory, where the machine has a place for that. On
-- ext4 a new file passes over the inodes that were freed in the last minutes, one by one.
function shell.tmpname()
  if not prefix then
    local name = os.tmpname()
    os.remove(name)
    local memory = "/dev/shm/modfs-" .. name:match "[^/]+$" .. "."
    local file = io.open(memory, "wb")
    prefix = { text = file and memory or name .. ".", count = 0 }
    if file then
      file:close()
      os.remove(memory)
    end
  end
  prefix.count = prefix.count + 1
  return prefix.text .. prefix.count
end

-- run(command, arguments...) -> exit status (128 + n for signal n), output, error output.
-- The command is shell text as it stands; the arguments are quoted and follow it.
function shell.run(command, ...)
  local words = { command }
  for _, word in ipairs { ... } do
    words[#words + 1] = shell.quote(word)
  end
  local base = shell.tmpname()
  local line = "( %s ) </dev/null >%s.out 2>%s.err; echo $? >%s"
  os.execute(line:format(table.concat(words, " "), base, base, base))
  local status = tonumber(take(base))
  return status, take(base .. ".out"), take(base .. ".err")
end

-- As run, for a command that must succeed; returns its output without the last newline.
function shell.output(command, ...)
  local status, out, err = shell.run(command, ...)
  if status ~= 0 then
    error(("%s: exit status %d: %s"):format(command, status, err), 2)
  end
  return (out:gsub("\n$", ""))
end

-- Kills processes, given as their numbers in a text, and returns when the last thread of each has
-- ended: until then one in a system call still changes what it changes, and holds files and ports.
-- One that has ended is gone even if nobody waits for it.
function shell.kill(pids)
  shell.run(([=[kill -KILL %s
    for pid in %s; do
      while cat /proc/$pid/task/*/status 2>/dev/null | grep -q '^State:[[:space:]]*[^ZX[:space:]]'
      do sleep 0.02; done
    done]=]):format(pids, pids))
end

-- Whether a program can be found.
function shell.has(program)
  return shell.run("command -v", program) == 0
end

return shell
