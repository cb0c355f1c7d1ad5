-- What the specs of gs share: the emulators, which `make test-clouds` installs, and the server of
-- spec/fixtures/gs, which keeps to the documentation where they do not, and fails when asked to.
local busted = require "busted"
local clouds = require "spec.support.clouds"
local free_port = require "spec.support.free_port"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local web = require "spec.support.web"

local gs = {}

-- Why there is no gs with Google's own protocol here; nil when there is.
function gs.missing()
  for _, plugin in ipairs(modfs.available()) do
    if plugin.name == "gs" then
      return modfs.config "gs".protocol ~= "json" and "built without libcjson-dev" or nil
    end
  end
  return "built without libcurl4-openssl-dev, libexpat1-dev or libssl-dev"
end

-- name -> the program below `clouds`, and the command that starts it at a port.
local emulators = {
  ["fake-gcs-server"] = { "fake-gcs-server-*/fake-gcs-server", "%s -scheme http -host 127.0.0.1 " ..
    "-port %d -backend BACKEND -public-host 127.0.0.1 -external-url http://127.0.0.1:%d " ..
    "-log-level error" },
  ["gcp-storage-emulator"] = { "gcp-storage-emulator-*/bin/gcp-storage-emulator",
    "env PYTHONUNBUFFERED=1 %s start --host 127.0.0.1 --port %d --in-memory --quiet" },
}
gs.emulators = { "fake-gcs-server", "gcp-storage-emulator" }

-- The newest one that is installed; nil, why.
function gs.installed(name)
  local found = shell.output(("ls -d %s/%s 2>/dev/null | tail -1 || true"):format(clouds,
    emulators[name][1]))
  if found == "" then
    return nil, ("%s is not installed in %s: scripts/setup.sh clouds"):format(name, clouds)
  end
  return found
end

local function wait_for(port)
  local waits = "timeout 60 bash -c 'until exec 3<>/dev/tcp/127.0.0.1/%d; do sleep 0.05; done'"
  return shell.run(waits:format(port)) == 0
end

-- Starts one: { name =, endpoint =, place =, stop(), kill() }; kill leaves no time for anything.
-- With is_kept fake-gcs-server keeps its objects in files, and start() starts it anew after a kill.
-- nil, why, where it is not installed.
function gs.start(name, is_kept)
  local program, reason = gs.installed(name)
  reason = gs.missing() or reason
  if reason then
    return nil, reason
  end
  local place, port = tmpdir.new(), free_port()
  local command = emulators[name][2]:format(program, port, port):gsub("BACKEND",
    is_kept and "filesystem -filesystem-root objects" or "memory")
  local server = { name = name, endpoint = "http://127.0.0.1:" .. port, place = place }
  function server.start()
    server.pid = shell.output(("cd %s; env -u LD_PRELOAD %s >>log 2>&1 & echo $!"):format(place,
      command))
    assert(wait_for(port), tmpdir.content(place .. "/log"))
  end
  function server.kill()
    shell.kill(server.pid)
  end
  function server.stop()
    shell.run("kill " .. server.pid)
    tmpdir.remove(place)
  end
  server.start()
  return server
end

local function configure(server, options)
  local all = { endpoint = server.endpoint, protocol = "json", anonymous = 1 }
  for name, value in pairs(options) do
    all[name] = value
  end
  assert(modfs.config("gs", all))
end

-- Describes what holds before each emulator, with a bucket "checked": body(server). server is empty
-- until the tests run.
function gs.describe(title, options, body)
  for _, name in ipairs(gs.emulators) do
    busted.describe(title .. ", before " .. name .. ":", function()
      local _, reason = gs.installed(name)
      reason = gs.missing() or reason
      if reason then
        return busted.pending(reason)
      end
      local server = { name = name }
      busted.setup(function()
        for key, value in pairs(assert(gs.start(name))) do
          server[key] = value
        end
        configure(server, options)
        assert(modfs.mkdir "gs://checked")
      end)
      body(server)
      busted.teardown(function() server.stop() end)
    end)
  end
end

-- The server of the fixture: { endpoint =, seen(what), last(what), state(bucket), set(what),
-- stop() }.
function gs.serve()
  local place = tmpdir.new()
  local pid, port = web.launch("spec/fixtures/gs/server.lua", place .. "/port", place)
  local server = { endpoint = "http://127.0.0.1:" .. port, place = place, pid = pid }
  local function ask(...)
    return shell.output("env -u LD_PRELOAD curl -sf", server.endpoint .. "/control/" ..
      table.concat({ ... }, "/"))
  end
  function server.seen(what) return tonumber(ask("seen", what)) end
  function server.last(what) return ask("last", what) end
  function server.state(bucket) return ask("state", bucket) end
  function server.set(what) ask("set", what) end
  -- The resource of an object, as the server tells it.
  function server.object(bucket, key)
    return shell.output("env -u LD_PRELOAD curl -sf", ("%s/storage/v1/b/%s/o/%s"):format(
      server.endpoint, bucket, key))
  end
  -- Makes an object, by the resource about.
  function server.put(bucket, content, about, type)
    local part = "--x\r\nContent-Type: %s\r\n\r\n%s\r\n"
    tmpdir.write(place .. "/body", part:format("application/json", about) ..
      part:format(type, content) .. "--x--\r\n")
    shell.output("env -u LD_PRELOAD curl -sf -H 'Content-Type: multipart/related; boundary=x'" ..
      " --data-binary @" .. place .. "/body", ("%s/upload/storage/v1/b/%s/o?uploadType=multipart" ..
      "&name=%s"):format(server.endpoint, bucket, about:match '"name":"(.-)"'))
  end
  function server.stop() web.stop(pid, place) end
  return server
end

-- That server by https: { endpoint =, ca =, stop() }; nil, why, where there is no nginx.
function gs.secure(server)
  if not shell.has "nginx" then
    return nil, "nginx is not installed"
  end
  local place, port = tmpdir.new(), free_port()
  shell.output(("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost " ..
    "-addext subjectAltName=IP:127.0.0.1 -keyout %s/key.pem -out %s/cert.pem"):format(place, place))
  tmpdir.write(place .. "/conf", ([[daemon on; worker_processes 1; user root; pid PLACE/nginx.pid;
    error_log PLACE/error.log; events { worker_connections 64; } http { access_log off;
    client_body_temp_path PLACE/t1; proxy_temp_path PLACE/t2; fastcgi_temp_path PLACE/t3;
    uwsgi_temp_path PLACE/t4; scgi_temp_path PLACE/t5; server { listen 127.0.0.1:%d ssl;
    ssl_certificate PLACE/cert.pem; ssl_certificate_key PLACE/key.pem;
    location / { proxy_pass %s; proxy_set_header Host $http_host; } } }
  ]]):format(port, server.endpoint):gsub("PLACE", place))
  shell.output(("nginx -c %s/conf -e %s/error.log -p %s"):format(place, place, place))
  return { endpoint = "https://127.0.0.1:" .. port, ca = place .. "/cert.pem", stop = function()
    shell.run(("kill -TERM $(cat %s/nginx.pid)"):format(place))
    tmpdir.remove(place)
  end }
end

-- The same as describe, before that server: body(server).
function gs.describe_server(title, options, body)
  busted.describe(title, function()
    local reason = gs.missing() or web.missing()
    if reason then
      return busted.pending(reason)
    end
    local server = {}
    busted.setup(function()
      for key, value in pairs(gs.serve()) do
        server[key] = value
      end
      configure(server, options)
    end)
    body(server)
    busted.teardown(function() server.stop() end)
  end)
end

return gs
