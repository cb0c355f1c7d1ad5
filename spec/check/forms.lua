-- The unmutated plugin in the forms that plugins come in: each passes everything. Rows of name and,
-- where it is another than that, scheme; root is a path below the scheme.
local forms = { { "good" }, { "good.echo" }, { "good.directory.ok" },
  { "good", root = "a.host/some/where" }, { "good", root = "/no/host" },
  { "good.schemes" }, { "good.schemes", scheme = "good.schemes.a" },
  { "good.schemes", scheme = "good.schemes.a.b" } }

for _, bytes in ipairs { 176, 224, 264, 288, 4096 } do
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
