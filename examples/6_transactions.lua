-- Publishing a site in one step: readers see the old pages or the new ones, never a mix.
--   eval "$(make -s env)" && lua5.4 examples/6_transactions.lua
local modfs = require "modfs"

local function write_pages(version)
  for _, page in ipairs { "index", "about", "news" } do
    assert(modfs.write(("mem://site/%s.html"):format(page), version))
  end
end

-- What a reader finds: the versions of all pages.
local function versions()
  local found = {}
  for _, path in ipairs(assert(modfs.glob("mem://site/*.html"))) do
    found[#found + 1] = assert(modfs.read(path))
  end
  return table.concat(found, " ")
end

assert(modfs.makedirs("mem://site"))
write_pages("old")
print("at first:            ", versions())

local transaction = assert(modfs.filesystem("mem"):start_transaction())
assert(transaction:add("mem://site"))
write_pages("new")
print("while it is written: ", versions())
assert(versions() == "old old old")

assert(transaction:commit())
print("after the commit:    ", versions())
assert(versions() == "new new new")

-- Whatever goes wrong on the way, nothing has happened: an abort leaves no trace.
transaction = assert(modfs.filesystem("mem"):start_transaction())
assert(transaction:add("mem://site"))
assert(modfs.rmtree("mem://site"))
assert(transaction:abort())
print("after an abort:      ", versions())
assert(versions() == "new new new")
