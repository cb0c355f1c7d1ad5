-- Writing to s3 on a server that answers badly: what is published is whole, and nothing is left.
local fails = require "spec.support.fails"
local modfs = require "modfs"
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"

local in_parts = { part_bytes = 5 * 1024 * 1024, parallel = 2 }

s3.describe_chaos("s3 before a server that takes badly,", in_parts, function(chaos)
  local small = "<a few words>"
  local large = "<" .. ("x"):rep(11 * 1024 * 1024) .. ">" -- three parts

  setup(function()
    chaos.put("s3-good/old", "before")
    chaos.put("s3-good/dir/a", "A")
    chaos.put("s3-good/dir/b", "B")
  end)

  before_each(function()
    assert(modfs.config("s3", { retries = 0, idle_timeout_ms = 20000, total_timeout_ms = 60000 }))
  end)

  -- The line of the key in the bucket's state; nil without one.
  local function line_of(state, key)
    return ("\n" .. state .. "\n"):match("\n" .. key .. " ([^\n]*)\n")
  end

  -- Writes to that key, which is as it was or as it was to be; no upload is left, unless it is one
  -- that nobody told us of. -> what came back
  local function assess(bucket, key, content, untold)
    local was = key == "old" and "6 be" or nil
    local done, message, code = modfs.write(("s3://%s/%s"):format(bucket, key), content)
    local state = chaos.state(bucket)
    local is = line_of(state, key)
    local whole = ("%d <>"):format(#content)
    local left = untold and state:gsub("upload new 0", "") or state
    assert.is_nil(left:find("upload", 1, true), bucket .. ": " .. state)
    assert.truthy(is == whole or not done and is == was,
      ("%s: %s, %s; %s"):format(bucket, tostring(is), tostring(done), tostring(message)))
    return done, message, code
  end

  it("writes what it should to a good one (the control)", function()
    assert.is_true(assess("control.good", "new", small))
    assert.is_true(assess("control.good", "large", large))
    assert.is_true(assess("control.good", "old", large))
  end)

  it("could tell an upload that is left, and half an object (the control)", function()
    shell.output("env -u LD_PRELOAD curl -sf -X POST", chaos.url .. "/left.over/new?uploads=")
    assert.has_error(function() assess("left.over", "new", small) end)
    assert.has_error(function() assess("control.good", "new", "no sign of an end") end)
  end)

  local faults = { "status.403", "status.500", "bare.503", "inside", "early.403", "dropped",
    "cut.20", "reset.0", "reset.40", "stall.0", "short.1", "elsewhere.307", "refuse.400-expired",
    "lost" }
  local steps = { { "put", small }, { "create", large }, { "part", large }, { "complete", large } }

  for _, fault in ipairs(faults) do
    for _, step in ipairs(steps) do
      it(("publishes no half and leaves no upload when %s meets %s"):format(step[1], fault),
        function()
          local bucket, untold = step[1] .. "." .. fault, step[1] == "create"
          if fault:find "stall" then
            assert(modfs.config("s3", { idle_timeout_ms = 1500 }))
          end
          assert.is_nil((assess(bucket, "new", step[2], untold)))
          if step[1] == "put" or step[1] == "complete" then
            assert.is_nil((assess(bucket, "old", step[2])))
          end
        end)
    end
  end

  it("fails when only one of several parts does", function()
    for _, fault in ipairs { "status.500.on2", "reset.40.on3", "status.403.on1", "notag.x.on2" } do
      assert.is_nil((assess("part." .. fault, "new", large)))
    end
  end)

  it("tries again what is safe to repeat", function()
    assert(modfs.config("s3", { retries = 3 }))
    for _, fault in ipairs { "status.503.2", "reset.0.2", "dropped.x.1", "cut.30.1" } do
      assert(assess("put." .. fault, "new", small))
      assert(assess("part." .. fault, "new", large))
      assert(assess("create." .. fault, "new", large, true))
    end
    assert(assess("complete.status.503.1", "new", large))
  end)

  it("finds out what became of a completion whose answer was lost", function()
    assert(modfs.config("s3", { retries = 3 }))
    local done, message = assess("complete.lost.x.1", "new", large)
    assert.truthy(done or message)
    assert.equal(#large .. " <>", line_of(chaos.state "complete.lost.x.1", "new"))
  end)

  it("takes nothing from documents that are none", function()
    for kind = 1, s3.malformations do
      assert.is_nil((assess("create.malformed." .. kind, "new", large)))
      assert.is_nil((assess("complete.malformed." .. kind, "new", large)))
    end
  end)

  it("knows an answer by what it holds, whatever its root is called", function()
    assert(assess("create.root.short", "new", large))
    assert(assess("complete.root.response", "new", large))
    assert(modfs.rmtree "s3://deletes.root.response/dir")
    assert(modfs.config("s3", { copy_bytes = 10 * 1024 * 1024 }))
    assert(assess("partcopy.root.short", "new", large))
    assert(modfs.copy("s3://partcopy.root.short/new", "s3://partcopy.root.short/2"))
    assert(modfs.config("s3", { copy_bytes = 1024 * 1024 * 1024 }))
  end)

  it("gives objects the type of their name, or the one that an option says", function()
    local function type_of(key, content)
      assert(modfs.write("s3://s3-good/" .. key, content or small))
      return chaos.head("s3-good/" .. key)["content-type"]
    end
    assert.is_nil(type_of "untyped.html")
    assert(modfs.config("s3", { content_type = "auto" }))
    assert.equal("text/html", type_of "a.html")
    assert.equal("image/jpeg", type_of "dir.x/A.JPEG")
    assert.equal("application/json", type_of("large.json", large))
    assert.is_nil(type_of "no.such.extension.qqq")
    assert.is_nil(type_of "dir.html/none")
    assert(modfs.config("s3", { content_type = "text/x-mine; charset=utf-8" }))
    assert.equal("text/x-mine; charset=utf-8", type_of "mine.html")
    assert(modfs.copy("s3://s3-good/a.html", "s3://s3-good/copied.bin"))
    assert.equal("text/html", chaos.head("s3-good/copied.bin")["content-type"])
    assert(modfs.config("s3", { content_type = "" }))
  end)

  it("aborts an upload whose id it did not understand, and none of another writer", function()
    local function begin(bucket)
      return shell.output("env -u LD_PRELOAD curl -sf -X POST", ("%s/%s/new?uploads=")
        :format(chaos.url, bucket)):match "<UploadId>(.-)<"
    end
    local bucket, other = "create.malformed.5.on3", "create.malformed.5.on2"
    begin(bucket)
    begin(bucket)
    local _, message, code = modfs.write(("s3://%s/new"):format(bucket), large)
    assert.equal("DATA_LOSS", code)
    assert.truthy(message:find("may be left", 1, true), message)
    assert.equal(3, select(2, chaos.state(bucket):gsub("upload new 0", "")))
    begin(other)
    shell.output "sleep 2.1" -- times of uploads have whole seconds
    assert.is_nil((modfs.write(("s3://%s/new"):format(other), large)))
    assert.equal(1, select(2, chaos.state(other):gsub("upload new 0", "")))
  end)

  it("goes nowhere else with what it writes", function()
    for _, status in ipairs { 301, 302, 307, 308 } do
      fails("FAILED_PRECONDITION", assess("all.elsewhere." .. status, "new", small))
      fails("FAILED_PRECONDITION", assess("all.elsewhere." .. status, "new", large))
    end
    assert.equal(0, chaos.seen "visits")
  end)

  it("believes no copy that the server did not make", function()
    assert(modfs.config("s3", { idle_timeout_ms = 1500 }))
    for _, fault in ipairs { "inside", "status.500", "malformed.2", "malformed.5", "cut.60",
      "stall.0" } do
      local bucket = "s3://copy." .. fault
      assert.is_nil((modfs.copy(bucket .. "/old", bucket .. "/new")))
      local state = chaos.state("copy." .. fault)
      assert.is_nil((modfs.rename(bucket .. "/old", bucket .. "/new")))
      assert.equal("6 be", line_of(chaos.state("copy." .. fault), "old"), state)
    end
  end)

  it("counts what was not deleted", function()
    for _, fault in ipairs { "partly", "inside", "status.500", "malformed.2", "cut.60" } do
      local done, _, _, files = modfs.rmtree("s3://deletes." .. fault .. "/dir")
      assert.is_nil(done, fault)
      assert.truthy(files > 0, fault)
    end
    assert.is_nil((modfs.remove "s3://delete.status.403/old"))
    assert.is_true(modfs.exists "s3://delete.status.403/old")
  end)

  it("leaves nothing when a writer gives up, or is forgotten", function()
    local function begin(key)
      local writer = assert(modfs.open("s3://control.good/" .. key, "w", { atomic = true }))
      assert(writer:write(large))
      return writer
    end
    assert(begin "given-up":abort())
    begin "forgotten"
    collectgarbage()
    collectgarbage()
    local state = chaos.state "control.good"
    assert.is_nil(state:find("upload", 1, true), state)
    assert.is_nil(line_of(state, "given%-up"))
    assert.is_nil(line_of(state, "forgotten"))
  end)

  it("goes on when the answers are slow, and no longer than it was told", function()
    assert(assess("all.slow.40", "new", small))
    assert(modfs.config("s3", { total_timeout_ms = 300 }))
    fails("DEADLINE_EXCEEDED", assess("put.slow.1", "new", small))
  end)
end)
