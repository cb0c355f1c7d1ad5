-- The flags with which specs must link what they link to archives of this build; false for none:
-- those of a sanitizer, or of gcov, which test.sh passes.
local sanitized = require "spec.support.sanitized"

return sanitized and "-fsanitize=address,undefined" or os.getenv "MODFS_TEST_COVERAGE" or false
