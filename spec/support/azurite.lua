-- A real Azurite on loopback, with its blobs in memory, for as long as the spec that started it.
-- `make test-clouds` installs it, outside of the repository.
--
--   local server, reason = azurite.start { "container-one" }  -- nil, why: skip, say so
--                              with secure = true it speaks https, and takes tokens; with
--                              kept = true its blobs are in a folder, and survive kill and start
--   server.url, server.account, server.key   "http://127.0.0.1:PORT/devstoreaccount1"; its account
--   server.ca, server.place    the file with the certificate to trust; a folder for the spec
--   server.kill(), server.start()            ends it as a crash does; starts it anew
--   server.await()                           waits until it has been killed
--   server.stop()
local clouds = require "spec.support.clouds"
local free_port = require "spec.support.free_port"
local modfs = require "modfs"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local azurite = { account = "devstoreaccount1",
  key = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==" }

-- The newest that is installed there as a whole; nil, why.
local function installed()
  if not shell.has "node" then
    return nil, "Azurite needs Node.js, which is not installed"
  end
  local found = shell.output("ls -d " .. clouds .. "/azurite-*/whole 2>/dev/null | tail -1 || true")
  local place = found:match "^(.*)/whole$"
  if not place then
    return nil, "Azurite is not installed in " .. clouds .. ": scripts/setup.sh clouds"
  end
  return place .. "/node_modules/azurite/dist/src/blob/main.js"
end

-- Why there is no az here; nil when there is.
function azurite.missing()
  for _, plugin in ipairs(modfs.available()) do
    if plugin.name == "az" then
      return select(2, installed())
    end
  end
  return "built without libcurl4-openssl-dev, libexpat1-dev or libssl-dev"
end

local function certificate(place)
  shell.output(("openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost " ..
    "-addext subjectAltName=IP:127.0.0.1 -keyout %s/key.pem -out %s/cert.pem"):format(place, place))
end

-- A child of this process, and no longer there than that.
local function run(server, options)
  local words = { "cd", server.place, "&& echo $$ >pid && exec env -u LD_PRELOAD NODE_OPTIONS=",
    "setpriv --pdeathsig KILL node", shell.quote(server.program),
    "--silent --disableTelemetry --skipApiVersionCheck --blobHost 127.0.0.1 --blobPort",
    server.port, options.kept and "--location blobs" or "--inMemoryPersistence" }
  words[#words + 1] = options.secure and "--oauth basic --cert cert.pem --key key.pem" or nil
  words[#words + 1] = ">>log 2>&1"
  server.pipe = assert(io.popen(table.concat(words, " "), "w"))
  local waits = ("timeout 120 bash -c 'until exec 3<>/dev/tcp/127.0.0.1/%s; do sleep 0.05; " ..
    "[ ! -e %s/pid ] || kill -0 $(cat %s/pid) || exit 1; done' 2>/dev/null"):format(server.port,
    server.place, server.place)
  assert(shell.run(waits) == 0, tmpdir.content(server.place .. "/log"))
  server.pid = tmpdir.content(server.place .. "/pid"):match "%d+"
end

function azurite.start(containers)
  local reason = azurite.missing()
  if reason then
    return nil, reason
  end
  local server = { place = tmpdir.new(), port = free_port(), program = installed(),
    account = azurite.account, key = azurite.key }
  server.url = ("%s://127.0.0.1:%s/%s"):format(containers.secure and "https" or "http", server.port,
    server.account)
  if containers.secure then
    certificate(server.place)
    server.ca = server.place .. "/cert.pem"
  end
  function server.start()
    run(server, containers)
  end
  function server.await()
    server.pipe:close()
    os.remove(server.place .. "/pid")
  end
  function server.kill()
    shell.run("kill -KILL " .. server.pid)
    server.await()
  end
  function server.stop()
    server.kill()
    tmpdir.remove(server.place)
  end
  server.start()
  modfs.config("az", { endpoint = server.url, account = server.account, account_key = server.key,
    ca_file = server.ca or "" })
  for _, container in ipairs(containers) do
    assert(modfs.mkdir(("az://%s/%s"):format(server.account, container)))
  end
  return server
end

return azurite
