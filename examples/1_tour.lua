-- A tour of modfs on real files: this project's own tree and /usr/share/doc.
--   make run                                  builds first
--   lua5.4 examples/1_tour.lua [--short]      --short leaves /usr/share/doc out
-- Each step says what it did and how long it took, then asks the operating system whether that is
-- right. The exit status is 1 when it is not.
local modfs = require "modfs"
local async = require "modfs.async"

local short = arg[1] == "--short"
local here = arg[0]:match("^(.*)/examples/[^/]*$") or "."
local failed = 0

-- What the tour needs beside modfs ------------------------------------------------

local function quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

-- The output of a command of the operating system, without the last newline.
local function ask(command)
  local pipe = assert(io.popen(command))
  local answer = pipe:read("*a"):gsub("\n$", "")
  pipe:close()
  return answer
end

local scratch = ask("mktemp -d")

-- Seconds since 1970: the modification time of a file that was written just now.
local function now()
  assert(modfs.write("mem://clock", ""))
  return modfs.stat("mem://clock").mtime
end

local function with_commas(n)
  local text = ("%d"):format(n):reverse():gsub("(%d%d%d)", "%1,"):reverse()
  return (text:gsub("^,", ""))
end

local number = 0

-- Runs one step; it returns a line that says what it did.
local function step(title, run)
  number = number + 1
  print(("\n%d. %s"):format(number, title))
  local start = now()
  local said = run()
  print(("   %s: %.3f s"):format(said, now() - start))
end

-- Compares with the operating system's answer.
local function check(what, ours, theirs)
  local same = tostring(ours) == tostring(theirs)
  print(("   %s %s"):format(same and "ok  " or "FAIL", what))
  if not same then
    failed = failed + 1
    print(("        modfs says   %.200s"):format(tostring(ours)))
    print(("        the system   %.200s"):format(tostring(theirs)))
  end
end

-- All files below a directory, as paths relative to it, sorted by bytes.
local function list_tree(root)
  local list = {}
  for dir, _, files in modfs.walk(root) do
    for _, name in ipairs(files) do
      list[#list + 1] = modfs.path.join(dir, name):sub(#root + 2)
    end
  end
  table.sort(list)
  return list
end

-- The trees -----------------------------------------------------------------------

-- find: the command that lists a tree's files for the operating system's side.
local trees = {
  {
    name = "project",
    root = here,
    find = "find . -type f -not -path './.git*' -not -path './build*'",
  },
}
if not short and modfs.isdir("/usr/share/doc") then
  trees[2] = { name = "doc", root = "/usr/share/doc", find = "find . -type f" }
end

-- A command of the operating system, run in a tree's root.
local function ask_in(tree, command)
  return ask("cd " .. quote(tree.root) .. " && " .. command)
end

for _, tree in ipairs(trees) do
  tree.copy = "mem://tour/" .. tree.name
  tree.files = {}
  for file in ask_in(tree, tree.find .. " -printf '%P\\n' | LC_ALL=C sort"):gmatch("[^\n]+") do
    tree.files[#tree.files + 1] = file
  end
end

print("modfs " .. (modfs._VERSION or "") .. ": the same functions for files on disk and in memory")

step("Copy real trees into mem://, a filesystem in memory", function()
  local files = 0
  for _, tree in ipairs(trees) do
    for _, file in ipairs(tree.files) do
      local target = modfs.path.join(tree.copy, file)
      assert(modfs.makedirs(modfs.path.dirname(target)))
      assert(modfs.copy(modfs.path.join(tree.root, file), target))
      files = files + 1
    end
  end
  return ("modfs.copy(%q, %q), %s files"):format("/usr/share/doc/…", "mem://tour/doc/…",
    with_commas(files))
end)
for _, tree in ipairs(trees) do
  local bytes = 0
  for _, file in ipairs(tree.files) do
    bytes = bytes + modfs.size(modfs.path.join(tree.copy, file))
  end
  check(("%s: %s bytes, as find adds them up"):format(tree.name, with_commas(bytes)), bytes,
    ask_in(tree, tree.find .. " -printf '%s\\n' | awk '{ n += $1 } END { printf \"%d\", n }'"))
end

step("List the copies", function()
  local files = 0
  for _, tree in ipairs(trees) do
    tree.listed = list_tree(tree.copy)
    files = files + #tree.listed
  end
  return ("modfs.walk, %s files"):format(with_commas(files))
end)
for _, tree in ipairs(trees) do
  check(("%s: the names are those of find"):format(tree.name), table.concat(tree.listed, "\n"),
    table.concat(tree.files, "\n"))
end

step("Read every byte back", function()
  local bytes = 0
  for _, tree in ipairs(trees) do
    tree.digest = scratch .. "/" .. tree.name .. ".sha256"
    local pipe = assert(io.popen("sha256sum > " .. quote(tree.digest), "w"))
    for _, file in ipairs(tree.files) do
      local content = assert(modfs.read(modfs.path.join(tree.copy, file)))
      bytes = bytes + #content
      pipe:write(content)
    end
    pipe:close()
  end
  return ("modfs.read, %s bytes, handed to sha256sum"):format(with_commas(bytes))
end)
for _, tree in ipairs(trees) do
  local theirs = ask_in(tree, tree.find .. " -print0 | LC_ALL=C sort -z | xargs -0 cat | sha256sum")
  check(("%s: SHA-256 %s…"):format(tree.name, theirs:sub(1, 16)), assert(modfs.read(tree.digest)),
    theirs .. "\n")
end

local project = trees[1]

step("Find files by pattern", function()
  project.headers = assert(modfs.glob(project.copy .. "/include/modfs/*.h"))
  return ("modfs.glob(%q), %d files"):format(project.copy .. "/include/modfs/*.h", #project.headers)
end)
check("as many as ls finds", #project.headers, ask_in(project, "ls include/modfs/*.h | wc -l"))

step("Read pieces: lines, and bytes at an offset", function()
  local lines = 0
  for _ in modfs.lines(project.copy .. "/Makefile") do
    lines = lines + 1
  end
  project.lines = lines
  local file = assert(modfs.open(here .. "/Makefile"))
  project.piece = file:pread(100, 40)
  file:close()
  return ("modfs.lines in memory (%d lines), pread(100, 40) on disk"):format(lines)
end)
check("as many lines as wc counts", project.lines, ask_in(project, "wc -l < Makefile"))
check("the bytes that tail and head cut out", project.piece .. ".",
  ask_in(project, "tail -c +101 Makefile | head -c 40; echo ."))

step("Map a file: bytes without a copy", function()
  local region = assert(modfs.map(here .. "/Makefile"))
  project.mapped = #region
  project.found = region:find("all:")
  local said = ("modfs.map: %s, \"all:\" at byte %d"):format(tostring(region), project.found)
  region:close()
  return said
end)
check("as long as stat says", project.mapped, ask_in(project, "stat -c %s Makefile"))
check("where grep finds it", project.found - 1,
  ask_in(project, "grep -abo all: Makefile | head -1 | cut -d: -f1"))

step("Write and append", function()
  assert(modfs.write("mem://tour/notes.txt", "one\n"))
  local file = assert(modfs.open("mem://tour/notes.txt", "a"))
  assert(assert(file:write("two\n", 3, "\n")):close())
  assert(modfs.write(scratch .. "/log", "begin\n"))
  assert(modfs.write(scratch .. "/log", "end\n", { append = true }))
  return "modfs.write, and modfs.open(path, \"a\")"
end)
check("in memory: what printf prints", modfs.read("mem://tour/notes.txt") .. ".",
  ask("printf 'one\\ntwo\\n3\\n.'"))
check("on disk: what cat reads", "begin\nend", ask("cat " .. quote(scratch .. "/log")))

step("Rename, also from one filesystem to another", function()
  assert(modfs.rename("mem://tour/notes.txt", "mem://tour/renamed.txt"))
  assert(modfs.rename("mem://tour/renamed.txt", scratch .. "/from-memory.txt"))
  return "modfs.rename(\"mem://tour/…\", \"" .. scratch .. "/…\")"
end)
check("its content arrived on disk", "one\ntwo\n3",
  ask("cat " .. quote(scratch .. "/from-memory.txt")))
check("and is gone from memory", modfs.exists("mem://tour/renamed.txt"), false)

local source = here .. "/examples/plugin/hello.c"
if ask("command -v cc") == "" or not modfs.exists(source) then
  print("\n(No C compiler, or no examples/plugin: the step that builds a plugin is left out.)")
else
  -- A plugin is linked to the name of the library that will hold TensorFlow's functions.
  local build = [[cd %s && soname=libtensorflow_framework.so.2 &&
    echo | cc -x c - -shared -nostdlib -Wl,-soname,$soname -o $soname &&
    cc -std=c11 -fPIC -fvisibility=hidden -shared -I%s/include %s -o hello.so \
      -Wl,--no-as-needed ./$soname]]
  local root = ask_in(project, "pwd -P")
  os.execute(build:format(quote(scratch), quote(root), quote(root .. "/examples/plugin/hello.c")))

  step("Load a plugin by its path: another filesystem", function()
    project.plugin = assert(modfs.load(scratch .. "/hello.so"))
    project.hello = assert(modfs.read("hello:///english.txt"))
    project.greetings = #assert(modfs.glob("hello:///*.txt"))
    return ("modfs.load(%q), schemes: %s"):format("hello.so",
      table.concat(project.plugin.schemes, " "))
  end)
  check("its file says what stands in its source", project.hello,
    ask("sed -n 's/.*english.txt\", \"\\(.*\\)\\\\n\".*/\\1/p' " .. quote(source)) .. "\n")
  check("as many files as the source has", project.greetings,
    ask("grep -c '\\.txt\", ' " .. quote(source)))
end

step("Many changes at once: a transaction", function()
  local transaction = assert(modfs.filesystem("mem"):start_transaction())
  assert(transaction:add("mem://tour/project"))
  assert(modfs.remove("mem://tour/project/Makefile"))
  project.during = modfs.exists("mem://tour/project/Makefile")
  assert(transaction:commit())
  project.after = modfs.exists("mem://tour/project/Makefile")
  return "start_transaction, add, modfs.remove, commit"
end)
check("before the commit the file is still there, afterwards it is not",
  tostring(project.during) .. ", " .. tostring(project.after), "true, false")

local links = {}
step("Links, permissions and times", function()
  for _, place in ipairs { scratch, "mem://tour" } do
    local link = place .. "/current"
    assert(modfs.write(place .. "/v2", "the newest"))
    assert(modfs.symlink("v2", link))
    assert(modfs.chmod(link, 416))
    assert(modfs.utime(link, 1500000000 * 10 ^ 9))
    local info = assert(modfs.stat(link))
    links[#links + 1] = ("%s %d %o %d"):format(modfs.readlink(link), info.length, info.mode,
      info.mtime)
  end
  assert(modfs.remove("mem://tour/current") and modfs.remove("mem://tour/v2"))
  return "modfs.symlink, chmod, utime, readlink and stat"
end)
check("readlink and stat see the same on disk", links[1], ask("cd " .. quote(scratch)
  .. " && echo $(readlink current) $(stat -L -c '%s %a %Y' current)"))
check("and in memory it is as on disk", links[2], links[1])

local together = {}
step("Without waiting: many files at once", function()
  local paths = assert(modfs.glob(here .. "/examples/*.lua"))
  together.contents = async.run(function()
    local jobs = {}
    for i, path in ipairs(paths) do
      jobs[i] = async.read(path)
    end
    return async.all(jobs):await()
  end)
  local job = async.hash("/dev/zero", "crc32c") -- has no end
  job:cancel()
  together.code = select(3, job:wait())
  return ("async.read of %d files, async.all, job:await and job:cancel"):format(#paths)
end)
local texts = {}
for i, results in ipairs(together.contents) do
  texts[i] = results[1]
end
check("together they are as long as cat says", #table.concat(texts),
  ask("cat " .. quote(here) .. "/examples/*.lua | wc -c"))
check("the endless one was cancelled", together.code, "CANCELLED")

step("Delete whole trees", function()
  local files = 0
  for _, tree in ipairs(trees) do
    files = files + #list_tree(tree.copy)
    assert(modfs.rmtree(tree.copy))
  end
  assert(modfs.makedirs(scratch .. "/a/b/c"))
  assert(modfs.write(scratch .. "/a/b/file", "x"))
  assert(modfs.rmtree(scratch .. "/a"))
  return ("modfs.rmtree, %s files in memory and a tree on disk"):format(with_commas(files))
end)
check("nothing is left in memory", #assert(modfs.listdir("mem://tour")), 0)
check("and test -e finds nothing on disk", "gone",
  ask("test -e " .. quote(scratch .. "/a") .. " || echo gone"))
check("the originals are untouched", #project.files, ask_in(project, project.find .. " | wc -l"))

os.execute("rm -rf " .. quote(scratch))
print(failed == 0 and "\nEvery answer agrees with the operating system's."
  or ("\n%d answers differ from the operating system's."):format(failed))
os.exit(failed == 0 and 0 or 1, true)
