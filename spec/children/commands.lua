-- Runs command lines of modfs one after the other, in the directory where it was started: arguments
-- are a file in Lua with an array of lines (words; changes: whether a picture is taken behind it),
-- the directory for results, the shell script that takes a picture, and a chunk to run first, which
-- may change modfs. Standard output and error have to be OUT/out and OUT/err, opened to append.
local lines_of, out, picture, before = (...), select(2, ...)

local cli = require "modfs.cli"

local function size_of(path)
  local file = assert(io.open(path, "rb"))
  local size = file:seek "end"
  file:close()
  return size
end

local marks = assert(io.open(out .. "/marks", "wb"))
assert((loadstring or load)(before or ""))(cli) -- luacheck: ignore 113

for i, line in ipairs(dofile(lines_of)) do
  local fine, status = pcall(cli.main, line)
  io.stdout:flush()
  if not fine then
    io.stderr:write("raised: ", tostring(status), "\n")
  end
  marks:write(("%s %d %d\n"):format(fine and status or -1, size_of(out .. "/out"),
    size_of(out .. "/err")))
  marks:flush()
  if line.changes then
    os.execute(("sh %s >%s/picture.%d"):format(picture, out, i))
  end
end
marks:close()
