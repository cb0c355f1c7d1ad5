#include "binding.h"

#include "core/base/crc32c.h"

/* The CRC-32C of bytes, or of bytes that follow those of another sum. */
static int checksum_crc32c(lua_State *L) {
  size_t n;
  const char *data = check_bytes(L, 1, &n);
  int64_t before = opt_integer(L, 2, 0);
  if (before < 0 || before > UINT32_MAX)
    return push_failure_code(L, TF_INVALID_ARGUMENT,
                             "crc32c: the initial value is not an unsigned 32-bit integer");
  push_integer(L, crc32c_extend((uint32_t)before, data, n));
  return 1;
}

void modfs_lua_open_checksum(lua_State *L) {
  set_functions(L, FUNCTIONS({"crc32c", checksum_crc32c}));
}
