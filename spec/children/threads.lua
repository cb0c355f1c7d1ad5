-- What each thread of spec/c/threads_test.c runs in each of its states; id, plugins and folder are
-- globals.
-- luacheck: globals id plugins folder kept
local modfs = require 'modfs'
local function load(name)
  return assert(modfs.load(folder .. '/' .. name .. '.so', { trust = true }))
end
-- The same plugins, in another order in each thread.
for i = 0, plugins - 1 do
  local name = 'good.thread.' .. (i + id) % plugins
  local plugin = load(name)
  assert(plugin == load(name) and plugin.schemes[1] == name)
  assert(modfs.read(name .. '://text') == '0123456789abcdef')
end
load 'checker'
assert(not modfs.load(folder .. '/missing.so'))
assert(select(3, modfs.open('nosuch' .. id .. '://x')) == 'UNIMPLEMENTED')
assert(#modfs.schemes() == plugins + 4 and #modfs.plugins() == plugins + 3)
-- Trees of one's own, and one that everybody changes.
local shared = { 'mem://shared', folder .. '/shared' }
for n, root in ipairs { 'mem://own' .. id, folder .. '/own' .. id } do
  assert(modfs.makedirs(root .. '/a/b'))
  assert(modfs.makedirs(shared[n]))
  for i = 1, 12 do
    local path, text = root .. '/a/b/' .. i, ('x'):rep(i * 1000)
    assert(modfs.write(path, text))
    assert(modfs.write(path, text, { append = true }))
    assert(modfs.read(path) == text .. text and modfs.size(path) == 2 * #text)
    local region = assert(modfs.map(path))
    assert(modfs.remove(path) and #region == 2 * #text and region:sub(-1) == 'x')
    assert(modfs.write(path, text))
    -- Whoever reads the shared file sees one writer's content, whole.
    local mark = string.char(97 + id):rep(5000 + id)
    assert(modfs.write(shared[n] .. '/file', mark, { atomic = true, durable = false }))
    local seen = assert(modfs.read(shared[n] .. '/file'))
    assert(seen == seen:sub(1, 1):rep(5000 + seen:byte() - 97))
    assert(modfs.write(shared[n] .. '/by' .. id .. '.' .. i, 'mine'))
    assert(#modfs.listdir(shared[n]) >= 1 and #modfs.glob(shared[n] .. '/by*') >= 1)
    assert(modfs.remove(shared[n] .. '/by' .. id .. '.' .. i))
  end
  local count = 0
  for _, _, files in modfs.walk(root) do
    count = count + #files
  end
  assert(count == 12)
  assert(modfs.rmtree(root))
end
-- Handles of a plugin that ends the process at the first wrong call; some are never closed.
for _ = 1, 20 do
  local file = assert(modfs.open 'checker:///file')
  assert(file:read 'a' == 'checked')
  local writable = assert(modfs.open('checker:///file', 'w'))
  assert(writable:write 'data' and writable:close())
  assert(modfs.map('checker:///file'):slice(2):sub(1) == 'hecked')
  for _ in modfs.dir 'checker:///' do break end -- luacheck: ignore 512
  local transaction = assert(modfs.filesystem('checker'):start_transaction())
  assert(transaction:add 'checker:///x' and transaction:commit())
end
kept = { modfs.open 'checker:///file', modfs.map 'checker:///file' }
modfs.flush_caches()
