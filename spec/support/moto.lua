-- moto, a second server of S3, which `make test-clouds` installs; boto3 comes with it.
--
--   local server, reason = moto.start()     -- nil, why: skip, say so
--   server.endpoint                         "http://127.0.0.1:PORT"
--   server.python(program)                  runs Python, with `s3` of boto3 -> its output
--   server.stop()
local clouds = require "spec.support.clouds"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local moto = {}

-- The newest moto that is installed there as a whole; nil, why.
local function installed()
  local found = shell.output("ls -d " .. clouds .. "/moto-*/whole 2>/dev/null | tail -1 || true")
  local place = found:match "^(.*)/whole$"
  if not place then
    return nil, "moto is not installed in " .. clouds .. ": scripts/setup.sh clouds"
  end
  return place
end

function moto.start()
  local home, why = installed()
  why = s3.missing() or why
  if why then
    return nil, why
  end
  local place = tmpdir.new()
  local pid = shell.output(("env -u LD_PRELOAD %s/bin/moto_server -H 127.0.0.1 -p 0 >%s/log " ..
    "2>&1 & echo $!"):format(home, place))
  local waits = "timeout 120 sh -c 'until grep -q \"Running on\" %s/log; do sleep 0.1; done'"
  assert(shell.run(waits:format(place)) == 0, tmpdir.content(place .. "/log"))
  local server = { place = place,
    endpoint = tmpdir.content(place .. "/log"):match "Running on (http://[%d.:]+)" }
  assert(modfs.config("s3", { endpoint = server.endpoint, access_key_id = "key",
    secret_access_key = "secret" }))

  function server.python(program)
    tmpdir.write(place .. "/program", ([[
import boto3
s3 = boto3.client("s3", endpoint_url=%q, aws_access_key_id="key",
  aws_secret_access_key="secret", region_name="us-east-1")
%s]]):format(server.endpoint, program))
    return shell.output("env -u LD_PRELOAD", home .. "/bin/python", place .. "/program")
  end

  function server.stop() web.stop(pid, place) end
  return server
end

return moto
