-- A real HDFS on loopback, in memory, for as long as the spec that started it.
--
--   local hdfs, reason = hadoop.start { name_nodes = 2, data_nodes = 1 }  -- nil, why: skip, say so
--   hdfs.conf          the folder of core-site.xml and hdfs-site.xml
--   hdfs.uri           "hdfs://127.0.0.1:PORT", or "hdfs://pair"
--   hdfs.web           "127.0.0.1:PORT" of WebHDFS; hdfs.second of the second name node
--   hdfs.ca            the certificate to trust, with secure = true: then they speak https alone;
--                      with kerberos = true as well, they have a realm of their own (kerberos.sh)
--   hdfs.place         a folder for the spec
--   hdfs.run(line)     -> exit status, output, error output of a line of bash inside hadoop.sh
--   hdfs.dfs(words...) -> output of `hdfs dfs`, which must succeed
--   hdfs.stop()
--   hadoop.describe(title, options, body)  describes what needs one: body(hdfs)
local busted = require "busted"
local clouds = require "spec.support.clouds"
local inside = require "spec.support.inside"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local hadoop = {}

-- Why there is no plugin of hdfs; nil when there is.
function hadoop.lacks_plugin()
  for _, plugin in ipairs((modfs.available())) do
    if plugin.name == "hdfs" then
      return nil
    end
  end
  return "built without libcjson-dev, libcurl4-openssl-dev or libexpat1-dev"
end

-- Where Hadoop is installed as a whole; nil, why.
function hadoop.home()
  local found = shell.output("ls -d " .. clouds .. "/hadoop-*/whole 2>/dev/null | tail -1 || true")
  local place = found:match "^(.*)/whole$"
  if not place then
    return nil, "Hadoop is not installed in " .. clouds .. ": scripts/setup.sh clouds"
  end
  return place
end

local function add_dfs(hdfs)
  function hdfs.dfs(...)
    local words = { "dfs" }
    for _, word in ipairs { ... } do
      words[#words + 1] = shell.quote(word)
    end
    local status, out, err = hdfs.run(table.concat(words, " "))
    if status ~= 0 then
      error(err, 2)
    end
    return (out:gsub("\n$", ""))
  end
end

local function programs_of(options)
  local programs = { "java", "keytool", "curl", "unshare", "setpriv" }
  for _, program in ipairs(options.kerberos and { "krb5kdc", "kadmin.local", "kinit" } or {}) do
    programs[#programs + 1] = program
  end
  return programs
end

function hadoop.start(options)
  local home, why = hadoop.home()
  why = hadoop.lacks_plugin() or
    inside.missing(programs_of(options)) or why
  if why then
    return nil, why
  end
  local names = options.name_nodes or 1
  local script = ("BLOCK_SIZE=%d SECURE=%s KERBEROS=%s bash spec/support/hadoop.sh"):format(
    options.block_size or 16777216, options.secure and 1 or "", options.kerberos and 1 or "")
  local hdfs, reason = inside.start(tmpdir.new(), script, home, names, options.data_nodes or 1)
  if not hdfs then
    return nil, reason
  end
  local ports = {}
  for port in hdfs.ready:gmatch "%d+" do
    ports[#ports + 1] = port
  end
  hdfs.conf = hdfs.place .. "/conf"
  hdfs.uri = names == 1 and "hdfs://127.0.0.1:" .. ports[1] or "hdfs://pair"
  hdfs.web = "127.0.0.1:" .. ports[names + 1]
  hdfs.ca = options.secure and hdfs.place .. "/cert.pem" or nil
  hdfs.second = names > 1 and "127.0.0.1:" .. ports[names + 2] or nil
  add_dfs(hdfs)
  return hdfs
end

function hadoop.describe(title, options, body)
  busted.describe(title, function()
    local hdfs, reason = hadoop.start(options)
    if not hdfs then
      return busted.pending(reason)
    end
    busted.setup(function()
      for _, scheme in ipairs { "hdfs", "webhdfs", "viewfs" } do
        assert(modfs.config(scheme, { conf_dir = hdfs.conf, user = "root" }))
      end
    end)
    body(hdfs)
    busted.teardown(hdfs.stop)
  end)
end

return hadoop
