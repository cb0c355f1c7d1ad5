-- The rules that every message keeps. A function returns the breaches of one message as a list.
local rules = {}

-- The left column of the glossary, as far as its words have no other sense in a message.
local translated = {
  "hand", "hire", "team", "rider", "ticket", "judge", "killer", "departures", "envelope", "forget",
  "folder", "folders", "stones", "rooms", "go away", "let go", "looked for", "looked at", "told",
  "tells", "tell", "asked for", "makes sense", "said so", "that is none", "is no", "are no",
  "is there",
}

-- Messages that break a rule, and why they do.
rules.exempt = {
  ["tell returned %lld with OK"] = "tell is the name of the slot",
  ["invalid mode"] = "the words of io.open",
  ["invalid format"] = "the words of file:read",
  ["invalid next option for option 'X'"] = "the words of string.unpack",
  ["lock: invalid mode"] = "the words of LuaFileSystem",
  ["Only in "] = "the words of diff",
  ["Mounted on"] = "the words of df",
  ["Symbolic links "] = "the words of diff",
  ["Unable to change working directory to '%s'\\n%s\\n"] = "the words of LuaFileSystem",
}

local function has_word(text, word)
  return (" " .. text .. " "):find("%f[%w_]" .. word:gsub("%-", "%%-") .. "%f[^%w_]") ~= nil
end

-- A name or a code may begin with a capital: it has another capital, a digit or a sign in it.
local function begins_well(text)
  local word = text:match "^%u[%w_%-%.]*"
  return not word or word:find("[%u%d_]", 2) ~= nil or word:find("-", 1, true) ~= nil
    or rules.names[word] or false
end

rules.names = { Location = true, Operation = true, Lua = true }

function rules.breaches(text)
  local found = {}
  if rules.exempt[text] then
    return found
  end
  if not begins_well(text) then
    found[#found + 1] = "begins with a capital"
  end
  if text:find "%.$" and not text:find "%.%.%.$" then
    found[#found + 1] = "ends in a full stop"
  end
  if text:find "%S  +%S" then
    found[#found + 1] = "has a double blank"
  end
  if has_word(text, "invalid") and not text:find("%", 1, true) then
    found[#found + 1] = "says \"invalid\" without the value"
  end
  for _, word in ipairs(translated) do
    if has_word(text, word) then
      found[#found + 1] = ("has the word %q"):format(word)
    end
  end
  return found
end

return rules
