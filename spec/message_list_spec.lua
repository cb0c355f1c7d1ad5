-- docs/messages.md lists what the sources say, and every message keeps scripts/messages/rules.lua.
package.path = "scripts/?.lua;" .. package.path
local collect = require "messages.collect"
local rules = require "messages.rules"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local function list(root)
  return shell.run("lua5.4 scripts/messages.lua", root)
end

describe("the list of messages", function()
  it("is docs/messages.md, and keeps the rules", function()
    local status, out, err = list(".")
    assert.equal("", err)
    assert.equal(0, status)
    assert.equal(tmpdir.content "docs/messages.md", out)
  end)

  it("lists a message that is planted, with its code, and reports its breach", function()
    local root = tmpdir.new()
    shell.output("mkdir -p", root .. "/src/core/fs", root .. "/plugins", root .. "/lua/modfs",
      root .. "/bin")
    tmpdir.write(root .. "/src/core/fs/planted.c",
      'void f(void) { TF_SetStatus(s, TF_NOT_FOUND, "There is no " /* so */ "folder."); }\n')
    tmpdir.write(root .. "/lua/modfs/planted.lua", 'error("the " .. "hand  failed")\n')
    local status, out, err = list(root)
    tmpdir.remove(root)
    assert.equal(1, status)
    assert.is_truthy(out:find("| `There is no folder.` | NOT_FOUND | fs/planted.c |", 1, true), out)
    assert.is_truthy(out:find("| `the hand  failed` |  | modfs/planted.lua |", 1, true), out)
    for _, breach in ipairs { "begins with a capital", "ends in a full stop",
      'has the word "folder"', "has a double blank", 'has the word "hand"' } do
      assert.is_truthy(err:find(breach, 1, true), breach)
    end
  end)
end)

describe("the list of messages, of a folder that is in no area:", function()
  it("fails, and names the file", function()
    local root = tmpdir.new()
    shell.output("mkdir -p", root .. "/src/core", root .. "/plugins/planted", root .. "/lua",
      root .. "/bin")
    tmpdir.write(root .. "/plugins/planted/a.c", 'void f(void) { fail(s, "the file is gone"); }\n')
    local status, _, err = list(root)
    tmpdir.remove(root)
    assert.equal(1, status)
    assert.equal('plugins/planted/a.c: "the file is gone" is in no area of ' ..
      "scripts/messages/areas.lua\n", err)
  end)
end)

describe("the reader of literals", function()
  local function texts(source, is_lua)
    local found = {}
    for i, literal in ipairs(collect.from(source, is_lua)) do
      found[i] = literal.text
    end
    return found
  end

  it("joins neighbours and integer formats in C, and skips comments and characters", function()
    assert.same({ "a %u b" }, texts([[f('"', "a %" PRIu64 " b"); // "c"]]))
    assert.same({ "a", "b" }, texts('#include "x.h"\nf("a", /* "y" */ "b");'))
  end)

  it("joins literals with .. in Lua, not variables", function()
    assert.same({ "a b" }, texts([[f("a " .. 'b') -- "c"]], true))
    assert.same({ "a ", "b" }, texts("f('a ' .. x .. [[b]])", true))
  end)

  it("takes the call and the code around a literal", function()
    local found = collect.from('TF_SetStatus(s, TF_ABORTED, is ? "one" : name("two"));')
    assert.same({ "TF_SetStatus", "ABORTED" }, { found[1].call, found[1].code })
    assert.same({ "name", "ABORTED" }, { found[2].call, found[2].code })
  end)
end)

describe("the rules of messages", function()
  it("let names, codes and values begin a message", function()
    for _, text in ipairs { "HTTP status %d", "SP_Device.%s is missing", "%s is missing",
      "Content-Length is missing", "no such file", "invalid level %d" } do
      assert.same({}, rules.breaches(text), text)
    end
  end)

  it("refuse \"invalid\" without the value", function()
    assert.same({ 'says "invalid" without the value' }, rules.breaches "invalid level")
  end)
end)
