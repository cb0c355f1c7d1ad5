-- Times as words and numbers.
local modfs = require "modfs"

local moment = {}

local function number(text, least, most)
  local value = tonumber(text)
  return value and value >= least and value <= most and value or nil
end

-- Seconds since 1970 of @SECONDS, or of a date and perhaps a time, local unless Z follows it.
function moment.read(text)
  local seconds = text:match "^@(%-?%d+)$"
  if seconds then
    return tonumber(seconds)
  end
  local year, month, day, rest = text:match "^(%d%d%d%d)%-(%d%d)%-(%d%d)(.*)$"
  local hour, minute, second, zone = (rest == "" and "T00:00:00" or rest or "")
    :match "^[T ](%d%d):(%d%d):?(%d*)(Z?)$"
  local when = hour and { year = tonumber(year), month = number(month, 1, 12),
    day = number(day, 1, 31), hour = number(hour, 0, 23), min = number(minute, 0, 59),
    sec = number(second == "" and "0" or second, 0, 60) }
  if not (when and when.month and when.day and when.hour and when.min and when.sec) then
    return nil, ("'%s' is not a time: expected 2026-11-23, 2026-11-23 09:30:00 or @SECONDS")
      :format(text)
  end
  local time = os.time(when)
  if zone == "Z" then
    local utc = os.date("!*t", time)
    utc.isdst = false
    time = time + os.difftime(time, os.time(utc))
  end
  return math.floor(time)
end

-- Nanoseconds since 1970, by the clock that files on this machine get their times from.
function moment.now()
  local path = modfs.tempname()
  local info = path and modfs.write(path, "") and modfs.lstat(path)
  if path then
    modfs.remove(path)
  end
  return info and info.mtime_nsec or os.time() * 1000000000
end

return moment
