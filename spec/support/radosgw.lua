-- A real Ceph with its S3 gateway on loopback, in memory, for as long as the spec that started it.
--
--   local ceph, reason = radosgw.start { "bucket-one", "bucket-two" }  -- nil, why: skip, say so
--                              with shards = 1 listings and changes cost the gateway half as much,
--                              for specs of many requests; otherwise Ceph divides each index
--   ceph.http, ceph.https      "http://127.0.0.1:PORT"; the certificate of https names 127.0.0.1,
--                              localhost and BUCKET.localhost of the buckets, not wrong.localhost
--   ceph.ca, ceph.place        the file with the certificate to trust; a folder for the spec
--   ceph.one, ceph.two         users, { key =, secret = }; the buckets are those of the first
--   ceph.session(seconds)      short-lived credentials of the first, { key =, secret =, token = };
--                              the first call starts the gateway anew, and makes it say less of
--                              bad credentials
--   ceph.run(line)             -> exit status, output of a line of bash inside, where radosgw-admin
--                              works, $osd and $rgw are process ids, and stop_rgw and start_rgw
--                              crash and start the gateway
--   ceph.s3cmd(words...)       -> exit status, output, error output of s3cmd as the first user
--   ceph.curl(words...)        the same of curl, with the first user's signature
--   ceph.uploads(bucket)       how many uploads nobody has ended
--   ceph.stop()
local inside = require "spec.support.inside"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local radosgw = {}
local unpack = table.unpack or unpack -- luacheck: ignore

local programs = { "ceph", "ceph-authtool", "monmaptool", "ceph-mon", "ceph-osd", "radosgw",
  "radosgw-admin", "s3cmd", "curl", "openssl", "unshare", "setpriv" }

-- Why there can be none here; nil when there can.
function radosgw.missing()
  return inside.missing(programs)
end

local function certificates(place, buckets)
  local names = { "IP:127.0.0.1", "DNS:localhost" }
  for _, bucket in ipairs(buckets) do
    names[#names + 1] = "DNS:" .. bucket .. ".localhost"
  end
  tmpdir.write(place .. "/names", "subjectAltName=" .. table.concat(names, ",") .. "\n")
  shell.output("cd " .. place .. [[;
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=CA -keyout ca.key -out ca.pem
    openssl req -new -newkey rsa:2048 -nodes -subj /CN=radosgw -keyout key.pem -out request
    openssl x509 -req -in request -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 \
      -extfile names -out cert.pem]])
end

local function write_s3cmd(ceph)
  tmpdir.write(ceph.place .. "/s3cmd", ([[
[default]
access_key = %s
secret_key = %s
host_base = %s
host_bucket = %s
use_https = False
signature_v2 = False
]]):format(ceph.one.key, ceph.one.secret, ceph.http:sub(8), ceph.http:sub(8)))
end

local function clients(ceph)
  write_s3cmd(ceph)
  local user = ceph.one.key .. ":" .. ceph.one.secret

  function ceph.s3cmd(...)
    return shell.run("env -u LD_PRELOAD s3cmd --no-progress -c", ceph.place .. "/s3cmd", ...)
  end

  function ceph.curl(...)
    return shell.run("env -u LD_PRELOAD curl -sS --aws-sigv4 aws:amz:us-east-1:s3 " ..
      "-H 'x-amz-content-sha256: UNSIGNED-PAYLOAD'", "--user", user, ...)
  end

  function ceph.uploads(bucket)
    local status, out, err = ceph.curl("-f", ceph.http .. "/" .. bucket .. "?uploads=")
    assert(status == 0, err)
    return select(2, out:gsub("<UploadId>", ""))
  end
end

local function commands(ceph)
  local run = ceph.run

  function ceph.run(line)
    return run("{ " .. line .. "; } 2>&1")
  end

  function ceph.session(seconds)
    local status, out = ceph.run("session " .. seconds)
    assert(status == 0, out)
    local key, secret, token = out:match "^(.-)\n(.-)\n([^\n]+)"
    return { key = key, secret = secret, token = token }
  end
end

function radosgw.start(buckets)
  local why = radosgw.missing()
  if why then
    return nil, why
  end
  local place = tmpdir.new()
  certificates(place, buckets)
  local ceph, reason = inside.start(place, ("SHARDS=%d bash spec/support/radosgw.sh"):format(
    buckets.shards or 0), unpack(buckets))
  if not ceph then
    return nil, reason
  end
  local plain, secure = ceph.ready:match "(%d+)\n(%d+)"
  ceph.ca, ceph.http, ceph.https = place .. "/ca.pem", "http://127.0.0.1:" .. plain,
    "https://127.0.0.1:" .. secure
  ceph.one = { key = "AKIDONE", secret = "secret/of+one" }
  ceph.two = { key = "AKIDTWO", secret = "secret/of+two=" }
  clients(ceph)
  commands(ceph)
  return ceph
end

return radosgw
