-- The steps of a failing case as a C program: it compiles against the headers alone, and shows the
-- bug without modfs.
local check = require "modfs.check"
local contains = require "spec.support.contains"
local gallery = require "spec.check.gallery"
local program = require "modfs.check.program"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local shelved = require "spec.support.shelved"
local steps = require "modfs.check.steps"
local tmpdir = require "spec.support.tmpdir"
local verdict = require "spec.support.verdict"

local root = os.getenv "BUILD" or "build"
local shelf, put = shelved(function() return gallery.binary "memory" end)

-- The program for one case of a plugin, or nil and why there is none.
local function program_of(file, case)
  local report = check.run { file = file, only = case }
  return program.of(report, verdict.of(report, case))
end

-- Compiles a program without a warning.
local function compile(text)
  local path = shelf:write("bug.c", assert(text))
  local compiler = os.getenv "CC" or "gcc"
  local status, _, errors = shell.run(("%s -Wall -Wextra -Werror -Iinclude -o %s %s -ldl"):format(
    compiler, shell.quote(shelf.folder .. "/bug"), shell.quote(path)))
  assert(status == 0, errors .. text)
end

-- Its exit status and what it prints.
local function run(text)
  compile(text)
  return shell.run(("LD_PRELOAD= LD_LIBRARY_PATH=%s/modfs %s"):format(root,
    shell.quote(shelf.folder .. "/bug")))
end

describe("the program of a failing case", function()
  if sanitized then
    pending "a program without a sanitizer cannot load what was built for one"
    return
  end

  it("shows a wrong answer", function()
    local file = put "size.directory"
    local text = program_of(file, "upstream.087.TestGetFileSizeDirectory")
    contains(text, "/* expected FAILED_PRECONDITION, got success, 4096 */")
    contains(text, 'COUNT(fs->get_file_size(&f, PATH(ROOT "/a_dir"), s));')
    local status, shown = run(text)
    assert.equal(0, status)
    contains(shown, 'fs->get_file_size(&f, PATH(ROOT "/a_dir"), s)\n    4096, status 0')
  end)

  it("shows the right answer of a good plugin", function()
    local text = program_of(put "size.directory",
      "upstream.087.TestGetFileSizeDirectory")
    put "good"
    local _, shown = run((text:gsub("size%.directory", "good")))
    contains(shown, 'fs->get_file_size(&f, PATH(ROOT "/a_dir"), s)\n    -1, status 9')
  end)

  it("shows bytes that are read and written", function()
    local status, shown = run(program_of(put "read.pads",
      "upstream.104.TestReadOutOfRange"))
    assert.equal(0, status)
    contains(shown, 'append(&h')
    contains(shown, '    5, status 11')
  end)

  it("shows a crash", function()
    local status, shown = run(program_of(put "crash.in.copy.file",
      "upstream.061.TestCopyFile"))
    assert.equal(128 + 11, status)
    assert.is_truthy(shown:find "copy_file%b()\n$", shown)
  end)

  it("makes the calls of a case without a host", function()
    local text = program_of(put "read.end.minus",
      "raw.read.knows_offsets_to_the_last")
    local status, shown = run(text)
    assert.equal(0, status)
    assert.is_truthy(shown:find("read%b()\n    %-1, status 11"), shown)
  end)

  it("can be compiled, whatever fails, and there is a reason for each that is missing", function()
    local report = check.run { file = put "translate.nothing", strict = 2 }
    local written, number = 0, 0
    local names = {}
    for _, result in ipairs(verdict.failed(report)) do
      local text, reason = program.of(report, result)
      number = number + 1
      assert.is_truthy(text or reason)
      if text and written < 12 and not names[result.operation] then
        names[result.operation] = true
        written = written + 1
        compile(text)
      end
    end
    assert.is_true(number > 50 and written > 5, number .. " failed, " .. written .. " compiled")
  end)

  -- Nothing that a plugin or its path says ends a string or a comment.
  it("takes hostile names and messages", function()
    local folder = shelf.folder .. '/a "b" ??/ */ \\ %d\n'
    tmpdir.write(shelf.folder .. "/none", "")
    assert.equal(0, (shell.run("mkdir -p", folder)))
    local file = folder .. "/size.directory.so"
    assert.equal(0, (shell.run("cp", put("size.directory"), file)))
    local case = "upstream.087.TestGetFileSizeDirectory"
    local report = check.run { file = file, only = case }
    local result = verdict.of(report, case)
    result.why = 'a */ b /* ??/\n#error "c" \0 \255 \\'
    local status, shown = run(program.of(report, result))
    assert.equal(0, status, shown)
    contains(shown, "4096, status 0")
  end)

  it("is left out, with a reason, where calls alone do not show the bug", function()
    local report = { file = "/x.so", scheme = "x", operations = {} }
    local function reason(result)
      result.why = result.why or "why"
      local text, words = program.of(report, result)
      assert.is_nil(text)
      return words
    end
    assert.equal("the case is not about a filesystem", reason { name = "device.copies.x" })
    assert.equal("the case made no call", reason { name = "x" })
    assert.equal("threads.writing is no call of one slot of the plugin", reason { name = "x",
      steps = { steps.encode("threads", "threads.writing", "x://a") } })
    assert.equal("it needs a call that is made to fail", reason { name = "x",
      steps = { steps.encode("fs", "stat", "x://a") }, why = "y; injected fault: z" })
    local many = {}
    for i = 1, steps.most do
      many[i] = steps.encode("fs", "stat", "x://a")
    end
    assert.equal("the case makes more than 200 calls", reason { name = "x", steps = many })
  end)
end)

describe("a step in the records", function()
  it("is read as it was written", function()
    local function same(expected, ...)
      assert.same(expected, steps.decode(steps.encode(...)))
    end
    same({ object = "fs", method = "stat", { text = "x://a b\0%\255" } }, "fs", "stat",
      "x://a b\0%\255")
    same({ object = "@7", of = 7, method = "pread", { number = "9007199254740992" },
      { number = "-1" } }, "@7", "pread", 2 ^ 53, -1)
    same({ object = "fs", method = "m", { number = "0.5" }, {}, {}, { step = 3 } }, "fs", "m", 0.5,
      true, {}, { __step = 3 })
    same({ object = "fs", method = "m", { unit = "abc", size = 100000 } }, "fs", "m",
      ("abc"):rep(40000):sub(1, 100000))
    local text = {}
    for i = 1, 1000 do
      text[i] = string.char(i * i % 251, i % 256)
    end
    same({ object = "fs", method = "m", { text = table.concat(text) } }, "fs", "m",
      table.concat(text))
    same({ object = "fs", method = "m", {} }, "fs", "m", table.concat(text):rep(2))
  end)
end)
