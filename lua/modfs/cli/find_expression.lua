-- The words of find: paths, and an expression of tests and actions with ! -a -o , and parentheses.
local nearest = require "modfs.cli.nearest"
local tests = require "modfs.cli.find_tests"

-- Words that stand for another, and the options that are no tests.
local aliases = { ["-n"] = "-name", ["--name"] = "-name", ["-t"] = "-type", ["--type"] = "-type",
  ["-not"] = "!", ["-and"] = "-a", ["-or"] = "-o" }
local flags = { ["-0"] = "null", ["--null"] = "null", ["--json"] = "json", ["--help"] = "help" }
local choices = { ["--exclude"] = "exclude", ["--exclude-from"] = "exclude_from",
  ["--include"] = "include" }

-- What ends tests that hold together.
local ends = { ["-o"] = true, [","] = true, [")"] = true }

local function is_expression(word)
  return word ~= nil and word ~= "--" and (word:find "^%-." or ends[word] or word == "("
    or word == "!") and true or false
end

local function refuse(message)
  error({ usage = message }, 0)
end

local parser = {}
parser.__index = parser

function parser:peek()
  return aliases[self.words[self.at]] or self.words[self.at]
end

-- Of --name=x it is --name, and what is left is x.
function parser:next()
  local word = self:peek()
  local name, value = (word or ""):match "^(%-%-[%l-]+)=(.*)$"
  if aliases[name or 1] or choices[name or 1] then
    self.words[self.at] = value
    return aliases[name] or name
  end
  self.at = self.at + 1
  return word
end

-- The word behind a test, which has to be there.
function parser:take(what)
  local word = self.words[self.at]
  self.at = self.at + 1
  return word or refuse(("'%s' needs %s behind it"):format(self.name, what))
end

function parser:refuse(problem)
  refuse(("%s: %s"):format(self.name, problem))
end

local function unknown(word)
  local near = nearest(word, tests) or nearest(word, flags) or nearest(word, aliases)
    or nearest(word, choices)
  refuse(("unknown test '%s'; %s"):format(word, near and ("did you mean '%s'?"):format(near)
    or "`modfs find --help` lists them"))
end

-- A flag holds for every entry.
function parser:flag(name)
  self.state[name] = true
  return function() return true end
end

-- So does what is left out; of the option with a file the last one counts.
function parser:choice(name)
  local value, list = self:take "a value", self.state[name]
  if type(list) == "table" then
    list[#list + 1] = value
  else
    self.state[name] = value
  end
  return function() return true end
end

function parser:primary()
  local word = self:next()
  if word == "(" then
    local inner = self:list()
    return self:next() == ")" and inner or refuse "'(' has no ')'"
  elseif word == nil or ends[word] or word == "-a" then
    refuse(word and ("'%s' has no test before it"):format(word) or "a test is missing at the end")
  elseif flags[word] then
    return self:flag(flags[word])
  end
  self.name = word
  if choices[word] then
    return self:choice(choices[word])
  end
  local make = tests[word] or unknown(word)
  return make(self)
end

function parser:negation()
  if self:peek() ~= "!" then
    return self:primary()
  end
  self:next()
  local inner = self:negation()
  return function(...)
    return not inner(...)
  end
end

-- Also returns the pattern that all names have to match, if a test says so before others act.
function parser:conjunction()
  local left, names = self:negation()
  while is_expression(self:peek()) and not ends[self:peek()] do
    if self:peek() == "-a" then
      self:next()
    end
    local first, second, more = left, self:negation()
    if names == true then
      names = more
    end
    left = function(...)
      return first(...) and second(...)
    end
  end
  return left, names
end

function parser:disjunction()
  local left, names = self:conjunction()
  while self:peek() == "-o" do
    names = nil
    self:next()
    local first, second = left, self:conjunction()
    left = function(...)
      return first(...) or second(...)
    end
  end
  return left, names
end

-- Behind a comma the value of what is before it does not matter.
function parser:list()
  local left, names = self:disjunction()
  while self:peek() == "," do
    names = nil
    self:next()
    local first, second = left, self:disjunction()
    left = function(...)
      first(...)
      return second(...)
    end
  end
  return left, names
end

-- The words up to the first of an expression.
function parser:leading_paths()
  local paths = {}
  while self:peek() and self:peek() ~= "--" and not is_expression(self:peek()) do
    paths[#paths + 1] = self:next()
  end
  return paths
end

-- The words behind the expression: paths, where none was before it or after --.
function parser:trailing_paths(paths)
  local word = self:peek()
  if word == ")" then
    refuse "')' has no '('"
  elseif word and word ~= "--" and #paths > 0 then
    refuse(("'%s' is a path behind the expression; quote patterns from the shell"):format(word))
  end
  self.at = word == "--" and self.at + 1 or self.at
  while self.words[self.at] do
    paths[#paths + 1], self.at = self.words[self.at], self.at + 1
  end
  return paths
end

-- parse(words) -> paths; test(entry, run); names: a pattern that all names have to match, or nil;
-- prints_all: there is no test; acts: whether a test prints or does something itself;
-- null, json, help: whether the flag is there; exclude, include, exclude_from: what is chosen;
-- min, max: depths; bottomup; deletes; finals:
-- functions for the end of the search.
local function parse(words)
  local state = { min = 0, max = math.huge, finals = {}, exclude = {}, include = {} }
  local self = setmetatable({ words = words, at = 1, state = state }, parser)
  local paths = self:leading_paths()
  state.prints_all = not is_expression(self:peek())
  if state.prints_all then
    state.test = function() return true end
  else
    local names
    state.test, names = self:list()
    state.names = type(names) == "string" and names or nil
  end
  state.paths = self:trailing_paths(paths)
  return state
end

return { parse = parse }
