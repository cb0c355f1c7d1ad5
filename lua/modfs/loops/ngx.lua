-- The loop "ngx": nginx with its Lua module, where a request's coroutine can wait for a semaphore,
-- and any for what a socket brings.
--
-- While Jobs are pending, a timer's coroutine in each worker reads a connection to this process
-- itself (the bell, src/core/async/bell.c), and calls modfs.poll when a byte comes; so the requests
-- that wait are woken by on_done. When it has nothing to do, it rests for a second, and ends. In a
-- worker that exits no timer is begun, as nginx's Lua module would leave a connection of its own
-- open, which is an alert: then each request reads a connection of its own.
local core = require "modfs.core"
local jobs = require "modfs.jobs"
local own = require "modfs.loops.own"

local loop = {}

local ngx = rawget(_G, "ngx")
local rest = 1 -- seconds
local most = 2000000 -- seconds; nginx has milliseconds in 31 bits

-- Where a coroutine can wait: the phases in which sockets are allowed.
local phases = { rewrite = true, server_rewrite = true, access = true, content = true, timer = true,
  preread = true, ssl_cert = true, ssl_session_fetch = true, ssl_client_hello = true }

local function connect()
  local path, message = jobs.listen()
  if not path then
    return nil, message
  end
  local socket = ngx.socket.tcp()
  socket:settimeouts(1000, 1000, most * 1000)
  local connected, why = socket:connect("unix:" .. path)
  local accepted, refused = jobs.accept()
  if not connected or not accepted then
    return nil, why or refused
  end
  return socket
end

-- Runs what arrives until is_over says so.
local function serve_until(socket, is_over)
  core.poll(0)
  while not is_over() do
    local byte, message = socket:receive(1)
    if not byte and message ~= "timeout" then
      return nil, message
    end
    core.poll(0)
  end
  return true
end

function loop.open()
  local semaphore = require "ngx.semaphore"
  local resting = semaphore.new()
  local serving, is_resting = false, false
  local waiting = {} -- semaphores of requests

  local function is_idle()
    return jobs.pending() == 0
  end

  -- Waits for a second; whether watch has woken it. The time may be over in the same turn of nginx:
  -- then wait says so, and the post is left for the next wait, which ends at once.
  local function take_rest()
    is_resting = true
    local posted = resting:wait(rest)
    local woken = posted or not is_resting
    is_resting = false
    return woken
  end

  -- Until nothing was pending for a second.
  local function serve_all(socket)
    local fine, message
    repeat
      fine, message = serve_until(socket, is_idle)
    until not fine or ngx.worker.exiting() or not take_rest()
    return fine, message
  end

  local function serve()
    local socket, message = connect()
    local fine = socket
    if socket then
      fine, message = serve_all(socket)
      socket:close()
    end
    serving = false
    if not fine then
      ngx.log(ngx.ERR, "modfs: requests now wait for each other: ", message)
      for sleeper in pairs(waiting) do
        sleeper:post()
      end
    end
  end

  local function watch()
    if is_resting then
      is_resting = false
      resting:post()
    elseif not serving and ngx.get_phase() ~= "init" and not ngx.worker.exiting() then
      serving = ngx.timer.at(0, serve) and true or false
    end
  end

  local function wait_alone(job)
    local socket, message = connect()
    if not socket then
      return ngx.log(ngx.ERR, "modfs: this request makes others wait: ", message)
    end
    serve_until(socket, function() return job:done() end)
    socket:close()
  end

  local function wait(job)
    if not phases[ngx.get_phase()] then
      return
    end
    watch()
    if not serving then
      return wait_alone(job)
    end
    local sleeper = semaphore.new()
    waiting[sleeper] = true
    job:on_done(function() sleeper:post() end)
    sleeper:wait(most)
    waiting[sleeper] = nil
  end

  return { wait = wait, go = own.go_with(ngx.thread.spawn), watch = watch }
end

return loop
