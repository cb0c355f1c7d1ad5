-- The words of the command line.
local arguments = {}

arguments.usage = "usage: modfs check FILE.so [--scheme S | --platform NAME] [--root URI] "
  .. "[--strict N] [--only PATTERN] [--seed N] [--jobs N] [--seconds N] [--json|--junit|--tap]"

local takes = { ["--scheme"] = "string", ["--platform"] = "string",
  ["--root"] = "string", ["--strict"] = "number",
  ["--only"] = "string", ["--seed"] = "number", ["--jobs"] = "number", ["--seconds"] = "number" }

local formats = { ["--json"] = "json", ["--junit"] = "junit", ["--tap"] = "tap" }

local function number_of(word, option)
  local number = tonumber(word)
  if not number or number < 0 or number % 1 ~= 0 then
    return nil, ("%s takes a number, got %q"):format(option, word)
  end
  return number
end

-- Adds one option with its value; returns a message when that fails.
local function add(options, option, word)
  local value, problem = word, nil
  if word == nil then
    return option .. " takes a value"
  elseif takes[option] == "number" then
    value, problem = number_of(word, option)
  end
  options[option:sub(3)] = value
  return problem
end

local function is_pattern(text)
  return (pcall(string.find, "", text))
end

local function verify(options)
  if not options.file then
    return "which file?"
  end
  local file, message = io.open(options.file, "rb")
  if not file then
    return message
  end
  file:close()
  if options.only and not is_pattern(options.only) then
    return ("--only: %q is no pattern"):format(options.only)
  elseif options.jobs == 0 or options.seconds == 0 then
    return "--jobs and --seconds begin at 1"
  end
end

-- arguments.read(words) -> options, or nil and a message.
function arguments.read(words)
  local options, i = { format = "text" }, 1
  while words[i] do
    local word, problem = words[i], nil
    if takes[word] then
      problem, i = add(options, word, words[i + 1]), i + 1
    elseif formats[word] then
      options.format = formats[word]
    elseif word:sub(1, 1) == "-" and #word > 1 then
      problem = "unknown option " .. word
    elseif options.file then
      problem = "one file at a time"
    else
      options.file = word
    end
    if problem then
      return nil, problem
    end
    i = i + 1
  end
  local problem = verify(options)
  if problem then
    return nil, problem
  end
  return options
end

return arguments
