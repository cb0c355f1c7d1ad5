-- An error for a wrong argument stands at the line of the program that made the call, never in a
-- file of modfs. The drop-ins have a spec of their own for that.
local modfs = require "modfs"

local here = debug.getinfo(1, "S").short_src .. ":"

-- The argument lists that are tried: what one of them does not refuse, another does.
local path = "mem://position"
local wrong = { {}, { {}, {}, {}, {} }, { path, { nosuch = 1 } }, { path, path, { nosuch = 1 } },
  { path, 2, { nosuch = 1 } }, { path, true, true, true } }

local function unpack_all(list)
  return (table.unpack or unpack)(list, 1, 4)
end

-- The message of a call from this file, where it raised one and not at a line of this file.
local function misplaced(call, list)
  local fine, message = pcall(function()
    local result = call(unpack_all(list))
    return result
  end)
  local is_argument = type(message) == "string" and message:find("bad argument", 1, true)
  return not fine and is_argument and message:sub(1, #here) ~= here and message or nil
end

describe("the position of an error", function()
  local modules = { modfs = modfs }
  for _, name in ipairs { "codec", "tfrecord", "searcher", "path" } do
    modules[name] = name == "path" and modfs.path or require("modfs." .. name)
  end

  setup(function() modfs.write(path, "content") end)
  teardown(function() os.remove "2" end) -- 2 is a path, too: of a copy, a link

  for module, functions in pairs(modules) do
    for name, call in pairs(functions) do
      local full = module .. "." .. name
      if type(call) == "function" then
        it("of " .. full .. " is the caller's", function()
          for _, list in ipairs(wrong) do
            assert.is_nil(misplaced(call, list))
          end
        end)
      end
    end
  end

  it("would be noticed elsewhere", function()
    local chunk = assert((loadstring or load)(
      "return function() error(\"bad argument #1 to 'f'\", 1) end", "=modfs/elsewhere.lua"))
    assert.is_truthy(misplaced(chunk(), {}))
    assert.is_truthy(misplaced(function() error("bad argument #1 to 'f'", 0) end, {}))
    assert.is_nil(misplaced(function() error("bad argument #1 to 'f'", 2) end, {}))
  end)
end)
