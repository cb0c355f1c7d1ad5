-- What a case has done by a second process, for storage that processes share.
local native = require "modfs.check.native"

local verbs = {}

function verbs.read(t, uri, tell)
  local content, code = t:look(uri)
  tell("content", content or code)
end

-- Puts one version after the other in the place of a file, until it is killed.
local function replaces(verb)
  return function(t, uri)
    local round = 0
    while true do
      local letter = string.char(97 + round % 26)
      local fresh = t:append(uri .. ".fresh", letter:rep(64 * 1024))
      t:fine(t.p[verb](t.p, fresh, uri))
      round = round + 1
    end
  end
end

verbs.rename_file = replaces "rename_file"
verbs.replace_file = replaces "replace_file"

-- job.case is "elsewhere.VERB", job.root the URI that it is about.
return function(job, tell)
  local t = assert(native.new(job, tell))
  verbs[job.case:match("^elsewhere%.(.*)$")](t, job.root, tell)
  tell("done", "")
end
