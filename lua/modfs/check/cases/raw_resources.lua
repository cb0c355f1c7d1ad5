-- What each single kind of call leaves behind: every slot, with paths to a file, to directories and
-- to nothing, keeps no block, no descriptor and no mapping; and when an allocation or a system call
-- of it fails, it says so, or does the whole of it.
local fixture = require "modfs.check.fixture"

local rounds = 5

local alone = { "a", "dir", "empty", "none", "a/below", "none/below" }
local pairs_of_paths = { { "a", "new" }, { "a", "dir/b" }, { "a", "a" }, { "none", "new" },
  { "a", "dir" }, { "dir", "new" }, { "a", "a/below" } }

local function pass() end

local function clean_up(method)
  return function(handle)
    handle[method](handle)
  end
end

local function close(handle)
  handle:append "more"
  handle:close()
  handle:cleanup_writable()
end

-- The slots of each case, after its name; what ends the handles of a slot, in each way.
local groups = {
  { "asking", "stat", "path_exists", "is_directory", "get_file_size", "translate_name", "lstat" },
  { "listing", "get_children", "get_matching_paths", "open_directory" },
  { "opening", "new_random_access_file", "new_read_only_memory_region_from_file",
    "new_writable_file", "new_appendable_file" },
  { "making_and_deleting", "create_dir", "recursively_create_dir", "delete_file", "delete_dir",
    "delete_recursively" },
  { "moving", "rename_file", "copy_file" },
}

local takes_two = { rename_file = true, copy_file = true }

local ends = { new_random_access_file = { clean_up "cleanup_file" },
  new_read_only_memory_region_from_file = { clean_up "cleanup_region" },
  new_writable_file = { close, clean_up "cleanup_writable" },
  new_appendable_file = { close, clean_up "cleanup_writable" } }

-- Slots that change a fixture: each call of them has one of its own.
local changes = { new_writable_file = true, new_appendable_file = true, create_dir = true,
  recursively_create_dir = true, delete_file = true, delete_dir = true, delete_recursively = true,
  rename_file = true, copy_file = true }

local function uri_of(t, path)
  return t:at(fixture.name .. "/" .. path)
end

-- One call in a fixture; its answer.
local function call(t, slot, paths, finish)
  local answer, handle
  if takes_two[slot] then
    answer, handle = t.p[slot](t.p, uri_of(t, paths[1]), uri_of(t, paths[2]))
  else
    answer, handle = t.p[slot](t.p, uri_of(t, paths[1]))
  end
  if handle and finish then
    finish(handle)
  end
  return answer
end

-- Whether the plugin has the slot; a call of an empty one is refused.
local function offers(t, slot)
  fixture.prepare(t)
  local fine, problem = pcall(call, t, slot, takes_two[slot] and { "none", "new" }
    or { "none" }, ends[slot] and ends[slot][1])
  if not fine and not (type(problem) == "table" and problem.refused) then
    error(problem, 0)
  end
  fixture.remove(t)
  return fine
end

local function mappings()
  local file = io.open "/proc/self/maps"
  local _, count = (file and file:read "*a" or ""):gsub("\n", "")
  if file then
    file:close()
  end
  return count
end

local function state(t)
  t.plugin:flush_caches()
  collectgarbage()
  collectgarbage()
  return { blocks = t.runner.blocks(), descriptors = (t.runner.descriptors()),
    mappings = mappings() }
end

local function keeps_nothing(t, words, round)
  for _ = 1, 2 do
    round()
  end
  local before = state(t)
  for _ = 1, rounds do
    round()
  end
  local after = state(t)
  for what, count in pairs(before) do
    t:yes(after[what] < count + rounds, ("%s leaves %d %s after %d calls"):format(words,
      after[what] - count, what, rounds))
  end
end

local function each_call(t, slots, visit)
  for i = 2, #slots do
    local slot = slots[i]
    if offers(t, slot) then
      for _, path in ipairs(takes_two[slot] and pairs_of_paths or alone) do
        local paths = type(path) == "table" and path or { path }
        for _, finish in ipairs(ends[slot] or { pass }) do
          visit(slot, paths, finish, ("%s(%s)"):format(slot, table.concat(paths, ", ")))
        end
      end
    end
  end
end

local function leaves_nothing(t, slots)
  t:need_shim()
  each_call(t, slots, function(slot, paths, finish, words)
    if not changes[slot] then
      fixture.prepare(t)
      keeps_nothing(t, words, function()
        call(t, slot, paths, finish)
      end)
      fixture.remove(t)
    else
      keeps_nothing(t, words, function()
        fixture.prepare(t)
        call(t, slot, paths, finish)
        fixture.remove(t)
      end)
    end
  end)
end

-- Slots that work in steps: a failure may leave the first ones done.
local steps = { recursively_create_dir = true, delete_recursively = true, new_writable_file = true,
  new_appendable_file = true }

-- One call as a subject of modfs.check.fixture.
local function subject_of(t, slot, paths, finish, words)
  local own_paths = {}
  for i, path in ipairs(paths) do
    own_paths[i] = fixture.path(t, path)
  end
  return { words = words, changes = changes[slot], steps = steps[slot], run = function()
    local answer = t.plugin[slot](t.plugin, own_paths[1], own_paths[2])
    if answer.handle then
      finish(answer.handle)
      answer.handle = nil
    end
    return answer
  end }
end

return function(case)
  for _, slots in ipairs(groups) do
    case("resources.of_" .. slots[1], slots[2], function(t)
      leaves_nothing(t, slots)
    end)

    for _, way in ipairs(fixture.ways) do
      local how, survives = way[1], way[2]
      case(("resources.%s_in_%s"):format(how, slots[1]), slots[2], function(t)
        t:need_shim()
        each_call(t, slots, function(slot, paths, finish, words)
          if slot ~= "translate_name" and finish ~= close then
            survives(t, subject_of(t, slot, paths, finish, words))
          end
        end)
      end)
    end
  end
end
