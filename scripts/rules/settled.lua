-- Slots are settled once, at load: no call asks whether one is NULL. What asks for the slots of a
-- plugin's tables, the extension's or a device's stands in the files that settle them.
local settles = { tables = true, fs_defaults = true, extension_defaults = true, device_abi = true,
  device_rules = true, device_defaults = true }

local tables = { "extension", "tables%.fs", "tables%.file", "tables%.writable", "tables%.region",
  "executor", "device_executor%([^()]*%)", "fns" }

local data = { author = true, version = true, url = true, deviations = true, in_flight = true,
  struct_size = true, ext = true }

local function is_asked(before, after)
  if before:find "!$" or after:find "^%s*%?" or after:find "^%s*&&" or after:find "^%s*||"
    or after:find "^%s*[!=]=%s*NULL" then
    return true
  end
  return after:find "^%s*%)" ~= nil
    and (before:find "%f[%a]if %($" or before:find "%f[%a]while %($" or before:find "&& $"
      or before:find "|| $") ~= nil
end

local function check_line(line, complain)
  for _, name in ipairs(tables) do
    local from = 1
    while true do
      local start, stop, slot = line:find("%f[%w_]" .. name .. "[.%->]+([%l_][%w_]*)", from)
      if not start then
        break
      end
      local chain = line:sub(1, start - 1):match "[%w_.%->]*$"
      local before = line:sub(1, start - 1 - #chain)
      if not data[slot] and is_asked(before, line:sub(stop + 1)) then
        complain(slot)
      end
      from = stop + 1
    end
  end
end

return function(project, report)
  for path in project:files("^src/core/.*%.[ch]$") do
    if not settles[path:match "([%w_]+)%.[ch]$"] then
      for n, line in project:lines(path) do
        check_line(line, function(slot)
          report(path .. ":" .. n, slot .. " is settled at load: it is never NULL here")
        end)
      end
    end
  end
end
