-- Names of every byte and length.

-- Makes, finds, lists and deletes a file and a directory of that name.
local function lives(t, name)
  if not t:takes(name) then
    return
  end
  local uri = t:file(name, "content of it")
  t:yes(t.fs:path_exists(uri), "path_exists")
  t:equal("content of it", t:content(uri))
  t:equal({ name }, t:children())
  t:yes(t.fs:delete_file(uri))
  t:directory(name)
  t:equal({ name }, t:children())
  t:yes(t.fs:delete_dir(uri))
  t:equal({}, t:children())
end

return function(case)
  case("every_byte_in_a_name", "new_writable_file", function(t)
    for value = 1, 255 do
      if value ~= ("/"):byte() then
        lives(t, "a" .. string.char(value) .. "b")
      end
    end
  end)

  case("every_byte_as_a_name", "new_writable_file", function(t)
    for value = 1, 255 do
      local byte = string.char(value)
      if byte ~= "/" and byte ~= "." then
        lives(t, byte)
      end
    end
  end)

  case("names_that_look_like_something_else", "new_writable_file", function(t)
    for _, name in ipairs { "...", "..a", ".hidden", " ", "a b", "-rf", "~", "a:b", "C:",
      "%2e%2e", "%00", "a\\b", "[x]", "*", "?", "file:", "mem:", "#", "a?b#c", "\226\130\172" } do
      lives(t, name)
    end
  end)

  case("names_of_255_bytes", "new_writable_file", function(t)
    lives(t, ("n"):rep(254))
    lives(t, ("n"):rep(255))
  end)

  -- Either it is taken whole, or nothing is made: never another name.
  case("names_of_256_bytes", "new_writable_file", function(t)
    local name = ("n"):rep(256)
    local writable, _, code = t.fs:new_writable_file(t:at(name))
    if writable then
      t:yes(writable:close())
      t:equal({ name }, t:children())
    else
      t:equal("string", type(code))
      t:equal({}, t:children())
    end
  end)
end
