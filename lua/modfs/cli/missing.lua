-- Why a module could not be loaded, for users.

-- The search paths of a module that is missing fill a screen, and the first place is enough.
return function(problem)
  local name = tostring(problem):match "module '([^']+)' not found:"
  if name == "modfs.core" then
    return ("modfs/core.so is missing in %s; `make` builds it"):format(
      package.cpath:match "^[^;?]*")
  elseif name then
    return ("the module %s is missing in %s; `make install` copies all of them"):format(name,
      package.path:match "^[^;?]*")
  end
  return (tostring(problem):gsub("^modfs: ", ""))
end
