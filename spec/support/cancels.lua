-- The program of spec/fixtures/cancels: cancels.missing() -> why it cannot run, or nil;
-- cancels.once(milliseconds, environment, call, src [, dst]) -> code, milliseconds from the
-- cancelling to the end, state; cancels.many(count, seed, root [, environment]) -> exit status,
-- output, errors.
local build = require "spec.fixtures.build"
local modfs = require "modfs"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"

local cancels = {}

function cancels.missing()
  return sanitized
    and "the library wants a sanitizer that a plain program does not start with" or nil
end

local function program()
  local root = shell.output("realpath " .. (os.getenv "BUILD" or "build"))
  return build.compile("cancelling", "spec/fixtures/cancels", { program = true,
    libraries = ("-pthread %s/libmodfs.so.0 %s/modfs/libtensorflow_framework.so.2 -Wl,-rpath,%s")
      :format(root, root, root .. ":" .. root .. "/modfs") })
end

local function run(environment, how, ...)
  local words = { ... }
  for i, word in ipairs(words) do
    words[i] = shell.quote(tostring(word))
  end
  return shell.run(("env %s timeout 300 %s %s %s %s"):format(environment or "", program(), how,
    modfs.plugin_path:match "[^;]*", table.concat(words, " ")))
end

function cancels.once(milliseconds, environment, ...)
  local status, out, err = run(environment, "once", milliseconds, ...)
  assert(status == 0, err)
  local code, took, state = out:match "^(.-) (%S+) ?(%a*)\n$"
  return code, tonumber(took), state, err
end

function cancels.many(count, seed, root, environment)
  return run(environment, "many", count, seed, root)
end

return cancels
