-- The grammar of patterns, each construct with its near misses, against modfs.check.pattern.
local pattern = require "modfs.check.pattern"
local random = require "modfs.check.random"

local far = { seconds = 60 }

local names = { "a", "b", "c", "d", "ab", "ba", "abc", "aab", "abb", "abab", "A", "AB", "aB", "Z",
  ".a", "..a", "a.b", "a.", "-", "a-b", "]", "a]", "[", "[a]", "[ab]", "^", "^a", "!", "!a",
  "{a,b}", "a{b", "}", "*", "a*", "**", "?", "a?", "\\", "a\\b", "\\*", "a b", " ", "~", "$",
  "a,b", "(", "+", "|", ",", "0", "5", "9", "\127", "\128", "\255", "a\255", "\195\164" }

local patterns = { "*", "**", "***", "a*", "*a", "*a*", "a**", "a**b", "*b*a*", "a*b*b",
  "*ab*ab*", "*ab*b*", "?", "??", "???", "a?", "?a", "a?b", "*?", "?*", "?*?", "a??", "[a]",
  "[ab]", "[a-c]", "[ac]", "[ac-d]", "[^a]", "[^a-c]", "[^ab]*", "*[^a]", "[a-]", "[-a]", "[^-a]",
  "[a-c-]", "[]a]", "[]]", "[^]]", "[^]a]", "[]-a]", "[+--]", "[a^]", "[a-c^]", "[\\^a]",
  "[\\]a]", "[\\-a]", "[a\\-c]", "[\\\\]", "[a\\\\]*", "[[]", "[[a]", "[^[]", "[*]", "[?]",
  "[*?]*", "[a-c]*", "[a][b]", "[a-b][a-b]", "[ab][^b]", "[A-Z]", "[a-zA-Z]", "[A]", "a[B]",
  "[0-9]", "[0-59]", "[05-9]", "[.]a", "[.]*", "\\*", "\\?", "\\[a]", "\\[a\\]", "\\\\", "a\\b",
  "\\a", "\\a\\b", "\\]", "\\a*", "a\\*", "\\**", "*\\*", "\\\\*", "]", "a]", "{a,b}", "a{b", "}",
  "{*}", "{?,?}", "-", "[-]", "a-b", "^", "[^^]", "^a", "^*", "!", "!a", "$", "(", "+", "a.b",
  "a.", ".*", "*.*", "*.", "..*", "?.?", "[^.]*", " ", "a b", "?b", "ab", "abc", "abcd", "AB",
  "aB", "x", "a,b", ",", "?\255", "\255", "[\255]", "[\128-\255]", "[\127-\128]", "[^\1-\127]",
  "*\255", "[\195]\164", "[a-\255]", "[^\128-\255]*" }

-- Makes the files that the plugin takes, in what need not be their order, and returns their names.
local function lay(t, list)
  local taken = {}
  for i = 1, #list do
    local name = list[i * 37 % #list + 1]
    if t:takes(name) then
      t:file(name)
      taken[#taken + 1] = name
    end
  end
  return taken
end

local function finds(t, text, paths)
  local expected = {}
  for _, path in ipairs(paths) do
    if pattern.matches(text, path) then
      expected[#expected + 1] = t:at(path)
    end
  end
  local found = t:ok(t.fs:get_matching_paths(t:at(text)))
  table.sort(expected)
  table.sort(found)
  t:equal(expected, found, text)
end

local pieces = { "a", "b", "c", "A", "*", "*", "?", "[ab]", "[^a]", "[a-c]", "[^b-c]", "[*]", "\\*",
  "\\a", "]", "-", "^", "{", "}", ",", "." }

return function(case)
  local function glob(name, run)
    case(name, "get_matching_paths", run, far)
  end

  glob("each_construct_finds_its_names_alone", function(t)
    local paths = lay(t, names)
    for _, text in ipairs(patterns) do
      if t:takes(text) then
        finds(t, text, paths)
      end
    end
  end)

  glob("constructs_in_a_row_find_their_names_alone", function(t)
    local paths, draw = lay(t, names), random.generator(t.seed * 31 + 5)
    for _ = 1, t:departs "names_are_text" and 40 or 200 do
      local parts = {}
      for i = 1, draw(5) do
        parts[i] = pieces[draw(#pieces)]
      end
      finds(t, table.concat(parts), paths)
    end
  end)

  glob("names_of_directories_are_matched_one_by_one", function(t)
    local paths = {}
    for _, name in ipairs { "d", "dd", "D", ".d", "[d]", "d*", "e-1", "e-2" } do
      t:directory(name)
      paths[#paths + 1] = name
      for _, below in ipairs { "x", "xy", "Y", "[x]" } do
        t:file(name .. "/" .. below)
        paths[#paths + 1] = name .. "/" .. below
      end
    end
    for _, text in ipairs { "*", "*/*", "d/*", "?/x", "*/x", "[d]/x", "\\[d\\]/x", "d*/[^x]",
      "d?/Y", "d\\*/x", "*d/x?", ".*/x", "[.]d/*", "e-[0-9]/[x]", "e-[^1]/x", "*/\\[x\\]", "D/x",
      "?/?", "*-?/x*", "d/none", "none/*", "d/x/*", "*/*/*", "d", "d/x", "\\d/\\x",
      "[^d]*/x", "d[d]/xy" } do
      finds(t, text, paths)
    end
  end)

  glob("any_number_of_directories_is_searched", function(t)
    local paths = {}
    for i = 1, 70 do
      local path = ("d%02d"):format(i)
      t:directory(path)
      t:file(path .. "/x")
      paths[#paths + 1] = path .. "/x"
      if i % 8 < 2 or i > 68 then
        finds(t, "d*/x", paths)
        finds(t, "d*/?", paths)
      end
    end
  end)
end
