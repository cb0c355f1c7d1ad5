-- A tree in a table that answers as the contract says: what random operations are held against.
local model = {}
model.__index = model

-- Nodes by relative path: true is a directory, a string a file's content. "" is the root.
function model.new()
  return setmetatable({ nodes = { [""] = true } }, model)
end

local function parent_of(path)
  return path:match("^(.*)/[^/]*$") or ""
end

-- The code for a path whose parent is missing or a file, or nil.
local function obstacle(self, path)
  local at = ""
  for name in parent_of(path):gmatch("[^/]+") do
    at = at == "" and name or at .. "/" .. name
    if type(self.nodes[at]) == "string" then
      return "FAILED_PRECONDITION"
    elseif not self.nodes[at] then
      return "NOT_FOUND"
    end
  end
end

-- The code for what is no file, or nil.
local function no_file(self, path)
  if obstacle(self, path) then
    return obstacle(self, path)
  elseif self.nodes[path] == nil then
    return "NOT_FOUND"
  elseif self.nodes[path] == true then
    return "FAILED_PRECONDITION"
  end
end

local function children_of(self, path)
  local names, prefix = {}, path == "" and "" or path .. "/"
  for other in pairs(self.nodes) do
    local name = other:sub(1, #prefix) == prefix and other:sub(#prefix + 1) or ""
    if name ~= "" and not name:find("/", 1, true) then
      names[#names + 1] = name
    end
  end
  table.sort(names)
  return names
end

-- The code that a question about a path gets, and its node.
function model:find(path)
  local node = self.nodes[path]
  return obstacle(self, path) or node == nil and "NOT_FOUND" or "OK", node
end

function model:children(path)
  return children_of(self, path)
end

function model:write(path, content)
  local code = obstacle(self, path) or self.nodes[path] == true and "FAILED_PRECONDITION"
  if code then
    return code
  end
  self.nodes[path] = content
  return "OK"
end

function model:append(path, content)
  local old = self.nodes[path]
  return self:write(path, (type(old) == "string" and old or "") .. content)
end

function model:read(path)
  local code = no_file(self, path)
  return code or "OK", not code and self.nodes[path] or nil
end

function model:create_dir(path)
  local code = obstacle(self, path) or self.nodes[path] ~= nil and "ALREADY_EXISTS"
  if code then
    return code
  end
  self.nodes[path] = true
  return "OK"
end

function model:recursively_create_dir(path)
  local at = ""
  for name in path:gmatch "[^/]+" do
    at = at == "" and name or at .. "/" .. name
    if type(self.nodes[at]) == "string" then
      return "FAILED_PRECONDITION"
    end
  end
  at = ""
  for name in path:gmatch "[^/]+" do
    at = at == "" and name or at .. "/" .. name
    self.nodes[at] = true
  end
  return "OK"
end

function model:delete_recursively(path)
  local code, node = self:find(path)
  if node == nil then
    return code
  end
  for other in pairs(self.nodes) do
    if other == path or other:sub(1, #path + 1) == path .. "/" then
      self.nodes[other] = nil
    end
  end
  return "OK"
end

function model:delete_file(path)
  local code = no_file(self, path)
  if code then
    return code
  end
  self.nodes[path] = nil
  return "OK"
end

function model:delete_dir(path)
  local code = obstacle(self, path)
  if code or self.nodes[path] == nil then
    return code or "NOT_FOUND"
  elseif self.nodes[path] ~= true or #children_of(self, path) > 0 then
    return "FAILED_PRECONDITION"
  end
  self.nodes[path] = nil
  return "OK"
end

-- Sources that fail first: where both sides fail with different codes, either is right.
function model:copy_file(src, dst)
  local from = no_file(self, src)
  local to = obstacle(self, dst) or self.nodes[dst] == true and "FAILED_PRECONDITION" or nil
  if from or to then
    return from or to, nil, to
  end
  self.nodes[dst] = self.nodes[src]
  return "OK"
end

function model:rename_file(src, dst)
  local code, _, other = self:copy_file(src, dst)
  if code == "OK" and src ~= dst then
    self.nodes[src] = nil
  end
  return code, nil, other
end

function model:get_children(path)
  local code = obstacle(self, path)
  if code or self.nodes[path] == nil then
    return code or "NOT_FOUND"
  elseif self.nodes[path] ~= true then
    return "FAILED_PRECONDITION"
  end
  return "OK", table.concat(children_of(self, path), " ")
end

function model:get_file_size(path)
  local code, content = self:read(path)
  return code, content and #content
end

return model
