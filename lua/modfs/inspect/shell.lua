-- Programs of the operating system, for what Lua cannot ask it itself.
local shell = {}

function shell.quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

-- output(command, arguments...) -> what it prints, without the last newline.
-- The command is shell text as it stands; the arguments are quoted and follow it.
function shell.output(command, ...)
  local words = { command }
  for _, word in ipairs { ... } do
    words[#words + 1] = shell.quote(word)
  end
  local pipe = assert(io.popen(table.concat(words, " ") .. " 2>/dev/null"))
  local text = pipe:read("*a")
  pipe:close()
  return (text:gsub("\n$", ""))
end

-- The interpreter that runs this program.
function shell.interpreter()
  local first = 0
  while arg and arg[first - 1] do
    first = first - 1
  end
  return arg and first < 0 and arg[first] or shell.output("readlink /proc/$PPID/exe")
end

return shell
