-- The forms of a report that `modfs check` writes to files: a page of HTML, and a badge.
local check = require "modfs.check"
local contains = require "spec.support.contains"
local gallery = require "spec.check.gallery"
local html = require "modfs.check.report_html"
local badge = require "modfs.check.report_badge"
local shell = require "spec.support.shell"
local shelved = require "spec.support.shelved"
local tmpdir = require "spec.support.tmpdir"

local root = os.getenv "BUILD" or "build"
local shelf = shelved()

-- A report with such bytes wherever a plugin or a path has a say.
local function hostile(text)
  local result = { name = "a" .. text, verdict = "failed", level = 1, served = {}, assertions = 1,
    operation = "stat", why = text, called = text, answer = text, contract = text, script = text,
    steps = {} }
  return { file = "/tmp/" .. text .. ".so", scheme = text, schemes = { "x" }, platform = text,
    deviations = text, found = text, without_shim = text, strict = 4, seed = 1, passed = 0,
    failed = 1, refused = 1, assertions = 2, seconds = 1, tested = true, ok = false,
    results = { result, { name = text, verdict = "refused", level = 2, assertions = 0,
      operation = "stat", why = text } },
    operations = { [text] = { source = "plugin", verdict = "failed", passed = 0, failed = 1,
      refused = 1 } } }
end

local texts = { "</title></style><script>alert(1)</script><!-- -->", "\"' &amp; &#60; ]]>",
  "\255\128\0\27[31m\237\160\128\194\133\239\191\191", "a\nb\rc\t" }

-- The program that reads a page strictly, or nil.
local function parser()
  if shell.run "python3 -c 'import html5lib'" == 0 then
    return "python3 -c 'import sys, html5lib; "
      .. "html5lib.HTMLParser(strict=True).parse(open(sys.argv[1], \"rb\").read())'"
  elseif shell.has "tidy" then
    return "tidy -qe -utf8 --drop-empty-elements no"
  end
end

local function assert_valid(page)
  local path = shelf:write("page.html", page)
  local reader = parser()
  if reader then
    local status, _, errors = shell.run(reader, path)
    assert.equal(0, status, errors)
  end
end

describe("check --html", function()
  it("is valid HTML", function()
    if not parser() then
      return pending "neither html5lib nor tidy is installed"
    end
    local broken = "<p>a</i></p>"
    assert.is_false(pcall(assert_valid, broken), "a page with faults is refused")
    for _, text in ipairs(texts) do
      assert_valid(html(hostile(text)))
    end
  end)

  it("quotes what a plugin says, and loads nothing from elsewhere", function()
    for _, text in ipairs(texts) do
      local page = html(hostile(text))
      assert.is_nil(page:find("<script", 1, true))
      assert.is_nil(page:find("src=", 1, true))
      assert.is_nil(page:find("href=", 1, true))
      assert.is_nil(page:find("[%z\1-\8\11-\31\127]"))
    end
    contains(html(hostile(texts[1])), "&lt;script&gt;alert(1)&lt;/script&gt;")
    contains(html(hostile(texts[3])), "\\xff\\x80")
  end)

  it("has verdict, failures with their programs, capabilities and cases", function()
    local file = shelf:put(gallery.binary "memory", "size.directory")
    local report = check.run { file = file, only = "^upstream%.08[0-9]" }
    local page = html(report)
    assert_valid(page)
    contains(page, "<h1>size.directory.so</h1>")
    contains(page, ("%d passed, 1 failed, %d refused"):format(report.passed, report.refused))
    contains(page, '<h3 class="failed">upstream.087.TestGetFileSizeDirectory</h3>')
    contains(page, "<dd>expected FAILED_PRECONDITION, got success, 4096</dd>")
    contains(page, "modfs check " .. file .. " --only upstream.087.TestGetFileSizeDirectory</pre>")
    contains(page, "COUNT(fs-&gt;get_file_size(&amp;f, PATH(ROOT &quot;/a_dir&quot;), s));")
    contains(page, '<td>get_file_size</td>\n<td class="failed">failed</td>\n<td>plugin</td>')
    contains(page, "Returns the length of a file in bytes")
    for _, result in ipairs(report.results) do
      contains(page, "<td>" .. result.name .. "</td>")
    end
  end)

  it("says that nothing was tested", function()
    local report = check.run { file = root .. "/modfs/plugins/mem.so", only = "no.such.case" }
    contains(html(report), "Nothing could be judged.")
  end)
end)

describe("check --badge", function()
  it("shows the verdict", function()
    contains(badge { tested = true, failed = 0, passed = 268 }, ">268 passed</text>")
    contains(badge { tested = true, failed = 3, passed = 100 }, ">3 failed</text>")
    contains(badge { tested = false, failed = 0, passed = 1 }, ">nothing tested</text>")
  end)

  it("is XML", function()
    if not shell.has "python3" then
      return pending "python3 is not installed"
    end
    local path = shelf:write("badge.svg", badge { tested = true, failed = 0, passed = 268 })
    assert.equal(0, (shell.run(
      "python3 -c 'import sys, xml.dom.minidom as m; m.parse(sys.argv[1])'", path)))
  end)
end)

describe("modfs check", function()
  local function run(words)
    return shell.run(("XDG_STATE_HOME=%s %s/bin/modfs check --only upstream.001 "
      .. "%s/modfs/plugins/mem.so %s"):format(shell.quote(shelf.folder), root, root, words))
  end

  it("writes page and badge beside the report", function()
    local page, image = shelf.folder .. "/report.html", shelf.folder .. "/badge.svg"
    local status, text = run(("--tap --html %s --badge %s"):format(page, image))
    assert.equal(0, status)
    contains(text, "TAP version 13")
    contains(tmpdir.content(page), "<h1>mem.so</h1>")
    contains(tmpdir.content(image), ">2 passed</text>")
  end)

  it("ends with 1 when one of them cannot be written", function()
    for _, option in ipairs { "--html", "--badge" } do
      local status, text, errors = run(option .. " /no/such/folder/file")
      assert.equal(1, status)
      contains(text, "0 failed")
      contains(errors, "modfs: check: /no/such/folder/file")
      status, _, errors = run(option .. " /dev/full")
      assert.equal(1, status)
      contains(errors, "modfs: check: /dev/full")
    end
  end)
end)
