-- The body of a request, on its way to an object: it goes to the disk once.
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

-- Bodies without a length, and those of HTTP/2, come through a file of nginx.
local function receive_whole(piece, store)
  ngx.req.read_body()
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

-- take(path, piece): puts the body in the place of the object, in one step. nil, message, code: the
-- old one stays.
function upload.take(path, piece)
  local writable, message, code = async.open(path, "w", { atomic = true }):await()
  if not writable then
    return nil, message, code
  end
  local function store(data)
    return async(writable):write(data)
  end
  local length = tonumber(ngx.var.http_content_length)
  local fine, problem = pcall(function()
    if length and ngx.req.http_version() < 2 then
      return length > 0 and receive(check(ngx.req.socket()), length, piece, store)
    end
    return receive_whole(piece, store)
  end)
  if fine then
    return async(writable):close():await()
  end
  async(writable):abort():await()
  if type(problem) ~= "table" then
    return nil, tostring(problem), "INTERNAL"
  end
  return nil, problem[1], problem[2]
end

return upload
