-- How a trial calls a function of io: the same line for every library, so that the positions of the
-- errors that it raises, and the names that Lua finds for the call, can be compared.
local calls = {}

local function keep(...)
  return ...
end

-- Without a name that Lua could find.
function calls.field(lib, name, ...)
  return keep(lib[name](...))
end

function calls.method(file, name, ...)
  return keep(file[name](file, ...))
end

-- A tail call.
function calls.tail(lib, name, ...)
  return lib[name](...)
end

local takes_c_functions = pcall(coroutine.wrap, print) -- not 5.1

-- In a coroutine, with nothing else in it.
function calls.alone(fn, ...)
  if not takes_c_functions then
    local called = fn
    fn = function(...) return keep(called(...)) end
  end
  return keep(coroutine.wrap(fn)(...))
end

-- By the name of a local variable.
calls.locals = {
  read = function(lib, ...)
    local read = lib.read
    return keep(read(...))
  end,
  write = function(lib, ...)
    local put = lib.write
    return keep(put(...))
  end,
  open = function(lib, ...)
    local new = lib.open
    return keep(new(...))
  end,
}

calls.fields = {
  open = function(lib, ...) return keep(lib.open(...)) end,
  lines = function(lib, ...) return keep(lib.lines(...)) end,
  read = function(lib, ...) return keep(lib.read(...)) end,
  write = function(lib, ...) return keep(lib.write(...)) end,
  flush = function(lib, ...) return keep(lib.flush(...)) end,
  input = function(lib, ...) return keep(lib.input(...)) end,
  output = function(lib, ...) return keep(lib.output(...)) end,
  close = function(lib, ...) return keep(lib.close(...)) end,
  type = function(lib, ...) return keep(lib.type(...)) end,
}

calls.methods = {
  read = function(file, ...) return keep(file:read(...)) end,
  write = function(file, ...) return keep(file:write(...)) end,
  lines = function(file, ...) return keep(file:lines(...)) end,
  seek = function(file, ...) return keep(file:seek(...)) end,
  setvbuf = function(file, ...) return keep(file:setvbuf(...)) end,
  flush = function(file, ...) return keep(file:flush(...)) end,
  close = function(file, ...) return keep(file:close(...)) end,
}

calls.tails = {
  read = function(file, ...) return file:read(...) end,
  write = function(file, ...) return file:write(...) end,
  lines = function(file, ...) return file:lines(...) end,
  seek = function(file, ...) return file:seek(...) end,
  setvbuf = function(file, ...) return file:setvbuf(...) end,
  flush = function(file, ...) return file:flush(...) end,
  close = function(file, ...) return file:close(...) end,
}

-- A loop over lines that ends at the latest after most of them; what came is in the list.
function calls.loop(most, list, ...)
  local count = 0
  for one, two in ... do
    count = count + 1
    list[count] = tostring(one) .. "|" .. tostring(two)
    if count >= most then
      break
    end
  end
  return count
end

function calls.loop_of(lib, most, list, ...)
  local count = 0
  for one, two in lib.lines(...) do
    count = count + 1
    list[count] = tostring(one) .. "|" .. tostring(two)
    if count >= most then
      break
    end
  end
  return count
end

return calls
