-- Tables of options: checked here, so that a misspelt key does not pass in silence.
-- Raises unless given is nil or a table whose keys are those of kinds and whose values have the
-- type named there; returns a table in any case. level is that of error, seen from here.
local function check(given, kinds, where, arg)
  local function refuse(what)
    error(("bad argument #%d to '%s' (%s)"):format(arg, where, what), 4)
  end
  if given == nil then
    return {}
  end
  if type(given) ~= "table" then
    refuse("table expected, got " .. type(given))
  end
  for key, value in pairs(given) do
    if kinds[key] == nil then
      refuse(("unknown option '%s'"):format(tostring(key)))
    elseif type(value) ~= kinds[key] then
      refuse(("option '%s': %s expected, got %s"):format(key, kinds[key], type(value)))
    end
  end
  return given
end

-- Raises as the core does for a path of the wrong type, in the name of the caller's function.
local function check_path(path, where, arg)
  if type(path) ~= "string" then
    local what = "bad argument #%d to '%s' (string expected, got %s)"
    error(what:format(arg, where, type(path)), 3)
  end
end

return { check = check, check_path = check_path }
