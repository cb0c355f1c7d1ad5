-- Text for XML and HTML, whatever its bytes are.
local markup = {}

local marks = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;" }

-- How many bytes a sequence of UTF-8 has that begins with this one.
local function length_of(byte)
  return byte < 0x80 and 1 or byte >= 0xc2 and byte < 0xe0 and 2 or byte >= 0xe0 and byte < 0xf0
    and 3 or byte >= 0xf0 and byte < 0xf5 and 4 or 0
end

-- XML takes no bytes that are no UTF-8; they are written as \xNN.
local function plain(sequence)
  local length = length_of(sequence:byte())
  if #sequence == length and not sequence:find("^\239\191[\190\191]")
    and not sequence:find("^\237[\160-\191]") and not sequence:find("^\224[\128-\159]")
    and not sequence:find("^\240[\128-\143]") and not sequence:find("^\244[\144-\191]") then
    return sequence
  end
  return (sequence:gsub(".", function(c)
    return c:byte() < 0x80 and c or ("\\x%02x"):format(c:byte())
  end))
end

-- Several lines; control characters but their ends become spaces.
function markup.lines(text)
  text = tostring(text):gsub("^[\128-\191]+", plain)
  return (text:gsub("[%z\1-\127\192-\255][\128-\191]*", plain):gsub('[&<>"]', marks)
    :gsub("[%z\1-\9\11-\31\127]", " "):gsub("\194[\128-\159]", " "))
end

-- One line.
function markup.text(text)
  return (markup.lines(text):gsub("\n", " "))
end

return markup
