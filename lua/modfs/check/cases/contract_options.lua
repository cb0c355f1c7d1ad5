-- Options: what is set is read back, and what is refused has changed nothing.
local values = require "modfs.check.values"

-- Values to try, by the type of an option; which are valid the plugin alone knows.
local tries = {
  int = { 0, 1, 2, 7, 256, 511, 1000, 4096, 65536, 2 ^ 31 - 1, 2 ^ 31,
    2 ^ 32 + 1, 2 ^ 53, -1, -2 ^ 32 },
  real = { 0, 0.5, 1.5, 2, 1000.25, 2 ^ 40, -0.5, 1e300 },
  buffer = { "", "x", "1", "true", "modfs", ("x"):rep(100), "a\0b" },
}

local function whole(number)
  return math.tointeger and math.tointeger(number) or number
end

local function options_of(t)
  local options = t:must(t.fs:get_filesystem_configuration())
  if #options == 0 then
    t:refuse "there are no options"
  end
  return options
end

local function with(option, kind, value)
  return { name = option.name, description = option.description, per_file = option.per_file,
    type = kind, value = value }
end

-- Whether an option reads as it was set; one that holds a secret need not show it.
local function reads_as(option, set)
  return option and values.same(with(option, option.type, option.value), set)
    or option and option.type == "buffer" and set.type == "buffer"
    and tostring(option.value):find "^%*+$" ~= nil
end

-- Sets options, all in one or the only one by itself; success must show, failure must not.
local function try(t, before, set, alone)
  local done
  if alone then
    done = t.fs:set_filesystem_configuration_option(set[1])
  else
    done = t.fs:set_filesystem_configuration(set)
  end
  local wanted = {}
  for _, option in ipairs(done and set or {}) do
    wanted[option.name] = option
  end
  local after = t:ok(t.fs:get_filesystem_configuration())
  t:equal(#before, #after, "the number of options")
  for i, option in ipairs(after) do
    local expected = wanted[option.name] or before[i]
    t:yes(reads_as(option, expected), ("%s was %s to %s, but reads as %s"):format(option.name,
      done and "set" or "not set", values.show(expected.value), values.show(option.value)))
    t:equal(option, t:ok(t.fs:get_filesystem_configuration_option(option.name)), option.name)
  end
  return done == true
end

local function restore(t, options)
  t:yes(t.fs:set_filesystem_configuration(options), "the old values are taken back")
  local now = t:ok(t.fs:get_filesystem_configuration())
  for i, option in ipairs(options) do
    t:yes(reads_as(now[i], option), "the old value of " .. option.name)
  end
end

-- Options that hold secrets do not show what to set them to again.
local function is_secret(option)
  return option.type == "buffer" and tostring(option.value):find "^%*+$" ~= nil
end

-- Another value that an option takes, or nil; the old one is set again.
local function other_value(t, options, option)
  for _, value in ipairs(tries[option.type]) do
    value = option.type == "int" and whole(value) or value
    local set = { with(option, option.type, value) }
    if value ~= option.value and try(t, options, set) then
      restore(t, options)
      return value
    end
  end
end

return function(case)
  local function options(name, run)
    case(name, "set_filesystem_configuration", function(t)
      local list = options_of(t)
      for _, option in ipairs(list) do
        if is_secret(option) then
          t:refuse("the option " .. option.name .. " does not show its value")
        end
      end
      run(t, list)
      restore(t, list)
    end)
  end

  options("values_that_are_set_are_read_back", function(t, list)
    for _, option in ipairs(list) do
      for i, value in ipairs(tries[option.type]) do
        value = option.type == "int" and whole(value) or value
        if try(t, list, { with(option, option.type, value) }, i % 2 == 0) then
          restore(t, list)
        end
      end
    end
  end)

  options("values_of_other_types_change_nothing", function(t, list)
    for _, option in ipairs(list) do
      for kind, some in pairs(tries) do
        for i = 1, kind ~= option.type and 4 or 0 do
          if try(t, list, { with(option, kind, kind == "int" and whole(some[i]) or some[i]) }) then
            restore(t, list)
          end
        end
      end
      local value = option.value
      for _, several in ipairs { {}, { value, value }, { value, value, value } } do
        if type(value) ~= "table" and try(t, list, { with(option, option.type, several) }) then
          restore(t, list)
        end
      end
    end
  end)

  options("sets_that_are_half_wrong_change_nothing", function(t, list)
    local unknown = { name = "no such option", type = "int", value = 1 }
    for _, option in ipairs(list) do
      local value = other_value(t, list, option)
      if value then
        local good = with(option, option.type, value)
        local bad = with(option, option.type == "real" and "buffer" or "real",
          option.type == "real" and "x" or 0.5)
        for _, set in ipairs { { good, unknown }, { unknown, good }, { good, good, unknown },
          { good, bad }, { bad, good } } do
          t:no(try(t, list, set), "a set that is half wrong is taken")
        end
      end
    end
  end)

  options("a_set_of_none_changes_nothing", function(t, list)
    t:yes(try(t, list, {}), "nothing in it is unknown or invalid")
  end)

  options("values_set_together_are_all_read_back", function(t, list)
    local set = {}
    for _, option in ipairs(list) do
      local value = other_value(t, list, option)
      if value then
        set[#set + 1] = with(option, option.type, value)
      end
    end
    try(t, list, set)
    try(t, t:ok(t.fs:get_filesystem_configuration()), {})
  end)

  case("names_are_known_as_a_whole", "get_filesystem_configuration_option", function(t)
    local known = {}
    for _, option in ipairs(options_of(t)) do
      known[option.name] = true
    end
    for name in pairs(known) do
      for _, near in ipairs { name:sub(1, -2), name:sub(2), name:sub(1, 1), name .. "x",
        name .. " ", " " .. name, name:upper(), "" } do
        if not known[near] then
          t:fails("NOT_FOUND", t.fs:get_filesystem_configuration_option(near))
          t:fails("NOT_FOUND", t.fs:set_filesystem_configuration {
            { name = near, type = "int", value = 0 } })
        end
      end
    end
  end)
end
