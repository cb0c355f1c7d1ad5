-- Characters of a text in UTF-8.
local characters = {}

local forms = { "^[\194-\223][\128-\191]()", "^\224[\160-\191][\128-\191]()",
  "^[\225-\236\238\239][\128-\191][\128-\191]()", "^\237[\128-\159][\128-\191]()",
  "^\240[\144-\191][\128-\191][\128-\191]()", "^[\241-\243][\128-\191][\128-\191][\128-\191]()",
  "^\244[\128-\143][\128-\191][\128-\191]()" }

-- Where the character of several bytes that begins at a position ends: the position behind it; nil
-- where none begins.
function characters.behind(text, at)
  for _, form in ipairs(forms) do
    local stop = text:match(form, at)
    if stop then
      return stop
    end
  end
end

-- The same for one of any length that a terminal shows: no control character.
function characters.behind_shown(text, at)
  if text:find("^[ -~]", at) then
    return at + 1
  end
  return not text:find("^\194[\128-\159]", at) and characters.behind(text, at) or nil
end

return characters
