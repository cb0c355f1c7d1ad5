local assert = require "luassert"
local fails = require "spec.support.fails"

-- Asserts that a pattern below the root finds exactly these relative paths.
local function finds(here, pattern, ...)
  local found = assert(here.fs:get_matching_paths(here.at(pattern)))
  local expected = { ... }
  for i, relative in ipairs(expected) do
    expected[i] = here.at(relative)
  end
  table.sort(found)
  table.sort(expected)
  assert.same(expected, found)
end

-- After upstream's solar system: patterns over files and directories at several levels.
local function planets(here)
  for _, name in ipairs { "Mercury", "Venus", "Earth", "Jupiter", "Planet0", "Planet1",
    "match-00", "match-01", "match-0a", "match-0b" } do
    here.directory(name)
  end
  for _, name in ipairs { "Earth/Moon", "Jupiter/Io", "Jupiter/Europa", "match-00/abc",
    "match-01/abc", "match-0a/abc" } do
    here.directory(name)
  end
  for _, name in ipairs { "match-00/abc/00", "match-01/abc/04", "match-01/abc/09",
    "match-0a/abc/x" } do
    here.file(name)
  end
end

return function(it)
  it("finds files and directories at every level", function(here)
    planets(here)
    finds(here, "Jupiter/*", "Jupiter/Io", "Jupiter/Europa")
    finds(here, "*/Moon", "Earth/Moon")
    finds(here, "*/*", "Earth/Moon", "Jupiter/Io", "Jupiter/Europa", "match-00/abc",
      "match-01/abc", "match-0a/abc")
    finds(here, "Planet[0-1]", "Planet0", "Planet1")
    finds(here, "Planet?", "Planet0", "Planet1")
    finds(here, "*nus", "Venus")
  end)

  it("knows classes, ranges and their negation", function(here)
    planets(here)
    finds(here, "match-?[0-9]", "match-00", "match-01")
    finds(here, "match-?[^0-9]", "match-0a", "match-0b")
    finds(here, "match-?a*", "match-0a")
    finds(here, "match-?[^a]/abc/0?", "match-00/abc/00", "match-01/abc/04", "match-01/abc/09")
    finds(here, "match-0[0-1]/abc/0[0-8]", "match-00/abc/00", "match-01/abc/04")
    finds(here, "match-0[ab]", "match-0a", "match-0b")
  end)

  it("never matches a slash", function(here)
    planets(here)
    finds(here, "Jup*Io")
    finds(here, "Earth?Moon")
    finds(here, "Earth[/]Moon")
    finds(here, "E*n")
  end)

  it("takes escaped characters literally", function(here)
    here.file "a*b"
    here.file "axb"
    here.file "a[x]b"
    here.file "a\\b"
    finds(here, "a\\*b", "a*b")
    finds(here, "a\\[x\\]b", "a[x]b")
    finds(here, "a\\\\b", "a\\b")
    finds(here, "a[*]b", "a*b")
    finds(here, "a[\\x]b", "axb")
    finds(here, "a*b", "a*b", "axb", "a[x]b", "a\\b")
  end)

  it("takes other signs literally", function(here)
    here.file "a(1).txt"
    here.file "a+$^{}|.txt"
    finds(here, "a(1).txt", "a(1).txt")
    finds(here, "a(?).txt", "a(1).txt")
    finds(here, "a+$^{}|.*", "a+$^{}|.txt")
  end)

  it("finds hidden names", function(here)
    here.file ".hidden"
    here.file "seen"
    finds(here, "*", ".hidden", "seen")
    finds(here, "?hidden", ".hidden")
  end)

  it("finds nothing where nothing is", function(here)
    local file = here.file "a_file"
    finds(here, "none/*")
    finds(here, "a_file/*")
    finds(here, "none*/x")
    assert.same({}, here.fs:get_matching_paths(file .. "x"))
  end)

  it("finds what opens again", function(here)
    here.file("one", "1")
    here.file("two", "2")
    local contents = {}
    for _, uri in ipairs(here.fs:get_matching_paths(here.at "*")) do
      contents[#contents + 1] = here.content(uri)
    end
    table.sort(contents)
    assert.same({ "1", "2" }, contents)
  end)

  it("survives a pattern in the host part", function(here)
    if here.fs.scheme ~= "" then
      local found, message, code = here.fs:get_matching_paths(here.fs.scheme .. "://*")
      assert.is_true(type(found) == "table" or fails(code, found, message, code) ~= nil)
    end
  end)
end
