-- examples/nginx on a loopback port, in a directory of its own, as serve.sh starts it.
local free_port = require "spec.support.free_port"
local luajit = require "spec.support.luajit"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local nginx = {}
nginx.__index = nginx

-- Why it cannot be started here; nil where it can.
function nginx.missing()
  local modules = "/usr/lib/nginx/modules/ngx_http_lua_module.so"
  if not (shell.has "nginx" and shell.has "luajit" and shell.run("test -e " .. modules) == 0) then
    return "nginx with its Lua module and LuaJIT is not installed"
  end
end

function nginx.new()
  local port = free_port()
  local self = { jit = luajit(), place = tmpdir.new(), port = port }
  self.base = "http://127.0.0.1:" .. port
  shell.output(("cd %s; chmod 755 .; mkdir folder; chmod 777 folder"):format(self.place))
  return setmetatable(self, nginx)
end

-- settings: variables of serve.sh; folder: what is served, if it is not the directory `folder`.
function nginx:start(settings, folder)
  local environment = ('eval "$(scripts/env.sh %s)"; '):format(self.jit)
  shell.output(environment .. "OPEN=1 " .. (settings or "") .. " examples/nginx/serve.sh",
    folder or self.place .. "/folder", tostring(self.port), self.place .. "/run")
end

function nginx:signal(name)
  shell.output(("kill -%s $(cat %s/run/nginx.pid)"):format(name, self.place))
end

-- A signal is lost while the master starts its workers.
function nginx:stop()
  shell.output(([[for tries in $(seq 600); do [ -e %s/run/nginx.pid ] || exit 0
    [ $((tries %% 20)) -ne 1 ] || kill -QUIT $(cat %s/run/nginx.pid); sleep 0.05; done; exit 1]])
    :format(self.place, self.place))
end

function nginx:remove()
  tmpdir.remove(self.place)
end

function nginx.curl(_, ...)
  return shell.output("env -u LD_PRELOAD curl -sS --max-time 20", ...)
end

function nginx:status_of(...)
  return tonumber(self:curl("-o", "/dev/null", "-w", "%{http_code}", ...))
end

-- Stores a text at that path.
function nginx:put(text, path)
  tmpdir.write(self.place .. "/small", text)
  return self:status_of("-T", self.place .. "/small", self.base .. path)
end

-- Lines of the error log that are no notices.
function nginx:complaints()
  local _, found = shell.run(([[grep -E '\[(error|crit|alert|emerg)\]' %s/run/error.log |
    grep -v 'client intended to send too large']]):format(self.place))
  return found
end

return nginx
