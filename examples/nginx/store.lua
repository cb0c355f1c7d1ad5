-- Objects over HTTP: GET (whole or a range), HEAD, PUT and DELETE below a folder or URI.
local modfs = require "modfs"
local async = require "modfs.async"
local conditions = require "conditions"
local listing = require "listing"
local objects = require "objects"
local range = require "range"
local upload = require "upload"

local store = {}

local piece = 512 * 1024 -- bytes; a request holds three of them
local string_piece = 64 * 1024
local upload_piece = 128 * 1024
local taken = 64 * 1024 -- bytes of a body that nginx takes before it is asked for any
local settled = 2 -- seconds after which a file's time and length tell whether it is another one

local statuses = { NOT_FOUND = 404, PERMISSION_DENIED = 403, FAILED_PRECONDITION = 409,
  INVALID_ARGUMENT = 400, UNIMPLEMENTED = 501, RESOURCE_EXHAUSTED = 507, ABORTED = 503,
  CANCELLED = 499, UNAVAILABLE = 503, DEADLINE_EXCEEDED = 504 }

-- With HTTP/2 nginx ends the stream right behind an answer that the body has not come before, and
-- curl, which still sends that, then misses the answer: gives the client a moment to read it.
local function linger()
  local is_sent = ngx.var.http_content_length or ngx.req.get_method() == "PUT" and math.huge
  if ngx.req.http_version() >= 2 and (tonumber(is_sent) or 0) > taken then
    ngx.eof()
    ngx.sleep(0.2)
  end
end

local function say(status, text)
  ngx.status = status
  ngx.header.content_type = "text/plain; charset=utf-8"
  ngx.say(text)
  linger()
end

local function fail(message, code)
  local status = statuses[code] or 500
  if status >= 500 then
    ngx.log(ngx.ERR, message)
  end
  say(status, code or "INTERNAL")
end

-- What is no file or directory, or lies below a file, is not there for a reader.
local function fail_to_read(message, code)
  return fail(message, code == "FAILED_PRECONDITION" and "NOT_FOUND" or code)
end

-- Where an object lies. nginx has already decoded the URI and settled what it could of "..".
local function locate(root, prefix)
  local name = ngx.var.uri:sub(#prefix + 1):gsub("^/+", ""):gsub("/+$", "")
  for part in name:gmatch "[^/]+" do
    if part == "." or part == ".." or part:find "%z" then
      return nil
    end
  end
  return name == "" and root or modfs.path.join(root, name)
end

local function is_folder_name()
  return ngx.var.uri:sub(-1) == "/"
end

-- What is at the path. A link is refused where they are not to be followed.
local function look(path, options)
  local is_here = options.root:find "^file:" or not options.root:find "^[%w+.-]+://"
  if is_here and not options.links then
    return objects.stat_without_links(options.root, path)
  end
  return objects.stat(path)
end

-- Reading ------------------------------------------------------------------------------

-- The first bytes of a Buffer in short strings, for which LuaJIT has memory at hand; each long one
-- is new memory of the system.
local function strings_of(buffer, count)
  local strings = {}
  for first = 1, count, string_piece do
    strings[#strings + 1] = buffer:sub(first, math.min(first + string_piece - 1, count))
  end
  return strings
end

-- Sends the bytes from first to last; reading: the Job of their first piece, a string. Reads a
-- piece ahead of the client, into the Buffer. Returns false if bytes are missing.
local function send(file, reading, first, last, buffer)
  while reading do
    local got, message = reading:await()
    if not got or got == "" or got == 0 then
      ngx.log(ngx.ERR, message or "the object is shorter than it said")
      return false
    end
    local is_first = type(got) == "string"
    local data = is_first and got or strings_of(buffer, got)
    first = first + (is_first and #got or got)
    reading = first <= last
      and async(file):readinto(buffer, first, math.min(piece, last - first + 1))
    ngx.print(data)
    if not ngx.flush(true) then -- the client is gone
      return reading and reading:cancel()
    end
  end
  return true
end

local function describe(object, length)
  ngx.header.etag = object.tag
  ngx.header.last_modified = ngx.http_time(math.floor(object.mtime))
  ngx.header.accept_ranges = "bytes"
  ngx.header.content_length = length
end

local function out_of_reach(length)
  ngx.header.content_range = "bytes */" .. ("%.0f"):format(length)
  say(416, "OUT_OF_RANGE")
end

local function answer(path, object, part_first, part_last)
  local first, last = part_first or 0, part_last or object.length - 1
  local function begin()
    if part_first then
      ngx.status = 206
      ngx.header.content_range = ("bytes %.0f-%.0f/%.0f"):format(first, last, object.length)
    end
    describe(object, last - first + 1)
  end
  if ngx.req.get_method() == "HEAD" then
    return begin()
  end
  local file, reading, code = objects.open(path, object, first, math.min(last, first + piece - 1))
  if not file then
    return nil, reading, code
  end
  begin()
  local buffer = last - first >= piece and modfs.buffer(piece)
  local whole = send(file, reading, first, last, buffer)
  if buffer then
    buffer:close() -- its memory is none that the collector counts
  end
  async(file):close()
  if not whole then -- an answer that has begun can only be broken off
    return ngx.exit(ngx.ERROR)
  end
  return true
end

-- Lets nginx itself send a file of this machine, which takes it fewer copies. Conditions are
-- settled here, but for one: a range is of this object, or of none. The answer gets this object's
-- tag if it is still this object.
local function send_directly(path, object, is_part)
  local date = ngx.http_time(math.floor(object.mtime))
  for _, name in ipairs { "Match", "None-Match", "Modified-Since", "Unmodified-Since" } do
    ngx.req.clear_header("If-" .. name)
  end
  if is_part then
    ngx.req.set_header("If-Range", date)
  else
    ngx.req.clear_header "Range"
  end
  ngx.var.object_tag, ngx.var.object_modified = object.tag, date
  return ngx.exec("/direct" .. ngx.escape_uri(path, 0))
end

local function goes_directly(object, options)
  return options.direct and ngx.now() - object.mtime > settled and ngx.req.get_method() == "GET"
end

-- For the location that sends directly: a header of the answer.
function store.tag_direct()
  if ngx.header.last_modified == ngx.var.object_modified then
    ngx.header.etag = ngx.var.object_tag
  end
end

-- A writer may replace the object between the questions: then they are asked again.
local function get_file(path, object, options, tries)
  local unmet = conditions.unmet(object, true)
  if unmet == 304 then
    ngx.status = 304
    return describe(object)
  elseif unmet then
    return say(unmet, "FAILED_PRECONDITION")
  end
  local first, last, are_several = nil, nil, nil
  if conditions.wants_range(object) then
    first, last, are_several = range.of(ngx.var.http_range, object.length)
  end
  if first == false then
    return out_of_reach(object.length)
  end
  if goes_directly(object, options) then
    return send_directly(path, object, first or are_several)
  end
  local _, message, code = answer(path, object, first, last)
  if code == "ABORTED" and tries > 0 then
    local now = look(path, options)
    if now and not now.is_directory then
      return get_file(path, now, options, tries - 1)
    end
  end
  return code and fail_to_read(message, code)
end

local function get_directory(path)
  if not is_folder_name() then
    return ngx.redirect(ngx.escape_uri(ngx.var.uri, 0) .. "/", 301)
  end
  local json = (ngx.var.http_accept or ""):find("application/json", 1, true)
    or ngx.var.arg_format == "json"
  local format = json and listing.json or listing.html(ngx.var.uri)
  ngx.header.content_type = json and "application/json" or "text/html; charset=utf-8"
  if ngx.req.get_method() == "HEAD" then
    return
  end
  local listed, message, code = objects.list(path, function(...)
    ngx.print(format(...))
    ngx.flush(true)
  end)
  return not listed and fail(message, code)
end

local function get(path, options)
  local object, message, code = look(path, options)
  if not object then
    return fail_to_read(message, code)
  elseif object.is_directory then
    return get_directory(path)
  elseif is_folder_name() then
    return say(404, "NOT_FOUND")
  end
  return get_file(path, object, options, 10)
end

-- Writing ------------------------------------------------------------------------------

-- Answers where a condition forbids the change; else returns whether there is an object.
local function may_change(path, options)
  local object, message, code = look(path, options)
  if not object and code ~= "NOT_FOUND" and code ~= "FAILED_PRECONDITION" then
    return nil, fail(message, code)
  elseif object and object.is_directory or is_folder_name() then
    return nil, say(409, "FAILED_PRECONDITION")
  elseif conditions.unmet(object, false) then
    return nil, say(412, "FAILED_PRECONDITION")
  end
  return object ~= nil
end

-- Readers see the old object or the new one; a request that fails leaves the old one.
local function put(path, options)
  if ngx.var.http_content_range then -- a part must not replace the whole: RFC 9110, section 14.4
    return say(400, "INVALID_ARGUMENT")
  end
  local existed = may_change(path, options)
  if existed == nil then
    return
  end
  local made, message, code = upload.take(path, upload_piece)
  if not made then
    return fail(message, code)
  end
  ngx.status = existed and 204 or 201
end

local function delete(path, options)
  local existed = may_change(path, options)
  if existed == nil then
    return
  elseif not existed then
    return say(404, "NOT_FOUND")
  end
  local removed, message, code = async.remove(path):await()
  if not removed then
    return fail(message, code)
  end
  ngx.status = 204
end

local methods = { GET = get, HEAD = get, PUT = put, DELETE = delete }

-- serve{ root =, prefix =, auth =, links = }: answers this request. root: a folder or a URI;
-- prefix: the location's; auth(method, path): true or a status; links = true: follow them;
-- direct = true: the location /direct/ sends files of a folder that have not changed for a while.
function store.serve(options)
  local name = ngx.req.get_method()
  local method = methods[name]
  local path = locate(options.root, options.prefix)
  if not method then
    ngx.header.allow = "GET, HEAD, PUT, DELETE"
    return say(405, "UNIMPLEMENTED")
  elseif not path then
    return say(400, "INVALID_ARGUMENT")
  end
  local allowed = not options.auth or options.auth(name, path)
  if allowed ~= true then
    return say(allowed or 403, "PERMISSION_DENIED")
  end
  return method(path, options)
end

return store
