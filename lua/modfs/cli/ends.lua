-- What head and tail share: their words, and one file after the other.
local modfs = require "modfs"

local function integer(text)
  local number = tonumber(text)
  if number and number >= 0 and number % 1 == 0 then
    return number
  end
  return nil, ("'%s' is no count"):format(text)
end

local function with_file(path, task, work)
  if path == "-" then
    return work(io.stdin, true)
  end
  local file = task:check(modfs.open(path))
  if file then
    task:check(work(file, false))
    file:close()
  end
end

-- parts.lines and parts.bytes: (file, count, task, is_stream) -> true or a failure.
local function definition(summary, parts)
  return {
    summary = summary,
    configure = function(parser)
      parser:argument("paths", "Files or patterns; - is standard input."):args "*"
      parser:mutex(
        parser:option("-n --lines", "How many lines; 10."):convert(integer):argname "LINES",
        parser:option("-c --bytes", "How many bytes."):convert(integer):argname "BYTES")
    end,
    run = function(options, task)
      local part, count = parts.lines, options.lines or 10
      if options.bytes then
        part, count = parts.bytes, options.bytes
      end
      local paths = #options.paths > 0 and task:expand(options.paths) or { "-" }
      for i, path in ipairs(paths) do
        if #paths > 1 then
          task:write(i > 1 and "\n" or "", "==> ", path, " <==\n")
        end
        with_file(path, task, function(file, is_stream)
          return part(file, count, task, is_stream)
        end)
      end
    end,
  }
end

return { definition = definition }
