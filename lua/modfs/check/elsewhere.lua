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

-- job.case is "elsewhere.VERB" or "elsewhere.VERB.CALL", job.root the URI that it is about.
return function(job, tell)
  local t = assert(native.new(job, tell))
  local verb, call = job.case:match "^elsewhere%.([%a_]+)%.?(%d*)$"
  verbs[verb](t, job.root, tell, tonumber(call))
  tell("done", "")
end
