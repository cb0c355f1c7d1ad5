-- What a second process does for a case, on storage that processes share.
local native = require "modfs.check.native"

local verbs = {}

function verbs.read(t, uri, tell)
  local content, code = t:look(uri)
  tell("content", content or code)
end

-- Replaces a file with one version after the other until the process is killed; or once, and the
-- process is killed at a system call of the plugin, by number, if there are that many.
local function replaces(put)
  return function(t, uri, _, call)
    local round = 0
    if call then
      t.runner.arm("all", "SIGKILL", call)
    end
    repeat
      put(t, uri, string.char(97 + round % 26):rep(64 * 1024))
      round = round + 1
    until call
  end
end

verbs.rename_file = replaces(function(t, uri, content)
  t:fine(t.p:rename_file(t:append(uri .. ".fresh", content), uri))
end)

verbs.open_writer = replaces(function(t, uri, content)
  local file = t:fine(t.p:open_writer(uri, "atomic"))
  t:fine(file:append(content))
  t:fine(file:close())
  file:cleanup_writable()
end)

local function begun(t, uri)
  local file = t:fine(t.p:open_writer(uri, "atomic"))
  t:fine(file:append("other"))
  return file
end

-- Is killed while it has many unfinished files of one name.
function verbs.open_writers(t, uri)
  local files = {}
  for i = 1, 12 do
    files[i] = begun(t, uri)
  end
  t.runner.arm("all", "SIGKILL", 1)
  files[1]:close()
end

-- Closes an unfinished file and begins the next one when it is its turn, and closes that when it
-- is to go on; all that again, unless it is to stop. Tells the first code of a close that failed.
function verbs.take_turns(t, uri, tell)
  local worst, marks = "OK", t:marks(uri)
  local function close(file)
    local code = file:close().code
    worst = worst == "OK" and code or worst
    file:cleanup_writable()
  end
  repeat
    local first = begun(t, uri)
    marks.set "ready"
    marks.await "turn"
    close(first)
    local second = begun(t, uri)
    marks.set "turned"
    marks.await "go on"
    close(second)
    marks.set "done"
  until not marks.await "again" or marks.has "stop"
  tell("content", worst)
end

-- job.case is "elsewhere.VERB" or "elsewhere.VERB.CALL", job.root the URI that it is about.
return function(job, tell)
  local t = assert(native.new(job, tell))
  local verb, call = job.case:match "^elsewhere%.([%a_]+)%.?(%d*)$"
  verbs[verb](t, job.root, tell, tonumber(call))
  tell("done", "")
end
