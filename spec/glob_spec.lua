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
  { "a/b", "a/**/b" }, { "a/x/y/b", "a/**/b" }, { "b", "**/b" }, { "a/x/y", "a/**" },
  { "a/", "a/**" },
  { "", "**" }, { "a/b", "**" }, { "a/x/", "a/**/" }, { "a/", "a/**/" }, { "x/a/x/b", "**/a/**/b" },
  { "/x/b", "/**/b" }, { "mem://h/x/b", "mem://**/b" }, { "a/bc/bd/c", "a/**/b*/c" },
  { "a/.x/b", "a/**/**/b" }, { "a/**", "a/\\*\\*" }, { "a/b", "*/" .. "**" }, { "abc/x", "**c/x" },
  { "\255\254", "??" }, { "\200", "[\190-\210]" }, { "a\nb", "a?b" }, { "a]", "a]" },
}

local different = {
  { "a", "" }, { "", "?" }, { "", "a" }, { "abc", "ab" }, { "ab", "abc" }, { "abc", "a?" },
  { "a", "[^a]" }, { "b", "[^a-c]" }, { "d", "[a-c]" }, { "A", "a" }, { "A", "[a-z]" },
  { "/", "*" }, { "/", "?" }, { "/", "[/]" }, { "a/b", "a*b" }, { "a/b", "*" }, { "a/b", "a?b" },
  { "a/b", "a[/]b" }, { "a/b", "a[^x]b" }, { "a/b", "a[!-~]b" }, { "x", "\\*" }, { "ab", "\\a" },
  { "a/b/c", "*/*" }, { "a", "*/a" }, { "b", "[\\a-]" }, { "abcabd", "*abc" }, { "a", "a/" },
  { "aa", "[a]" }, { "", "[a]" }, { "a", "a/**" }, { "ab", "a/**/b" }, { "a/xb", "a/**/b" },
  { "a/b/c", "a/**/b" }, { "a/x", "a/**/" }, { "a/x/b", "a**/b" }, { "a/x", "a/\\*\\*" },
  { "x/b", "**/a/**/b" }, { "a/b", "a/***/c" },
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
    assert.is_false(match(("a/"):rep(n), ("**/a/"):rep(n / 5) .. "b"))
    assert.is_false(match(("a/"):rep(2000), "**/" .. ("a/"):rep(1000) .. "b"))
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

describe("** in a pattern", function()
  local root

  local function plant(scheme)
    root = scheme == "" and tmpdir.new() or scheme .. "glob"
    for _, name in ipairs { "a.txt", "sub/b.txt", "sub/.hidden/c.txt", "sub/deep/er/d.txt",
      "x**y/e", "sub/deep/f.md" } do
      modfs.makedirs(root .. "/" .. (name:match "^(.*)/" or ""))
      modfs.write(root .. "/" .. name, name)
    end
  end

  -- What a pattern finds below the root, in one string.
  local function found(pattern)
    local list = assert(modfs.glob(root .. "/" .. pattern))
    for i, path in ipairs(list) do
      assert.equal(root .. "/", path:sub(1, #root + 1))
      list[i] = path:sub(#root + 2)
    end
    return table.concat(list, " ")
  end

  for _, scheme in ipairs { "", "mem://" } do
    describe(("on %q"):format(scheme), function()
      before_each(function() plant(scheme) end)
      after_each(function() modfs.rmtree(root) end)

      it("is no or any number of directories, hidden ones too", function()
        assert.equal("a.txt sub/.hidden/c.txt sub/b.txt sub/deep/er/d.txt", found "**/*.txt")
        assert.equal("sub/.hidden/c.txt sub/b.txt sub/deep/er/d.txt", found "*/**/*.txt")
        assert.equal("sub/deep/er/d.txt", found "**/er/*")
        assert.equal("sub/deep/f.md", found "sub/**/deep/*.md")
        assert.equal("", found "**/none")
        assert.equal("a.txt", found "**/a.txt")
        assert.equal("", found "none/**/*")
        assert.equal("", found "a.txt/**")
      end)

      it("at the end is all there is, and with a slash all directories", function()
        assert.equal(" a.txt sub sub/.hidden sub/.hidden/c.txt sub/b.txt sub/deep sub/deep/er " ..
          "sub/deep/er/d.txt sub/deep/f.md x**y x**y/e", found "**")
        assert.equal(" sub/ sub/.hidden/ sub/deep/ sub/deep/er/ x**y/", found "**/")
        assert.equal("sub/deep sub/deep/er sub/deep/er/d.txt sub/deep/f.md", found "*/deep/**")
      end)

      it("and no stars: with a slash at the end directories alone", function()
        assert.equal("sub/ x**y/", found "*/")
        assert.equal("sub/.hidden/ sub/deep/", found "sub/*/")
        assert.equal("sub/deep/er/", found "*/deep/*/")
        assert.equal("sub/", found "sub/")
        assert.equal("sub/deep/", found "su[b]/deep/")
        assert.equal("", found "a.txt/")
        assert.equal("", found "none/")
        assert.equal("", found "sub/*.txt/")
      end)

      it("may stand several times, and finds each path once", function()
        local all = found "**/*.txt"
        assert.equal(all, found "**/**/*.txt")
        assert.equal(all, found("**/" .. ("**/"):rep(50) .. "*.txt"))
        assert.equal("sub/deep/er/d.txt", found "**/deep/**/d.txt")
        assert.equal("sub/deep/er/d.txt", found "**/s*/**/d*/**/e*/**/*.txt")
        assert.equal("", found(("**/*/"):rep(30) .. "*"))
      end)

      it("is two stars within a name, and escaped", function()
        assert.equal("x**y", found "x**")
        assert.equal("x**y/e", found "**/x\\*\\*y/*")
        assert.equal("x**y/e", found(modfs.escape "x**y" .. "/**/e"))
        assert.equal("", found "\\*\\*/*.txt")
      end)
    end)
  end

  it("at the root of mem:// is the first directory, too", function()
    plant "mem://"
    finally(function() modfs.rmtree(root) end)
    assert.same({ "mem://glob/sub/deep/er/d.txt" }, modfs.glob "mem://**/d.txt")
    assert.same({ "mem:///glob/sub/deep/er/d.txt" }, modfs.glob "mem:///**/d.txt")
    for _, whole in ipairs { "mem://", "mem:///" } do
      assert.equal(whole, modfs.glob(whole .. "**")[1])
      local all = modfs.glob(whole .. "**/") -- with what other specs of the process have left
      local text = table.concat(all, "\n") .. "\n"
      assert.equal(whole, all[1])
      assert.truthy(text:find("\n" .. whole .. "glob/\n", 1, true), text)
      assert.same({ whole .. "glob/" }, modfs.glob(whole .. "gl*/"))
      assert.same({ whole }, modfs.glob(whole))
    end
  end)

  it("goes over a deep and a repetitive tree in linear time", function()
    root = "mem://glob"
    finally(function() modfs.rmtree(root) end)
    modfs.makedirs(root .. ("/a"):rep(300))
    local start = os.clock()
    assert.same({}, modfs.glob(root .. "/" .. ("**/a/"):rep(60) .. "b"))
    assert.is_true(os.clock() - start < 5, "seconds: " .. os.clock() - start)
  end)
end)
