-- hdfs over TLS, before a real cluster that speaks https alone, and with a token that it issued.
local fails = require "spec.support.fails"
local hadoop = require "spec.support.hadoop"
local kept_in_memory = require "spec.support.kept_in_memory"
local modfs = require "modfs"
local sanitized = require "spec.support.sanitized"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

hadoop.describe("hdfs over TLS", { data_nodes = 1, secure = true }, function(hdfs)
  local root = "swebhdfs://" .. hdfs.web .. "/spec"
  local large = ("0123456789abcdef"):rep(65536):rep(40) .. "end"

  local function configure(options)
    for _, scheme in ipairs { "hdfs", "webhdfs", "swebhdfs" } do
      assert(modfs.config(scheme, options))
    end
  end

  before_each(function()
    configure { ca_file = hdfs.ca, retries = 1 }
    if modfs.exists(root) then
      assert(modfs.rmtree(root))
    end
    assert(modfs.mkdir(root))
  end)
  teardown(function() configure { ca_file = "", retries = 5 } end)

  it("writes what hdfs dfs reads, and reads it, at the data nodes, too", function()
    for name, content in pairs { ours = "written by modfs", large = large } do
      assert(modfs.write(root .. "/" .. name, content))
      assert.is_true(content == modfs.read(root .. "/" .. name))
    end
    assert.equal("written by modfs", hdfs.dfs("-cat", "/spec/ours"))
    assert(modfs.append(root .. "/ours", " and more"))
    assert.equal("written by modfs and more", hdfs.dfs("-cat", "/spec/ours"))
    assert.same({ "large", "ours" }, modfs.listdir(root))
  end)

  it("is what dfs.http.policy says, for hdfs://", function()
    assert(modfs.write(hdfs.uri .. "/spec/a", "one"))
    assert.equal("one", modfs.read(root .. "/a"))
    assert.equal("one", modfs.read "hdfs:///spec/a")
  end)

  it("is refused where the certificate is not that of the host, or of nobody trusted", function()
    assert(modfs.write(root .. "/a", "one"))
    shell.output(("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost " ..
      "-addext subjectAltName=IP:127.0.0.1 -keyout %s/other.key -out %s/other.pem")
      :format(hdfs.place, hdfs.place))
    local function refuses(path)
      modfs.flush_caches()
      local message = fails("FAILED_PRECONDITION", modfs.read(path))
      assert.truthy(message:find("certificate", 1, true), message)
      fails("FAILED_PRECONDITION", modfs.write(path, "two"))
    end
    refuses((root:gsub("127%.0%.0%.1", "localhost")) .. "/a")
    configure { ca_file = hdfs.place .. "/other.pem" }
    refuses(root .. "/a")
    configure { ca_file = "" }
    refuses(root .. "/a")
    configure { ca_file = hdfs.ca }
    modfs.flush_caches()
    assert.equal("one", modfs.read(root .. "/a"))
  end)

  it("is not left for http", function()
    local _, message = modfs.read("webhdfs://" .. hdfs.web .. "/spec/a")
    assert.truthy(message and message:find "^[%u_]+: ", message)
    assert.is_nil(message:find("NOT_FOUND", 1, true), message)
  end)

  describe("with a token", function()
    local file, token

    setup(function()
      file = hdfs.place .. "/token"
      local answer = shell.output(("env -u LD_PRELOAD curl -sSf --cacert %s " ..
        "'https://%s/webhdfs/v1/?op=GETDELEGATIONTOKEN&user.name=root&renewer=root'")
        :format(hdfs.ca, hdfs.web))
      token = assert(answer:match '"urlString":"([^"]+)"', answer)
      tmpdir.write(file, token .. "\n")
    end)

    -- A cluster without Kerberos issues tokens, and looks at none: whoever brings one is root here.
    it("is sent in the place of the user, and told in no word", function()
      configure { token_file = file, user = "nobody" }
      local written, message = modfs.write(root .. "/a", large)
      local content = modfs.read(root .. "/a")
      local failures = { { modfs.read(root .. "/none") }, { modfs.write(root .. "/none/a", "x") },
        { modfs.listdir(root .. "/a") }, { modfs.mkdir(root .. "/a:b") } }
      configure { token_file = "", user = "root" }
      assert.is_true(written, message)
      assert.is_true(content == large)
      assert.truthy(hdfs.dfs("-ls", "/spec/a"):find " root ")
      for _, failure in ipairs(failures) do
        assert.is_string(failure[2])
        assert.is_nil(failure[2]:find(token:sub(1, 12), 1, true), failure[2])
      end
    end)

    it("is not in memory once it was used", function()
      if sanitized then
        pending "a sanitizer keeps what was freed"
        return
      end
      local found, held = kept_in_memory([[
        local root, file, ca, conf = ...
        modfs.config("swebhdfs", { token_file = file, ca_file = ca, conf_dir = conf })
        for _, content in ipairs { "text", ("text"):rep(5000000) } do
          assert(modfs.write(root .. "/b", content))
          assert(modfs.append(root .. "/b", "more"))
          assert(modfs.read(root .. "/b") == content .. "more")
        end
        assert(#modfs.listdir(root) > 0)
        local open = assert(modfs.open(root .. "/b"))
        assert(open:read(100))
      ]], { token }, { file }, { arguments = { root, file, hdfs.ca, hdfs.conf }, seconds = 300 })
      assert.same({ "" }, found)
      assert.truthy(held[1] ~= "", "the control")
    end)
  end)
end)
