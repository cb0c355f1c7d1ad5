-- modfs.lines: the lines of a file that nobody has to close.
local core = require "modfs.core"

-- The iterator of file:lines; the file is closed when there is none.
local function open_lines(file, ...)
  local fine, step, message = pcall(file.lines, file, ...)
  if fine and step then
    return step
  end
  file:close()
  error(fine and message or step, 3)
end

local function each_value(file, step)
  return function()
    local value = step()
    if value == nil then
      file:close()
    end
    return value
  end
end

local function each_row(file, step)
  local function finish(first, ...)
    if first == nil then
      file:close()
    end
    return first, ...
  end
  return function()
    return finish(step())
  end
end

-- The fourth value lets a for loop of 5.4 close the file when it is left early.
local function lines(path, ...)
  local file, message = core.open(path)
  if not file then
    error(message, 2)
  end
  local step = open_lines(file, ...)
  local each = select("#", ...) > 1 and each_row or each_value
  return each(file, step), nil, nil, file
end

return { lines = lines }
