-- The names of C++ functions as people write them (Itanium ABI): demangle(name) -> text, or nil for
-- what this does not know (expressions, lambdas).
local Parser = {}
Parser.__index = Parser

local most_depth, most_length = 100, 8192

local builtins = {
  v = "void", w = "wchar_t", b = "bool", c = "char", a = "signed char", h = "unsigned char",
  s = "short", t = "unsigned short", i = "int", j = "unsigned int", l = "long",
  m = "unsigned long", x = "long long", y = "unsigned long long", n = "__int128",
  o = "unsigned __int128", f = "float", d = "double", e = "long double", g = "__float128",
  z = "...", Dn = "decltype(nullptr)", Di = "char32_t", Ds = "char16_t", Du = "char8_t",
  Da = "auto",
}

local traits = "<char, std::char_traits<char> >"
local shorthands = { a = "std::allocator", b = "std::basic_string",
  s = "std::basic_string<char, std::char_traits<char>, std::allocator<char> >",
  i = "std::basic_istream" .. traits, o = "std::basic_ostream" .. traits,
  d = "std::basic_iostream" .. traits }

local operators = {
  nw = " new", na = " new[]", dl = " delete", da = " delete[]", ps = "+", ng = "-", ad = "&",
  de = "*", co = "~", pl = "+", mi = "-", ml = "*", dv = "/", rm = "%", an = "&", ["or"] = "|",
  eo = "^", aS = "=", pL = "+=", mI = "-=", mL = "*=", dV = "/=", rM = "%=", aN = "&=", oR = "|=",
  eO = "^=", ls = "<<", rs = ">>", lS = "<<=", rS = ">>=", eq = "==", ne = "!=", lt = "<",
  gt = ">", le = "<=", ge = ">=", nt = "!", aa = "&&", oo = "||", pp = "++", mm = "--", cm = ",",
  pm = "->*", pt = "->", cl = "()", ix = "[]", ss = "<=>",
}

local specials = { TV = "vtable for ", TT = "VTT for ", TI = "typeinfo for ",
  TS = "typeinfo name for ", GV = "guard variable for " }

local marks = { P = "*", R = "&", O = "&&" }
local words = { K = " const", V = " volatile", r = " restrict" }

local literal_ends = { i = "", j = "u", l = "l", m = "ul", x = "ll", y = "ull" }

local function give_up()
  error("unknown", 0)
end

-- The match of a pattern here, which is then behind us; nil where it does not match.
function Parser:take(pattern)
  local found = self.text:match("^" .. pattern, self.at)
  self.at = self.at + (found and #found or 0)
  return found
end

function Parser:must(pattern)
  return self:take(pattern) or give_up()
end

function Parser:sees(pattern)
  return self.text:find("^" .. pattern, self.at) ~= nil
end

function Parser:keep(text)
  if #text > most_length then
    give_up()
  end
  self.kept[#self.kept + 1] = text
  return text
end

-- S_, S0_ … S9_, SA_ …: what was kept before; T_, T0_ …: an argument of the template.
local function place_of(digits)
  return digits == "" and 1 or tonumber(digits, 36) + 2
end

function Parser:substitution()
  self:must "S"
  local short = self:take "[absiod]"
  if short then
    return shorthands[short]
  end
  local found = self.kept[place_of(self:must "[%dA-Z]*")]
  self:must "_"
  return found or give_up()
end

function Parser:parameter()
  self:must "T"
  local found = self.arguments[place_of(self:must "[%dA-Z]*")]
  self:must "_"
  return found or give_up()
end

function Parser:source_name()
  local length = tonumber(self:must "%d+")
  local name = self.text:sub(self.at, self.at + length - 1)
  if length == 0 or #name < length then
    give_up()
  end
  self.at = self.at + length
  return name:find "^_GLOBAL__N" and "(anonymous namespace)" or name
end

-- One component of a name; outer is what stands before it.
function Parser:component(outer)
  local name
  self:take "L"
  if self:sees "%d" then
    name = self:source_name()
  elseif self:take "C[1-5]" then
    name, self.without_result = self.class or outer:match "([%w_]+)$" or give_up(), true
  elseif self:take "D[0-5]" then
    name, self.without_result = "~" .. (self.class or outer:match "([%w_]+)$" or give_up()), true
  elseif self:take "cv" then
    name, self.without_result = "operator " .. self:type(), true
  else
    name = "operator" .. (operators[self:must "%l%a"] or give_up())
  end
  self.class = name:match "^[%w_]+$" or self.class
  while self:take "B" do
    name = name .. "[abi:" .. self:source_name() .. "]"
  end
  return name
end

function Parser:literal()
  local mangled = self:take "_Z"
  if mangled then
    local name = self:encoding()
    self:must "E"
    return name
  end
  local code = self:sees "%l" and self.text:sub(self.at, self.at)
  local kind = self:type()
  local value = self:must("n?%d*"):gsub("^n", "-")
  self:must "E"
  if code == "b" then
    return value == "1" and "true" or "false"
  end
  return literal_ends[code] and value .. literal_ends[code] or ("(%s)%s"):format(kind, value)
end

function Parser:template_argument()
  if self:take "L" then
    return self:literal()
  elseif self:take "J" then
    local pack = {}
    while not self:take "E" do
      pack[#pack + 1] = self:template_argument()
    end
    return table.concat(pack, ", ")
  end
  return self:type()
end

function Parser:template_arguments()
  self:must "I"
  local list, class = {}, self.class
  while not self:take "E" do
    list[#list + 1] = self:template_argument()
  end
  self.class, self.last_arguments = class, list
  local shown = {}
  for _, argument in ipairs(list) do
    shown[#shown + 1] = argument ~= "" and argument or nil
  end
  local text = table.concat(shown, ", ")
  return "<" .. text .. (text:find ">$" and " >" or ">")
end

-- operator< and its like keep apart from what follows.
function Parser:with_arguments(name)
  return name .. (name:find "operator.?<$" and " " or "") .. self:template_arguments()
end

function Parser:nested()
  self:must "N"
  local constant = self:take "[rVK]+"
  local reference = self:take "[RO]"
  local name, is_template = nil, false
  while not self:take "E" do
    local again
    if self:sees "I" and name then
      name, is_template = self:with_arguments(name), true
    elseif self:sees "St" then
      self:must "St"
      name, again = "std", true
    elseif self:sees "S" and not name then
      name, again = self:substitution(), true
      self.class = name:gsub("%b<>", ""):match "([%w_]+)$"
    elseif self:sees "T" and not name then
      name = self:parameter()
    else
      name = (name and name .. "::" or "") .. self:component(name or "")
      is_template = false
    end
    if not again and not self:sees "E" then
      self:keep(name)
    end
  end
  self.suffix = (constant or ""):reverse():gsub(".", words)
    .. (reference and (reference == "R" and " &" or " &&") or "")
  return name or give_up(), is_template
end

function Parser:local_name()
  self:must "Z"
  local outer = self:encoding()
  self:must "E"
  self.without_result = nil
  if self:take "s" then
    self:take "_%d"
    return outer .. "::string literal"
  end
  local name = self:name()
  self:take "_%d"
  return outer .. "::" .. name
end

-- -> name, whether it ends with arguments of a template
function Parser:name()
  self.suffix = ""
  if self:sees "N" then
    return self:nested()
  elseif self:sees "Z" then
    return self:local_name()
  end
  local name
  if self:sees "S[^t]" then
    name = self:substitution()
  else
    name = (self:take "St" and "std::" or "") .. self:component ""
    if self:sees "I" then
      self:keep(name)
    end
  end
  if self:sees "I" then
    return self:with_arguments(name), true
  end
  return name, false
end

function Parser:parameters()
  local list = {}
  while self.at <= #self.text and not self:sees "[E.]" do
    list[#list + 1] = self:type()
  end
  local text = table.concat(list, ", ")
  return "(" .. (text == "void" and "" or text) .. ")"
end

-- What a pointer points to, with the mark of it inside of a function's or an array's type.
local function marked(inner, mark)
  local before, behind = inner:match "^(.-) (%(%*.*)$"
  if before then
    return before .. " (" .. mark .. behind:sub(2)
  end
  return inner .. mark
end

function Parser:function_type()
  self:must "F"
  self:take "Y"
  local result = self:type()
  local parameters = self:parameters()
  self:must "E"
  return result, parameters
end

function Parser:pointer(mark)
  if self:sees "F" then
    local result, parameters = self:function_type()
    self:keep(result .. " " .. parameters)
    return result .. " (" .. mark .. ")" .. parameters
  end
  return marked(self:type(), mark)
end

function Parser:compound()
  local mark = self:take "[PRO]"
  if mark then
    return self:keep(self:pointer(marks[mark]))
  end
  local qualifiers = self:take "[rVK]+"
  if qualifiers then
    local text = self:type()
    for i = #qualifiers, 1, -1 do
      text = text .. words[qualifiers:sub(i, i)]
    end
    return self:keep(text)
  elseif self:sees "F" then
    local result, parameters = self:function_type()
    return self:keep(result .. " " .. parameters)
  elseif self:take "Dp" then
    return self:keep(self:type())
  end
end

function Parser:type()
  self.depth = self.depth + 1
  if self.depth > most_depth then
    give_up()
  end
  local text = builtins[self:sees "D" and self.text:sub(self.at, self.at + 1) or
    self.text:sub(self.at, self.at)]
  if text then
    self:must(self:sees "D" and ".." or ".")
  else
    text = self:compound() or self:named_type()
  end
  self.depth = self.depth - 1
  return text
end

function Parser:named_type()
  local class, suffix, without = self.class, self.suffix, self.without_result
  local text
  if self:sees "T" then
    text = self:keep(self:parameter())
    text = self:sees "I" and self:keep(text .. self:template_arguments()) or text
  elseif self:sees "S[^t]" then
    text = self:substitution()
    text = self:sees "I" and self:keep(text .. self:template_arguments()) or text
  else
    text = self:keep((self:name()))
  end
  self.class, self.suffix, self.without_result = class, suffix, without
  return text
end

function Parser:encoding()
  local special = specials[self.text:sub(self.at, self.at + 1)]
  if special then
    self.at = self.at + 2
    return special .. (special:find "^guard" and self:name() or self:type())
  elseif self:take "Thn?%d+_" then
    return "non-virtual thunk to " .. self:encoding()
  elseif self:take "Tvn?%d+_n?%d+_" then
    return "virtual thunk to " .. self:encoding()
  end
  local name, is_template = self:name()
  local suffix = self.suffix
  if is_template then
    self.arguments = self.last_arguments
  end
  if self.at > #self.text or self:sees "[E.]" then
    return name
  end
  local result = is_template and not self.without_result and self:type() .. " " or ""
  return result .. name .. self:parameters() .. suffix
end

return function(name)
  if not name:find "^_Z" or #name > most_length then
    return nil
  end
  local parser = setmetatable({ text = name, at = 3, kept = {}, arguments = {}, depth = 0,
    suffix = "" }, Parser)
  local done, text = pcall(parser.encoding, parser)
  return done and parser.at > #name and #text <= most_length and text or nil
end
