#include "binding.h"

#include <string.h>

#include "core/base/digest.h"

/* modfs.hash: reads a file in blocks, so its length does not matter. The storage's own checksum is not
 * computed, and nothing is read for it. */

enum { BLOCK = 256 * 1024 };

static const char stored[] = "etag";

typedef struct hashing {
  modfs_file *file;
  digest *digest;
} hashing;

static void hashing_end(void *block) {
  hashing *self = block;
  modfs_file_close(self->file);
  digest_free(self->digest);
}

static const char *check_algorithm(lua_State *L, int arg) {
  size_t length;
  const char *name = check_string(L, arg, &length);
  bool known = digest_exists(name) || strcmp(name, stored) == 0;
  if (strlen(name) != length || !known) arg_error(L, arg, "unknown algorithm '%s'", name);
  return name;
}

static int push_digest(lua_State *L, const hashing *self, TF_Status *status) {
  char text[DIGEST_TEXT];
  char *block = scratch_take(L, BLOCK);
  int64_t n = BLOCK;
  for (uint64_t offset = 0; n == BLOCK; offset += BLOCK) {
    n = modfs_file_read(self->file, offset, BLOCK, block, status);
    if (n < 0) return push_failure(L, status);
    digest_add(self->digest, block, (size_t)n);
  }
  if (!digest_finish(self->digest, text, status)) return push_failure(L, status);
  lua_pushstring(L, text);
  scratch_trim(L);
  return 1;
}

static int push_stored(lua_State *L, const modfs_fs *fs, const char *path) {
  TF_Status *status = state_status(L);
  char **text = guard_string(L);
  int guard = lua_gettop(L);
  *text = modfs_fs_stored_hash(fs, path, stored, status);
  if (!*text) return push_failure(L, status);
  lua_pushstring(L, *text);
  guard_end(L, guard);
  return 1;
}

static int module_hash(lua_State *L) {
  const char *algorithm = check_algorithm(L, 2), *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  if (strcmp(algorithm, stored) == 0) return push_stored(L, fs, path);
  TF_Status *status = state_status(L);
  hashing *self = guard_new(L, sizeof *self, hashing_end);
  int guard = lua_gettop(L);
  self->digest = digest_new(algorithm, status);
  if (!self->digest)
    return push_failure_code(L, TF_GetCode(status), "hash %s: %s", path, TF_Message(status));
  self->file = modfs_file_open(fs, path, status);
  if (TF_GetCode(status) != TF_OK) return push_failure(L, status);
  int results = push_digest(L, self, status);
  guard_end(L, guard);
  return results;
}

void modfs_lua_open_hash(lua_State *L) {
  set_functions(L, FUNCTIONS({"hash", module_hash}));
}
