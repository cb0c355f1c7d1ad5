-- The flags with which specs must link what they link to the archives of this build; nil for none:
-- those of a sanitizer, or of gcov, which test.sh passes.
local sanitized = require "spec.support.sanitized"

local coverage = os.getenv "MODFS_TEST_COVERAGE"
return sanitized and "-fsanitize=address,undefined" or coverage ~= "" and coverage or nil
