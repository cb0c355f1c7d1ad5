-- The plugin of s3 before all cases of `modfs check`, on a real Ceph. Debian has that server, but
-- no other spec takes as long; spec/check_s3_spec.lua is the short form.
local check_s3 = require "spec.support.check_s3"

-- Cases that are left out for what S3 is.
local declared = { "upstream.003.TestCreateFileNonExisting",
  "upstream.007.TestAppendFileNonExisting", "upstream.014.TestCreateThenReadFile",
  "upstream.055.TestRenameFileDestinationParentNotFound", "writing.shows_what_was_flushed",
  "replacing.copy_file.into_a_missing_parent", "state.append.of_two_writers_goes_to_the_end",
  "state.any.order_of_changes_shows_1", "state.any.order_of_changes_shows_2" }

check_s3("modfs check of s3, in full,", function(check, passes)
  it("passes all cases but those that S3 cannot be asked for", function()
    passes(check("http", ""), declared, 230)
  end)
end)
