-- A case that fails because a call was made to fail says which: the function, its number among the
-- calls of such kinds, and the error, or the number of bytes.
local gallery = require "spec.check.gallery"
local sanitized = require "spec.support.sanitized"

local shelf

setup(function()
  shelf = gallery.shelf()
end)

teardown(function()
  shelf:remove()
end)

-- The kind of a mutant, its name, the case that is meant for it, and how its message ends.
local rows = {
  { "file", "append.ignores", "raw.append.fails_when_writing_fails",
    "write %(call %d+ of: open write close%) fails with EIO$" },
  { "file", "read.partial", "raw.read.fails_with_minus_one",
    "pread%d* %(call %d+ of: read%) fails with EIO$" },
  { "file", "append.misreports", "raw.append.knows_a_full_disk_by_ENOSPC",
    "write %(call 1 of: write%) fails with ENOSPC$" },
  { "file", "append.once", "raw.append.goes_on_after_few_bytes",
    "write %(call 1 of: write%) moves at most 1 byte$" },
  { "file", "close.ignores", "raw.close.tells_what_failed",
    "close %(call 1 of: close%) fails with ENOSPC$" },
  { "file", "sync.ignores", "raw.sync.tells_what_failed",
    "f%a*sync %(call 1 of: sync%) fails with EIO$" },
  { "memory", "open.unchecked", "raw.memory.is_short_when_a_file_is_opened",
    "allocation %d+, of %d+ bytes, fails$" },
  { "memory", "children.unchecked", "raw.memory.is_short_when_a_directory_is_listed",
    "allocation %d+, of %d+ bytes, fails$" },
}

describe("a failure names the injected fault", function()
  for _, row in ipairs(rows) do
    it(("in %s, by %s"):format(row[2], row[3]), function()
      if sanitized then
        return pending "a sanitizer stands in the shim's place"
      end
      local result = gallery.assess({ kind = row[1], name = row[2], case = row[3] }, shelf)
      assert.equal("failed", result.verdict)
      assert.is_truthy(result.why:find("; injected fault: " .. row[4]), result.why)
    end)
  end

  it("only where one was injected", function()
    local result = gallery.assess({ kind = "memory", name = "read.beyond",
      case = "raw.read.stays_in_its_buffer" }, shelf)
    assert.equal("failed", result.verdict)
    assert.is_nil(result.why:find("injected", 1, true), result.why)
  end)
end)

-- A fault that the shim saw during a case, and that is asked for at its end.
describe("a trial that cannot be closed", function()
  it("fails with its reason", function()
    local inprocess = require "modfs.check.inprocess"
    local trial = { journal = {}, assertions = 1, open = function() end,
      close = function() error({ failed = "a block was freed twice" }, 0) end }
    local found = inprocess.try({ run = function() end }, trial)
    assert.equal("a block was freed twice", found.failed)
    assert.is_nil(found.passed)
  end)
end)
