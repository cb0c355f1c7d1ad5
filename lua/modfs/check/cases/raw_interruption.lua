-- Calls that the host's function ends while they run: they fail with CANCELLED soon, and leave what
-- a failure leaves.
local resources = require "modfs.check.resources"

local megabytes, directories, files = 40, 8, 25

-- CPU seconds that a call may go on; a plugin asks every 50 ms.
local most_seconds = 0.25

local function prepare_content(t)
  local uri, piece = t:at("src"), ("0123456789abcdef"):rep(65536)
  local file = t:fine(t.p:new_writable_file(uri))
  for _ = 1, megabytes do
    t:fine(file:append(piece))
  end
  t:fine(file:close())
  file:cleanup_writable()
  return uri
end

local function prepare_tree(t, name)
  local uri = t:directory(name)
  for i = 1, directories do
    t:directory(("%s/d%d"):format(name, i))
    for j = 1, files do
      t:file(("%s/d%d/f%d"):format(name, i, j))
    end
  end
  return uri
end

-- Some of the numbers from 1 to count.
local function some_of(count)
  local list = { 1, 2, math.floor(count / 2), count }
  for i = #list, 1, -1 do
    if list[i] < 1 or list[i] > count or list[i] == list[i - 1] then
      table.remove(list, i)
    end
  end
  return list
end

-- A server may copy all that it was asked for, although nobody waits for its answer, also while
-- this looks: the target is as it was (false: there was none), or whole; a new one is deleted.
local function check_copy(t, path, before)
  local whole = megabytes * 2 ^ 20
  local size = t.p:get_file_size(path)
  local content = size.code == "OK" and size.value ~= whole and t:look(path)
  if content and content ~= before then -- it may have come since the first question
    size = t.p:get_file_size(path)
  end
  if size.value == whole then
    t:fine(t.p:delete_file(path))
  elseif before then
    t:equal(before, content)
  else
    t:code("NOT_FOUND", size)
  end
end

-- The names in the root but that of a copy, which a server may finish at any time.
local function names_but(t, late)
  local names = t:code("OK", t.p:get_children(t.root)).names
  for i = #names, 1, -1 do
    if names[i] == late then
      table.remove(names, i)
    end
  end
  table.sort(names)
  return names
end

-- Makes a call, of which the function is true from its k-th question on; whether it was asked so
-- often. Then the call has failed, unless it asked for the last time when all was done.
local function interrupted(t, k, call)
  t.runner.interrupt(k)
  local answer = call()
  local asked, seconds = t.runner.interrupt(0)
  if asked < k or asked == k and k > 1 and answer.code == "OK" then
    return false
  end
  t:code("CANCELLED", answer)
  t:yes(seconds < most_seconds, ("it goes on for %g s of CPU time"):format(seconds))
  return true, answer
end

return function(case)
  case("interruption.is_asked_for", "accept_interruption", function(t)
    t.p:accept_interruption()
    local src, tree = prepare_content(t), prepare_tree(t, "tree")
    t.runner.interrupt(0)
    t:code("OK", t.p:copy_file(src, t:at("dst")))
    t:code("OK", t.p:delete_recursively(tree))
    t:yes(t.runner.interrupt(0) > 0, ("it is asked neither while %d MiB are copied, nor while %d "
      .. "files are deleted"):format(megabytes, directories * files))
  end)

  case("interruption.ends_a_copy", "accept_interruption", function(t)
    t.p:accept_interruption()
    local src, dst = prepare_content(t), t:file("dst", "old content")
    t.runner.interrupt(0)
    t:code("OK", t.p:copy_file(src, t:at("whole")))
    t:fine(t.p:delete_file(t:at("whole")))
    -- A server's copy may take hardly longer than the time between two questions.
    local count = t.runner.interrupt(0)
    local must_ask = count > 2
    for _, k in ipairs(some_of(count)) do
      for _, path in ipairs { dst, t:at("new") } do
        local ended = interrupted(t, k, function()
          return t.p:copy_file(src, path)
        end)
        t:yes(ended or k > 1 or not must_ask, "a second copy asks not even once")
        check_copy(t, path, path == dst and "old content")
        t:file("dst", "old content")
        t:equal({ "dst", "src" }, names_but(t, "new"))
      end
    end
    t:code("OK", t.p:copy_file(src, dst))
    t:equal(megabytes * 2 ^ 20, t:code("OK", t.p:get_file_size(dst)).value)
  end)

  -- A server may go on deleting what it was asked for, although nobody waits for its answer: so
  -- each round has a tree of its own, of which less may be left with each look.
  case("interruption.ends_a_deletion", "accept_interruption", function(t)
    t.p:accept_interruption()
    local whole = prepare_tree(t, "whole")
    t.runner.interrupt(0)
    t:code("OK", t.p:delete_recursively(whole))
    for _, k in ipairs(some_of(t.runner.interrupt(0))) do
      local tree = prepare_tree(t, "tree" .. k)
      local _, answer = interrupted(t, k, function()
        return t.p:delete_recursively(tree)
      end)
      if answer then
        t:yes(answer.files + answer.dirs > 0, "a failure, and nothing was left")
        local left = t.p:is_directory(tree)
        t:code({ "OK", "NOT_FOUND" }, left)
        if left.code == "OK" then
          t:yes(left.value)
          t:code({ "OK", "NOT_FOUND" }, t.p:delete_recursively(tree))
        end
      end
      t:code("NOT_FOUND", t.p:path_exists(tree))
    end
  end)

  case("interruption.loses_nothing", "accept_interruption", function(t)
    t.p:accept_interruption()
    local src, dst = t:file("src", ("x"):rep(100000)), t:file("dst", "old content")
    t:directory("a_dir")
    t:directory("a_dir/below")
    t:file("a_dir/below/a_file")
    local function round()
      t.runner.interrupt(1)
      local copied = t.p:copy_file(src, dst)
      t.runner.interrupt(2)
      local deleted = t.p:delete_recursively(t:at("a_dir"))
      t:code({ "CANCELLED", "OK" }, copied)
      t:code({ "CANCELLED", "OK", "NOT_FOUND" }, deleted)
    end
    resources.loses_nothing(t, round)
    resources.keeps_descriptors(t, round)
    t.runner.interrupt(0)
  end)
end
