-- Calls that are kept to one file, calls that are not made at all, and marks of unfinished work.
local marks = { "TO" .. "DO", "FIX" .. "ME", "X" .. "XX", "HA" .. "CK" }

local only_in = {
  dlopen = { "src/core/base/dylib.c", "src/runtime/library.c" },
  dlsym = { "src/core/base/dylib.c", "src/runtime/library.c",
    "src/check/shim/table.c" },
}

local function contains(list, value)
  for _, item in ipairs(list) do
    if item == value then
      return true
    end
  end
  return false
end

local function check_calls(project, report)
  for path in project:files("^src/.*%.[ch]$") do
    for n, line in project:lines(path) do
      for call in line:gmatch("([%w_]+)%s*%(") do
        if only_in[call] and not contains(only_in[call], path) then
          report(path .. ":" .. n, call .. " belongs into " .. only_in[call][1])
        end
      end
    end
  end
end

local function check_marks(project, report)
  for path in project:files(".") do
    for n, line in project:lines(path) do
      for _, mark in ipairs(marks) do
        if line:find("%f[%w_]" .. mark .. "%f[^%w_]") then
          report(path .. ":" .. n, mark .. ": finish it")
        end
      end
    end
  end
end

return function(project, report)
  check_calls(project, report)
  check_marks(project, report)
end
