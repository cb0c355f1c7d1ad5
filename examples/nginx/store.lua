-- Objects over HTTP: GET (whole or a range), HEAD, PUT and DELETE below a folder or URI.
local modfs = require "modfs"
local async = require "modfs.async"
local conditions = require "conditions"
local listing = require "listing"
local objects = require "objects"
local range = require "range"
local upload = require "upload"

local store = {}

local piece = 1024 * 1024 -- bytes; a request holds two of them
local upload_piece = 128 * 1024
local settled = 2 -- seconds after which a file's time and length tell whether it is another one

local statuses = { NOT_FOUND = 404, PERMISSION_DENIED = 403, FAILED_PRECONDITION = 409,
  INVALID_ARGUMENT = 400, UNIMPLEMENTED = 501, RESOURCE_EXHAUSTED = 507, ABORTED = 503,
  CANCELLED = 499, UNAVAILABLE = 503, DEADLINE_EXCEEDED = 504 }

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
  say(status, code or "INTERNAL")
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

-- Reads a piece ahead of the client. An answer that has begun can only be broken off: the client
-- sees that bytes are missing.
local function send(file, first, last)
  local function read()
    return first <= last and async(file):pread(first, math.min(piece, last - first + 1))
  end
  local reading = read()
  while reading do
    local data, message = reading:await()
    if not data or data == "" then
      ngx.log(ngx.ERR, message or "the object is shorter than it said")
      return ngx.exit(ngx.ERROR)
    end
    first = first + #data
    reading = read()
    ngx.print(data)
    if not ngx.flush(true) then -- the client is gone
      return reading and reading:cancel()
    end
  end
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

local function answer(path, object, first, last)
  if first then
    ngx.status = 206
    ngx.header.content_range = ("bytes %.0f-%.0f/%.0f"):format(first, last, object.length)
  end
  first, last = first or 0, last or object.length - 1
  if ngx.req.get_method() == "HEAD" then
    return describe(object, last - first + 1)
  end
  local file, message, code = objects.open(path, object)
  if not file then
    return nil, message, code
  end
  describe(object, last - first + 1)
  send(file, first, last)
  async(file):close():await()
  return true
end

-- Lets nginx itself send a large file of this machine, which takes it fewer copies. What concerns
-- conditions is settled here; the answer gets this object's tag if it is still this object.
local function send_directly(path, object)
  if not conditions.wants_range(object) then
    ngx.req.clear_header "Range"
  end
  for _, name in ipairs { "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since",
    "If-Range" } do
    ngx.req.clear_header(name)
  end
  ngx.var.object_tag = object.tag
  ngx.var.object_modified = ngx.http_time(math.floor(object.mtime))
  return ngx.exec("/direct" .. ngx.escape_uri(path, 0))
end

local function goes_directly(object, options)
  return options.direct and object.length >= piece and ngx.now() - object.mtime > settled and
    ngx.req.get_method() == "GET"
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
  local first, last = nil, nil
  if conditions.wants_range(object) then
    first, last = range.of(ngx.var.http_range, object.length)
  end
  if first == false then
    return out_of_reach(object.length)
  end
  if goes_directly(object, options) then
    return send_directly(path, object)
  end
  local _, message, code = answer(path, object, first, last)
  if code == "ABORTED" and tries > 0 then
    local now = objects.stat(path)
    if now and not now.is_directory then
      ngx.status, ngx.header.content_range = 200, nil
      return get_file(path, now, options, tries - 1)
    end
  end
  return code and fail(message, code)
end

local function get_directory(path)
  if ngx.var.uri:sub(-1) ~= "/" then
    return ngx.redirect(ngx.escape_uri(ngx.var.uri, 0) .. "/", 301)
  end
  local json = (ngx.var.http_accept or ""):find("application/json", 1, true)
    or ngx.var.arg_format == "json"
  local format = json and listing.json or listing.html(ngx.var.uri)
  ngx.header.content_type = json and "application/json" or "text/html; charset=utf-8"
  local listed, message, code = objects.list(path, function(...)
    ngx.print(format(...))
    ngx.flush(true)
  end)
  return not listed and fail(message, code)
end

local function get(path, options)
  local object, message, code = objects.stat(path)
  if not object then
    return fail(message, code)
  elseif object.is_directory then
    return get_directory(path)
  end
  return get_file(path, object, options, 10)
end

-- Writing ------------------------------------------------------------------------------

-- Answers where a condition forbids the change; else returns whether there is an object.
local function may_change(path)
  local object, message, code = objects.stat(path)
  if not object and code ~= "NOT_FOUND" and code ~= "FAILED_PRECONDITION" then
    return nil, fail(message, code)
  elseif conditions.unmet(object, false) then
    return nil, say(412, "FAILED_PRECONDITION")
  end
  return object ~= nil
end

-- Readers see the old object or the new one; a request that fails leaves the old one.
local function put(path)
  if ngx.var.http_content_range then -- a part must not replace the whole: RFC 9110, section 14.4
    return say(400, "INVALID_ARGUMENT")
  end
  local existed = may_change(path)
  if existed == nil then
    return
  end
  local made, message, code = async.makedirs(modfs.path.dirname(path)):await()
  if made then
    made, message, code = upload.take(path, upload_piece)
  end
  if not made then
    return fail(message, code)
  end
  ngx.status = existed and 204 or 201
end

local function delete(path)
  if may_change(path) == nil then
    return
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
-- direct = true: the location /direct/ sends large files of a folder.
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
  local is_here = not options.root:find("^%w+://")
  if is_here and not options.links and objects.is_linked(options.root, path) then
    return say(403, "PERMISSION_DENIED")
  end
  return method(path, options)
end

return store
