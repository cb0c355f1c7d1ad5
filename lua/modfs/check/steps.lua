-- The calls of a case in the records of its child: a line each, with the object, the method and the
-- arguments. An object is "fs", "plugin", another label, or "@N" for what step N made.
local steps = {}

-- How many steps are recorded, and how long a text that is no repetition may be.
steps.most = 200
local longest, longest_unit = 2048, 512

local function escape(text)
  return (text:gsub("[^%w_./:-]", function(c)
    return ("%%%02x"):format(c:byte())
  end))
end

local function unescape(text)
  return (text:gsub("%%(%x%x)", function(digits)
    return string.char(tonumber(digits, 16))
  end))
end

-- The shortest text that gives this one by repetition, where it is short enough.
local function unit_of(text)
  local stop = text:find(text:sub(1, 16), 2, true)
  local period = stop and stop - 1
  if period and period <= longest_unit and text:sub(period + 1) == text:sub(1, -period - 1) then
    return text:sub(1, period)
  end
end

local function encode_text(text)
  if #text <= 64 then
    return "s" .. escape(text)
  end
  local unit = unit_of(text)
  if unit then
    return ("r%d:%s"):format(#text, escape(unit))
  end
  return #text <= longest and "s" .. escape(text) or "l" .. #text
end

local function encode(value)
  if type(value) == "string" then
    return encode_text(value)
  elseif type(value) == "number" then
    return (value % 1 == 0 and "n%.0f" or "n%.17g"):format(value)
  elseif type(value) == "table" and rawget(value, "__step") then
    return "@" .. value.__step
  end
  return "-" .. type(value)
end

function steps.encode(object, method, ...)
  local words = { object, method }
  for i = 1, select("#", ...) do
    words[i + 2] = encode((select(i, ...)))
  end
  return table.concat(words, " ")
end

local decoders = {
  s = function(rest) return { text = unescape(rest) } end,
  r = function(rest)
    local size, unit = rest:match "^(%d+):(.*)$"
    return { unit = unescape(unit), size = tonumber(size) }
  end,
  n = function(rest) return { number = rest } end,
  ["@"] = function(rest) return { step = tonumber(rest) } end,
}

-- decode(line) -> { object =, of = (the step that made it), method =, arguments }. An argument is a
-- table with one of: text; unit and size; number (its digits); step; or none, where none of these
-- says it.
function steps.decode(line)
  local step = {}
  for word in line:gmatch "%S+" do
    if not step.object then
      step.object, step.of = word, tonumber(word:match "^@(%d+)$")
    elseif not step.method then
      step.method = word
    else
      local decoder = decoders[word:sub(1, 1)]
      step[#step + 1] = decoder and decoder(word:sub(2)) or {}
    end
  end
  return step
end

return steps
