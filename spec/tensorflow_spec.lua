-- The plugins in TensorFlow itself. MODFS_TENSORFLOW names the Pythons that have one, with spaces
-- between them; without it that is python3, where it has.
local s3 = require "spec.support.s3"
local shell = require "spec.support.shell"

local root = shell.output("realpath " .. (os.getenv "BUILD" or "build")) .. "/modfs/plugins"

local function pythons()
  local list, reason = {}, nil
  for python in (os.getenv "MODFS_TENSORFLOW" or "python3"):gmatch "%S+" do
    local find = "import importlib.util as u, sys; sys.exit(u.find_spec('tensorflow') is None)"
    if shell.run(python, "-c", find) == 0 then
      list[#list + 1] = python
    else
      reason = python .. " has no tensorflow (pip install tensorflow-cpu; MODFS_TENSORFLOW)"
    end
  end
  if os.getenv "LD_PRELOAD" then
    return {}, "a checker of memory is preloaded, and TensorFlow is not built for it"
  end
  return list, reason
end

local found, none = pythons()

if #found == 0 then
  it("is here", function() pending(none) end)
end

-- { ["command=argument"] = { "ok" or the class of the error, result or message } }
local function run(python, settings, ...)
  local out = shell.output("env " .. settings .. " timeout 300 " .. python ..
    " spec/fixtures/tensorflow/gfiles.py", root, ...)
  local answers = {}
  for word, class, text in (out .. "\n"):gmatch "([^\n\t]*)\t(%w+)\t([^\n]*)\n" do
    answers[word] = { class, text }
  end
  return answers
end

local function fails(answers, command, class, path, words)
  local answer = assert(answers[command], "no answer of " .. command)
  assert.equal(class, answer[1], command .. ": " .. answer[2])
  assert.equal(path .. ": ", answer[2]:sub(1, #path + 2))
  assert.is_nil(answer[2]:sub(#path + 1):find(path, 1, true), answer[2])
  assert.truthy(answer[2]:find(words or "", 1, true), answer[2])
end

for _, python in ipairs(found) do
  describe("TensorFlow of " .. python, function()
    it("takes mem, and its messages have the path", function()
      local answers = run(python, "", "register=mem", "mkdir=mem://a", "dropped=mem://a/file",
        "appended=mem://a/more", "records=mem://a/records", "checkpoint=mem://a/model",
        "read=mem://none", "stat=mem://none", "remove=mem://none", "rename=mem://none")
      assert.same({ "ok", "None" }, answers["register=mem"])
      assert.same({ "ok", "some words" }, answers["dropped=mem://a/file"])
      assert.same({ "ok", "some words and more" }, answers["appended=mem://a/more"])
      assert.same({ "ok", "100" }, answers["records=mem://a/records"])
      assert.same({ "ok", "42.0" }, answers["checkpoint=mem://a/model"])
      fails(answers, "read=mem://none", "NotFoundError", "mem://none", "no such file")
      fails(answers, "stat=mem://none", "NotFoundError", "mem://none")
      fails(answers, "remove=mem://none", "NotFoundError", "mem://none")
      fails(answers, "rename=mem://none", "NotFoundError", "mem://none to mem://none2")
    end)

    it("takes http, which is read-only", function()
      local url = "http://127.0.0.1:1/file"
      local answers = run(python, "MODFS_HTTP_RETRIES=0", "register=http", "read=" .. url,
        "write=" .. url, "makedirs=" .. url, "mkdir=" .. url, "remove=" .. url)
      assert.same({ "ok", "None" }, answers["register=http"])
      fails(answers, "read=" .. url, "UnavailableError", url, "GET: ")
      for _, verb in ipairs { "write", "makedirs", "mkdir", "remove" } do
        fails(answers, verb .. "=" .. url, "UnimplementedError", url, "read-only")
      end
    end)

    describe("with s3", function()
      local ceph, reason = s3.start { "trained" }
      if not ceph then
        pending(reason)
        return
      end

      local settings = ("MODFS_S3_ENDPOINT=%s MODFS_S3_ACCESS_KEY_ID=%s " ..
        "MODFS_S3_SECRET_ACCESS_KEY=%s"):format(ceph.http, ceph.one.key, ceph.one.secret)

      teardown(function() ceph.stop() end)

      after_each(function() assert.equal(0, ceph.uploads "trained") end)

      it("keeps what was written to a GFile that is dropped", function()
        local base = "s3://trained/dir/"
        local answers = run(python, settings, "register=s3", "dropped=" .. base .. "dropped",
          "appended=" .. base .. "appended", "large=" .. base .. "large",
          "forked=" .. base .. "forked", "op=" .. base .. "op", "records=" .. base .. "records",
          "checkpoint=" .. base .. "model", "list=s3://trained/dir")
        assert.same({ "ok", "None" }, answers["register=s3"])
        assert.same({ "ok", "some words" }, answers["dropped=" .. base .. "dropped"])
        assert.same({ "ok", "some words and more" }, answers["appended=" .. base .. "appended"])
        assert.same({ "ok", "True" }, answers["large=" .. base .. "large"])
        assert.same({ "ok", "False the parent's" }, answers["forked=" .. base .. "forked"])
        assert.same({ "ok", "by an op" }, answers["op=" .. base .. "op"])
        assert.same({ "ok", "100" }, answers["records=" .. base .. "records"])
        assert.same({ "ok", "42.0" }, answers["checkpoint=" .. base .. "model"])
        assert.equal("ok", answers["list=s3://trained/dir"][1])
      end)

      it("makes a bucket by mkdir alone, and its messages have the path", function()
        local bucket, file = "s3://mistyped", "s3://trained/none"
        local answers = run(python, settings, "register=s3", "makedirs=" .. bucket,
          "op=" .. bucket .. "/x", "write=" .. bucket .. "/x", "exists=" .. bucket,
          "mkdir=s3://meant", "exists=s3://meant", "makedirs=s3://meant", "rmdir=s3://meant",
          "read=" .. file, "stat=" .. file, "remove=" .. file, "copy=" .. file)
        fails(answers, "makedirs=" .. bucket, "NotFoundError", bucket, "create the bucket first")
        assert.equal("NotFoundError", answers["op=" .. bucket .. "/x"][1])
        assert.truthy(answers["op=" .. bucket .. "/x"][2]:find("create the bucket first", 1, true))
        fails(answers, "write=" .. bucket .. "/x", "NotFoundError", bucket .. "/x", "with mkdir")
        assert.same({ "ok", "False" }, answers["exists=" .. bucket])
        assert.same({ "ok", "True" }, answers["exists=s3://meant"])
        assert.same({ "ok", "None" }, answers["makedirs=s3://meant"])
        assert.same({ "ok", "None" }, answers["rmdir=s3://meant"])
        fails(answers, "read=" .. file, "NotFoundError", file)
        fails(answers, "stat=" .. file, "NotFoundError", file)
        fails(answers, "remove=" .. file, "NotFoundError", file)
        fails(answers, "copy=" .. file, "NotFoundError", file .. " to " .. file .. "2")
      end)
    end)
  end)
end
