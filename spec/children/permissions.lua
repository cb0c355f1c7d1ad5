-- Operations on a tree of which a user may not read or change all (tree_bad_spec.lua): where it is,
-- the scene.
local root, scene = ...
local modfs = require "modfs"

local scenes = {}

function scenes.reads()
  local report = assert(modfs.copytree(root .. "/src", root .. "/dst"))
  assert(report.files == 2 and report.dirs == 5 and #report.errors == 2)
  local codes = {}
  for _, failure in ipairs(report.errors) do codes[failure.path] = failure.code end
  assert(codes[root .. "/src/b"] == "PERMISSION_DENIED")
  assert(codes[root .. "/src/c/three"] == "PERMISSION_DENIED")
  local counts, message, code, partial = modfs.du(root .. "/src")
  assert(counts == nil and code == "PERMISSION_DENIED" and message:find("/src/b", 1, true))
  assert(partial.files == 3 and partial.dirs == 5 and #partial.errors == 1)
  local seen, told = 0, 0
  for _ in modfs.walk(root .. "/src", { onerror = function(_, kind, path)
    assert(kind == "PERMISSION_DENIED" and path == root .. "/src/b")
    told = told + 1
  end }) do seen = seen + 1 end
  assert(seen == 4 and told == 1)
  assert(#modfs.glob(root .. "/src/**/*e*") == 3 - 1)
  assert(#modfs.glob(root .. "/src/b/two") == 0)
end

function scenes.rmtree()
  for _, options in ipairs { false, { threads = 1 }, { threads = 4 } } do
    local done, message, code, files, dirs = modfs.rmtree(root .. "/src", options or nil)
    assert(done == nil and code == "PERMISSION_DENIED", message)
    assert(files == 1 and dirs >= 2, files .. " " .. dirs)
  end
  local told = {}
  modfs.rmtree(root .. "/src", { onerror = function(_, code, path)
    told[path:sub(#root + 1)] = code
  end })
  assert(told["/src/d/four"] == "PERMISSION_DENIED" and told["/src/b"])
end

function scenes.sync()
  local report = assert(modfs.sync(root .. "/src", root .. "/dst", { delete = true }))
  assert(report.deleted == 3, report.deleted) -- a/extra, e, e/five
  assert(modfs.read(root .. "/dst/b/two") == "b/two")
  assert(#report.errors >= 2)
end

function scenes.sync_counts()
  modfs.makedirs(root .. "/none")
  local report = assert(modfs.sync(root .. "/none", root .. "/dst", { delete = true }))
  assert(report.deleted == 0 and #report.errors == 1, report.deleted)
  assert(modfs.du(root .. "/dst").files == 2)
end

function scenes.sync_below()
  local report = assert(modfs.sync(root .. "/none", root .. "/dst", { delete = true }))
  assert(report.deleted == 1 and #report.errors == 1, report.deleted) -- e/five
end

scenes[scene]()
