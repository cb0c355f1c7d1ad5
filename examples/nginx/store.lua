-- Objects over HTTP: GET (whole or a range), HEAD, PUT and DELETE below a folder or URI.
local modfs = require "modfs"
local listing = require "listing"
local range = require "range"

local store = {}

local piece = 256 * 1024 -- bytes that one request holds at a time

local statuses = { NOT_FOUND = 404, PERMISSION_DENIED = 403, FAILED_PRECONDITION = 409,
  INVALID_ARGUMENT = 400, UNIMPLEMENTED = 501, RESOURCE_EXHAUSTED = 507, ABORTED = 503 }

local function say(status, text)
  ngx.status = status
  ngx.header.content_type = "text/plain; charset=utf-8"
  ngx.say(text)
end

local function fail(message, code)
  local status = statuses[code] or 500
  if status >= 500 then
    ngx.log(ngx.ERR, message)
  end
  say(status, code)
end

-- Where an object lies. nginx has already decoded the URI and settled what it could of "..".
local function locate(root, prefix)
  local name = ngx.var.uri:sub(#prefix + 1):gsub("^/+", "")
  for part in name:gmatch "[^/]+" do
    if part == "." or part == ".." or part:find "%z" then
      return nil
    end
  end
  return name == "" and root or modfs.path.join(root, name)
end

-- Reading ------------------------------------------------------------------------------

-- An answer that has begun can only be broken off: the client sees that bytes are missing.
local function send(file, first, last)
  while first <= last do
    local data, message = file:pread(first, math.min(piece, last - first + 1))
    if not data or data == "" then
      ngx.log(ngx.ERR, message or "the object is shorter than it said")
      return ngx.exit(ngx.ERROR)
    end
    first = first + #data
    ngx.print(data)
    ngx.flush(true)
  end
end

local function describe(length, mtime, tag)
  ngx.header.etag = tag
  ngx.header.last_modified = ngx.http_time(math.floor(mtime))
  ngx.header.accept_ranges = "bytes"
  ngx.header.content_length = length
end

local function out_of_reach(length)
  ngx.header.content_range = "bytes */" .. ("%.0f"):format(length)
  say(416, "OUT_OF_RANGE")
end

local function wanted(length, tag)
  local condition = ngx.var.http_if_range
  if condition and condition ~= tag then
    return nil
  end
  return range.of(ngx.var.http_range, length)
end

local function send_file(file, length, mtime, tag)
  local first, last = wanted(length, tag)
  if first == false then
    return out_of_reach(length)
  elseif first then
    ngx.status = 206
    ngx.header.content_range = ("bytes %.0f-%.0f/%.0f"):format(first, last, length)
  end
  first, last = first or 0, last or length - 1
  describe(last - first + 1, mtime, tag)
  if ngx.req.get_method() ~= "HEAD" then
    send(file, first, last)
  end
end

-- A writer may replace the object between the questions: then they are asked again.
local function get_file(access, path, length, mtime, tag, tries)
  if ngx.var.http_if_none_match == tag then
    ngx.status = 304
    return describe(nil, mtime, tag)
  end
  local file, message, code = access.open(path, tag, length)
  if not file and code == "ABORTED" and tries > 0 then
    local is_directory, now_length, now_mtime, now = access.stat(path)
    if is_directory == false then
      return get_file(access, path, now_length, now_mtime, now, tries - 1)
    end
  end
  if not file then
    return fail(message, code)
  end
  send_file(file, length, mtime, tag)
  file:close()
end

local function get_directory(access, path)
  if ngx.var.uri:sub(-1) ~= "/" then
    return ngx.redirect(ngx.escape_uri(ngx.var.uri, 0) .. "/", 301)
  end
  local entries, message, code = access.list(path)
  if not entries then
    return fail(message, code)
  end
  local json = (ngx.var.http_accept or ""):find("application/json", 1, true)
    or ngx.var.arg_format == "json"
  ngx.header.content_type = json and "application/json" or "text/html; charset=utf-8"
  ngx.print(json and listing.json(entries) or listing.html(ngx.var.uri, entries))
end

local function get(access, path)
  local is_directory, length, mtime, tag = access.stat(path)
  if is_directory == nil then
    return fail(length, mtime)
  elseif is_directory then
    return get_directory(access, path)
  end
  return get_file(access, path, length, mtime, tag, 10)
end

-- Writing ------------------------------------------------------------------------------

-- nginx keeps a small body in memory and a large one in a file.
local function copy_body(writable)
  local name = ngx.req.get_body_file()
  if not name then
    return assert(writable:write(ngx.req.get_body_data() or ""))
  end
  local body = assert(modfs.open(name))
  local buffer = modfs.buffer(piece)
  repeat
    local n = assert(body:readinto(buffer))
    assert(writable:write(n < piece and buffer:sub(1, n) or buffer))
  until n == 0
  body:close()
end

-- Readers see the old object or the new one; a request that fails leaves the old one.
local function put(path)
  if ngx.var.http_content_range then -- a part must not replace the whole: RFC 9110, section 14.4
    return say(400, "INVALID_ARGUMENT")
  end
  ngx.req.read_body()
  local existed = modfs.exists(path)
  local made, message, code = modfs.makedirs(modfs.path.dirname(path))
  local writable
  if made then
    writable, message, code = modfs.open(path, "w", { atomic = true })
  end
  if not writable then
    return fail(message, code)
  end
  local fine, problem = pcall(modfs.with, writable, copy_body)
  if not fine then
    return fail(problem, tostring(problem):match "^([%u_]+):")
  end
  ngx.status = existed and 204 or 201
end

local function delete(path)
  local removed, message, code = modfs.remove(path)
  if not removed then
    return fail(message, code)
  end
  ngx.status = 204
end

local methods = {
  GET = get, HEAD = get,
  PUT = function(_, path) return put(path) end,
  DELETE = function(_, path) return delete(path) end,
}

-- serve(root, prefix [, access]): answers this request. access is "objects" (the default: this
-- process reads), "memory" (and keeps what it read) or "threads" (a pool's threads read).
function store.serve(root, prefix, access)
  local method = methods[ngx.req.get_method()]
  local path = locate(root, prefix)
  if not method then
    ngx.header.allow = "GET, HEAD, PUT, DELETE"
    return say(405, "UNIMPLEMENTED")
  elseif not path then
    return say(400, "INVALID_ARGUMENT")
  end
  return method(require(access or "objects"), path)
end

return store
