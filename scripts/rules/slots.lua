-- Each slot of a contract header is documented in the tagged form of docs/house.md.
local headers = { "filesystem", "stream_executor", "extension" }
local order = { Required = 1, Default = 2, Errors = 3, Threads = 4, Owns = 5 }
local threads = { "any at once", "one per handle", "last call" }

-- The comment that ends on line n, as a list of its lines.
local function comment_above(lines, n)
  local last = n
  while lines[n] and not lines[n]:find("/*", 1, true) do
    n = n - 1
  end
  local comment = {}
  for i = n, last do
    comment[#comment + 1] = lines[i]
  end
  return comment
end

local function known_threads(text)
  for _, word in ipairs(threads) do
    if text:find(word, 1, true) == 1 then
      return true
    end
  end
  return false
end

local function check_comment(comment, complain)
  if #comment > 7 then
    complain("its comment has " .. #comment .. " lines, seven are enough")
  end
  if comment[1]:find("^%s*/%* %u%l+: ") then
    complain("its comment starts with a tag, not with a sentence")
  end
  local seen = 0
  for _, line in ipairs(comment) do
    local tag, text = line:match("^%s*%* (%u%l+): (.*)")
    if order[tag] then
      if order[tag] <= seen then
        complain(tag .. ": stands in the wrong place")
      end
      seen = order[tag]
    end
    if tag == "Threads" and not known_threads(text) then
      complain("Threads: starts with none of: " .. table.concat(threads, ", "))
    end
  end
end

local function slot_on(line)
  return line:match("^  %S.*%(%*([%w_]+)%)%(")
end

-- Slots on lines that follow each other share the comment above the first.
local function check_header(project, path, report)
  local lines = {}
  for _, line in project:lines(path) do
    lines[#lines + 1] = line
  end
  for n, line in ipairs(lines) do
    local slot = slot_on(line)
    if slot and not slot_on(lines[n - 1]) then
      local function complain(what)
        report(path .. ":" .. n, slot .. ": " .. what)
      end
      if lines[n - 1]:find("%*/%s*$") then
        check_comment(comment_above(lines, n - 1), complain)
      else
        complain("has no comment")
      end
    end
  end
end

return function(project, report)
  for _, name in ipairs(headers) do
    check_header(project, "include/modfs/" .. name .. ".h", report)
  end
end
