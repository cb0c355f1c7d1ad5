-- What head and tail share: their words, and one file after the other.
local input = require "modfs.cli.input"
local modfs = require "modfs"

local ends = {}

local units = { b = 512 }

for i, letter in ipairs { "K", "M", "G", "T", "P" } do
  units[letter], units[letter .. "iB"], units[letter .. "B"] = 1024 ^ i, 1024 ^ i, 1000 ^ i
end
units.k, units.m, units.kB = units.K, units.M, units.KB

-- Digits and a unit: 10, 3K, 2MB.
function ends.count(text)
  local digits, unit = text:match "^(%d+)(%a*)$"
  local number = digits and (unit == "" or units[unit])
    and tonumber(digits) * (units[unit] or 1)
  if number and number <= 2 ^ 53 then
    return math.floor(number)
  end
  return nil, ("'%s' is not a count: expected digits and perhaps K, M or G, at most 2^53")
    :format(text)
end

-- head -3 is head -n 3; and a number behind -n or -c may have a sign, which argparse would take for
-- an option.
function ends.spell(arguments)
  local words, at = {}, 1
  while at <= #arguments and arguments[at] ~= "--" do
    local word, following = arguments[at], arguments[at + 1]
    local takes = word:find "^%-[%a]*[nc]$" or word == "--lines" or word == "--bytes"
    if takes and following then
      word, at = word .. (word:find "^%-%-" and "=" or "") .. following, at + 1
    else
      word = word:gsub("^%-(%d+)$", "-n%1")
    end
    words[#words + 1], at = word, at + 1
  end
  for i = at, #arguments do
    words[#words + 1] = arguments[i]
  end
  return words
end

local function open(path, task)
  return path == "-" and input or task:check(modfs.open(path))
end

-- Writes the name of a file before what is shown of it, where several are, or as -q and -v say.
local function headings(paths, options, task)
  local before, wanted = "", options.headings
  if wanted == nil then
    wanted = #paths > 1
  end
  return function(path)
    if wanted then
      task:write(before, "==> ")
      task:write_name(path == "-" and "standard input" or path)
      task:write " <==\n"
      before = "\n"
    end
  end
end

-- Of -q and -v the last one counts.
local function set_headings(wanted)
  return function(options)
    options.headings = wanted
  end
end

-- What has to stay open is kept: for each file the path, the file, and the function for headings.
local function each_file(paths, options, task, visit)
  local head, kept = headings(paths, options, task), {}
  for _, path in ipairs(paths) do
    local file = open(path, task)
    if file then
      head(path)
      task:check(visit(file, file == input))
      if options.follow and file ~= input then
        kept[#kept + 1] = { path = path, file = file, head = head }
      else
        file:close()
      end
    end
  end
  return kept
end

-- parts.lines and parts.bytes: (file, count, task, is_stream) -> true or a failure. Also, where it
-- is not as usual, parts.count: reads a count; parts.more: what the help says of counts;
-- parts.configure(parser); parts.follow(files, task): goes on with files that are open;
-- parts.skips_none: with a count of 0 the files are not even opened.
function ends.definition(summary, parts)
  local count = parts.count or ends.count
  return {
    summary = summary,
    spell = ends.spell,
    configure = function(parser)
      parser:argument("paths", "Files or patterns; - is standard input."):args "*"
      parser:mutex(
        parser:option("-n --lines", "Number of lines (10); -3 is -n 3." .. parts.more)
          :convert(count):argname "LINES",
        parser:option("-c --bytes", "Number of bytes, also 3K or 2MB." .. parts.more)
          :convert(count):argname "BYTES")
      parser:flag("-q --quiet", "Print no names of files."):action(set_headings(false))
      parser:flag("-v --verbose", "Print the name of each file, also of one.")
        :action(set_headings(true))
      if parts.configure then
        parts.configure(parser)
      end
    end,
    run = function(options, task)
      local part = options.bytes and parts.bytes or parts.lines
      if parts.skips_none and (options.bytes or options.lines) == 0 and not options.follow then
        return
      end
      local paths = #options.paths > 0 and task:expand(options.paths) or { "-" }
      local kept = each_file(paths, options, task, function(file, is_stream)
        return part(file, options.bytes or options.lines or 10, task, is_stream)
      end)
      if #kept > 0 then
        parts.follow(kept, task)
      end
    end,
  }
end

return ends
