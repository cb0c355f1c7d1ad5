#include "calls.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/digest.h"
#include "core/base/status.h"

/* modfs.hash: reads a file in blocks, so its length does not matter. The storage's own checksum is not
 * computed, and nothing is read for it. */

enum { BLOCK = 256 * 1024 };

static const char stored[] = "etag";

static const char *check_algorithm(lua_State *L, int arg) {
  size_t length;
  const char *name = check_string(L, arg, &length);
  bool known = digest_exists(name) || strcmp(name, stored) == 0;
  if (strlen(name) != length || !known) arg_error(L, arg, "unknown algorithm '%s'", name);
  return name;
}

static bool add_content(operation *self, digest *sum, char *block, TF_Status *status) {
  modfs_file *file = modfs_file_open(self->fs, self->path, status);
  int64_t n = TF_GetCode(status) == TF_OK ? BLOCK : -1;
  for (uint64_t offset = 0; n == BLOCK; offset += BLOCK) {
    n = modfs_file_read(file, offset, BLOCK, block, status);
    if (n > 0) digest_add(sum, block, (size_t)n);
    modfs_job_report(offset + (n > 0 ? (uint64_t)n : 0), 0, 0, 0);
  }
  modfs_file_close(file);
  return n >= 0;
}

/* dst: the algorithm. */
static void hash_run(operation *self, TF_Status *status) {
  digest *sum = digest_new(self->dst, status);
  status_locate(status, "hash", self->path);
  char *block = sum ? malloc(BLOCK) : NULL;
  self->text = sum ? malloc(DIGEST_TEXT) : NULL;
  if (sum && (!block || !self->text))
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  else if (sum && add_content(self, sum, block, status))
    digest_finish(sum, self->text, status);
  free(block);
  digest_free(sum);
}

static char *stored_hash(const modfs_fs *fs, const char *path, TF_Status *status) {
  return modfs_fs_stored_hash(fs, path, stored, status);
}

static int module_hash(lua_State *L) {
  no_options(L, 3);
  static const operation_kind kind = {hash_run, operation_push_text, operation_end_text, true};
  const char *algorithm = check_algorithm(L, 2), *path;
  const modfs_fs *fs = check_path_fs(L, 1, &path);
  if (!fs) return 3;
  if (strcmp(algorithm, stored) == 0) return call_text(L, stored_hash, fs, path);
  return operation_perform(L,
                           &(operation){.kind = &kind, .fs = fs, .path = path, .dst = algorithm});
}

void modfs_lua_open_hash(lua_State *L) {
  set_functions(L, FUNCTIONS({"hash", module_hash}));
}
