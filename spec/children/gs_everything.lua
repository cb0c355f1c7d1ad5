-- Everything that can be asked of the plugin of gs, good and bad, with all that comes back printed:
-- endpoint, names and values of options.
local modfs = require "modfs"
local endpoint, names = ..., { select(2, ...) }
modfs.config("gs", { endpoint = endpoint, retries = 1, idle_timeout_ms = 1000,
  part_bytes = 5 * 1024 * 1024 })
for i = 1, #names, 2 do
  modfs.config("gs", { [names[i]] = names[i + 1] })
end

local large = ("x"):rep(11 * 1024 * 1024)

local function each(bucket)
  local uri = "gs://" .. bucket .. "/"
  print(modfs.write(uri .. "file", "text"))
  print(modfs.read(uri .. "file"))
  print(modfs.open(uri .. "nothing"))
  print(modfs.stat(uri .. "dir"))
  print(modfs.listdir(uri .. "dir"))
  print(modfs.glob(uri .. "*"))
  print(modfs.write(uri .. "large", large))
  print(modfs.append(uri .. "large", "more"))
  print(modfs.copy(uri .. "file", uri .. "copy"))
  print(modfs.utime(uri .. "file", 1))
  print(modfs.presign(uri .. "file", "PUT", 0))
  print(modfs.remove(uri .. "copy"))
  print(modfs.rmtree(uri .. "dir"))
end

for _, bucket in ipairs { "control", "wants-token", "wants-new", "all.status.401", "all.status.403",
  "all.status.500", "all.cut.40", "all.json.words", "all.reset.", "chunk.status.410",
  "chunk.json.object", "finish.status.403", "no_bucket" } do
  each(bucket)
end
for name, value in pairs(modfs.config "gs") do
  print(name, value)
end
for _, option in ipairs(modfs.filesystem "gs":get_filesystem_configuration()) do
  print(option.name, option.description, option.value)
end
print(modfs.config("gs", { access_token = "canary/t0k3n+0123456789abcdef\n" }))
print(modfs.config("gs", { endpoint = "no URL" }), modfs.read "gs://bucket/x")
print(modfs.config("gs", { endpoint = "http://127.0.0.1:1" }), modfs.read "gs://bucket/x")
print(modfs.filesystem "gs", modfs.plugins()[1])
