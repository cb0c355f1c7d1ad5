-- What head and tail share: their words, and one file after the other.
local input = require "modfs.cli.input"
local modfs = require "modfs"

local ends = {}

function ends.count(text)
  local number = text:find "^%d+$" and tonumber(text)
  if number and number <= 2 ^ 53 then
    return number
  end
  return nil, ("'%s' is not a count: expected digits, at most 2^53"):format(text)
end

-- The name of each file stands before it where there are several.
local function each_file(paths, task, visit)
  local before = ""
  for _, path in ipairs(paths) do
    local file = path == "-" and input or task:check(modfs.open(path))
    if file then
      if #paths > 1 then
        task:write(before, "==> ")
        task:write_name(path)
        task:write " <==\n"
        before = "\n"
      end
      task:check(visit(file, file == input))
      file:close()
    end
  end
end

-- parts.lines and parts.bytes: (file, count, task, is_stream) -> true or a failure; parts.count
-- reads a count, which is ends.count unless it is another.
function ends.definition(summary, parts)
  local count = parts.count or ends.count
  return {
    summary = summary,
    configure = function(parser)
      parser:argument("paths", "Files or patterns; - is standard input."):args "*"
      parser:mutex(
        parser:option("-n --lines", "Number of lines (10)." .. (parts.more or "")):convert(count)
          :argname "LINES",
        parser:option("-c --bytes", "Number of bytes." .. (parts.more or "")):convert(count)
          :argname "BYTES")
    end,
    run = function(options, task)
      local part = options.bytes and parts.bytes or parts.lines
      local paths = #options.paths > 0 and task:expand(options.paths) or { "-" }
      each_file(paths, task, function(file, is_stream)
        return part(file, options.bytes or options.lines or 10, task, is_stream)
      end)
    end,
  }
end

return ends
