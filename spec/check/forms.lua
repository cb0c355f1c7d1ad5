-- The unmutated plugin in the forms that plugins come in: each passes everything. Rows of name and,
-- where it is another than that, scheme; root is a path below the scheme; halves are those of the
-- cases, "hosted" alone where it is not said: without a host the others are like one that is tried.
local forms = { { "good", halves = "hosted native" }, { "good.echo", halves = "hosted short" },
  { "good.directory.ok", halves = "hosted short" }, { "good.schemes" },
  { "good.schemes", scheme = "good.schemes.a", halves = "hosted short" },
  { "good.schemes", scheme = "good.schemes.a.b" },
  -- The size of the tables and the root do not touch each other.
  { "good.bytes.176", root = "/no/host", halves = "hosted short" },
  { "good.bytes.4096", root = "a.host/some/where", halves = "hosted short" } }

for _, bytes in ipairs { 224, 264, 288 } do
  forms[#forms + 1] = { "good.bytes." .. bytes }
end

-- Each optional slot left empty, one at a time, then all that have a default, then all.
for slot in ([[new.random.access.file new.writable.file new.appendable.file
  new.read.only.memory.region.from.file create.dir recursively.create.dir delete.file delete.dir
  delete.recursively rename.file copy.file path.exists paths.exist stat is.directory get.file.size
  translate.name get.children get.matching.paths flush.caches start.transaction end.transaction
  add.to.transaction get.transaction.for.path get.or.start.transaction.for.path
  decode.transaction.token get.filesystem.configuration set.filesystem.configuration
  get.filesystem.configuration.option set.filesystem.configuration.option
  get.filesystem.configuration.keys append tell flush sync close read regions writers defaults
  all]]):gmatch("%S+") do
  forms[#forms + 1] = { "good.without." .. slot,
    -- The host's own translate_name drops the host part, memory's patterns keep it.
    root = (slot == "translate.name" or slot == "defaults") and "/no/host" or nil }
end

return forms
