-- The pattern language.

-- Asserts that a pattern below the root finds exactly these relative paths.
local function finds(t, pattern, ...)
  local found = t:ok(t.fs:get_matching_paths(t:at(pattern)))
  local expected = { ... }
  for i, relative in ipairs(expected) do
    expected[i] = t:at(relative)
  end
  table.sort(found)
  table.sort(expected)
  t:equal(expected, found, pattern)
end

-- After upstream's solar system: patterns over files and directories at several levels.
local function planets(t)
  for _, name in ipairs { "Mercury", "Venus", "Earth", "Jupiter", "Planet0", "Planet1",
    "match-00", "match-01", "match-0a", "match-0b", "Earth/Moon", "Jupiter/Io", "Jupiter/Europa",
    "match-00/abc", "match-01/abc", "match-0a/abc" } do
    t:directory(name)
  end
  for _, name in ipairs { "match-00/abc/00", "match-01/abc/04", "match-01/abc/09",
    "match-0a/abc/x" } do
    t:file(name)
  end
end

return function(case)
  local function glob(name, run)
    case(name, "get_matching_paths", run)
  end

  glob("finds_at_every_level", function(t)
    planets(t)
    finds(t, "Jupiter/*", "Jupiter/Io", "Jupiter/Europa")
    finds(t, "*/Moon", "Earth/Moon")
    finds(t, "*/*", "Earth/Moon", "Jupiter/Io", "Jupiter/Europa", "match-00/abc", "match-01/abc",
      "match-0a/abc")
    finds(t, "Planet[0-1]", "Planet0", "Planet1")
    finds(t, "Planet?", "Planet0", "Planet1")
    finds(t, "Plan?")
    finds(t, "*nus", "Venus")
  end)

  glob("knows_classes_and_ranges", function(t)
    planets(t)
    finds(t, "match-?[0-9]", "match-00", "match-01")
    finds(t, "match-?[^0-9]", "match-0a", "match-0b")
    finds(t, "match-?a*", "match-0a")
    finds(t, "match-?[^a]/abc/0?", "match-00/abc/00", "match-01/abc/04", "match-01/abc/09")
    finds(t, "match-0[0-1]/abc/0[0-8]", "match-00/abc/00", "match-01/abc/04")
    finds(t, "match-0[ab]", "match-0a", "match-0b")
  end)

  glob("never_matches_a_slash", function(t)
    planets(t)
    finds(t, "Jup*Io")
    finds(t, "Earth?Moon")
    finds(t, "Earth[/]Moon")
    finds(t, "E*n")
  end)

  glob("takes_escaped_signs_literally", function(t)
    t:file("a*b")
    t:file("axb")
    t:file("a[x]b")
    t:file("a\\b")
    finds(t, "a\\*b", "a*b")
    finds(t, "a\\[x\\]b", "a[x]b")
    finds(t, "a\\\\b", "a\\b")
    finds(t, "a[*]b", "a*b")
    finds(t, "a[\\x]b", "axb")
    finds(t, "a*b", "a*b", "axb", "a[x]b", "a\\b")
  end)

  glob("takes_other_signs_literally", function(t)
    t:file("a(1).txt")
    t:file("a+$^{}|.txt")
    finds(t, "a(1).txt", "a(1).txt")
    finds(t, "a(?).txt", "a(1).txt")
    finds(t, "a+$^{}|.*", "a+$^{}|.txt")
  end)

  glob("finds_hidden_names", function(t)
    t:file(".hidden")
    t:file("seen")
    finds(t, "*", ".hidden", "seen")
    finds(t, "?hidden", ".hidden")
  end)

  glob("finds_nothing_where_nothing_is", function(t)
    t:file("a_file")
    finds(t, "none/*")
    finds(t, "a_file/*")
    finds(t, "none*/x")
    finds(t, "a_filex")
  end)

  glob("finds_what_opens_again", function(t)
    t:file("one", "1")
    t:file("two", "2")
    local contents = {}
    for _, uri in ipairs(t:ok(t.fs:get_matching_paths(t:at("*")))) do
      contents[#contents + 1] = t:content(uri)
    end
    table.sort(contents)
    t:equal({ "1", "2" }, contents)
  end)
end
