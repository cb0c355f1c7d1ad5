-- child(code [, options]) runs Lua code, or the file of that name, in a fresh interpreter with this
-- one's search paths and returns exit status (128 + n for signal n), output, error output.
-- options: arguments = what the code gets as "..."; cwd; before = shell text run first
-- ("ulimit -v 999999"); descriptors = how many it may have, beside those that it inherits; under =
-- words put before the interpreter ("strace -f"); seconds = limit, 60 by default (exit status 124
-- beyond it).
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local function interpreter()
  local i = 0
  while arg[i - 1] do
    i = i - 1
  end
  return os.getenv "LUA" or (i < 0 and arg[i]) or "lua5.4"
end

local function absolute(path)
  local here = shell.output("pwd -P") .. "/"
  return (path:gsub("[^;]+", function(template)
    return template:sub(1, 1) == "/" and template or here .. template:gsub("^%./", "")
  end))
end

-- Those that a shell inherits beside its standard ones; ls has one more.
local few = "ulimit -n $(($(ls /proc/self/fd | wc -l) - 4 + %d)) &&"

return function(code, options)
  options = options or {}
  local script = shell.tmpname()
  local file = assert(io.open(script, "wb"))
  if code:find "^[%w_/]+%.lua$" then
    code = assert(tmpdir.content(code))
  end
  file:write(("package.path, package.cpath = %q, %q; "):format(absolute(package.path),
    absolute(package.cpath)), code)
  file:close()
  local words = {}
  words[#words + 1] = options.cwd and "cd " .. shell.quote(options.cwd) .. " &&" or nil
  words[#words + 1] = options.before and options.before .. " &&" or nil
  words[#words + 1] = options.descriptors and few:format(options.descriptors) or nil
  words[#words + 1] = "timeout " .. (options.seconds or 60)
  words[#words + 1] = options.under
  words[#words + 1] = interpreter()
  words[#words + 1] = "-"
  for _, argument in ipairs(options.arguments or {}) do
    words[#words + 1] = shell.quote(tostring(argument))
  end
  words[#words + 1] = "<" .. shell.quote(script) -- opened by us: the child may be another user
  local status, out, err = shell.run(table.concat(words, " "))
  os.remove(script)
  return status, out, err
end
