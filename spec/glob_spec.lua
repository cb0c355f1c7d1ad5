local modfs = require "modfs"
local fails = require "spec.support.fails"
local tmpdir = require "spec.support.tmpdir"
local match = modfs.path.match

local matching = {
  { "", "" }, { "a", "a" }, { "abc", "abc" }, { "", "*" }, { "abc", "*" }, { "abc", "a*" },
  { "abc", "*c" }, { "abc", "a*c" }, { "ac", "a*c" }, { "abc", "***" }, { "abc", "?b?" },
  { "a", "?" }, { "abc", "[a]bc" }, { "b", "[abc]" }, { "b", "[a-c]" }, { "5", "[0-9]" },
  { "d", "[^a-c]" }, { "_", "[^a-zA-Z]" }, { "x", "[a-cx-z]" }, { "*", "\\*" }, { "?", "\\?" },
  { "[", "\\[" }, { "\\", "\\\\" }, { "a", "\\a" }, { "]", "[\\]]" }, { "-", "[\\-]" },
  { "^", "[\\^]" }, { "^", "[a^]" }, { "*", "[*]" }, { "?", "[?]" }, { ".a", "*" },
  { ".a", "?a" }, { ".a", "[.]a" }, { "a/b", "a/b" }, { "a/b", "*/*" }, { "a/b", "?/?" },
  { "abcabc", "*abc" }, { "aXbXc", "a*b*c" }, { "mississippi", "m*iss*ip*" },
  { "\255\254", "??" }, { "\200", "[\190-\210]" }, { "a\nb", "a?b" }, { "a]", "a]" },
}

local different = {
  { "a", "" }, { "", "?" }, { "", "a" }, { "abc", "ab" }, { "ab", "abc" }, { "abc", "a?" },
  { "a", "[^a]" }, { "b", "[^a-c]" }, { "d", "[a-c]" }, { "A", "a" }, { "A", "[a-z]" },
  { "/", "*" }, { "/", "?" }, { "/", "[/]" }, { "a/b", "a*b" }, { "a/b", "*" }, { "a/b", "a?b" },
  { "a/b", "a[/]b" }, { "a/b", "a[^x]b" }, { "a/b", "a[!-~]b" }, { "x", "\\*" }, { "ab", "\\a" },
  { "a/b/c", "*/*" }, { "a", "*/a" }, { "b", "[\\a-]" }, { "abcabd", "*abc" }, { "a", "a/" },
  { "aa", "[a]" }, { "", "[a]" },
}

describe("the pattern language", function()
  for _, row in ipairs(matching) do
    it(("matches %q with %q"):format(row[1], row[2]), function()
      assert.is_true(match(row[1], row[2]))
    end)
  end

  for _, row in ipairs(different) do
    it(("does not match %q with %q"):format(row[1], row[2]), function()
      assert.is_false(match(row[1], row[2]))
    end)
  end

  it("answers broken patterns without a crash", function()
    for _, pattern in ipairs { "[", "[a", "[^", "[a-", "\\", "a\\", "[\\", "[]", "[^]", "[]-a]",
      "[z-a]", "*[", "[-]", "[a-b-c]", "[[:alpha:", "[[:alpha:]]" } do
      for _, name in ipairs { "", "a", "[", "[a", "\\", "a\\", "]", "-" } do
        assert.is_boolean(match(name, pattern))
      end
    end
  end)

  it("takes linear time", function()
    local n = 100000
    local start = os.clock()
    assert.is_false(match(("a"):rep(n), ("a*"):rep(n / 2) .. "b"))
    assert.is_true(match(("a"):rep(n) .. "b", ("a*"):rep(n / 2) .. "b"))
    assert.is_false(match(("a"):rep(n), ("*?"):rep(n / 2) .. "b"))
    assert.is_false(match(("a"):rep(n), ("*"):rep(n) .. "b"))
    assert.is_false(match(("a"):rep(n), ("*[^b]"):rep(n / 5) .. "/"))
    assert.is_true(os.clock() - start < 2, "seconds: " .. os.clock() - start)
  end)
end)

describe("modfs.escape", function()
  it("makes the pattern that matches one name alone", function()
    for value = 1, 255 do
      local name = "a" .. string.char(value) .. "b"
      local pattern = modfs.escape(name)
      assert.is_true(match(name, pattern), name)
      assert.is_false(match("a" .. string.char(value % 255 + 1) .. "b", pattern), name)
      assert.is_false(match(name .. "x", pattern), name)
    end
    for _, name in ipairs { "", "*", "?", "[a-z]", "\\", "\\*", "[", "]", "[^x]", "a*b?c[d]\\" } do
      assert.is_true(match(name, modfs.escape(name)), name)
      assert.is_false(match(name .. "y", modfs.escape(name)), name)
    end
  end)

  it("leaves harmless names as they are", function()
    assert.equal("mem://a/b-c_d.txt", modfs.escape "mem://a/b-c_d.txt")
  end)

  it("finds a file of any name", function()
    local root = tmpdir.new()
    finally(function() tmpdir.remove(root) end)
    for _, name in ipairs { "*", "[a]", "a?", "\\", "a\\*", "[", "a[", "{x}", "(1)" } do
      assert.is_true(modfs.write(root .. "/" .. name, name))
    end
    for _, name in ipairs(modfs.listdir(root)) do
      local uri = root .. "/" .. name
      assert.same({ uri }, modfs.glob(root .. "/" .. modfs.escape(name)))
      assert.same({ uri }, modfs.glob(modfs.escape(uri)))
    end
  end)
end)

describe("modfs.glob", function()
  local root

  before_each(function()
    root = tmpdir.new()
    for _, name in ipairs { "b.txt", "a.txt", "c.md", ".hidden" } do
      modfs.write(root .. "/" .. name, name)
    end
    modfs.makedirs(root .. "/sub/deeper")
    modfs.write(root .. "/sub/d.txt", "d")
  end)
  after_each(function()
    tmpdir.remove(root)
  end)

  it("gives a sorted array", function()
    assert.same({ root .. "/a.txt", root .. "/b.txt" }, modfs.glob(root .. "/*.txt"))
    assert.same({ root .. "/sub/d.txt", root .. "/sub/deeper" }, modfs.glob(root .. "/*/*"))
  end)

  it("gives an empty array when nothing matches", function()
    assert.same({}, modfs.glob(root .. "/*.none"))
    assert.same({}, modfs.glob(root .. "/none/*"))
    assert.same({}, modfs.glob(root .. "/none"))
    assert.same({}, modfs.glob "")
  end)

  it("keeps the spelling of the scheme", function()
    assert.same({ "file://" .. root .. "/c.md" }, modfs.glob("file://" .. root .. "/*.md"))
  end)

  it("fails for an unknown scheme and an embedded NUL", function()
    fails("UNIMPLEMENTED", modfs.glob "nosuch://*")
    fails("INVALID_ARGUMENT", modfs.glob(root .. "/*\0"))
  end)
end)
