-- Every system call of one atomic write fails, or is the last of its process: the target has the
-- old content or the new, and the next opening leaves nothing beside it. Two controls, one that
-- writes in place and one that forgets the rename, must fail the same test.
-- ATOMIC_FAULTS="EIO EINTR …" names other faults than the suite's; KILL ends the process.
local modfs = require "modfs"
local child = require "spec.support.child"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local faults = os.getenv "ATOMIC_FAULTS"
local old, new = ("old "):rep(30000), ("new "):rep(50000)
local root, target, log

local methods = {
  atomic = "modfs.write(path, new, { atomic = true })",
  opened = [[(function()
    local file = modfs.open(path, "w", { atomic = true })
    if not file then return file end
    for i = 1, #new, 7000 do
      file:write(new:sub(i, i + 6999))
    end
    return file:close()
  end)()]],
  ["in place"] = "modfs.write(path, new)",
  ["without the rename"] = "modfs.write(path .. '.new', new) and modfs.remove(path .. '.new')",
}

-- One write between two marks that a trace shows; prints whether it succeeded.
local function write_traced(method, inject)
  return child(([[
    local modfs, path, new = require "modfs", %q, ("new "):rep(50000)
    modfs.exists(path)
    modfs.exists "/mark/begin"
    local done = %s
    modfs.exists "/mark/end"
    print(done)
  ]]):format(target, methods[method]), {
    -- the shell in between keeps word of a killed process to itself
    under = ([[sh -c 'strace -o %s %s "$@"; exit $?' -]]):format(log, inject or ""),
    before = "export ASAN_OPTIONS=detect_leaks=0", -- which cannot work under strace
  })
end

-- The system calls between the marks: { name, which one of that name since the start }. Not brk,
-- which has no errors: the C library takes an injected one for an address.
local function calls_of(method)
  tmpdir.write(target, old)
  local status, out, err = write_traced(method)
  assert.equal("0 true\n", status .. " " .. out, err)
  local counts, calls, inside = {}, {}, false
  for line in tmpdir.content(log):gmatch "[^\n]+" do
    local name = line:match "^([%w_]+)%("
    if name then
      counts[name] = (counts[name] or 0) + 1
      local ending = line:find('"/mark/end"', 1, true)
      if inside and not ending and name ~= "brk" then
        calls[#calls + 1] = { name = name, which = counts[name] }
      end
      inside = (inside or line:find('"/mark/begin"', 1, true)) and not ending
    end
  end
  return calls
end

-- What is wrong after a write that said so, or nil.
local function assess(said)
  local content = tmpdir.content(target)
  if content ~= old and content ~= new then
    return ("torn: %d bytes"):format(#content)
  elseif said == "true\n" and content ~= new then
    return "it said true, and the old content stands"
  elseif not modfs.write(target, "next", { atomic = true }) then
    return "the next write fails"
  elseif tmpdir.content(target) ~= "next" or tmpdir.list(root) ~= "./f" then
    return "litter after the next opening: " .. tmpdir.list(root):gsub("\n", " ")
  end
end

-- Runs into one fault; returns what came of it when the fault happened where it was meant.
local function meet(method, call, fault)
  tmpdir.write(target, old)
  local how = fault == "KILL" and "signal=KILL" or "error=" .. fault
  local inject = ("-e inject=%s:%s:when=%d"):format(call.name, how, call.which)
  local _, said = write_traced(method, inject)
  local inside = tmpdir.content(log):match "/mark/begin.*" or ""
  local met = inside:find("(INJECTED)", 1, true) or inside:find("killed by SIGKILL", 1, true)
  return met ~= nil, assess(said)
end

-- All faults at all calls: how many happened, and what was wrong after them.
local function run(method, kinds)
  local met, wrong = 0, {}
  for _, call in ipairs(calls_of(method)) do
    for fault in kinds:gmatch "%S+" do
      local happened, what = meet(method, call, fault)
      met = met + (happened and 1 or 0)
      if what then
        wrong[#wrong + 1] = ("%s at %s %d: %s"):format(fault, call.name, call.which, what)
      end
      shell.run("rm -f --", root .. "/f.new")
    end
  end
  return met, table.concat(wrong, "\n")
end

describe("one write under faults:", function()
  local can_trace

  setup(function()
    can_trace = shell.run "strace -o /dev/null true" == 0
    root, log = tmpdir.new(), os.tmpname()
    target = root .. "/f"
  end)
  teardown(function()
    tmpdir.remove(root)
    os.remove(log)
  end)

  for _, method in ipairs(faults and { "opened", "atomic" } or { "opened" }) do
    it(method .. ": old or new, and no litter", function()
      if not can_trace then
        return pending "strace is not there, or may not trace"
      end
      local met, wrong = run(method, faults or "EIO KILL")
      assert.equal("", wrong)
      assert.is_true(met >= 20, met .. " faults")
      if faults then
        print(("%s: %d faults"):format(method, met))
      end
    end)
  end

  for _, method in ipairs { "in place", "without the rename" } do
    it("the control that writes " .. method .. " fails", function()
      if not can_trace then
        return pending "strace is not there, or may not trace"
      end
      local met, wrong = run(method, "EIO")
      assert.is_true(met > 0)
      assert.not_equal("", wrong)
    end)
  end
end)
