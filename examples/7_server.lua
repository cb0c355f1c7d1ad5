-- An HTTP server in luv that serves the files of any filesystem; a slow one holds nobody up.
--   eval "$(make -s env)" && lua5.4 examples/7_server.lua s3://BUCKET/FOLDER PORT
-- with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and, for a store of your own, AWS_ENDPOINT_URL.
-- It answers GET, one request for each connection; examples/nginx is for production.
local modfs = require "modfs"
local async = require "modfs.async"

local root, port = arg[1], tonumber(arg[2])
if not (root and port) then
  print "lua5.4 examples/7_server.lua URI PORT serves the files below URI at http://127.0.0.1:PORT/"
  return
end

local uv = require "luv"
local piece = 256 * 1024
local most_bytes_of_head = 16 * 1024

-- Jobs that wait for a store need a thread each.
assert(async.use "luv" and async.threads(64))

local statuses = { NOT_FOUND = "404 Not Found", PERMISSION_DENIED = "403 Forbidden",
  FAILED_PRECONDITION = "404 Not Found", DEADLINE_EXCEEDED = "504 Gateway Timeout" }

-- Sends text, and yields until it has left; false when the client has gone.
local function send(client, text)
  local thread = coroutine.running()
  if client:is_closing() then
    return false
  end
  client:write(text, function(problem) coroutine.resume(thread, not problem) end)
  return coroutine.yield()
end

local function send_error(client, status)
  local text = status .. "\n"
  send(client, ("HTTP/1.1 %s\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"):format(status,
    #text, text))
end

-- Piece by piece, so that a large file takes no more memory than a small one.
local function send_content(client, file, size)
  local at = 0
  while at < size do
    local text = async(file):pread(at, piece):await()
    if not text or not send(client, text) then
      return -- the client notices that the rest is missing
    end
    at = at + #text
  end
end

-- The request's path below the root; text behind ".." never leads out of it.
local function uri_of(head)
  local path = head:match "^GET (/[^ ?#]*)"
  path = path and path:gsub("%%(%x%x)", function(code) return string.char(tonumber(code, 16)) end)
  return path and not path:find "%z" and root .. modfs.path.clean(path)
end

local function answer(client, head)
  local uri = uri_of(head)
  if not uri then
    return send_error(client, "400 Bad Request")
  end
  local file, message, code = async.open(uri, "r", { timeout = 60 }):await()
  local size
  if file then
    size, message, code = async(file):size():await()
  end
  if size then
    if send(client, ("HTTP/1.1 200 OK\r\nContent-Length: %d\r\nConnection: close\r\n\r\n")
      :format(size)) then
      send_content(client, file, size)
    end
  else
    io.stderr:write(message, "\n")
    send_error(client, statuses[code] or "502 Bad Gateway")
  end
  if file then
    async(file):close():await()
  end
end

local function close(client)
  if not client:is_closing() then
    client:close()
  end
end

local function accept(server)
  local client, head = uv.new_tcp(), ""
  server:accept(client)
  client:read_start(function(problem, chunk)
    head = head .. (chunk or "")
    if problem or not chunk or #head > most_bytes_of_head then
      return close(client)
    elseif head:find("\r\n\r\n", 1, true) then
      client:read_stop()
      async.go(function()
        answer(client, head)
        close(client)
      end)
    end
  end)
end

local server = uv.new_tcp()
assert(server:bind("127.0.0.1", port))
assert(server:listen(1024, function(problem)
  assert(not problem, problem)
  accept(server)
end))
print(("http://127.0.0.1:%d/"):format(server:getsockname().port))
io.stdout:flush()
uv.run()
