-- The body of a request, on its way to an object: it goes to the disk once.
local modfs = require "modfs"
local async = require "modfs.async"

local upload = {}

local function check(...)
  if not ... then
    error({ select(2, ...) })
  end
  return ...
end

-- Calls store with each piece of the body, and receives the next one meanwhile.
local function receive(socket, length, piece, store)
  local writing
  while length > 0 do
    local data, message = socket:receive(math.min(piece, length))
    if writing then
      check(writing:await())
    end
    check(data, "CANCELLED: the client has sent too little: " .. tostring(message), "CANCELLED")
    length = length - #data
    writing = store(data)
  end
  if writing then
    check(writing:await())
  end
end

-- Calls store with each piece of the body that nginx has received.
local function copy_received(piece, store)
  local name = ngx.req.get_body_file()
  if not name then
    return check(store(ngx.req.get_body_data() or ""):await())
  end
  local body = check(async.open(name):await())
  local offset = 0
  repeat
    local data, message, code = async(body):pread(offset, piece):await()
    check(data or not message, message, code)
    offset = offset + #(data or "")
    check(store(data or ""):await())
  until not data or data == ""
  body:close()
end

-- Directories above it are created as they are needed.
local function open(path)
  local function try()
    return async.open(path, "w", { atomic = true }):await()
  end
  local writable, message, code = try()
  if code == "NOT_FOUND" then
    check(async.makedirs(modfs.path.dirname(path)):await())
    writable, message, code = try()
  end
  return check(writable, message, code)
end

-- A function like pcall for those that call check.
local function attempt(...)
  local fine, result = pcall(...)
  if fine then
    return result
  elseif type(result) == "table" then
    return nil, result[1], result[2]
  end
  return nil, tostring(result), "INTERNAL"
end

-- take(path, piece): puts the body in the place of the object, in one step. nil, message, code: the
-- old one stays.
function upload.take(path, piece)
  local length = tonumber(ngx.var.http_content_length)
  local arrives = length and ngx.req.http_version() < 2
  if not arrives then -- nginx ends the request here if the body is too large, or breaks off
    ngx.req.read_body()
  end
  local writable, message, code = attempt(open, path)
  if not writable then
    return nil, message, code
  end
  local function store(data)
    return async(writable):write(data)
  end
  local stored
  stored, message, code = attempt(function()
    if arrives and length > 0 then
      receive(check(ngx.req.socket()), length, piece, store)
    elseif not arrives then
      copy_received(piece, store)
    end
    return true
  end)
  if stored then
    return async(writable):close():await()
  end
  async(writable):abort():await()
  return nil, message, code
end

return upload
