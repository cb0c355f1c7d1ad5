-- modfs.path against Python's posixpath, on random paths. Where they differ is in the reference.
local modfs = require "modfs"
local random = require "spec.support.random"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"
local path = modfs.path

local count = 2000

local parts = { "a", "b", "c", "aa", "..", "..", ".", "", "b.c", "a.b.c", ".x", "..y", "x.", "é\1" }

-- Two slashes at the start, which Python keeps, are not among them.
local function random_path(next)
  local words = {}
  for i = 1, 1 + next(6) do
    words[i] = parts[1 + next(#parts)]
  end
  local text = table.concat(words, "/"):gsub("^/+", "")
  text = (next(2) == 0 and "/" or "") .. text
  return text ~= "" and text or "."
end

local function leads_up(text)
  return text == ".." or text:sub(1, 3) == "../"
end

local function many(seed, make)
  local next, list = random(seed), {}
  for i = 1, count do
    list[i] = make(next)
  end
  return list
end

local function random_paths(seed)
  return many(seed, random_path)
end

-- The working directory of the answers to relpath; a name of it in an answer says that the answer
-- depends on it.
local working = "/W1/W2/W3/W4/W5/W6/W7"

-- What Python answers to a function with each of the lists of arguments.
local function ask(name, questions, directory)
  local lines = {}
  for i, arguments in ipairs(questions) do
    lines[i] = name .. "\t"
      .. (type(arguments) == "table" and table.concat(arguments, "\t") or arguments) .. "\n"
  end
  local input = os.tmpname()
  tmpdir.write(input, table.concat(lines))
  local text = shell.output(("python3 spec/children/posixpath_answers.py %s <%s")
    :format(shell.quote(directory or working), input))
  os.remove(input)
  local answers = {}
  for line in (text .. "\n"):gmatch "(.-)\n" do
    answers[#answers + 1] = line
  end
  assert.equal(#questions, #answers)
  return answers
end

local function pairs_of(seed)
  return many(seed, function(next) return { random_path(next), random_path(next) } end)
end

if not shell.has "python3" then
  describe("modfs.path against posixpath", function()
    it("agrees", function() pending "python3 is not installed" end)
  end)
  return
end

describe("modfs.path against posixpath", function()
  it("clean is normpath", function()
    local list = random_paths(1)
    for i, answer in ipairs(ask("normpath", list)) do
      assert.equal(answer, path.clean(list[i]), list[i])
    end
  end)

  it("absolute is abspath", function()
    local list = random_paths(2)
    for i, answer in ipairs(ask("abspath", list, shell.output "pwd -P")) do
      assert.equal(answer, path.absolute(list[i]), list[i])
    end
  end)

  it("relative is relpath, and fails where that needs the working directory", function()
    local list, failures = pairs_of(3), 0
    for i, answer in ipairs(ask("relpath", list)) do
      local mixed = path.is_absolute(list[i][1]) ~= path.is_absolute(list[i][2])
      local result, _, code = path.relative(list[i][1], list[i][2])
      local shown = table.concat(list[i], " from ")
      if mixed or answer:find "W%d" then
        failures = failures + 1
        assert.same({ nil, "INVALID_ARGUMENT" }, { result, code }, shown)
      else
        assert.equal(answer, result, shown)
      end
    end
    assert.is_true(failures > count / 4 and failures < count * 3 / 4)
  end)

  it("split is split, where no slash is doubled", function()
    local list = random_paths(4)
    for i, answer in ipairs(ask("split", list)) do
      if not list[i]:find("//", 1, true) then
        assert.equal(answer, table.concat({ path.split(list[i]) }, "\t"), list[i])
      end
      assert.same({ path.dirname(list[i]), path.basename(list[i]) }, { path.split(list[i]) })
    end
  end)

  it("stem is the first part of splitext", function()
    local list = random_paths(5)
    for i, answer in ipairs(ask("splitext", list)) do
      local stem, extension = answer:match "^(.*)\t(.*)$"
      assert.equal(stem, path.stem(list[i]), list[i])
      if not path.basename(list[i]):find "^%." then
        assert.equal(extension:sub(2), path.extension(list[i]), list[i])
      end
    end
  end)

  it("commonpath is commonpath of cleaned paths, where none climbs", function()
    local list = many(6, function(next)
      local paths = {}
      for i = 1, 1 + next(3) do
        paths[i] = random_path(next)
      end
      return paths
    end)
    for i, answer in ipairs(ask("commonpath", list)) do
      local climbs, shown = false, table.concat(list[i], ", ")
      for _, one in ipairs(list[i]) do
        climbs = climbs or leads_up(path.clean(one))
      end
      local result, _, code = path.commonpath(list[i])
      if answer == "ValueError" then
        assert.same({ nil, "INVALID_ARGUMENT" }, { result, code }, shown)
      elseif not climbs then
        assert.equal(answer, result, shown)
      end
      for _, one in ipairs(result and list[i] or {}) do
        assert.is_false(leads_up(path.relative(one, result) or ""), shown)
      end
    end
  end)

  it("expanduser is expanduser", function()
    local list = { "~", "~/", "~/a//b", "~root", "~root/", "~root/a", "~nosuchuser", "~nosuch/x",
      "a/~", "/~", "", "./~", "~~", "~/~" }
    for i, answer in ipairs(ask("expanduser", list)) do
      assert.equal(answer, path.expanduser(list[i]), list[i])
    end
  end)
end)
