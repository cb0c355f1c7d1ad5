-- The conformance runner: good plugins pass, no crashing plugin ends the host, and a plugin that
-- provides nothing gets nothing. check_mutants_spec.lua holds it against what is broken.
local gallery = require "spec.check.gallery"
local check = require "modfs.check"
local contains = require "spec.support.contains"
local process = require "modfs.check.process"
local shell = require "spec.support.shell"
local shelved = require "spec.support.shelved"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"

local folder = (os.getenv "BUILD" or "build") .. "/modfs/plugins/"
local shelf, put = shelved(function() return gallery.binary "memory" end)

describe("check passes", function()
  local function passes(file, options)
    options = options or {}
    options.file = file
    local report = check.run(options)
    assert.equal("", verdict.failures(report))
    assert.is_true(report.ok)
    local few = options.only ~= nil
    assert.is_true(few or report.assertions >= 1000, report.assertions .. " assertions")
    assert.is_true(report.passed >= (few and 9 or 170), report.passed .. " passed")
    return report
  end

  -- What cannot be asked of files in memory; nothing else is refused.
  local elsewhere = { "^no system call", "^no call is seen that", "^no file of the system",
    "^its storage is private",
    "^its files are not local files", "^the shim is not loaded",
    "^open_directory is an empty slot", "^open_subdirectory is an empty slot",
    "^open_subdirectory is missing",
    "^lstat is an empty slot", "^create_link is an empty slot",
    "^[gs]et_attributes is an empty slot", "^reader_attributes is an empty slot",
    "^stored_hash is an empty slot", "^[gs]et_xattrs is an empty slot",
    "^get_space is an empty slot", "^get_space is UNIMPLEMENTED",
    "^accept_interruption is an empty slot",
    "^create_private_dir is an empty slot",
    "^there is no option" }

  local function refuses_only_what_cannot_be_asked(report)
    for _, result in ipairs(report.results) do
      local known = result.verdict ~= "refused"
      for _, reason in ipairs(elsewhere) do
        known = known or result.why:find(reason) ~= nil
      end
      assert.is_true(known, result.name .. ": " .. (result.why or ""))
    end
  end

  -- Below "scheme://host/root" a plugin that drops the host would work in /root, and empty it.
  it("a plugin in a place whose path nobody else has, whatever becomes of the host", function()
    local report = check.run { file = put "good", only = "raw.tell" }
    assert.is_true(report.ok, verdict.failures(report))
    local host, path = report.root:match "^good://([^/]+)(/.*)$"
    assert.truthy(host:find "^modfs%.check%.%w+$")
    assert.equal("/" .. host, path)
  end)

  it("the memory plugin, and refuses only what needs files of the system", function()
    refuses_only_what_cannot_be_asked(passes(folder .. "mem.so", { strict = 5 }))
  end)

  it("the posix plugin, which has no transactions", function()
    local report = passes(folder .. "posix.so")
    assert.equal("refused", report.operations.start_transaction.verdict)
    assert.equal("missing", report.operations.start_transaction.source)
    assert.equal("passed", report.operations.get_matching_paths.verdict)
  end)

  it("a plugin under another scheme, in a root with a host part, one case at a time", function()
    local report = passes(put "good", { root = "good://a.host/some/where", jobs = 1,
      only = "^upstream%.00" })
    assert.equal("good", report.scheme)
    assert.equal(0, report.refused)
  end)
end)

describe("check.run raises for", function()
  it("options that are not a table, and a missing file", function()
    assert.error_matches(function() check.run "x.so" end, "bad argument #1 to 'run' %(table exp")
    assert.error_matches(function() check.run() end, "option 'file': string expected, got nil")
    assert.error_matches(function() check.run { strict = 1 } end, "option 'file'")
  end)

  it("an option that it does not know, or of another type", function()
    local wrong = { foo = 1, strict = "x", only = 1, scheme = 1, jobs = "2", progress = {},
      seed = 1.5 }
    for name, value in pairs(wrong) do
      assert.error_matches(function() check.run { file = "/tmp/nope.so", [name] = value } end,
        "bad argument #1 to 'run' %(.*option '" .. name .. "'")
    end
  end)
end)

-- A sanitizer needs unlimited memory, and tells of a crash in its own way.
local sanitized = require "spec.support.sanitized"

describe("random operations", function()
  local function assess(name, seed)
    return check.run { file = put(name), strict = 6, only = "^random", seed = seed }
  end

  it("pass on good plugins, whatever the seed", function()
    for seed = 1, 3 do
      local report = assess("good", seed)
      assert.equal("", verdict.failures(report))
      assert.is_true(report.assertions > 1500)
    end
    assert.equal("", verdict.failures(check.run { file = folder .. "posix.so", strict = 6,
      only = "^random" }))
  end)

  for name, verb in pairs { ["rmdir.full"] = "modfs.rmdir(root", ["copy.moves"] = "modfs.copy(root",
    ["rename.copies"] = "modfs.rename(root", ["append.truncates"] = "{ append = true }",
    ["children.fewer"] = "modfs.listdir(root" } do
    it("catch " .. name .. " and shrink it to a few steps", function()
      local report = assess(name, 1)
      assert.is_true(report.failed > 0)
      for _, result in ipairs(report.results) do
        if result.verdict == "failed" then
          contains(result.script, verb)
          local _, lines = result.script:gsub("\n", "")
          assert.is_true(lines < 6, result.script)
        end
      end
    end)
  end

  it("are the same for the same seed, and others for another", function()
    local random = require "modfs.check.random"
    assert.same(random.sequence(7, 50), random.sequence(7, 50))
    assert.are_not.same(random.sequence(7, 50), random.sequence(8, 50))
  end)
end)

describe("check outlives", function()
  for _, row in ipairs(require "spec.check.crashing") do
    local name, case, words = row[1], row[2], row[3]
    it(name, function()
      if sanitized and name:find "hoard" then
        pending "a sanitizer lifts the limit on memory"
      end
      local report = check.run { file = put(name), only = case,
        seconds = words == "hangs" and 1 or words == "" and 2 or 10 }
      local result = verdict.of(report, case)
      assert.equal("failed", result.verdict)
      contains(result.why, sanitized and "" or words)
      assert.is_false(report.ok)
    end)
  end

  it("an interpreter that ends by an error, and tells that", function()
    local path = shelf:write("lua", "#!/bin/sh\nprintf 'lua: x.lua:1: all is lost:\\n\\tno x\\n"
      .. "stack traceback:\\n\\t[C]: in ?\\n' >&2; exit 1\n")
    shell.output("chmod 755", path)
    local children = process.open { file = put "good", lua = path, seconds = 10, megabytes = 0,
      file_megabytes = 64, files = 256 }
    local found = children:run { file = put "good", scheme = "good", root = "good://a",
      case = "load", limits = {} }
    children:close()
    assert.equal("ends the process: exit status 1, saying lua: x.lua:1: all is lost:", found.died)
  end)

  it("what a child leaves running", function()
    check.run { file = put "breed.in.get.children", only = "upstream.091" }
    local _, left = shell.run
      "LD_PRELOAD= grep -las '[b]reed.in.get.children://' /proc/[0-9]*/cmdline | wc -l"
    assert.equal("0", (left:gsub("%s", "")))
  end)

  it("a plugin that crashes in one operation, and tests the others", function()
    local report = check.run { file = put "crash.in.copy.file", only = "^upstream%.0[56]" }
    assert.equal("failed", report.operations.copy_file.verdict)
    assert.equal("passed", report.operations.rename_file.verdict)
    contains(verdict.of(report, "upstream.061.TestCopyFile").called, "copy_file")
  end)
end)

describe("check sees through", function()
  for _, name in ipairs { "hollow", "hollow.refuses" } do
    it(name .. ": nothing to test", function()
      local report = check.run { file = put(name) }
      assert.is_false(report.tested)
      assert.is_false(report.ok)
      assert.equal(1, report.passed, "more than its loading")
    end)
  end

  it("a plugin without a filesystem, when one is asked for", function()
    local report = check.run { file = folder .. "null.so", scheme = "null" }
    assert.is_false(report.tested)
    assert.is_false(report.ok)
  end)

  it("a file that is no plugin", function()
    local path = shelf:write("text.so", "no library")
    local report = check.run { file = path }
    assert.equal("failed", verdict.of(report, "load").verdict)
  end)
end)

describe("modfs check", function()
  -- Runs the command with LD_PRELOAD set to preload, if it is given.
  local function main(words, preload)
    local out = shell.tmpname()
    local script = ("require('modfs.check').main{%s}"):format(words)
    local status = shell.run(("eval \"$(scripts/env.sh %s)\"; %s %s -e %s >%s 2>&1"):format(
      shell.quote(os.getenv "BUILD" or "build"), preload and "LD_PRELOAD=" .. preload or "",
      os.getenv "LUA" or "lua5.4",
      shell.quote("os.exit(" .. script .. ")"), out))
    local file = assert(io.open(out))
    local text = file:read("*a")
    file:close()
    os.remove(out)
    return status, text
  end

  it("reports the call, its results, what the contract says, and how to repeat it", function()
    local path = put "size.directory"
    local status, text = main(("%q, '--only', 'upstream.08'"):format(path))
    assert.equal(1, status)
    for _, words in ipairs { "FAILED upstream.087.TestGetFileSizeDirectory",
      "expected FAILED_PRECONDITION, got success, 4096", "fs:get_file_size(", "came back 4096",
      "Returns the length of a file in bytes, or -1 on failure.",
      "modfs check " .. path .. " --only upstream.087.TestGetFileSizeDirectory" } do
      contains(text, words)
    end
    assert.equal(1, text:find("FAILED", 1, true), "failures come first")
  end)

  it("numbers its cases in TAP", function()
    local status, text = main(("%q, '--only', 'upstream.08[67]', '--tap'"):format(
      put "size.directory"))
    assert.equal(1, status)
    contains(text, "1..3\n")
    contains(text, "ok 1 - load\nok 2 - upstream.086.TestGetFileSizeNonEmptyFile\n"
      .. "not ok 3 - upstream.087.TestGetFileSizeDirectory\n")
  end)

  it("fits a screen, whatever fails, and says how to see all", function()
    local path = put "translate.nothing"
    local status, text = main(("%q, '--strict', '1'"):format(path))
    local _, lines = text:gsub("\n", "")
    assert.equal(1, status)
    assert.is_true(lines <= 50, lines .. " lines")
    contains(text, "and 102 more: upstream.003.TestCreateFileNonExisting")
    contains(text, "see all   modfs check " .. path .. " --tap")
  end)

  it("writes TAP that prove accepts", function()
    if not shell.has "prove" then
      pending "prove is not installed"
    end
    local _, text = main(("%q, '--only', 'upstream.08[67]', '--tap'"):format(put "size.directory"))
    local path = shelf:write("report.tap", text)
    local status, out, errors = shell.run("prove -e cat", path)
    assert.equal(1, status)
    contains(out, "Failed test:  3")
    assert.is_nil((out .. errors):find("Parse error", 1, true))
  end)

  it("writes XML, whatever bytes a plugin's messages have", function()
    local report = require "modfs.check.report_junit" {
      file = "<&>.so", results = { { name = "a<b", verdict = "failed", level = 1, served = {},
        why = "\255 \195\164 \237\160\128 \0 \27", called = "\"", answer = "]]>" } },
      failed = 1, refused = 0, seconds = 1 }
    contains(report, '<testsuite name="&lt;&amp;&gt;.so"')
    contains(report, "\\xff \195\164 \\xed\\xa0\\x80")
    assert.is_nil(report:find("[%z\1-\9\11-\31\255]"))
    local path = shelf:write("report.xml", report)
    local parser = shell.has "xmllint" and "xmllint --noout"
      or shell.has "python3"
      and "python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])'"
    if parser then
      assert.equal(0, (shell.run(parser, path)))
    end
  end)

  it("writes JSON and JUnit", function()
    local _, json = main(("%q, '--only', 'upstream.087', '--json'"):format(put "size.directory"))
    contains(json, '"failed":1')
    contains(json, '"verdict":"failed"')
    local _, xml = main(("%q, '--only', 'upstream.087', '--junit'"):format(put "size.directory"))
    contains(xml, 'tests="2" failures="1" skipped="0"')
  end)

  it("says when memory and system calls are not watched", function()
    if sanitized then
      pending "modfs that was built for a sanitizer does not run without it"
    end
    local case = ("%q, '--only', 'raw.lists.lose_nothing'"):format(folder .. "mem.so")
    local words = "memory and system calls are not watched: a memory checker is preloaded already"
    local _, text = main(case, "/none/libasan.so")
    contains(text, words)
    contains(text, "1 refused")
    _, text = main(case, "''")
    assert.is_nil(text:find(words, 1, true), text)
    contains(text, "2 passed")
  end)

  it("gives advice about statuses, which is no failure", function()
    local _, text = main(("%q, '--only', 'raw.statuses.say_what_happened'"):format(
      folder .. "mem.so"))
    contains(text, "advice")
    contains(text, "2 passed")
  end)

  it("ends with 0, 1 or 2", function()
    assert.equal(0, (main(("%q, '--only', 'upstream.00'"):format(folder .. "mem.so"))))
    local status, text = main(("%q"):format(put "hollow"))
    assert.equal(1, status)
    contains(text, "nothing to test")
    for _, words in ipairs { "", "'/no/such/file.so'", "'--only'", "'--strict', 'x', 'f'",
      "'--nonsense'", ("%q, '--only', '['"):format(folder .. "mem.so") } do
      assert.equal(2, (main(words)), words)
    end
  end)
end)

describe("the cases", function()
  local lists = { cases = "contract", existing_cases = "contract",
    device_cases = "device_contract" }
  local headers = { contract = { "filesystem", "extension" },
    device_contract = { "stream_executor" } }

  for list, contract in pairs(lists) do
    it(list .. " have names of their own, and operations of the contract", function()
      local seen = {}
      for _, case in ipairs(require("modfs.check." .. list)) do
        assert.is_nil(seen[case.name], case.name)
        seen[case.name] = true
        assert.is_table(require("modfs.check." .. contract)[case.operation], case.name)
      end
    end)
  end

  it("are all 104 of upstream for filesystems, and all 33 for devices", function()
    local upstream, devices = {}, 0
    for _, case in ipairs(require "modfs.check.cases") do
      local number, title = case.name:match "^upstream%.(%d+)%.(.*)$"
      if number then
        upstream[tonumber(number)] = title
      end
    end
    for _, case in ipairs(require "modfs.check.device_cases") do
      devices = devices + (case.name:find "^device%.upstream%.%d%d%.%u" and 1 or 0)
    end
    assert.same(require "spec.check.titles", upstream)
    assert.equal(33, devices)
  end)

  for contract, names in pairs(headers) do
    it("quote the " .. contract .. " in the words of its header", function()
      local text = ""
      for _, name in ipairs(names) do
        text = text .. tmpdir.content("include/modfs/" .. name .. ".h")
      end
      text = text:gsub("%s*\n%s*%*?%s*", " "):gsub("%s+", " ")
      for name, words in pairs(require("modfs.check." .. contract)) do
        contains(text, words.does)
        contains(text, words.errors or "")
        contains(text, "(*" .. name .. ")(")
      end
    end)
  end
end)
