-- The cases about trees, in the form of cases.lua; a case may say prepare(who), which is not timed.
--   tree_cases(context) -> array, finish
-- What only reads is done several times in a row: once the first pass has taken its memory.
-- "C" is the limit; find, rm and cp are the programs of this machine, their start included.
local bare = require "bare"
local lfs = require "lfs"
local limit = require "tree_limit"
local modfs = require "modfs"
local uv = require "luv"
local fixtures = require "bench.fixtures"

local FILES, SMALL

-- files files in folders of 100, in two levels; half of them are called .txt.
local function plant(root, files, content)
  for i = 1, files do
    local folder = ("%s/%02d/%03d"):format(root, i // 100 % 20, i // 100)
    if i % 100 == 0 or i == 1 then
      assert(modfs.makedirs(folder))
    end
    assert(modfs.write(("%s/file%06d%s"):format(folder, i, i % 2 == 0 and ".txt" or ""), content))
  end
end

local function sh(command, ...)
  local line = command:format(...)
  return function()
    assert(os.execute(line))
  end
end

local function each_luv(path, visit)
  local request = uv.fs_scandir(path)
  local name, kind = uv.fs_scandir_next(request)
  while name do
    local entry = path .. "/" .. name
    if kind == "directory" then
      each_luv(entry, visit)
    end
    visit(entry, name, kind)
    name, kind = uv.fs_scandir_next(request)
  end
end

local function each_lfs(path, visit)
  for name in lfs.dir(path) do
    if name ~= "." and name ~= ".." then
      local entry = path .. "/" .. name
      local kind = lfs.attributes(entry, "mode")
      if kind == "directory" then
        each_lfs(entry, visit)
      end
      visit(entry, name, kind)
    end
  end
end

local function nothing() end

-- The case with each of its functions done n times.
local function repeated(case)
  for who, pass in pairs(case.who) do
    case.who[who] = function(n)
      for _ = 1, n do
        pass()
      end
    end
  end
  return case
end

local function walk_case(src)
  return {
    name = ("walk %d files"):format(FILES), key = "walk", n = 2, unit = FILES,
    who = {
      C = function() limit.walk(src) end,
      bare = function() bare.walk(src) end,
      modfs = function() for _ in modfs.walk(src) do nothing() end end,
      mem = function() for _ in modfs.walk "mem://trees" do nothing() end end,
      luv = function() each_luv(src, nothing) end,
      lfs = function() each_lfs(src, nothing) end,
      find = sh("find %s >/dev/null", src),
    },
  }
end

local function sizes_case(src)
  return {
    name = ("sizes of %d files"):format(FILES), key = "sizes", n = 2, unit = FILES,
    who = {
      C = function() limit.sizes(src) end,
      modfs = function() assert(modfs.du(src)) end,
      ["modfs 1"] = function() assert(modfs.du(src, { threads = 1 })) end,
      mem = function() assert(modfs.du "mem://trees") end,
      find = sh("find %s -size +1 >/dev/null", src),
    },
  }
end

local function glob_case(src)
  return {
    name = "glob **/*.txt", key = "glob", n = 2, unit = FILES,
    who = {
      C = function() limit.walk(src, "*.txt") end,
      bare = function() bare.glob(src, "*.txt") end,
      modfs = function() assert(#modfs.glob(src .. "/**/*.txt") == FILES / 2) end,
      mem = function() assert(#modfs.glob "mem://trees/**/*.txt" == FILES / 2) end,
      luv = function()
        local found = {}
        each_luv(src, function(entry, name)
          if name:find "%.txt$" then
            found[#found + 1] = entry
          end
        end)
        table.sort(found)
      end,
      find = sh("find %s -name '*.txt' >/dev/null", src),
    },
  }
end

local function dir_case(wide)
  return {
    name = ("dir of %d names"):format(FILES), key = "dir", n = 2, unit = FILES,
    who = {
      C = function() limit.walk(wide) end,
      bare = function() bare.list_tables(wide) end,
      modfs = function() for _ in modfs.dir(wide) do nothing() end end,
      lfs = function() for _ in lfs.dir(wide) do nothing() end end,
      luv = function()
        local request = uv.fs_scandir(wide)
        while uv.fs_scandir_next(request) do nothing() end
      end,
    },
  }
end

local function delete_case(place)
  local src, top = place .. "/small", place .. "/gone"
  return {
    name = ("delete %d files"):format(SMALL), key = "delete", n = 1, unit = SMALL,
    prepare = function()
      assert(os.execute(("rm -rf %s && cp -r %s %s"):format(top, src, top)))
    end,
    who = {
      C = function() limit.remove(top) end,
      modfs = function() assert(modfs.rmtree(top)) end,
      ["modfs {}"] = function() assert(modfs.rmtree(top, {})) end,
      rm = sh("rm -rf %s", top),
      luv = function()
        each_luv(top, function(entry, _, kind)
          (kind == "directory" and uv.fs_rmdir or uv.fs_unlink)(entry)
        end)
        uv.fs_rmdir(top)
      end,
    },
  }
end

local function luv_copy(src, dst)
  uv.fs_mkdir(dst, 511)
  local request = uv.fs_scandir(src)
  local name, kind = uv.fs_scandir_next(request)
  while name do
    local from, to = src .. "/" .. name, dst .. "/" .. name
    if kind == "directory" then
      luv_copy(from, to)
    else
      uv.fs_copyfile(from, to)
    end
    name, kind = uv.fs_scandir_next(request)
  end
end

local function io_copy(from, to)
  local file = assert(io.open(from, "rb"))
  local content = file:read "a"
  file:close()
  file = assert(io.open(to, "wb"))
  file:write(content)
  file:close()
end

local function lfs_copy(src, dst)
  lfs.mkdir(dst)
  for name in lfs.dir(src) do
    if name ~= "." and name ~= ".." then
      local from, to = src .. "/" .. name, dst .. "/" .. name
      local is_folder = lfs.attributes(from, "mode") == "directory"
      local step = is_folder and lfs_copy or io_copy
      step(from, to)
    end
  end
end

local function copy_case(place)
  local src, dst = place .. "/small", place .. "/copy"
  return {
    name = ("copy %d files of 4 KiB"):format(SMALL), key = "copy", n = 1, unit = SMALL,
    prepare = sh("rm -rf %s", dst),
    who = {
      C = function() limit.copy(src, place) end,
      ["C, kept"] = function() limit.copy(src, place, true) end,
      ["C 2, kept"] = function() limit.copy(src, place, true, 2) end,
      modfs = function() assert(#modfs.copytree(src, dst).errors == 0) end,
      ["modfs 1"] = function() assert(modfs.copytree(src, dst, { threads = 1 })) end,
      cp = sh("cp -r %s %s", src, dst),
      luv = function() luv_copy(src, dst) end,
      lfs = function() lfs_copy(src, dst) end,
    },
  }
end

return function(context)
  FILES, SMALL = context.short and 2000 or 100000, context.short and 500 or 10000
  local place = fixtures.place()
  plant(place .. "/many", FILES, "")
  plant("mem://trees", FILES, "")
  plant(place .. "/small", SMALL, ("x"):rep(4096))
  assert(modfs.makedirs(place .. "/wide"))
  for i = 1, FILES do
    assert(modfs.write(("%s/wide/entry%06d"):format(place, i), ""))
  end
  return {
    repeated(walk_case(place .. "/many")),
    repeated(sizes_case(place .. "/many")),
    repeated(glob_case(place .. "/many")),
    repeated(dir_case(place .. "/wide")),
    delete_case(place),
    copy_case(place),
  }, function()
    assert(modfs.rmtree(place))
  end
end
