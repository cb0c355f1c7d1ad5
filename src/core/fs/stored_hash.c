/* What the storage says of a file in one word: a checksum that it keeps, and a signed URL. */
#include "fs.h"
#include "core/base/status.h"

/* The longest texts that are believed to be one. */
enum { LONGEST_HASH = 1024, LONGEST_URL = 64 * 1024 };

/* Whether it is one word of printable ASCII. */
static bool is_word(const char *text, int longest) {
  const char *c = text;
  while (*c > ' ' && *c < 127 && c - text < longest)
    c++;
  return *text && *c == '\0';
}

static char *copy_word(const modfs_fs *fs, const char *slot, char *text, int longest,
                       TF_Status *status) {
  if (!text)
    fs_breach(fs, status, "%s returned NULL", slot);
  else if (!is_word(text, longest))
    fs_breach(fs, status, "%s returned no word of at most %d characters", slot, longest);
  return fs_take_text(fs, text, status);
}

char *modfs_fs_stored_hash(const modfs_fs *fs, const char *path, const char *algorithm,
                           TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  char *text = NULL;
  if (name && status_takes(status, "the algorithm", algorithm))
    text = fs->extension.stored_hash(&fs->handle, name, algorithm, status);
  text =
      name && status_ok(status) ? copy_word(fs, "stored_hash", text, LONGEST_HASH, status) : NULL;
  fs_leave(fs, name, "hash", path, status);
  return text;
}

char *modfs_fs_presign(const modfs_fs *fs, const char *path, const char *method, uint64_t seconds,
                       TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  char *text = NULL;
  if (name && status_takes(status, "the method", method))
    text = fs->extension.presign(&fs->handle, name, method, seconds, status);
  text = name && status_ok(status) ? copy_word(fs, "presign", text, LONGEST_URL, status) : NULL;
  fs_leave(fs, name, "presign", path, status);
  return text;
}
