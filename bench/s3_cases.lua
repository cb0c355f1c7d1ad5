-- What is measured with s3, and by whom: cases(context) -> array, finish. All goes to one Ceph on
-- this machine, which has its data in memory. Everybody is a shell command, starts anew each time,
-- and waits for the server: by the wall.
local program = require "bench.program"
local radosgw = require "spec.support.radosgw"
local shell = require "spec.support.shell"
local uv = require "luv"

local client = "lua5.4 bench/s3_client.lua "
local limit = (os.getenv "BUILD" or "build") .. "/bench/s3_limit "

-- A thousand keys each, over one connection: as fast as the server makes them.
local function pages(ceph, count)
  local urls = {}
  for first = 0, count - 1, 1000 do
    local after = first == 0 and "" or ("&start-after=many%%2Ff%05d"):format(first)
    urls[#urls + 1] = ("-o /dev/null '%s/bench?list-type=2&prefix=many%%2F%s'"):format(ceph.http,
      after)
  end
  return table.concat(urls, " ")
end

-- What the cases find; many keys go there by curl, sixteen at once.
local function prepare(ceph, place, many)
  shell.output(("cd %s && head -c 67108864 /dev/urandom >large && mkdir small && " ..
    "for i in $(seq 2000); do head -c 1024 large >small/f$i; done && : >empty"):format(place))
  assert(ceph.s3cmd("put", place .. "/large", "s3://bench/large") == 0)
  program.run(("lua5.4 bench/s3_client.lua copytree %s/small s3://bench/small"):format(place))
  local urls = assert(io.open(place .. "/urls", "w"))
  for i = 0, many - 1 do
    urls:write(('url = "%s/bench/many/f%05d"\nupload-file = "%s/empty"\n'):format(ceph.http, i,
      place))
  end
  urls:close()
  assert(ceph.curl("-Z", "--parallel-max", "16", "-K", place .. "/urls") == 0)
end

-- place has the file "large" and the folder "small"; the bucket "bench" has the object "large", the
-- folder "small", and "many" with that many keys.
local function commands(ceph, place, many)
  local user = ceph.one.key .. ":" .. ceph.one.secret
  local curl = "curl -sf --aws-sigv4 aws:amz:us-east-1:s3 --user '" .. user ..
    "' -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "
  local s3cmd = "s3cmd --no-progress -q -c " .. ceph.place .. "/s3cmd "
  local object = ceph.http .. "/bench/large"
  return {
    { name = "get 64 MiB", who = {
      curl = function() return curl .. "-o /dev/null " .. object end,
      C = function() return limit .. "get " .. object end,
      modfs = function() return client .. "get s3://bench/large" end,
      s3cmd = function() return s3cmd .. "get s3://bench/large - >/dev/null" end,
      rclone = function() return "rclone cat c:bench/large >/dev/null" end,
    } },
    { name = "put 64 MiB", who = {
      curl = function() return curl .. "-T " .. place .. "/large " .. object .. "-curl" end,
      C = function() return limit .. "put " .. object .. "-C " .. place .. "/large" end,
      modfs = function() return client .. "put " .. place .. "/large s3://bench/large-modfs" end,
      s3cmd = function() return s3cmd .. "put " .. place .. "/large s3://bench/large-s3cmd" end,
      rclone = function()
        return "rclone copyto --ignore-times " .. place .. "/large c:bench/large-rclone"
      end,
    } },
    { name = "put 64 MiB, content not signed", who = {
      curl = function() return curl .. "-T " .. place .. "/large " .. object .. "-curl" end,
      modfs = function()
        return "MODFS_S3_SIGN_CONTENT=0 " .. client .. "put " .. place ..
          "/large s3://bench/large-modfs"
      end,
    } },
    { name = "put 2000 objects of 1 KiB", who = {
      C = function(round)
        return ("%s put-many %s/bench/l%d/f %s/small 2000"):format(limit, ceph.http, round, place)
      end,
      modfs = function(round)
        return ("%s copytree %s/small s3://bench/m%d"):format(client, place, round)
      end,
      s3cmd = function(round)
        return ("%s put -r %s/small/ s3://bench/s%d/"):format(s3cmd, place, round)
      end,
      rclone = function(round)
        return ("rclone copy %s/small c:bench/r%d"):format(place, round)
      end,
    } },
    { name = "get 2000 objects of 1 KiB", who = {
      C = function(round)
        return ("%s get-many %s/bench/small/f %s/l%d 2000"):format(limit, ceph.http, place, round)
      end,
      modfs = function(round)
        return ("%s copytree s3://bench/small %s/m%d"):format(client, place, round)
      end,
      s3cmd = function(round)
        return ("mkdir %s/s%d; %s get -r s3://bench/small/ %s/s%d/"):format(place, round, s3cmd,
          place, round)
      end,
      rclone = function(round)
        return ("rclone copy c:bench/small %s/r%d"):format(place, round)
      end,
    } },
    { name = ("list %d keys"):format(many), key = "list", who = {
      curl = function() return curl .. pages(ceph, many) end,
      C = function()
        return ("%s list '%s/bench?list-type=2&prefix=many%%2F' >/dev/null"):format(limit,
          ceph.http)
      end,
      modfs = function() return client .. "list s3://bench/many >/dev/null" end,
      s3cmd = function() return s3cmd .. "ls s3://bench/many/ >/dev/null" end,
      rclone = function() return "rclone lsf c:bench/many >/dev/null" end,
    } },
  }
end

-- Runs the command that a contender gives for the round.
local function started(case)
  local who = {}
  for name, command in pairs(case.who) do
    who[name] = function(_, round) program.run(command(round)) end
  end
  return { name = case.name, key = case.key, n = 1, clock = "wall", against = "modfs", who = who }
end

return function(context)
  local many = context.short and 1000 or 20000
  local ceph = assert(radosgw.start { "bench" })
  local place = shell.output "mktemp -d /dev/shm/modfs-bench.XXXXXX || mktemp -d"
  for name in pairs(uv.os_environ()) do
    if name:find "^AWS_" then
      uv.os_unsetenv(name)
    end
  end
  for name, value in pairs { MODFS_S3_ENDPOINT = ceph.http, MODFS_S3_ACCESS_KEY_ID = ceph.one.key,
    MODFS_S3_SECRET_ACCESS_KEY = ceph.one.secret, RCLONE_CONFIG = "/dev/null",
    RCLONE_CONFIG_C_TYPE = "s3", RCLONE_CONFIG_C_PROVIDER = "Ceph",
    RCLONE_CONFIG_C_ENDPOINT = ceph.http, RCLONE_CONFIG_C_ACCESS_KEY_ID = ceph.one.key,
    RCLONE_CONFIG_C_SECRET_ACCESS_KEY = ceph.one.secret } do
    uv.os_setenv(name, value)
  end
  prepare(ceph, place, many)
  local cases = {}
  for i, case in ipairs(commands(ceph, place, many)) do
    cases[i] = started(case)
  end
  return cases, function()
    ceph.stop()
    shell.run("rm -rf", place)
  end
end
