-- Random operations, the same ones for the same seed, on a plugin and on the model.
local model = require "modfs.check.model"
local values = require "modfs.check.values"

local random = {}

local names = { "a", "b", "c" }

-- A generator of its own, alike on every Lua.
function random.generator(seed)
  local state = seed % 2147483647
  state = state > 0 and state or 1
  return function(n)
    state = (state * 16807) % 2147483647
    return state % n + 1
  end
end

local function path_of(draw)
  local parts = {}
  for i = 1, draw(2) do
    parts[i] = names[draw(#names)]
  end
  return table.concat(parts, "/")
end

local kinds = { "write", "write", "append", "read", "create_dir", "create_dir", "create_dir",
  "delete_file", "delete_dir", "copy_file", "rename_file", "get_children", "get_file_size" }

local takes_content = { write = true, append = true }
local takes_two = { copy_file = true, rename_file = true }

-- random.sequence(seed, length) -> array of { kind, path [, path or content] }.
function random.sequence(seed, length)
  local draw, list = random.generator(seed), {}
  for i = 1, length do
    local kind = kinds[draw(#kinds)]
    local second = takes_two[kind] and path_of(draw) or nil
    if takes_content[kind] then
      second = names[draw(#names)]:rep(draw(4) == 1 and 5000 or draw(9) - 1)
    end
    list[i] = { kind, path_of(draw), second }
  end
  return list
end

local function put(fs, method, uri, content)
  local writable, message, code = fs[method](fs, uri)
  if not writable then
    return nil, message, code
  end
  local written, why, kind = writable:write(content)
  local closed, problem, other = writable:close()
  if not written then
    return nil, why, kind
  end
  return closed, problem, other
end

local calls = {}

function calls.write(fs, uri, content)
  return put(fs, "new_writable_file", uri, content)
end

function calls.append(fs, uri, content)
  return put(fs, "new_appendable_file", uri, content)
end

function calls.read(fs, uri)
  local file, message, code = fs:new_random_access_file(uri)
  if not file then
    return nil, message, code
  end
  local content, why, kind = file:read("a")
  file:close()
  return content, why, kind
end

function calls.get_children(fs, uri)
  local found, message, code = fs:get_children(uri)
  if not found then
    return nil, message, code
  end
  table.sort(found)
  return table.concat(found, " ")
end

-- One step on both; returns how the plugin's answer differs, or nil.
local function step(fs, root, tree, operation)
  local kind, path, second = operation[1], operation[2], operation[3]
  local code, value, other = tree[kind](tree, path, second)
  local call = calls[kind] or fs[kind]
  local argument = takes_two[kind] and root .. "/" .. second or second
  local arguments = { root .. "/" .. path, argument }
  local got, message, got_code = call(fs, (table.unpack or unpack)(arguments))
  got_code = got == nil and got_code or "OK"
  if got_code ~= code and got_code ~= other then
    return ("expected %s, got %s"):format(code, got_code == "OK" and "success" or message)
  elseif value ~= nil and got ~= value then
    return ("expected %s, got %s"):format(values.show(value), values.show(got))
  end
end

-- random.run(fs, root, sequence) -> number of steps, and what differed in the last, or nil.
function random.run(fs, root, sequence)
  local tree = model.new()
  for i, operation in ipairs(sequence) do
    local difference = step(fs, root, tree, operation)
    if difference then
      return i, difference
    end
  end
  return #sequence
end

-- Leaves out what the failure does not need; again(sequence) says whether it still fails.
function random.shrink(sequence, again)
  local size = math.floor(#sequence / 2)
  while size >= 1 do
    local at = 1
    while at <= #sequence do
      local shorter = {}
      for i, operation in ipairs(sequence) do
        if i < at or i >= at + size then
          shorter[#shorter + 1] = operation
        end
      end
      if #shorter > 0 and again(shorter) then
        sequence = shorter
      else
        at = at + size
      end
    end
    size = math.floor(size / 2)
  end
  return sequence
end

-- The lines of a Lua program that does the same; root is a variable in it.
function random.script(sequence)
  local lines = {}
  for i, operation in ipairs(sequence) do
    local kind, path, second = operation[1], operation[2], operation[3]
    local words = { ("root .. %q"):format("/" .. path) }
    if takes_two[kind] then
      words[2] = ("root .. %q"):format("/" .. second)
    elseif second then
      words[2] = #second > 9 and ("(%q):rep(%d)"):format(second:sub(1, 1), #second)
        or ("%q"):format(second)
    end
    local verb = ({ create_dir = "mkdir", delete_file = "remove", delete_dir = "rmdir",
      copy_file = "copy", rename_file = "rename", get_children = "listdir",
      get_file_size = "size", append = "write" })[kind] or kind
    if kind == "append" then
      words[3] = "{ append = true }"
    end
    lines[i] = ("modfs.%s(%s)"):format(verb, table.concat(words, ", "))
  end
  return table.concat(lines, "\n")
end

-- The contract's name for what the last step calls.
function random.operation(sequence)
  local kind = sequence[#sequence][1]
  return ({ write = "new_writable_file", append = "new_appendable_file" })[kind] or kind
end

return random
