-- Directories of every length, listed in each way.
local observe = require "modfs.check.observe"

local far = { seconds = 60 }
local stops = { 0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255,
  256, 257, 511, 512, 513, 999, 1000, 1001, 1023, 1024, 1025 }

local function fill(o, directory, count, name_of)
  for i = 1, count do
    local path = directory .. "/" .. name_of(i)
    o.t:file(path)
    o.tree:write(path, "")
  end
end

return function(case)
  case("lengths.are_all_listed", "get_children", function(t)
    local o, made, most = observe.new(t), 0, t:departs "shown_at_close" and 129 or 1025
    o:directory "a_dir"
    for _, stop in ipairs(stops) do
      while made < math.min(stop, most) do
        made = made + 1
        local path = ("a_dir/%d"):format(made * 7919 % 10007)
        t:file(path)
        o.tree:write(path, "")
      end
      o:after("creation of %d names", made)
      if made == stop then
        o:list "a_dir"
      end
    end
    o:change("delete_recursively", "a_dir")
  end, far)

  case("lengths.of_5000_are_all_listed", "get_children", function(t)
    local o, count = observe.new(t), t:departs "shown_at_close" and 1001 or 5000
    o:directory "a_dir"
    fill(o, "a_dir", count, function(i) return ("%d"):format(i * 7919 % 10007) end)
    o:list "a_dir"
    o:change("delete_recursively", "a_dir")
  end, far)

  case("lengths.shrink_one_by_one", "get_children", function(t)
    local o = observe.new(t)
    o:directory "a_dir"
    fill(o, "a_dir", 18, function(i) return ("name%d"):format(i * 5 % 19) end)
    for i = 1, 18 do
      o:change("delete_file", ("a_dir/name%d"):format(i))
    end
  end, far)

  case("names.of_the_longest_are_all_listed", "get_children", function(t)
    local o, count = observe.new(t), t:departs "names_are_text" and 20 or 300
    o:directory "a_dir"
    fill(o, "a_dir", count, function(i) return ("n"):rep(251) .. ("%04d"):format(i) end)
    o:list "a_dir"
    o:match("a_dir", "*0007", { ("n"):rep(251) .. "0007" })
    o:change("delete_recursively", "a_dir")
  end, far)

  -- The matches alone are longer than a megabyte.
  case("matches.of_long_paths_are_all_listed", "get_matching_paths", function(t)
    local o, directory = observe.new(t), ("d"):rep(250)
    if t:departs "names_are_text" then
      t:refuse "paths have at most 1,024 bytes"
    end
    for _ = 1, 4 do
      o:directory(directory)
      directory = directory .. "/" .. ("d"):rep(250)
    end
    directory = directory:sub(1, -252)
    fill(o, directory, 1030, function(i) return ("name%04d"):format(i) end)
    o:list(directory)
    o:change("delete_recursively", ("d"):rep(250))
  end, far)
end
