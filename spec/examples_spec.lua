-- The examples, and the blocks of code in the documents, run as a reader would run them.
local child = require "spec.support.child"
local shell = require "spec.support.shell"

local function read(path)
  local file = assert(io.open(path, "rb"))
  local content = file:read("*a")
  file:close()
  return content
end

-- Runs a Lua file with this interpreter's search paths; returns status, output, error output.
local function run(path, ...)
  local words = { ("arg = { [0] = %q"):format(path) }
  for _, word in ipairs { ... } do
    words[#words + 1] = ("%q"):format(word)
  end
  return child(table.concat(words, ", ") .. " } dofile(arg[0])", { seconds = 300 })
end

describe("the tour", function()
  it("agrees with the operating system at each step", function()
    local status, out, err = run("examples/1_tour.lua", "--short")
    assert.equal(0, status, out .. err)
    assert.is_nil(out:find("FAIL", 1, true))
    assert.truthy(select(2, out:gsub("\n   ok ", "")) >= 15, out)
  end)

  it("fails when an answer is wrong", function()
    local lie = ([[
      local modfs = require "modfs"
      local size = modfs.size
      modfs.size = function(path) return size(path) + 1 end
      arg = { [0] = "examples/1_tour.lua", "--short" }
      dofile(arg[0])
    ]])
    local status, out = child(lie, { seconds = 300 })
    assert.equal(1, status)
    assert.truthy(out:find("FAIL", 1, true))
  end)
end)

describe("example", function()
  for path in shell.output("ls examples"):gmatch("[^\n]+%.lua") do
    if path ~= "1_tour.lua" then
      it(path .. " runs to its end", function()
        local status, out, err = run("examples/" .. path)
        assert.equal(0, status, out .. err)
      end)
    end
  end
end)

describe("the code in", function()
  local preamble = 'local modfs = require "modfs" '
  for _, document in ipairs { "README.md", "docs/reference.md" } do
    local number = 0
    for block in read(document):gmatch("\n```lua\n(.-)\n```") do
      number = number + 1
      it(("%s runs, block %d: %s"):format(document, number, block:match("[^\n]*")), function()
        local status, out, err = child(preamble .. block)
        assert.equal(0, status, block .. "\n" .. out .. err)
      end)
    end
    it(document .. " is there", function()
      assert.truthy(number > 0)
    end)
  end
end)
