-- What writes is refused and changes nothing. A slot that answers for a missing name otherwise than
-- with a refusal may be a real one: it is not called for what is there.
local refusals = { "UNIMPLEMENTED", "PERMISSION_DENIED" }

local function is_refusal(code)
  return code == refusals[1] or code == refusals[2]
end

-- The code of an answer, which has to be among these.
local function expect(t, answer, codes)
  t.assertions = t.assertions + 1
  for _, code in ipairs(codes) do
    if answer.code == code then
      return
    end
  end
  error({ failed = ("expected %s, got %s %s"):format(table.concat(codes, " or "), answer.code,
    tostring(answer.message or "")) }, 0)
end

local function with(others)
  local codes = { refusals[1], refusals[2] }
  for _, code in ipairs(others) do
    codes[#codes + 1] = code
  end
  return codes
end

-- Calls a slot; a writer that opens all the same is ended.
local function call(t, operation, ...)
  t.journal:note("plugin", operation, ...)
  local paths = { ... }
  for i = 1, #paths do
    paths[i] = t:path(paths[i])
  end
  local answer = t.plugin[operation](t.plugin, (table.unpack or unpack)(paths))
  if not answer then
    t:refuse(operation .. " is an empty slot")
  end
  local handle = answer.handle
  answer.handle = nil
  t.journal:answered(answer)
  if answer.fault then
    error({ failed = answer.fault }, 0)
  elseif handle then
    handle:cleanup_writable()
  end
  return answer
end

-- Everything is as the survey found it.
local function check_unchanged(t, operation)
  t:each_file(function(file, content)
    local now = t:content(file.uri)
    t:yes(now:sub(1, #content) == content and (#now == #content or not file.whole),
      file.uri .. " has changed")
  end)
  for _, directory in ipairs(t.found.directories) do
    local names = t:code("OK", t.p:get_children(directory.uri)).names
    table.sort(names)
    t:equal(directory.names, names, directory.uri .. " has changed")
  end
  t:no(t:ask("path_exists", t:fresh()).code == "OK", operation .. " made something")
end

-- rows: operation, what it may answer besides refusals for a missing name, for a file, for a
-- directory.
local rows = {
  { "new_writable_file", {}, {}, { "FAILED_PRECONDITION" } },
  { "new_appendable_file", {}, {}, { "FAILED_PRECONDITION" } },
  { "create_dir", {}, { "ALREADY_EXISTS" }, { "ALREADY_EXISTS" } },
  { "recursively_create_dir", {}, { "FAILED_PRECONDITION" }, { "OK" } },
  { "delete_file", { "NOT_FOUND" }, {}, { "FAILED_PRECONDITION" } },
  { "delete_dir", { "NOT_FOUND" }, { "FAILED_PRECONDITION" }, { "FAILED_PRECONDITION" } },
  { "delete_recursively", { "NOT_FOUND" }, {}, {} },
}

local function needs_reader(t)
  if t.found.writes then
    t:refuse "the plugin can write: nothing that is there is put at risk"
  end
end

return function(case)
  for _, row in ipairs(rows) do
    local operation = row[1]
    case("refuses." .. operation, operation, function(t)
      needs_reader(t)
      local answer = call(t, operation, t:fresh())
      expect(t, answer, with(row[2]))
      if is_refusal(answer.code) then
        t:each_file(function(file)
          expect(t, call(t, operation, file.uri), with(row[3]))
        end)
        for _, directory in ipairs(t.found.directories) do
          expect(t, call(t, operation, directory.uri), with(row[4]))
        end
      end
      check_unchanged(t, operation)
    end)
  end

  for _, operation in ipairs { "rename_file", "copy_file" } do
    case("refuses." .. operation, operation, function(t)
      needs_reader(t)
      local answer = call(t, operation, t:at "none", t:fresh())
      expect(t, answer, with { "NOT_FOUND" })
      if is_refusal(answer.code) then
        t:each_file(function(file)
          expect(t, call(t, operation, file.uri, t:fresh()), refusals)
          expect(t, call(t, operation, t:at "none", file.uri), with { "NOT_FOUND" })
        end)
      end
      check_unchanged(t, operation)
    end)
  end
end
