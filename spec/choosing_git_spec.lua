-- The patterns of exclude against git itself, on random patterns and paths: MODFS_IGNORE_PAIRS of
-- them; `make ignore` takes 10,000.
local modfs = require "modfs"
local random = require "spec.support.random"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local pairs_wanted = tonumber(os.getenv "MODFS_IGNORE_PAIRS") or 1000
local seed = tonumber(os.getenv "MODFS_IGNORE_SEED") or 1
local missing = not shell.has "git" and "git is not installed"
local pick = random(seed)

local names = { "a", "b", "ab", "foo", "bar", "x.c", "x.o", "[a]", "*", "a*b", "?", "!a", "#a",
  " a", "a ", "a\\b", "\\", "caf\195\169", "a-b", "^", ".a", "]", "A", "7", "_", "\11" }

local tokens = { "a", "b", "o", ".", "x", "*", "*", "*", "**", "**", "***", "?", "?", "/", "/", "/",
  "[ab]", "[!a]", "[^b]", "[a-f]", "[]a]", "[a-]", "[-a]", "[\\]]", "[!]a]", "[[:alpha:]]",
  "[[:digit:][:upper:]]", "[[:punct:]]", "[[:space:]]", "[[:no:]]", "[[:]", "[[:alpha:]-z]",
  "[a-\\c]", "[c-a]", "[", "]", "[a", "\\", "\\a", "\\*", "\\/", "\\ ", "!", "#", " ", "-", "\r",
  "**/", "/**", "/**/", "\195\169", "\239\187\191" }

local function one_of(list)
  return list[1 + pick(#list)]
end

local function random_path()
  local parts = {}
  for i = 1, 1 + pick(4) do
    parts[i] = one_of(names)
  end
  return table.concat(parts, "/")
end

-- A path with some of it replaced: such patterns match often.
local function pattern_like(path)
  path = path:gsub("[^/]+", function(name)
    local kind = pick(8)
    return kind == 0 and "*" or kind == 1 and "**" or kind == 2 and name:gsub("^.", "?")
      or kind == 3 and name:gsub(".$", "*") or kind == 4 and name:gsub("^.", "[%0]") or name
  end)
  if pick(3) == 0 then
    path = path:gsub("^[^/]*/", one_of { "", "/", "**/", "*/" })
  end
  return path
end

local function random_pattern()
  local text = pick(2) == 0 and pattern_like(random_path()) or ""
  for _ = 1, text == "" and 1 + pick(5) or pick(2) do
    text = pick(2) == 0 and text .. one_of(tokens) or one_of(tokens) .. text
  end
  return (pick(4) == 0 and "!" or "") .. (pick(6) == 0 and "/" or "") .. text
    .. (pick(5) == 0 and "/" or "")
end

-- Makes a directory with a tree and a list of patterns in it.
local function plant(top)
  assert(modfs.makedirs(top))
  for _ = 1, 8 do
    local path = top .. "/" .. random_path()
    if pick(2) == 0 then
      modfs.makedirs(path) -- fails where a file is: as well
    elseif modfs.makedirs(path:match "^(.*)/") and not modfs.exists(path) then
      modfs.write(path, "")
    end
  end
  local lines = {}
  for i = 1, 1 + pick(4) do
    lines[i] = random_pattern()
  end
  assert(modfs.write(top .. "/.gitignore", table.concat(lines, "\n")))
end

-- The paths below a directory that a walk sees, in a set and in an array.
local function walked(top, options)
  local set, list = {}, {}
  for path, directories, files in modfs.walk(top, options) do
    for _, found in ipairs { directories, files } do
      for _, name in ipairs(found) do
        local entry = path .. "/" .. name
        set[entry] = true
        list[#list + 1] = entry
      end
    end
  end
  return set, list
end

-- What git says of each path: whether it is excluded, and the line that decided.
local function git_says(base, paths)
  tmpdir.write(base .. ".list", table.concat(paths, "\0") .. "\0")
  local status, out, err = shell.run(("cd '%s' && git -c core.excludesFile=/dev/null check-ignore "
    .. "--no-index --verbose --non-matching -z --stdin <'%s.list'"):format(base, base))
  os.remove(base .. ".list")
  assert(status <= 1, err)
  local said = {}
  for _, _, pattern, path in out:gmatch "(%Z*)%z(%Z*)%z(%Z*)%z(%Z*)%z" do
    said[path] = { excluded = pattern ~= "" and pattern:sub(1, 1) ~= "!", pattern = pattern }
  end
  return said
end

-- A matcher that knows wildcards, but no rules.
local function plain(top, path)
  for line in (modfs.read(top .. "/.gitignore") .. "\n"):gmatch "(.-)\n" do
    if modfs.path.match(path:match "[^/]*$", line) then
      return true
    end
  end
  return false
end

describe("exclude", function()
  local base, paths, ours, tops

  setup(function()
    if missing then
      return
    end
    base = tmpdir.large() .. "/repository"
    shell.output("git init -q", base)
    paths, ours, tops = {}, {}, {}
    local prefix = #base + 2
    for n = 1, math.huge do
      if #paths >= pairs_wanted then
        break
      end
      local top = ("%s/%d"):format(base, n)
      plant(top)
      local chosen = walked(top, { exclude_from = top .. "/.gitignore" })
      for _, path in ipairs(select(2, walked(top))) do
        local short = path:sub(prefix)
        paths[#paths + 1] = short
        ours[short] = not chosen[path]
        tops[short] = top
      end
    end
  end)
  teardown(function()
    if base then
      tmpdir.remove(modfs.path.dirname(base))
    end
  end)

  it("leaves out what git ignores, and nothing else", function()
    if missing then
      return pending(missing)
    end
    local said, excluded, negated = git_says(base, paths), 0, 0
    for _, path in ipairs(paths) do
      local git = assert(said[path], path)
      if git.excluded ~= ours[path] then
        error(("seed %d, %q: git %s by %q, modfs does not; patterns:\n%s"):format(seed, path,
          git.excluded and "excludes" or "includes", git.pattern,
          modfs.read(tops[path] .. "/.gitignore")))
      end
      excluded = excluded + (git.excluded and 1 or 0)
      negated = negated + (git.pattern:sub(1, 1) == "!" and 1 or 0)
    end
    assert.is_true(#paths >= pairs_wanted and excluded > #paths / 10 and negated > #paths / 100,
      ("%d paths, %d excluded, %d by !"):format(#paths, excluded, negated))
  end)

  it("differs from what a plain matcher leaves out, and the comparison shows it", function()
    if missing then
      return pending(missing)
    end
    local said, wrong = git_says(base, paths), 0
    for _, path in ipairs(paths) do
      wrong = wrong + (said[path].excluded ~= plain(tops[path], path) and 1 or 0)
    end
    assert.is_true(wrong > #paths / 20, wrong .. " differences")
  end)
end)
