-- Everything that can be asked of the plugin of s3, good and bad, with all that comes back
-- printed: endpoint, names and values of options.
local modfs = require "modfs"
local endpoint, names = ..., { select(2, ...) }
modfs.config("s3", { endpoint = endpoint, retries = 1, idle_timeout_ms = 1000 })
for i = 1, #names, 2 do
  modfs.config("s3", { [names[i]] = names[i + 1] })
end

local function each(bucket)
  local uri = "s3://" .. bucket .. "/"
  print(modfs.read(uri .. "file"))
  print(modfs.open(uri .. "file"))
  print(modfs.open(uri .. "nothing"))
  print(modfs.stat(uri .. "dir"))
  print(modfs.listdir(uri .. "dir"))
  print(modfs.glob(uri .. "*"))
  print(modfs.write(uri .. "new", "text"))
  print(modfs.copy(uri .. "file", uri .. "copy"))
  print(modfs.remove(uri .. "new"))
  print(modfs.rmtree(uri .. "dir"))
end

for _, bucket in ipairs { "control.good", "all.refuse.403-skewed", "all.refuse.400-expired",
  "all.status.500", "all.elsewhere.307", "all.cut.40", "all.malformed.2", "all.reset.0",
  "all.refuse.400-region", "all.inside", "no_bucket" } do
  each(bucket)
end
for name, value in pairs(modfs.config "s3") do
  print(name, value)
end
local list = modfs.filesystem "s3":get_filesystem_configuration()
for _, option in ipairs(list) do
  print(option.name, option.description, option.value)
end
print(modfs.config("s3", { secret_access_key = "canary/sEcReT+0123456789abcdef\n" }))
print(modfs.config("s3", { endpoint = "no URL" }), modfs.read "s3://bucket/x")
print(modfs.config("s3", { endpoint = "http://127.0.0.1:1" }), modfs.read "s3://bucket/x")
print(modfs.filesystem "s3", modfs.plugins()[1])
