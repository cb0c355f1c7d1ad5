-- The records of a child for its parent: a file with a key and a text on each line.
local record = {}

local escapes = { ["\\"] = "\\\\", ["\n"] = "\\n", ["\r"] = "\\r" }
local unescapes = { ["\\\\"] = "\\", ["\\n"] = "\n", ["\\r"] = "\r" }

-- tell(key, text), each line appended at once: the next step may end the process, and the shim
-- appends lines of its own.
function record.writer(path)
  local file = assert(io.open(path, "ab"))
  file:setvbuf("no")
  return function(key, text)
    file:write(key, " ", (tostring(text):gsub("[\\\n\r]", escapes)), "\n")
  end
end

-- The last text of each key; those of keys in lists as arrays.
function record.read(path, lists)
  local found = {}
  for key in pairs(lists) do
    found[key] = {}
  end
  local file = io.open(path, "rb")
  if not file then
    return found
  end
  for line in file:lines() do
    local key, text = line:match("^(%S+) (.*)$")
    text = text and text:gsub("\\[\\nr]", unescapes)
    if key and lists[key] then
      table.insert(found[key], text)
    elseif key then
      found[key] = text
    end
  end
  file:close()
  return found
end

return record
