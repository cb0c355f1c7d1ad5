-- Names of owners and groups, from this machine's own lists; a number without a name stays one.
local owners = {}

local function read(path)
  local names, file = {}, io.open(path)
  if file then
    for line in file:lines() do
      local name, number = line:match "^([^:]+):[^:]*:(%d+):"
      if name and not names[number] then
        names[number] = name
      end
    end
    file:close()
  end
  return names
end

local lists = {}

local function name_in(path, number)
  lists[path] = lists[path] or read(path)
  local text = ("%d"):format(number)
  return lists[path][text] or text
end

function owners.user(number)
  return name_in("/etc/passwd", number)
end

function owners.group(number)
  return name_in("/etc/group", number)
end

-- The number of an owner or group in words: its name, or the number itself; nil if there is none.
local function number_in(path, word)
  lists[path] = lists[path] or read(path)
  for number, name in pairs(lists[path]) do
    if name == word then
      return tonumber(number)
    end
  end
  return word:find "^%d+$" and tonumber(word) or nil
end

function owners.user_number(word)
  return number_in("/etc/passwd", word)
end

function owners.group_number(word)
  return number_in("/etc/group", word)
end

return owners
