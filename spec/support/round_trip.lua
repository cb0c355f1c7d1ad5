-- A tree of odd names, modes and times, for specs that send it somewhere and back.
--
--   round_trip.plant(root)       makes it
--   round_trip.files             how many files it has; the last one, "large", has eleven MiB
--   round_trip.directories       how many directories, with the root
--   round_trip.described(root)   what `find` tells of it
--   round_trip.same(a, b)        asserts that both are alike
local assert = require "luassert"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local names = { "plain", "with space", " lead", "end ", "plus+", "%25", "%2F", "it's", 'dou"ble',
  "-dash", "ümläut", "\226\130\172", "tab\there", "ctrl\1\27[31m", "back\\slash", "star*[x]", "q?",
  "#hash", "~tilde", "$HOME", "semi;colon:", "<angle>&", "a=b", ".hidden", "..two", "...", "(p)|@!",
  "end.", ("n"):rep(200) }

local modes = { "644", "600", "755", "444", "640", "711", "1644", "777" }

local round_trip = { files = 4 * #names + 1, directories = 6 }

-- Each file has a mode, and a time of its own; one has the first nanosecond of 1970.
function round_trip.plant(root)
  local lines = {}
  local function file(path, content)
    local i = #lines
    tmpdir.write(path, content)
    lines[#lines + 1] = ("chmod %s %s && touch -d @%d.%09d %s\n"):format(modes[1 + i % #modes],
      shell.quote(path), 1e9 + i * 7919, i * 104729 % 1e9, shell.quote(path))
  end
  shell.output("mkdir -p", root .. "/empty/too", root .. "/a/b c", root .. "/.dot")
  for i, name in ipairs(names) do
    for _, folder in ipairs { "", "a/", "a/b c/", ".dot/" } do
      file(root .. "/" .. folder .. name, name:rep(i * 31 % 97))
    end
  end
  file(root .. "/large", ("0123456789abcdef"):rep(1024 * 1024 * 11 / 16))
  lines[#lines + 1] = ("touch -d @0.000000001 %s\n"):format(shell.quote(root .. "/a/plain"))
  local script = os.tmpname()
  tmpdir.write(script, table.concat(lines))
  shell.output("sh -e", script)
  os.remove(script)
end

-- Of files: name, mode, time, size. Of directories: the names.
function round_trip.described(root)
  return shell.output("cd " .. shell.quote(root) ..
    " && find . \\( -type d -printf '%P/\\n' -o -printf '%P %y %m %T@ %s\\n' \\) | LC_ALL=C sort")
end

function round_trip.same(a, b)
  assert.equal(round_trip.described(a), round_trip.described(b))
  local status, out, err = shell.run("diff -r", a, b)
  assert.equal(0, status, out .. err)
end

return round_trip
