-- The ways to serve objects that bench/latency.lua compares with the example's, in plain calls of
-- modfs: in nginx's worker, which waits for them, and on threads of nginx (run_worker_thread),
-- whose Lua states see no request.
local modfs = require "modfs"

local ways = {}

local function rows(path)
  local lines = {}
  for i, name in ipairs(assert(modfs.listdir(path))) do
    local stat = modfs.stat(modfs.path.join(path, name))
    lines[i] = ("%s %d"):format(name, stat and stat.length or 0)
  end
  return table.concat(lines, "\n")
end

-- What a path is, as text.
function ways.get(path)
  if modfs.isdir(path) then
    return rows(path)
  end
  return (assert(modfs.read(path)))
end

function ways.put(body, path)
  assert(modfs.copy(body, path .. ".new") and modfs.rename(path .. ".new", path))
end

local function serve(root, call)
  local path = root .. ngx.var.uri:match "^/[^/]+/(.*)$"
  if ngx.req.get_method() == "PUT" then
    ngx.req.read_body()
    call("put", ngx.req.get_body_file(), path)
    return ngx.exit(201)
  end
  local text = call("get", path)
  ngx.header.content_length = #text
  ngx.print(text)
end

function ways.serve_blocking(root)
  serve(root, function(name, ...) return ways[name](...) end)
end

function ways.serve_by_threads(root)
  serve(root, function(name, ...)
    return select(2, assert(ngx.run_worker_thread("default", "latency_ways", name, ...)))
  end)
end

return ways
