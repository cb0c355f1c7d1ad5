-- Two calls that overlap in every order: the first one is held at each of its allocations, system
-- calls and locks in turn, while the second one runs on another thread until it ends or waits for
-- the first. Codes and what is there afterwards must be those of one order of the two calls.
--
-- The order of a data copy is not fixed (a target may be seen half written), so no content is read
-- meanwhile, and no two calls that both name two paths are put together. A rename may be a copy and
-- a deletion, whichever of the two calls it is. Storage that implies parents keeps a file and a
-- directory of one name side by side: there no call that makes the one meets one that makes the
-- other.
local runner = require "modfs.runner"

local held = "%s(%s), held at its point %d while %s(%s) runs"

local firsts = {
  { "create_dir", "new" }, { "create_dir", "dir/new" }, { "recursively_create_dir", "new/below" },
  { "delete_file", "a" }, { "delete_dir", "dir" }, { "rename_file", "a", "b" },
  { "rename_file", "a", "new" }, { "copy_file", "a", "b" }, { "copy_file", "a", "new" },
  { "new_writable_file", "new" }, { "new_writable_file", "a" },
  { "new_writable_file", "dir/new" }, { "new_appendable_file", "new" },
  { "new_random_access_file", "a" }, { "stat", "a" }, { "get_file_size", "a" },
  { "get_children", "" }, { "append", "a" }, { "close", "a" },
}

local seconds = {
  { "create_dir", "new" }, { "create_dir", "b" }, { "create_dir", "dir/new" },
  { "recursively_create_dir", "new/other" }, { "delete_file", "a" }, { "delete_file", "b" },
  { "delete_file", "new" }, { "delete_dir", "dir" }, { "rename_file", "a", "b" },
  { "rename_file", "a", "new" }, { "rename_file", "b", "a" }, { "copy_file", "b", "a" },
  { "new_writable_file", "a" }, { "new_writable_file", "new" },
  { "new_writable_file", "dir/new" }, { "new_appendable_file", "b" }, { "path_exists", "new" },
  { "stat", "b" }, { "get_file_size", "a" }, { "get_children", "dir" },
}

-- How many points of a call are tried. A case that takes more CPU time than some seconds, or waits
-- for a server for some, ends where it is: by then each pair has been held at its first points.
local most_points, most_seconds, longest = 40, 3, 4

-- Whether one path is the other one or lies in it.
local function meets(one, other)
  return one == other or one == "" or other == "" or one:sub(1, #other + 1) == other .. "/"
    or other:sub(1, #one + 1) == one .. "/"
end

-- What calls make: the index of its path.
local makes_directory = { create_dir = 2, recursively_create_dir = 2 }
local makes_file = { new_writable_file = 2, new_appendable_file = 2, rename_file = 3,
  copy_file = 3 }

local function makes_both(one, other)
  local directory, file = makes_directory[one[1]], makes_file[other[1]]
  return directory and file and meets(one[directory], other[file])
end

local function is_worth(t, first, second)
  if first[3] and second[3] then
    return false
  elseif (makes_both(first, second) or makes_both(second, first))
    and t:departs "parents_implied" then
    return false
  end
  for i = 2, #first do
    for j = 2, #second do
      if meets(first[i], second[j]) then
        return true
      end
    end
  end
  return false
end

-- A directory with the files a and b and the empty directory dir.
local function prepare(t)
  t.overlaps = (t.overlaps or 0) + 1
  local name = "o" .. t.overlaps
  t:directory(name)
  t:directory(name .. "/dir")
  t:file(name .. "/a", "content of a")
  t:file(name .. "/b", "b")
  return name
end

local function situated(t, name, step)
  local call = { step[1] }
  for i = 2, #step do
    call[i] = t:path(t:at(step[i] == "" and name or name .. "/" .. step[i]))
  end
  return call
end

-- The contract fixes no code for what an open file fails with.
local about_files = { append = true, close = true }

local function code_of(step, code)
  return about_files[step[1]] and code ~= "OK" and "fails" or code
end

-- steps: the two calls of the answer.
local function outcome_of(t, name, answer, steps, swapped)
  local first, second = code_of(steps[1], answer.first), code_of(steps[2], answer.second)
  local codes = swapped and { second, first } or { first, second }
  return ("%s, %s; %s"):format(codes[1], codes[2], table.concat(t:describe(name), ", "))
end

local function one_after_the_other(t, first, second, swapped)
  local name = prepare(t)
  local answer = t.plugin:overlap(0, situated(t, name, first), situated(t, name, second))
  return outcome_of(t, name, answer, { first, second }, swapped)
end

-- A rename by a copy and a deletion, with another call in between; swapped: the rename is the
-- second call.
local function in_between(t, rename, other, swapped)
  local name = prepare(t)
  local copied = t.plugin:overlap(0, situated(t, name, { "copy_file", rename[2], rename[3] }),
    situated(t, name, other))
  local ended = t.plugin:overlap(0, situated(t, name, { "delete_file", rename[2] }),
    situated(t, name, { "path_exists", "dir" }))
  return outcome_of(t, name, { first = copied.first == "OK" and ended.first ~= "NOT_FOUND"
    and ended.first or copied.first, second = copied.second }, { rename, other }, swapped)
end

local function allowed_outcomes(t, first, second)
  local allowed = { one_after_the_other(t, first, second),
    one_after_the_other(t, second, first, true) }
  if not t.plugin:has_slot "copy_file" or not t.plugin:has_slot "delete_file" then
    return allowed
  elseif first[1] == "rename_file" then
    allowed[3] = in_between(t, first, second)
  elseif second[1] == "rename_file" then
    allowed[3] = in_between(t, second, first, true)
  end
  return allowed
end

local function is_one_of(outcome, allowed)
  for _, each in ipairs(allowed) do
    if each == outcome then
      return true
    end
  end
  return false
end

local function words_of(step)
  return table.concat(step, ", ", 2)
end

-- Whether there was a point k.
local function overlap(t, k, first, second, allowed)
  local name = prepare(t)
  local words = held:format(first[1], words_of(first), k, second[1], words_of(second))
  t.journal.call, t.journal.answer = words, "nothing: the calls did not return"
  t.journal.tell("call", words)
  local answer = t.plugin:overlap(k, situated(t, name, first), situated(t, name, second))
  if not answer.first then
    return false
  end
  t:equal(nil, answer.fault)
  t.journal:meet(first[1], answer.first)
  t.journal:meet(second[1], answer.second)
  local outcome = outcome_of(t, name, answer, { first, second })
  t.assertions = t.assertions + 1
  if not is_one_of(outcome, allowed) then
    t.journal.call, t.journal.answer = words, outcome
    error({ failed = ("%s: %s; one after the other: %s"):format(words, outcome,
      table.concat(allowed, " or ")) }, 0)
  end
  return true
end

-- The pairs of calls of a slot, each with the outcomes that are right.
local function pairs_of(t, slot)
  local list = {}
  for _, first in ipairs(firsts) do
    for _, second in ipairs(seconds) do
      if first[1] == slot and is_worth(t, first, second)
        and t.plugin:has_slot(second[1]) then
        list[#list + 1] = { first = first, second = second }
      end
    end
  end
  return list
end

-- Holds the first call of each pair at point k; returns the pairs that have this point.
local function hold_each(t, list, k, deadline)
  local left = {}
  for _, pair in ipairs(list) do
    if os.clock() > deadline.processor or runner.clock() > deadline.wall then
      return {}
    end
    pair.allowed = pair.allowed or allowed_outcomes(t, pair.first, pair.second)
    if overlap(t, k, pair.first, pair.second, pair.allowed) then
      left[#left + 1] = pair
    end
  end
  return left
end

local function run(t, slot)
  t:need_shim()
  local list = pairs_of(t, slot)
  local deadline = { processor = os.clock() + most_seconds, wall = runner.clock() + longest }
  for k = 1, most_points do
    list = hold_each(t, list, k, deadline)
  end
  t.journal:serve(slot)
end

return function(case)
  local seen = {}
  for _, first in ipairs(firsts) do
    local slot = first[1]
    if not seen[slot] then
      seen[slot] = true
      case("overlaps.of_" .. slot, slot, function(t)
        if not t.plugin:has_slot(slot) then
          t:refuse(slot .. " is an empty slot")
        end
        run(t, slot)
      end)
    end
  end
end
