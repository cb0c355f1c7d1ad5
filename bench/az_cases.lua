-- What is measured with az, and by whom: cases(context) -> array, finish. All goes to one Azurite
-- on this machine, which has its blobs in memory. The peer is azure-storage-blob, Microsoft's
-- client for Python, with one thread and with four. Everybody starts anew each time, and waits for
-- the server: by the wall.
local azurite = require "spec.support.azurite"
local program = require "bench.program"
local shell = require "spec.support.shell"
local uv = require "luv"

local client = "lua5.4 bench/s3_client.lua "
local clouds = os.getenv "MODFS_CLOUDS" or
  (os.getenv "XDG_CACHE_HOME" or os.getenv "HOME" .. "/.cache") .. "/modfs"

-- place has the file "large" and the folders "small" and "many"; the container has the same.
local function prepare(place, root, small, many)
  shell.output(("cd %s && head -c 67108864 /dev/urandom >large && mkdir small many && " ..
    "for i in $(seq %d); do head -c 1024 large >small/f$i; done && " ..
    "seq -f many/n%%05.0f %d | xargs touch"):format(place, small, many))
  program.run(("%s put %s/large %slarge"):format(client, place, root))
  program.run(("%s copytree %s/small %ssmall"):format(client, place, root))
  program.run(("%s copytree %s/many %smany"):format(client, place, root))
end

-- The commands of a case: that of modfs, the words for the SDK; ROUND is another name each time.
local function contenders(python, modfs, words)
  local function named(text, letter)
    return function(_, round) program.run((text:gsub("ROUND", letter .. round))) end
  end
  return { modfs = named(client .. modfs, "m"),
    sdk = named(("%s bench/az_client.py 1 %s"):format(python, words), "s"),
    ["sdk x4"] = named(("%s bench/az_client.py 4 %s"):format(python, words), "t") }
end

local function commands(place, root, small, many)
  return {
    { "get 64 MiB", "get " .. root .. "large", "get large >/dev/null" },
    { "put 64 MiB", "put " .. place .. "/large " .. root .. "large-ROUND",
      "put " .. place .. "/large large-ROUND" },
    { ("put %d blobs of 1 KiB"):format(small), "copytree " .. place .. "/small " .. root .. "ROUND",
      "up " .. place .. "/small ROUND", key = "put small" },
    { ("get %d blobs of 1 KiB"):format(small), "copytree " .. root .. "small " .. place .. "/ROUND",
      "down small " .. place .. "/ROUND", key = "get small" },
    { ("list %d names"):format(many), "list " .. root .. "many >/dev/null", "list many >/dev/null",
      key = "list" },
  }
end

return function(context)
  local small, many = context.short and 50 or 1000, context.short and 100 or 3000
  local python = shell.output("ls " .. clouds .. "/azure-storage-blob-*/bin/python | tail -1")
  assert(python ~= "", "scripts/setup.sh sdks installs azure-storage-blob")
  local server = assert(azurite.start { "bench" })
  local place = shell.output "mktemp -d /dev/shm/modfs-bench.XXXXXX || mktemp -d"
  local root = ("az://%s/bench/"):format(server.account)
  for name, value in pairs { MODFS_AZ_ENDPOINT = server.url, MODFS_AZ_ACCOUNT = server.account,
    MODFS_AZ_ACCOUNT_KEY = server.key, AZURE_STORAGE_CONNECTION_STRING =
      ("DefaultEndpointsProtocol=http;AccountName=%s;AccountKey=%s;BlobEndpoint=%s;"):format(
      server.account, server.key, server.url) } do
    uv.os_setenv(name, value)
  end
  prepare(place, root, small, many)
  local cases = {}
  for i, case in ipairs(commands(place, root, small, many)) do
    cases[i] = { name = case[1], key = case.key, n = 1, clock = "wall", against = "modfs",
      who = contenders(python, case[2], case[3]) }
  end
  return cases, function()
    server.stop()
    shell.run("rm -rf", place)
  end
end
