-- Tables of options: checked here, so that a misspelt key does not pass in silence.
local function fits(value, kind)
  if kind == "integer" then
    return type(value) == "number" and value % 1 == 0
  end
  return type(value) == kind or kind:find(" or ", 1, true) and kind:find(type(value), 1, true)
end

-- Raises unless given is nil or a table whose keys are those of kinds and whose values have the
-- type named there ("string or table": either), or are integers; returns a table in any case.
-- between: how many functions stand between this and the caller's, 0 unless given.
local function check(given, kinds, where, arg, between)
  local function refuse(what)
    error(("bad argument #%d to '%s' (%s)"):format(arg, where, what), 4 + (between or 0))
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
    elseif not fits(value, kinds[key]) then
      local got = kinds[key] == "integer" and type(value) == "number" and value or type(value)
      refuse(("option '%s': %s expected, got %s"):format(key, kinds[key], tostring(got)))
    end
  end
  return given
end

-- For functions without options: a table behind their last parameter can only be meant as options.
local function check_none(surplus, where, arg, between)
  if type(surplus) == "table" then
    check(surplus, {}, where, arg, 1 + (between or 0))
  end
end

-- Raises as the core does for a path of the wrong type, in the name of the caller's function.
local function check_path(path, where, arg, between)
  if type(path) ~= "string" then
    local what = "bad argument #%d to '%s' (string expected, got %s)"
    error(what:format(arg, where, type(path)), 3 + (between or 0))
  end
end

-- Raises for what is no mode of load, in the name of the caller's caller; nil is "t".
local function check_mode(mode, where, arg)
  mode = mode == nil and "t" or mode
  if type(mode) ~= "string" or not mode:find "^[bt]+$" then
    local wrong = type(mode) == "string" and "invalid mode" or "mode expected, got " .. type(mode)
    error(("bad argument #%d to '%s' (%s)"):format(arg, where, wrong), 4)
  end
  return mode
end

return { check = check, check_none = check_none, check_mode = check_mode, check_path = check_path }
