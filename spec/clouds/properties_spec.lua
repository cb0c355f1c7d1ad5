-- The headers that objects are served with, as extended attributes of the namespace object: alike
-- in all stores. The other side is curl.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local object_stores = require "spec.support.object_stores"
local shell = require "spec.support.shell"

local MIB = 1024 * 1024
local all = { ["object.cache_control"] = "max-age=60, private",
  ["object.content_disposition"] = 'attachment; filename="a b.csv"',
  ["object.content_encoding"] = "br", ["object.content_language"] = "de",
  ["object.content_type"] = "text/csv; charset=utf-8" }

local gs_emulators = { ["fake-gcs-server"] = true, ["gcp-storage-emulator"] = true }

local function curl(options, url)
  return shell.output("env -u LD_PRELOAD curl -sf " .. options, url)
end

-- By a GET of its URL.
local function headers_of(path)
  local head, found = curl("-D - -o /dev/null", assert(modfs.presign(path, "GET", 60))), {}
  for name in pairs(all) do
    local header = name:sub(8):gsub("_", "-")
    for line in head:gmatch "[^\r\n]+" do
      if line:lower():sub(1, #header + 1) == header .. ":" then
        found[name] = line:sub(#header + 3)
      end
    end
  end
  return found
end

-- By its resource: an emulator need not send all that it keeps.
local function resource_of(path, endpoint)
  local about, found = curl("", endpoint .. "/storage/v1/b/checked/o/" ..
    path:sub(14):gsub("/", "%%2F")), {}
  for name in pairs(all) do
    local member = name:sub(8):gsub("_(%l)", string.upper)
    local value = about:match('"' .. member .. '": *"(.-[^\\])"')
    found[name] = value and value:gsub("\\u(%x%x%x%x)", function(hex)
      return string.char(tonumber(hex, 16))
    end):gsub("\\(.)", "%1")
  end
  return found
end

for _, name in ipairs(object_stores.names) do
  describe("properties of objects in " .. name, function()
    local store, uri

    setup(function()
      store = object_stores.start(name)
      uri = store and store.root .. "/"
    end)
    teardown(function()
      if store then store.stop() end
    end)

    local function checks(title, body)
      object_stores.it(name, function() return store end, title, body)
    end

    local function read(path)
      return (store.root:find "^gs" and resource_of or headers_of)(path, store.endpoint)
    end

    local function set_all(path)
      for property, value in pairs(all) do
        assert(modfs.setxattr(path, property, value))
      end
    end

    checks("are set by name, read by name, and what the server tells", function()
      local path = uri .. "one"
      assert(modfs.write(path, "a,b\n"))
      assert(modfs.utime(path, 1500000000000000000))
      set_all(path)
      assert.same(all, modfs.xattrs(path))
      assert.same(all, read(path))
      assert.equal("a,b\n", modfs.read(path))
      assert.equal(1500000000, modfs.stat(path).mtime)
      assert(modfs.setxattr(path, "object.content_type", "text/plain"))
      assert.equal("text/plain", read(path)["object.content_type"])
      assert.equal("br", modfs.xattrs(path)["object.content_encoding"])
    end)

    checks("are others than what users keep by the same name", function()
      local path = uri .. "two"
      assert(modfs.write(path, "x"))
      local own = modfs.xattrs(path)["object.content_type"]
      -- Servers of S3 take - and _ for the same.
      local dash = store.root:find "^s3" and "-" or "_"
      local type, control = "user.content" .. dash .. "type", "user.cache" .. dash .. "control"
      assert(modfs.setxattr(path, type, "mine"))
      assert(modfs.setxattr(path, control, "mine, too"))
      assert.equal(own, modfs.xattrs(path)["object.content_type"])
      assert.is_nil(modfs.xattrs(path)["object.cache_control"])
      assert(modfs.setxattr(path, "object.cache_control", "no-store"))
      assert(modfs.setxattr(path, control))
      local found = modfs.xattrs(path)
      assert.same({ "no-store", "mine" }, { found["object.cache_control"], found[type] })
      assert.equal("", found[control] or "") -- fake-gcs-server takes null for ""
    end)

    checks("go when they are removed, one by one", function()
      if gs_emulators[name] then
        return pending "it keeps what is set to null"
      end
      local path = uri .. "three"
      assert(modfs.write(path, "x"))
      set_all(path)
      assert(modfs.setxattr(path, "object.cache_control"))
      assert(modfs.setxattr(path, "object.content_language", ""))
      assert(modfs.setxattr(path, "object.content_language"))
      local found = read(path)
      assert.same({ nil, nil, "br" }, { found["object.cache_control"] or nil,
        found["object.content_language"] or nil, found["object.content_encoding"] })
      assert(modfs.setxattr(path, "object.content_encoding"))
      assert(modfs.setxattr(path, "object.content_disposition"))
      assert(modfs.setxattr(path, "object.content_type"))
      local type = modfs.xattrs(path)["object.content_type"] or "" -- the server's default
      assert.truthy(type == "" or type:find "/octet%-stream$", type)
      assert.is_nil(modfs.xattrs(path)["object.content_disposition"])
    end)

    checks("stay through copies, chmod, other attributes and appending", function()
      local path = uri .. "four"
      assert(modfs.write(path, "x"))
      set_all(path)
      assert(modfs.copy(path, uri .. "copied"))
      assert(modfs.rename(uri .. "copied", uri .. "moved"))
      assert(modfs.chmod(uri .. "moved", 384))
      assert(modfs.setxattr(uri .. "moved", "user.author", "Ada"))
      for _, more in ipairs { "y", ("y"):rep(9 * MIB) } do
        assert(modfs.append(uri .. "moved", more))
        assert.same(all, read(uri .. "moved"))
      end
      assert(modfs.copytree(uri .. "four", uri .. "tree/four", { preserve = { "xattrs" } }))
      assert.same(all, read(uri .. "tree/four"))
    end)

    checks("stay when attributes of another filesystem are set, which has none", function()
      local path = uri .. "five"
      assert(modfs.write(path, "x"))
      set_all(path)
      modfs.mkdir "mem://properties"
      assert(modfs.write("mem://properties/five", "x"))
      assert(modfs.setxattr("mem://properties/five", "user.author", "Ada"))
      local options = { preserve = { "xattrs" }, size_only = true }
      for _, copied in ipairs { 0, 0 } do
        local counts = assert(modfs.sync("mem://properties/five", path, options))
        assert.same({}, counts.errors or {})
        assert.equal(copied, counts.copied)
      end
      assert.same(all, read(path))
      assert.equal("Ada", modfs.xattrs(path)["user.author"])
      assert(modfs.copytree(path, "mem://properties/back", { preserve = { "xattrs" } }))
      assert.same({ ["user.author"] = "Ada" }, modfs.xattrs "mem://properties/back")
      assert(modfs.rmtree "mem://properties")
    end)

    checks("that cannot be kept are told", function()
      local path = uri .. "six"
      assert(modfs.write(path, "x"))
      for _, value in ipairs { "ü", "a\r\nX-Evil: 1", " a", "a ", ("a"):rep(2001), "a\0" } do
        fails("UNIMPLEMENTED", modfs.setxattr(path, "object.cache_control", value))
      end
      fails("UNIMPLEMENTED", modfs.setxattr(path, "object.etag", "x"))
      fails("UNIMPLEMENTED", modfs.setxattr(path, "object.", "x"))
      fails("NOT_FOUND", modfs.setxattr(uri .. "none", "object.cache_control", "x"))
      assert(modfs.mkdir(uri .. "dir"))
      assert.same({}, modfs.xattrs(uri .. "dir"))
      fails("UNIMPLEMENTED", modfs.setxattr(uri .. "dir", "object.cache_control", "x"))
      assert(modfs.setxattr(path, "object.cache_control", ("a"):rep(1000)))
      assert.equal(("a"):rep(1000), modfs.xattrs(path)["object.cache_control"])
    end)
  end)
end
