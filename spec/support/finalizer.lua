-- when_collected(fn): fn runs when the collector next finds garbage, on every Lua.
return function(fn)
  local proxy = rawget(_G, "newproxy") -- before 5.2 only userdata have finalizers
  if proxy then
    getmetatable(proxy(true)).__gc = fn
  else
    setmetatable({}, { __gc = fn })
  end
end
