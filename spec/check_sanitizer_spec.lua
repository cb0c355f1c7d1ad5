-- Plugins that are built with a sanitizer: their children run with its runtime, and what it reports
-- fails the case. The plugin with the fault reads behind a block, or overflows an int, in stat.
local build = require "spec.fixtures.build"
local check = require "modfs.check"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local shelved = require "spec.support.shelved"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"

local sources = "plugins/memory plugins/common/glob plugins/common/located"
local flags = "-w "
  .. "-iquote plugins/memory -iquote plugins/common/glob -iquote plugins/common/located "
local last_case = "upstream.077.TestStatNonEmptyFile"

local shelf = shelved()

-- Why there is no such sanitizer here, or nil.
local function lacks(kind)
  if sanitized then
    return "another sanitizer is preloaded"
  end
  local compiler = os.getenv "CC" or "gcc"
  local program = "echo 'int main(void) { return 0; }' | %s -fsanitize=%s -x c - -o %s"
  local output = tmpdir.new() .. "/program"
  local status = shell.run(program:format(compiler, kind, output))
  return status ~= 0 and ("%s has no -fsanitize=%s"):format(compiler, kind) or nil
end

local stat = "    stats->length = (int64_t)memory_node_length(node);\n"
local faults = {
  address = "    volatile char *block = strdup(\"x\");\n    stats->length += block[2] * 0;\n"
    .. "    free((char *)block);\n",
  undefined = "    volatile int most = 0x7fffffff;\n    volatile int more = most + 1;\n"
    .. "    (void)more;\n",
}

-- Builds mem, with the fault of that name if any, with a sanitizer.
local function put(kind, fault)
  local name = ("sanitized_%s_%s"):format(kind, fault or "none")
  local words = sources
  if fault then
    local text = tmpdir.content "plugins/memory/query.c"
    local first, last = text:find(stat, 1, true)
    local copy = ("%s/%s.c"):format(shelf.folder, name)
    tmpdir.write(copy, "#include <stdlib.h>\n" .. text:sub(1, last) .. faults[fault]
      .. text:sub(last + 1))
    assert(first)
    words = shell.output("ls plugins/memory/*.c plugins/common/glob/*.c "
      .. "plugins/common/located/*.c"):gsub("plugins/memory/query%.c", copy):gsub("\n", " ")
  end
  return shelf:put(build.compile(name .. ".so", words, {
    flags = ("%s -fsanitize=%s"):format(flags, kind) }), name)
end

local function stat_fails_with(kind, pattern)
  local lacking = lacks(kind)
  if lacking then
    pending(lacking)
  end
  local report = check.run { file = put(kind, kind), scheme = "mem", as = "check",
    only = last_case }
  local result = verdict.of(report, last_case)
  assert.equal("failed", result.verdict)
  assert.is_truthy(result.why:find(pattern), result.why)
end

describe("check of a plugin that is built with a sanitizer", function()
  it("passes the good plugin, and says what is left out", function()
    local lacking = lacks "address"
    if lacking then
      pending(lacking)
    end
    local report = check.run { file = put "address", scheme = "mem", as = "check",
      only = { "^upstream", "^state" } }
    assert.equal("", verdict.failures(report))
    assert.is_true(report.passed > 60, report.passed)
    assert.equal("the plugin is built with AddressSanitizer", report.without_shim)
  end)

  it("fails a case for a report of AddressSanitizer", function()
    stat_fails_with("address", "^AddressSanitizer: heap%-buffer%-overflow .* in memory_fs_stat")
  end)

  it("fails a case for a report of UBSan, though the plugin goes on", function()
    stat_fails_with("undefined", ":%d+:%d+: runtime error: signed integer overflow")
  end)
end)
