-- Random calls on trees with links, on the machine's files and in memory side by side: both have
-- the same results, and the same codes of failures.
local modfs = require "modfs"
local random = require "modfs.check.random"
local tmpdir = require "spec.support.tmpdir"

local ROUNDS, STEPS = tonumber(os.getenv "LINK_ROUNDS") or 25, 150
local draw = random.generator(tonumber(os.getenv "LINK_SEED") or 1)

local function pick(list)
  return list[draw(#list)]
end

local function name()
  return pick { "a", "b", "c" }
end

local function path()
  local names = {}
  for i = 1, draw(3) do
    names[i] = name()
  end
  return table.concat(names, "/")
end

-- Without a slash at the end, where the kernel tells a missing directory from a missing file. "="
-- is the root of the side that it is for.
local function target()
  local names = {}
  for i = 1, draw(4) do
    names[i] = pick { "a", "b", "c", "a", "b", "c", ".", "..", "..", "/" }
  end
  local text = table.concat(names, "/"):gsub("/+$", ""):gsub("^/+", "")
  return (draw(4) == 1 and "=/" or "") .. (text == "" and "." or text)
end

local function content()
  return pick { "x", "yy" }
end

local function pattern()
  return (path():gsub("%a", function(letter) return draw(3) == 1 and "*" or letter end))
end

-- A value, or the code of a failure.
local function result(value, _, code)
  return value == nil and code or value
end

local function listed(names, _, code)
  return names and table.concat(names, " ") or code
end

local function described(info, _, code)
  if not info then
    return code
  end
  local is_file = info.kind == "file"
  return ("%s %d %o"):format(info.kind, is_file and info.length or 0, is_file and info.mode or 0)
end

-- call(root, …, absolute) with what the other functions draw.
local calls = {
  { "symlink", function(root, to, at, absolute)
    return result(modfs.symlink((to:gsub("^=", absolute)), root .. at))
  end, target, path, weight = 5 },
  { "readlink", function(root, at, absolute)
    local found = result(modfs.readlink(root .. at))
    return found:sub(1, #absolute) == absolute and "=" .. found:sub(#absolute + 1) or found
  end, path },
  { "write", function(root, at, text) return result(modfs.write(root .. at, text)) end, path,
    content, weight = 3 },
  { "append", function(root, at, text)
    return result(modfs.write(root .. at, text, { append = true }))
  end, path, content },
  { "replace", function(root, at, text)
    return result(modfs.write(root .. at, text, { atomic = true, durable = false }))
  end, path, content },
  { "rename", function(root, src, dst)
    local done = modfs.rename(root .. src, root .. dst)
    return done or "fails" -- with either code, where both sides are wrong
  end, path, path, weight = 2 },
  { "copy", function(root, src, dst) return result(modfs.copy(root .. src, root .. dst)) end, path,
    path, weight = 2 },
  -- Not by a way that is deleted with the tree: on disk its root then stays.
  { "rmtree", function(root, at) return result(modfs.rmtree(root .. at)) end, name },
  { "chmod", function(root, at) return result(modfs.chmod(root .. at, 448)) end, path },
  { "lstat", function(root, at) return described(modfs.lstat(root .. at)) end, path },
  { "stat", function(root, at) return described(modfs.stat(root .. at)) end, path },
  { "listdir", function(root, at) return listed(modfs.listdir(root .. at)) end, path },
  { "glob", function(root, at)
    return (listed(modfs.glob(root .. at)):gsub(root:gsub("%p", "%%%0"), ""))
  end, pattern },
  { "du", function(root)
    local counts = assert(modfs.du(root))
    return ("%d files, %d directories"):format(counts.files, counts.dirs)
  end },
}
for _, one in ipairs { "mkdir", "mkdir", "makedirs", "makedirs", "remove", "rmdir", "read",
  "exists", "isdir", "islink" } do
  calls[#calls + 1] = { one, function(root, at) return result(modfs[one](root .. at)) end, path }
end

local deck = {}
for _, call in ipairs(calls) do
  for _ = 1, call.weight or 1 do
    deck[#deck + 1] = call
  end
end

-- So deep that no target leads out of it.
local below = ("/x"):rep(40) .. "/tree"

local function step(disk, done)
  local call, arguments = pick(deck), {}
  for i = 3, #call do
    arguments[i - 2] = call[i]()
  end
  local words = ("%s(%s)"):format(call[1], table.concat(arguments, ", "))
  local function run(root, absolute)
    local all = { root .. "/", (table.unpack or unpack)(arguments) }
    all[#all + 1] = absolute
    return call[2]((table.unpack or unpack)(all))
  end
  local expected = run(disk .. below, disk .. below)
  done[#done + 1] = ("%s: %s"):format(words, tostring(expected))
  assert.equal(expected, run("mem:/" .. below, below), table.concat(done, "\n"))
end

describe("random calls on trees with links", function()
  local disk

  before_each(function()
    disk = tmpdir.new()
    assert(modfs.makedirs(disk .. below))
    assert(modfs.makedirs("mem:/" .. below))
  end)
  after_each(function()
    tmpdir.remove(disk)
    assert(modfs.rmtree "mem://x")
  end)

  for round = 1, ROUNDS do
    it("have the same results in memory as on disk, round " .. round, function()
      local done = {}
      for _ = 1, STEPS do
        step(disk, done)
      end
    end)
  end
end)
