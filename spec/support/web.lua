-- Web servers on loopback: a real nginx over a folder, and the one that answers badly.
local build = require "spec.fixtures.build"
local free_port = require "spec.support.free_port"
local modfs = require "modfs"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local web = {}

local settings = [[
daemon on; worker_processes 1; user root; pid %s/nginx.pid; error_log %s/error.log;
events { worker_connections 256; }
http {
  access_log off; default_type application/octet-stream;
  client_body_temp_path %s/t1; proxy_temp_path %s/t2; fastcgi_temp_path %s/t3;
  uwsgi_temp_path %s/t4;
  scgi_temp_path %s/t5;
  server {
    listen 127.0.0.1:%d; listen 127.0.0.1:%d ssl;
    ssl_certificate %s/cert.pem; ssl_certificate_key %s/key.pem;
    root %s/files;
    location /secret/ { return 403; }
    location /login/ { return 401; }
    location /plain/ { alias %s/files/; max_ranges 0; }
    location /down/ { return 302 http://127.0.0.1:%d/small; }
  }
}
]]

-- { place =, http =, https =, ca =, write(name, content), stop() }
function web.nginx()
  local place = tmpdir.new()
  local port = free_port()
  local secure
  repeat
    secure = free_port()
  until secure ~= port
  shell.output("chmod 755 " .. place .. "; mkdir " .. place .. "/files")
  shell.output(("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost " ..
    "-addext subjectAltName=IP:127.0.0.1 -keyout %s/key.pem -out %s/cert.pem"):format(place, place))
  tmpdir.write(place .. "/conf", settings:format(place, place, place, place, place, place, place,
    port, secure, place, place, place, place, port))
  shell.output(("nginx -c %s/conf -e %s/error.log -p %s"):format(place, place, place))
  local server = { place = place, http = "http://127.0.0.1:" .. port,
    https = "https://127.0.0.1:" .. secure, wrong_host = "https://localhost:" .. secure,
    ca = place .. "/cert.pem" }
  function server.write(name, content)
    tmpdir.write(place .. "/files/" .. name, content)
  end
  function server.stop()
    shell.run(("kill -TERM $(cat %s/nginx.pid); while [ -e %s/nginx.pid ]; do sleep 0.05; done")
      :format(place, place))
    tmpdir.remove(place)
  end
  return server
end

-- Whether web.launch can start anything.
function web.can_launch()
  return shell.run "lua5.4 -e 'require \"luv\"'" == 0
end

-- Why the servers that answer badly cannot be asked here; nil when they can.
function web.missing()
  return not (shell.has "curl" and web.can_launch())
    and "curl or luv for Lua 5.4 is not installed" or nil
end

-- Starts a server that is a script and writes its ports into place/port -> its process, the ports.
function web.launch(script, argument, place)
  local pid = shell.output(("lua5.4 %s %s >%s/log 2>&1 & echo $!"):format(script, argument, place))
  shell.output(([=[for i in $(seq 600); do [ -e %s/port ] && exit 0; sleep 0.05; done
    cat %s/log >&2; exit 1]=]):format(place, place))
  return pid, tmpdir.content(place .. "/port")
end

-- Ends it, and removes its place.
function web.stop(pid, place)
  shell.run("kill " .. pid)
  tmpdir.remove(place)
end

-- crowd(uri, file [, environment]) -> exit status: threads and forked children read the uri and
-- compare with the file. nil, why, where no such program runs.
function web.crowd()
  if sanitized then
    return nil, "the library wants a sanitizer that a plain program does not start with"
  end
  local root = shell.output("realpath " .. (os.getenv "BUILD" or "build"))
  local program = build.compile("crowd", "spec/fixtures/http/crowd.c", { program = true,
    libraries = ("-pthread %s/libmodfs.so.0 %s/modfs/libtensorflow_framework.so.2 -Wl,-rpath,%s")
      :format(root, root, root .. ":" .. root .. "/modfs") })
  local folder = modfs.plugin_path:match "[^;]*"
  return function(uri, file, environment)
    return (shell.run(("env %s %s"):format(environment or "", program), uri, file, folder))
  end
end

-- { url =, second =, process =, stop() }; spec/fixtures/http/chaos.lua knows the paths.
-- put(path, content [, headers]) stores an object of S3, head(path) -> its header lines as a table
-- by their names, seen(what) tells how often, state(bucket) what is in a bucket of S3.
function web.chaos()
  local place = tmpdir.new()
  local pid, ports = web.launch("spec/fixtures/http/chaos.lua", place .. "/port", place)
  local first, second = ports:match "(%d+) (%d+)"
  local server = { url = "http://127.0.0.1:" .. first, second = "http://127.0.0.1:" .. second,
    process = pid }
  function server.put(path, content, headers)
    local lines = {}
    for name, value in pairs(headers or {}) do
      lines[#lines + 1] = "-H " .. shell.quote(name .. ": " .. value)
    end
    tmpdir.write(place .. "/content", content)
    shell.output(("env -u LD_PRELOAD curl -sf %s -T %s/content"):format(table.concat(lines, " "),
      place), server.url .. "/" .. path)
  end
  function server.head(path)
    local found = {}
    local text = shell.output("env -u LD_PRELOAD curl -sfI", server.url .. "/" .. path)
    for name, value in text:gmatch "([%w%-]+): ([^\r\n]*)" do
      found[name:lower()] = value
    end
    return found
  end
  function server.seen(what)
    return tonumber(shell.output("env -u LD_PRELOAD curl -sf", server.url .. "/seen/" .. what))
  end
  function server.state(bucket)
    return shell.output("env -u LD_PRELOAD curl -sf", server.url .. "/state/" .. bucket)
  end
  function server.stop() web.stop(pid, place) end
  return server
end

return web
