-- A trial without a host: calls the plugin's slots directly, through modfs.runner. Each call gives
-- a table: code, message and the outputs of the slot; t.p:stat(uri), file:read(offset, n).
local contract = require "modfs.check.contract"
local journal_of = require "modfs.check.journal"
local trial = require "modfs.check.trial"
local values = require "modfs.check.values"

local native = setmetatable({}, { __index = trial })
native.__index = native

-- How many URIs a slot takes; they are brought to the filesystem's own form, as a host does.
local paths = { rename_file = 2, copy_file = 2, paths_exist = 0,
  get_matching_paths = 0, translate_name = 0, start_transaction = 0, end_transaction = 0,
  abort_transaction = 0, decode_transaction_token = 0, flush_caches = 0,
  get_filesystem_configuration = 0, get_filesystem_configuration_option = 0,
  set_filesystem_configuration_option = 0, free_tables = 0, set_writer_attributes = 0,
  reader_attributes = 0, accept_interruption = 0 }

-- The slots of handles, and what the journal calls them.
local operations = { bytes = "data", cleanup_file = "read", cleanup_writable = "close",
  cleanup_region = "data", directory = "open_directory" }

local function fail(what)
  error({ failed = what }, 0)
end

-- The default for a slot that is empty: scheme and host dropped.
function native.without_host(uri)
  local path = uri:match("^%a[%w.+]*://[^/]*(.*)$") or uri
  return path == "" and uri ~= "" and "/" or path
end

function native:path(uri)
  local answer = self.plugin:translate_name(uri, true)
  if answer and not answer.value then
    fail(("translate_name gives NULL for %q"):format(uri))
  end
  return answer and answer.value or native.without_host(uri)
end

local function settle(self, operation, answer)
  if not answer then
    self:refuse(operation .. " is an empty slot")
  end
  local handle = answer.handle
  answer.handle = nil
  self.journal.answer = values.show(answer)
  self.journal:meet(operation, answer.code or "OK")
  if answer.fault then
    fail(answer.fault)
  elseif answer.code == "UNIMPLEMENTED" then
    self.journal.tell("unimplemented", operation)
    self:refuse(operation .. " is UNIMPLEMENTED")
  end
  self.journal:serve(operation)
  return answer, handle
end

local function proxy(self, object, label, step)
  local wrapped = { __raw = object, __step = step }
  return setmetatable(wrapped, { __index = function(_, method)
    return function(_, ...)
      local now = self.journal:note_on(wrapped, label, method, ...)
      local arguments = { ... }
      for i = 1, not step and (paths[method] or 1) or 0 do
        arguments[i] = self:path(arguments[i])
      end
      for i = 1, select("#", ...) do
        arguments[i] = type(arguments[i]) == "table" and rawget(arguments[i], "__raw")
          or arguments[i]
      end
      local answer, handle = settle(self, operations[method] or method,
        object[method](object, (table.unpack or unpack)(arguments, 1, select("#", ...))))
      return answer, handle and proxy(self, handle, "handle", now)
    end
  end })
end

-- The methods of a Filesystem that trial:open calls.
local function maker(self)
  local function call(slot)
    return function(_, uri)
      local answer = self.plugin[slot](self.plugin, self:path(uri))
      if answer and answer.code == "OK" then
        return true
      end
      return nil, answer and answer.code .. ": " .. answer.message or "no slot",
        answer and answer.code or "UNIMPLEMENTED"
    end
  end
  return { create_dir = call "create_dir", recursively_create_dir = call "recursively_create_dir" }
end

-- Disarms all injected faults: a case may have ended while one was armed.
local function calm(runner)
  runner.arm()
  runner.fail_allocation(0)
  runner.preset(false)
  runner.interrupt(0)
end

-- native.new(job, tell); nil and why when the plugin does not start.
function native.new(job, tell)
  local runner = require "modfs.runner"
  calm(runner)
  if job.results then
    runner.injected_to(job.results)
  end
  local plugin, reason = runner.open(job.file, job.scheme)
  if not plugin then
    return nil, reason
  end
  local self = setmetatable({ journal = journal_of(tell), root = job.root, scheme = job.scheme,
    assertions = 0, seed = tonumber(job.seed) or 1, deviations = job.deviations or "",
    plugin = plugin, runner = runner, job = job }, native)
  self.raw = maker(self)
  self.p = proxy(self, plugin, "plugin")
  return self
end

-- The sweep after all cases deletes the root.
function native:close()
  calm(self.runner)
  local fault = self.runner.fault()
  if fault then
    fail(fault)
  end
end

-- Asserts ------------------------------------------------------------------------------

-- The answer has that code, or one of an array of codes.
function native:code(codes, answer)
  self.assertions = self.assertions + 1
  local list = type(codes) == "table" and codes or { codes }
  for _, wanted in ipairs(list) do
    if answer.code == wanted then
      return answer
    end
  end
  fail(("expected %s, got %s %s"):format(table.concat(list, " or "), answer.code, answer.message))
end

function native:fine(answer, handle) -- luacheck: ignore 212
  if answer.code ~= "OK" then
    fail(("setup failed: %s: %s"):format(answer.code, answer.message))
  end
  return handle or answer
end

-- Steps ----------------------------------------------------------------------------------

function native:append(uri, content, method)
  local file = self:fine(self.p[method or "new_writable_file"](self.p, uri))
  if content ~= "" then
    self:fine(file:append(content))
  end
  local closed = file:close()
  file:cleanup_writable()
  self:fine(closed)
  return uri
end

function native:file(relative, content)
  return self:append(self:at(relative), content or "")
end

function native:directory(relative)
  local uri = self:at(relative)
  self:fine(self.p:create_dir(uri))
  return uri
end

-- Opens a directory and calls run(directory); the case is refused where the slots are missing.
function native:within(uri, run)
  if not self.plugin:has("open_subdirectory") then
    self:refuse("open_subdirectory is an empty slot")
  end
  local directory = self:fine(self.p:directory(uri))
  run(directory)
  directory:close_directory()
end

-- The whole content, or nil and the code of a failure.
function native:look(uri)
  local answer, file = self.p:new_random_access_file(uri)
  if not file then
    return nil, answer.code
  end
  local content = file:read(0, 2 ^ 20)
  file:cleanup_file()
  return content.bytes, content.code
end

function native:content(uri)
  local bytes, code = self:look(uri)
  if not bytes then
    fail("setup failed: " .. code)
  end
  return bytes
end

-- What is in a directory, and below it: an array of "name = content" and "name/".
function native:describe(relative, found, prefix)
  found, prefix = found or {}, prefix or ""
  local answer = self.plugin:get_children(self:path(self:at(relative)))
  table.sort(answer and answer.names or {})
  for _, entry in ipairs(answer and answer.names or {}) do
    local below = relative .. "/" .. entry
    local content = self:look(self:at(below))
    found[#found + 1] = prefix .. entry .. (content and " = " .. content or "/")
    if not content then
      self:describe(below, found, prefix .. entry .. "/")
    end
  end
  return found
end

-- Deletes a directory with all that is in it, entry by entry.
function native:remove(relative)
  local answer = self.plugin:get_children(self:path(self:at(relative)))
  for _, entry in ipairs(answer and answer.names or {}) do
    local below = relative .. "/" .. entry
    local deleted = self.plugin:delete_file(self:path(self:at(below)))
    if not deleted or deleted.code ~= "OK" then
      self:remove(below)
    end
  end
  self.plugin:delete_dir(self:path(self:at(relative)))
end

-- Threads ----------------------------------------------------------------------------------

function native:race(scenario, seconds)
  self.journal:note("threads", scenario, self.root)
  local answer = self.plugin:race(scenario, self:path(self.root), seconds or 0.2)
  if answer.missing then
    self:refuse(answer.missing .. " is missing")
  end
  self.journal.answer = answer.failure or answer.checks .. " checks held"
  self.journal:serve("new_writable_file")
  self.assertions = self.assertions + 1
  if answer.failure then
    fail(answer.failure)
  end
  for _, slot in ipairs(answer.called) do
    if contract[slot] then
      self.journal:meet(slot, "OK")
    end
  end
end

-- Other processes --------------------------------------------------------------------------

-- Starts a process that runs elsewhere.VERB on a URI; returns its number and its record file.
local function start(self, verb, uri)
  if not self.job.results then
    self:refuse("no second process can be started")
  end
  self.others = (self.others or 0) + 1
  local job = self.job
  local results = ("%s.%d"):format(job.results, self.others)
  local process = self.runner.start { arg[-1], arg[0], job.file, job.scheme, uri,
    "elsewhere." .. verb, results, "marker", "1", "native" }
  return process or fail("setup failed: no process can be started"), results
end

-- Starts another process; returns a function that waits for its end and returns what it told.
function native:beside(verb, uri)
  local process, results = start(self, verb, uri)
  return function()
    self.runner.wait(process)
    return require("modfs.check.record").read(results, {}).content
  end
end

-- Marks that two processes set for each other: files in the directory above that of a local file.
-- await(name, seconds) takes one away; whether it came in that time, which is long by default.
function native:marks(uri)
  local prefix = self:path(uri):match "^(.*)/[^/]*/[^/]*$" .. "/mark "
  local marks = {}
  function marks.set(name)
    assert(io.open(prefix .. name, "wb")):close()
  end
  function marks.has(name)
    return self.runner.look(prefix .. name) ~= nil
  end
  function marks.await(name, seconds)
    for _ = 1, (seconds or 20) * 1000 do
      if os.remove(prefix .. name) then
        return true
      end
      self.runner.rest(0.001)
    end
    return false
  end
  return marks
end

-- What another process reads from a URI: its content, or the code of the failure.
function native:elsewhere(verb, uri)
  return self:beside(verb, uri)()
end

-- Lets another process replace a file over and over, and kills it some time after it began.
function native:killed_elsewhere(verb, uri, seconds)
  local before = self:content(uri)
  local process = start(self, verb, uri)
  for _ = 1, 2000 do
    self.runner.rest(0.001)
    if self:look(uri) ~= before then
      break
    end
  end
  self.runner.rest(seconds)
  self.runner.kill(process)
  self:equal(256 + 9, self.runner.wait(process), "how the writer ended")
end

-- Lets another process replace a file, and kills it at a system call of the plugin, by number;
-- whether there were that many.
function native:killed_elsewhere_at(verb, uri, call)
  local process = start(self, ("%s.%d"):format(verb, call), uri)
  return self.runner.wait(process) == 256 + 9
end

-- Returns what work() returns, and whether change() was called at the k-th point of the plugin's
-- calls in it. change() does as another process would: it must not call the plugin.
function native:between(k, change, work)
  self:need_shim()
  self.runner.between(k, change)
  local fine, answer = pcall(work)
  local called = self.runner.between()
  if not fine then
    error(answer, 0)
  end
  return answer, called
end

-- Whether programs can be started: they get a sanitizer that is preloaded as well, and not each of
-- them works in every program.
local starts

local function starts_programs()
  if starts == nil then
    local status = os.execute "true"
    starts = status == true or status == 0
  end
  return starts
end

-- The path of the root, where the plugin's files are files of this machine.
function native:need_local()
  if not starts_programs() then
    self:refuse("no program can be started beside the plugin")
  end
  local path = self:path(self.root)
  self:file("probe", "seen")
  local file = path:sub(1, 1) == "/" and io.open(path .. "/probe", "rb")
  if not file then
    self:refuse("its files are not local files")
  end
  file:close()
  return path
end

function native:need_shim()
  if not self.runner.has_shim() then
    self:refuse("the shim is not loaded: " .. (self.job.without_shim or "it was not preloaded"))
  end
end

return native
