-- What is measured with s3, and by whom; everybody is a shell command, and starts anew each time.
-- cases(ceph, place, many): place has the file "large" and the folder "small"; the bucket
-- "bench" has the object "large", the folder "small", and "many" with that many keys.
local client = "lua5.4 bench/s3_client.lua "

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

return function(ceph, place, many)
  local user = ceph.one.key .. ":" .. ceph.one.secret
  local curl = "curl -sf --aws-sigv4 aws:amz:us-east-1:s3 --user '" .. user ..
    "' -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "
  local s3cmd = "s3cmd --no-progress -q -c " .. ceph.place .. "/s3cmd "
  local object = ceph.http .. "/bench/large"
  return {
    { name = "get 64 MiB", aim = "get", who = {
      curl = function() return curl .. "-o /dev/null " .. object end,
      modfs = function() return client .. "get s3://bench/large" end,
      s3cmd = function() return s3cmd .. "get s3://bench/large - >/dev/null" end,
      rclone = function() return "rclone cat c:bench/large >/dev/null" end,
    } },
    { name = "put 64 MiB", aim = "put", who = {
      curl = function() return curl .. "-T " .. place .. "/large " .. object .. "-curl" end,
      modfs = function() return client .. "put " .. place .. "/large s3://bench/large-modfs" end,
      s3cmd = function() return s3cmd .. "put " .. place .. "/large s3://bench/large-s3cmd" end,
      rclone = function()
        return "rclone copyto --ignore-times " .. place .. "/large c:bench/large-rclone"
      end,
    } },
    { name = "put 64 MiB, content not signed", aim = "put", who = {
      curl = function() return curl .. "-T " .. place .. "/large " .. object .. "-curl" end,
      modfs = function()
        return "MODFS_S3_SIGN_CONTENT=0 " .. client .. "put " .. place ..
          "/large s3://bench/large-modfs"
      end,
    } },
    { name = "put 2000 objects of 1 KiB", aim = "puts", who = {
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
    { name = "get 2000 objects of 1 KiB", aim = "gets", who = {
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
    { name = ("list %d keys"):format(many), aim = "list", who = {
      curl = function() return curl .. pages(ceph, many) end,
      modfs = function() return client .. "list s3://bench/many" end,
      s3cmd = function() return s3cmd .. "ls s3://bench/many/ >/dev/null" end,
      rclone = function() return "rclone lsf c:bench/many >/dev/null" end,
    } },
  }
end
