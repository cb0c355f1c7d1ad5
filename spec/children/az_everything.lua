-- Everything that can be asked of the plugin of az, good and bad, with all that comes back
-- printed: the URL of a good server, that of one with several faces, then names and values of
-- options.
local modfs = require "modfs"
local good, faces, names = ..., select(2, ...), { select(3, ...) }
modfs.config("az", { retries = 1, idle_timeout_ms = 1000 })
for i = 1, #names, 2 do
  print(modfs.config("az", { [names[i]] = names[i + 1] }))
end

local function each(account)
  local uri = "az://" .. account .. "/con/"
  print(modfs.read(uri .. "file"))
  print(modfs.open(uri .. "file"))
  print(modfs.stat(uri .. "dir"))
  print(modfs.listdir(uri .. "dir"))
  print(modfs.glob(uri .. "*"))
  print(modfs.write(uri .. "new", "text"))
  print(modfs.write(uri .. "new", ("text"):rep(600000)))
  print(modfs.append(uri .. "new", "text"))
  print(modfs.copy(uri .. "file", uri .. "copy"))
  print(modfs.utime(uri .. "copy", 0))
  print(modfs.remove(uri .. "new"))
  print(modfs.rmtree(uri .. "dir"))
  print(modfs.listdir("az://" .. account))
end

modfs.config("az", { endpoint = good, part_bytes = 1024 * 1024 })
each "devstoreaccount1"
each "other"
for _, way in ipairs { "denied403", "clock", "leased", "cutlist", "notlist", "lost", "copyfails",
  "none" } do
  modfs.config("az", { endpoint = faces .. "/" .. way })
  each "devstoreaccount1"
end
for name, value in pairs(modfs.config "az") do
  print(name, value)
end
for _, option in ipairs(modfs.filesystem "az://":get_filesystem_configuration()) do
  print(option.name, option.description, option.value)
end
print(modfs.config("az", { account_key = "canary-key\n" }))
print(modfs.config("az", { endpoint = "http://127.0.0.1:1" }))
print(modfs.read "az://devstoreaccount1/con/x")
print(modfs.filesystem "az://", modfs.plugins()[1])
