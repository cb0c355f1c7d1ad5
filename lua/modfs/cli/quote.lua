-- Names as GNU's programs quote them, for people and for a shell that reads them back.
local characters = require "modfs.cli.characters"

local escapes = { ["\a"] = "\\a", ["\b"] = "\\b", ["\f"] = "\\f", ["\n"] = "\\n", ["\r"] = "\\r",
  ["\t"] = "\\t", ["\v"] = "\\v" }

local function escape(byte)
  return escapes[byte] or ("\\%03o"):format(byte:byte())
end

-- Whether a terminal shows each of its bytes.
local function is_shown(text)
  local at = 1
  while at and at <= #text do
    at = characters.behind_shown(text, at)
  end
  return at ~= nil
end

-- Whether the shell takes it as it stands.
local function is_plain(name)
  return name ~= "" and name ~= "{" and name ~= "}" and not name:find "^[#~]"
    and not name:find "[ !\"$&'()*;<=>?%[\\^`|]" and is_shown(name)
end

-- Whether nothing in it but single quotes is more than itself between double quotes.
local function fits_double(name)
  return not name:find '[!"$&()*;<=>?%[\\^`|{}]' and not name:find(".[#~]") and is_shown(name)
end

-- What follows the opening quote, and precedes the closing one.
local function quote_bytes(name)
  local parts, at, escaping = {}, 1, false
  while at <= #name do
    local stop = characters.behind_shown(name, at)
    local text = stop and name:sub(at, stop - 1) or escape(name:sub(at, at))
    if text == "'" then
      text, escaping = "'\\''", false
    elseif escaping and stop then
      text, escaping = "''" .. text, false
    elseif not escaping and not stop then
      text, escaping = "'$'" .. text, true
    end
    parts[#parts + 1] = text
    at = stop or at + 1
  end
  return table.concat(parts)
end

local quote = {}

-- As in the messages of cp, mv and rm: always in quotes.
function quote.always(name)
  if name:find("'", 1, true) and fits_double(name) then
    return '"' .. name .. '"'
  end
  return "'" .. quote_bytes(name) .. "'"
end

-- As ls shows names on a terminal: in quotes where the shell needs them.
function quote.shell(name)
  return is_plain(name) and name or quote.always(name)
end

return quote
