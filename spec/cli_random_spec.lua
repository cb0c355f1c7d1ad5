-- Random command lines on random trees with odd names, by modfs and by coreutils, findutils and
-- diffutils: the same output byte for byte, the same success or failure, the same trees afterwards,
-- but for spec/support/command_differences.lua.
-- MODFS_COMMANDS=n for more lines, MODFS_COMMANDS_SEED=n for others; `make commands` takes 1,000.
local beside = require "spec.support.beside"
local command_lines = require "spec.support.command_lines"
local command_trial = require "spec.support.command_trial"
local differences = require "spec.support.command_differences"
local random = require "modfs.check.random"
local random_tree = require "spec.support.random_tree"
local tmpdir = require "spec.support.tmpdir"

local COUNT = tonumber(os.getenv "MODFS_COMMANDS") or 100
local SEED = tonumber(os.getenv "MODFS_COMMANDS_SEED") or 1
local READING, CHANGING = 18, 7 -- lines for one tree

-- What modfs says at the end of -v.
local function without_totals(text)
  return (("\n" .. text):gsub("\n[^\n']+ %l+ied\n$", "\n"):gsub("\n[^\n']+ moved\n$", "\n")
    :gsub("\n[^\n']+ deleted\n$", "\n"):sub(2))
end

local function prepare(line, theirs, ours)
  if line.without then
    theirs.out = ("\n" .. theirs.out):gsub(line.without, ""):sub(2)
  end
  if line.verbose then
    ours.out = without_totals(ours.out)
  end
  if line.sorted then
    theirs.out, ours.out = beside.sorted(theirs.out), beside.sorted(ours.out)
  end
end

-- Failures are told in lines that begin with the name of the command, and only then something is.
local function is_told(line, ours)
  local rest = ours.err:gsub(("modfs: %s: [^\n]+\n"):format(line[1]), "")
  local silent = ours.status == 0 or line[1] == "diff" and ours.status == 1
  return rest == "" and (ours.err == "") == silent
end

-- What differs, in words; nil for nothing.
local function difference(line, theirs, ours)
  if theirs.status ~= ours.status then
    return "status"
  elseif theirs.out ~= ours.out then
    return "output"
  elseif theirs.picture ~= ours.picture then
    return "tree"
  elseif not is_told(line, ours) then
    return "messages"
  end
end

local function excuse_of(line, theirs, ours)
  for _, row in ipairs(differences) do
    if row.excuses(line, theirs, ours) then
      return row
    end
  end
end

local function describe_line(round, lines, i, theirs, ours)
  local before = {}
  for j = 1, i - 1 do
    before[#before + 1] = lines[j].changes and command_trial.quoted(lines[j]) or nil
  end
  return ("seed %d: modfs %s\n%s\nexpected status %d, got %d\n%s%s%s%s"):format(round,
    command_trial.quoted(lines[i]), table.concat(before, "\n"), theirs.status, ours.status,
    theirs.err, ours.err, command_trial.difference(theirs.out, ours.out),
    command_trial.difference(theirs.picture or "", ours.picture or ""))
end

-- The lines of one tree. Returns how many were compared and excused, and what differed.
local function run_round(round, before)
  local draw = random.generator(round)
  local root = tmpdir.new()
  local tree = random_tree.plant(draw, root)
  local lines = command_lines.lines(draw, tree, READING, false)
  for _, line in ipairs(command_lines.lines(draw, tree, CHANGING, true)) do
    lines[#lines + 1] = line
  end
  local fine, theirs, ours = pcall(command_trial.run, lines, root, before)
  tmpdir.remove(root)
  assert(fine, ("seed %d: %s"):format(round, tostring(theirs)))
  local excused = 0
  for i, line in ipairs(lines) do
    prepare(line, theirs[i], ours[i])
    local what = difference(line, theirs[i], ours[i])
    local excuse = what and excuse_of(line, theirs[i], ours[i])
    if what and not excuse then
      return i, excused, what .. " of " .. describe_line(round, lines, i, theirs[i], ours[i])
    elseif excuse then
      excuse.used = (excuse.used or 0) + 1
      excused = excused + 1
      if theirs[i].picture ~= ours[i].picture then
        return i, excused -- from here on the trees are different ones
      end
    end
  end
  return #lines, excused
end

-- Trees until so many lines were compared: their number, how many of them were excused, and the
-- first difference.
local function compare(count, before)
  local compared, excused, round = 0, 0, SEED * 1000003
  while compared < count do
    local more, excuses, what = run_round(round, before)
    compared, excused, round = compared + more, excused + excuses, round + 1
    if what then
      return compared, excused, what
    end
  end
  return compared, excused
end

describe("random command lines", function()
  it("do what the system's programs do", function()
    local compared, excused, what = compare(COUNT)
    assert.is_nil(what)
    assert.is_true(compared >= COUNT)
    assert.is_true(excused < compared / 4, ("%d of %d are excused"):format(excused, compared))
  end)

  it("have their differences written in the reference", function()
    local text = tmpdir.content "docs/reference.md":match "\n## 11%. .*":gsub("%s+", " ")
    for _, row in ipairs(differences) do
      assert.truthy(text:find(row.text, 1, true), row.text)
    end
  end)

  for what, code in pairs {
    ["a name is not listed"] = [[
      local modfs = require "modfs"
      local listdir = modfs.listdir
      modfs.listdir = function(path)
        local names, message, code = listdir(path)
        if names and #names > 5 then table.remove(names, 3) end
        return names, message, code
      end]],
    ["a failure ends with 0"] = [[
      local cli = ...
      local main = cli.main
      cli.main = function(...) return math.min(main(...), 0) end]],
    ["rm leaves files"] = [[
      local modfs = require "modfs"
      modfs.remove = function() return true end
      modfs.rmtree = function() return true, 0, 0 end]],
    ["a copied file is empty"] = [[
      local modfs = require "modfs"
      modfs.copy = function(_, dst) return modfs.write(dst, "") end]],
  } do
    it("differ, and that is found, when " .. what, function()
      local _, _, found = compare(1000, code)
      assert.truthy(found, "not found")
    end)
  end
end)
