-- Random programs that read an archive, beside the same on the folder that was packed.
--   MODFS_PROGRAMS=200 MODFS_PROGRAMS_SEED=7 busted spec/archive_random_spec.lua
local made_archives = require "spec.support.made_archives"
local modfs = require "modfs"
local packed = require "spec.support.packed"
local random = require "spec.support.random"
local random_tree = require "spec.support.random_tree"
local tmpdir = require "spec.support.tmpdir"

local rounds = tonumber(os.getenv "MODFS_PROGRAMS" or 10)
local seed = tonumber(os.getenv "MODFS_PROGRAMS_SEED" or 1)
local STEPS = 150

local place

setup(function() place = tmpdir.new() end)
teardown(function() packed.remove(place) end)

-- What an answer says, without the names of the roots.
local function plain(root, value)
  if type(value) == "string" then
    return value:sub(1, #root) == root and value:sub(#root + 1) or value
  elseif type(value) ~= "table" then
    return value
  end
  local copy = {}
  for key, one in pairs(value) do
    copy[key] = plain(root, one)
  end
  return copy
end

local function answer(root, value, _, code)
  return value == nil and (code or "nil") or plain(root, value)
end

local ops = {}

for _, name in ipairs { "listdir", "exists", "isdir", "isfile", "read", "size", "islink" } do
  ops[name] = function(root, path) return answer(root, modfs[name](root .. path)) end
end

function ops.stat(root, path, tree)
  local found, _, code = modfs.stat(root .. path)
  if not found then
    return code
  end
  local keeps = tree.keeps and path:find "[^./]" ~= nil -- none has those of its root
  return { kind = found.kind, length = found.kind == "file" and found.length or nil,
    mode = keeps and found.mode or nil, mtime = keeps and math.floor(found.mtime) or nil }
end

function ops.map(root, path)
  local region, _, code = modfs.map(root .. path)
  if not region then
    return code
  end
  local content = region:sub(1)
  region:close()
  return content
end

-- Some reads of one File, forward and backward.
function ops.reads(root, path, tree)
  local file, _, code = modfs.open(root .. path)
  if not file then
    return code
  end
  local next, found = random(tree.draw_seed), {}
  for i = 1, 8 do
    found[i] = file:pread(next(8000), next(3) == 0 and next(9000) or next(40)) or "end"
  end
  file:seek("set", next(100))
  found[#found + 1] = file:read(next(10)) or "end"
  for line in file:lines() do
    found[#found + 1] = line
  end
  file:close()
  return found
end

function ops.walk(root, path, tree)
  local found, failed = {}, nil
  for directory, names, files in modfs.walk(root .. path, { bottomup = tree.draw_seed % 2 == 0,
    onerror = function(_, code) failed = code end }) do
    found[#found + 1] = { plain(root, directory), names, files }
  end
  return failed or found
end

function ops.dir(root, path)
  local found = {}
  local next, state, first, closing = modfs.dir(root .. path)
  if not next then
    return first
  end
  for name, entry in next, state, first, closing do
    found[name] = entry and entry.kind or "none"
  end
  return found
end

function ops.glob(root, _, tree)
  return answer(root, modfs.glob(modfs.escape(root) .. tree.pattern))
end

function ops.du(root, path)
  local counts, _, code = modfs.du(root .. path)
  return counts and { counts.files, counts.dirs, counts.bytes } or code
end

local verbs = {}
for name in pairs(ops) do
  verbs[#verbs + 1] = name
end
table.sort(verbs)

-- A pattern that has something to do with a path of the tree.
local function pattern_for(draw, path)
  local segments = {}
  for segment in path:gmatch "[^/]+" do
    local kind = draw(6)
    segments[#segments + 1] = kind == 1 and "*" or kind == 2 and "**"
      or kind == 3 and modfs.escape(segment:match "^[%z\1-\127]" or "") .. "*"
      or kind == 4 and "*" .. modfs.escape(segment:match "[%z\1-\127]$" or "")
      or modfs.escape(segment)
  end
  return table.concat(segments, "/") .. (draw(5) == 1 and "/" or draw(5) == 1 and "/*" or "")
end

-- A path of the tree, or one like it that may not be there.
local function path_for(draw, paths)
  local path = random_tree.pick(draw, paths)
  local kind = draw(12)
  if kind == 1 then
    return path .. "/" .. random_tree.pick(draw, random_tree.names)
  elseif kind == 2 then
    return path .. "x"
  elseif kind == 3 then
    return path .. "/"
  elseif kind == 4 then
    return (path:gsub("/", "//", 1))
  elseif kind == 5 then
    return "./" .. path:gsub("/", "/./", 1)
  elseif kind == 6 then
    return ""
  end
  return path
end

-- The archives of a folder: { name, root, keeps = whether times and modes are in them }.
local formats = {}

for _, form in ipairs { "zip:a.zip", "tar:a.tar", "tar:a.tar.gz" } do
  local scheme, name = form:match "(.*):(.*)"
  formats[name] = function(from)
    local root = ("%s://%s/%s!/"):format(scheme, place, name)
    os.remove(place .. "/" .. name)
    assert.same({}, assert(modfs.copytree(from, root)).errors)
    return { root = root, keeps = true }
  end
end

formats["a.har"] = function(from, draw)
  made_archives.har(from, place .. "/a.har", function(n) return draw(n) - 1 end)
  return { root = "har://" .. place .. "/a.har!/", keeps = true }
end

-- It has no directories but those on the way to a region; with_length: not an old one.
for name, with_length in pairs { ["a.pb"] = true, ["old.pb"] = false } do
  formats[name] = function(from)
    packed.run(place, "find from -mindepth 1 -type d -empty -delete; mkdir -p from")
    local regions = {}
    for directory, _, files in modfs.walk(from) do
      for _, file in ipairs(files) do
        local path = directory .. "/" .. file
        local content = assert(modfs.read(path))
        if not with_length then -- a region ends where the next one begins
          content = content .. ("\0"):rep(-#content % 64)
          assert(modfs.write(path, content))
        end
        regions[#regions + 1] = { path:sub(#from + 2), content }
      end
    end
    tmpdir.write(place .. "/" .. name, made_archives.package(regions, with_length))
    return { root = ("package://%s/%s!/"):format(place, name) }
  end
end

-- One program: fails where an answer of the archive is not that of the folder.
local function run_program(make, number, spoil)
  local next = random(seed * 1000 + number)
  local function draw(n) return 1 + next(n) end
  local from = place .. "/from"
  packed.run(place, "chmod -R u+rwX from 2>/dev/null; rm -rf from a.har && mkdir from")
  random_tree.plant(draw, from)
  packed.run(place, "find from -type l -delete; find from -exec touch -d @1234567890 {} +")
  local tree = make(from, draw)
  local paths = { "" }
  for directory, names, files in modfs.walk(from) do
    for _, list in ipairs { names, files } do
      for _, name in ipairs(list) do
        paths[#paths + 1] = (directory .. "/" .. name):sub(#from + 2)
      end
    end
  end
  if spoil then
    spoil(from, paths)
  end
  for step = 1, STEPS do
    local verb, path = random_tree.pick(draw, verbs), path_for(draw, paths)
    tree.draw_seed, tree.pattern = next(30000), pattern_for(draw, path)
    local right, got = ops[verb](from .. "/", path, tree), ops[verb](tree.root, path, tree)
    assert.same(right, got, ("seed %d, program %d, step %d: %s %q %q"):format(seed, number, step,
      verb, path, tree.pattern))
  end
  modfs.flush_caches()
end

describe("random programs, seed " .. seed .. ", read as in the folder:", function()
  for name, make in pairs(formats) do
    it(name, function()
      for number = 1, rounds do
        run_program(make, number)
      end
    end)

    it(name .. ", unless that has changed since (the control)", function()
      assert.has_error(function()
        run_program(make, 1, function(from, paths)
          for _, path in ipairs(paths) do
            if modfs.isfile(from .. "/" .. path) then
              assert(modfs.append(from .. "/" .. path, "more"))
            end
          end
        end)
      end)
      modfs.flush_caches()
    end)
  end
end)
