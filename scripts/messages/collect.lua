-- Finds the literals in a source, each with the innermost call that has a name and with the first
-- status code among the arguments of that call or of one around it.
local tokens = require "messages.tokens"

local collect = {}

local function frame_of(stack)
  for at = #stack, 1, -1 do
    if stack[at].name then
      return stack[at], at
    end
  end
end

local function code_of(stack)
  for at = #stack, 1, -1 do
    if stack[at].code then
      return stack[at].code
    end
  end
end

local function state(found)
  local self = { stack = {}, name = nil, open = nil, wait = false }

  local function finish()
    if self.open then
      found[#found + 1] = self.open
      self.open = nil
    end
  end

  function self.literal(text)
    if self.open and not self.wait then
      self.open.text = self.open.text .. text
    else
      finish()
      local frame = frame_of(self.stack)
      self.open = { text = text, call = frame and frame.name, code = code_of(self.stack) }
    end
    self.wait, self.name = false, nil
  end

  -- "…%" PRIu64 " bytes" is one literal.
  function self.word(name)
    local format = name:match "^PRI([diuxX])%d+$"
    if format and self.open then
      self.open.text = self.open.text .. format
      return
    end
    finish()
    self.name = name
    local top = self.stack[#self.stack]
    local code = name:match "^TF_([A-Z][A-Z_]+)$"
    if code and top and code ~= "OK" then
      top.code = top.code or code
    end
  end

  function self.sign(sign, is_lua)
    if is_lua and self.open and sign == "." then
      self.joins = (self.joins or 0) + 1
      self.wait = self.joins ~= 2
      return
    end
    self.joins = nil
    finish()
    if sign == "(" or sign == "{" and is_lua then
      self.stack[#self.stack + 1] = { name = sign == "(" and self.name or nil }
    elseif sign == ")" or sign == "}" and is_lua then
      self.stack[#self.stack] = nil
    elseif sign == ";" and not is_lua then
      self.stack = {}
    end
    self.name = nil
  end

  self.finish = finish
  return self
end

-- A list of { text, call, code } in the order of the source.
function collect.from(source, is_lua)
  local found = {}
  local reader = state(found)
  tokens.read(source, is_lua, {
    literal = reader.literal,
    name = reader.word,
    sign = function(sign)
      reader.sign(sign, is_lua)
    end,
  })
  reader.finish()
  return found
end

return collect
