-- The plugin of s3 before `modfs check`, on a real Ceph, in short: every kind of call, by
-- itself. spec/clouds/check_radosgw_spec.lua runs all cases, among them those that take long:
-- faults in each call, two calls at once, long lists and contents of every size.
local check_s3 = require "spec.support.check_s3"

-- Cases that are left out for what S3 is.
local declared = {
  upstream = { "upstream.003.TestCreateFileNonExisting", "upstream.007.TestAppendFileNonExisting",
    "upstream.014.TestCreateThenReadFile", "upstream.055.TestRenameFileDestinationParentNotFound" },
  others = { "writing.shows_what_was_flushed", "replacing.copy_file.into_a_missing_parent" },
}

-- The slots without a host, but for raw.interruption, raw.machine, raw.memory and raw.resources.
local groups = { "^options%.", "^patterns%.", "^globs%.", "^extras%.", "^reading%.",
  "^replacing%.", "^trees%.", "^writing%.", "^transactions%.", "^names%.", "^raw%.[a-hj-ln-qs-z]",
  "^raw%.is_", "^raw%.rea", "^raw%.reg", "^raw%.ren" }

check_s3("modfs check of s3", function(check, passes)
  it("passes over TLS, in short", function()
    local found = check("https", "--strict 1")
    assert.same({}, found.failed, found.out)
    assert.equal(0, found.status, found.err)
    assert.same(declared.upstream, found.left_out)
    assert.is_true(found.passed > 95, found.passed .. " passed")
  end)

  it("passes what calls each slot, but those that S3 cannot be asked for", function()
    passes(check("http", "--only '" .. table.concat(groups, "' --only '") .. "'"), declared.others,
      100)
  end)
end)
