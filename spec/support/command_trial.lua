-- The same command lines by modfs and by the system's own programs, each in a copy of a tree: what
-- they print, how they end, and what the trees are afterwards. All lines of modfs run in one
-- process.
local child = require "spec.support.child"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local command_trial = {}

-- All that is in a directory: kinds, modes, targets and contents.
local PICTURE = [[
find . -printf '%y %m %p -> %l\0' | LC_ALL=C sort -z
find . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r md5sum -z
]]

local function quoted(words)
  local list = {}
  for i, word in ipairs(words) do
    list[i] = shell.quote(word)
  end
  return table.concat(list, " ")
end

command_trial.quoted = quoted

local function write_theirs(lines, out, picture)
  local text = { "export LC_ALL=C.UTF-8 TZ=UTC" }
  for i, line in ipairs(lines) do
    text[#text + 1] = ("%s </dev/null >%s/out.%d 2>%s/err.%d; echo $? >%s/status.%d"):format(
      quoted(line.theirs or line), out, i, out, i, out, i)
    if line.changes then
      text[#text + 1] = ("sh %s >%s/picture.%d"):format(picture, out, i)
    end
  end
  tmpdir.write(out .. "/script", table.concat(text, "\n") .. "\n")
end

local function write_records(text)
  local path = os.tmpname()
  tmpdir.write(path, (text:gsub("[\n\r|]", { ["\n"] = "\\n\n", ["\r"] = "\\r", ["|"] = "|\n" })
    :gsub("%z", "\\0\n")))
  return path
end

-- How two texts differ, as diff tells it.
function command_trial.difference(expected, got)
  local one, other = write_records(expected), write_records(got)
  local _, out = shell.run("diff -a -U1", one, other)
  os.remove(one)
  os.remove(other)
  return out:gsub("^[^\n]*\n[^\n]*\n", "")
end

-- A text with the name of a tree's own place replaced.
local function anywhere(text, folder)
  return (text:gsub(folder:gsub("%p", "%%%0"), "/PLACE"))
end

-- Where a tree is in its folder: so deep that no link of it leads out.
local DEEP = "/1/2/tree"

local function run_theirs(lines, folder, out, picture)
  write_theirs(lines, out, picture)
  shell.output(("cd %s && timeout 60 sh %s/script"):format(folder .. DEEP, out))
  local results = {}
  for i, line in ipairs(lines) do
    results[i] = { status = tonumber(tmpdir.content(("%s/status.%d"):format(out, i))),
      out = anywhere(tmpdir.content(("%s/out.%d"):format(out, i)), folder),
      err = tmpdir.content(("%s/err.%d"):format(out, i)),
      picture = line.changes and tmpdir.content(("%s/picture.%d"):format(out, i)) }
  end
  return results
end

local function write_ours(lines, out)
  local text = { "return {" }
  for _, line in ipairs(lines) do
    local words = {}
    for i, word in ipairs(line) do
      words[i] = ("%q"):format(word)
    end
    text[#text + 1] = ("{ changes = %s, %s },"):format(tostring(line.changes or false),
      table.concat(words, ", "))
  end
  text[#text + 1] = "}"
  tmpdir.write(out .. "/lines", table.concat(text, "\n"))
end

local function run_ours(lines, folder, out, picture, before)
  write_ours(lines, out)
  tmpdir.write(out .. "/out", "")
  tmpdir.write(out .. "/err", "")
  local status, _, err = child("spec/children/commands.lua", { cwd = folder .. DEEP,
    before = ("export LC_ALL=C.UTF-8 TZ=UTC && exec >>%s/out 2>>%s/err"):format(out, out),
    arguments = { out .. "/lines", out, picture, before } })
  local all_out, all_err = tmpdir.content(out .. "/out"), tmpdir.content(out .. "/err")
  local results, from_out, from_err = {}, 1, 1
  for number, to_out, to_err in tmpdir.content(out .. "/marks"):gmatch "(%S+) (%d+) (%d+)\n" do
    local i = #results + 1
    results[i] = { status = tonumber(number),
      out = anywhere(all_out:sub(from_out, tonumber(to_out)), folder),
      err = all_err:sub(from_err, tonumber(to_err)),
      picture = lines[i].changes and tmpdir.content(("%s/picture.%d"):format(out, i)) }
    from_out, from_err = to_out + 1, to_err + 1
  end
  if status ~= 0 or #results < #lines then
    error(("modfs ended with %d at line %d: %s%s"):format(status, #results + 1, err,
      all_err:sub(from_err)), 0)
  end
  return results
end

-- run(lines, tree, before) -> results of the programs, results of modfs: for each line status, out,
-- err and, where the line changes something, picture. A line is an array of words; theirs: other
-- words for the system's program. before: Lua code for the process of modfs.
function command_trial.run(lines, tree, before)
  local place = tmpdir.large()
  shell.output(("cd %s && mkdir -p theirs ours a%s b%s && cp -a %s/. a%s && cp -a %s/. b%s")
    :format(place, DEEP, DEEP, tree, DEEP, tree, DEEP))
  local picture = place .. "/picture"
  tmpdir.write(picture, PICTURE)
  local fine, theirs, ours = pcall(function()
    return run_theirs(lines, place .. "/a", place .. "/theirs", picture),
      run_ours(lines, place .. "/b", place .. "/ours", picture, before)
  end)
  tmpdir.remove(place)
  if not fine then
    error(theirs, 0)
  end
  return theirs, ours
end

return command_trial
