-- -j: how many operations on a tree may be in flight.
local threads = {}

local MOST = 1024

local function count(text)
  local number = text:find "^%d+$" and tonumber(text)
  return number and number >= 1 and number <= MOST and number or nil,
    ("'%s' is not a number of jobs: expected 1 to %d"):format(text, MOST)
end

function threads.configure(parser)
  parser:option("-j --jobs", "How many operations may be in flight."):argname("N"):convert(count)
end

return threads
