/* Checksums of files that the storage keeps. */
#include <stdlib.h>
#include <string.h>

#include "fs.h"
#include "core/base/status.h"

/* The longest text that is believed to be one. */
enum { LONGEST = 1024 };

/* Whether it is one word of printable ASCII. */
static bool is_word(const char *text) {
  const char *c = text;
  while (*c > ' ' && *c < 127 && c - text < LONGEST)
    c++;
  return *text && *c == '\0';
}

/* The plugin's string, or NULL. A copy is made at once, and the plugin's is freed. */
static char *copy_hash(const modfs_fs *fs, char *text, TF_Status *status) {
  char *copy = NULL;
  if (!text)
    fs_breach(fs, status, "stored_hash returned NULL");
  else if (!is_word(text))
    fs_breach(fs, status, "stored_hash returned no word of at most %d characters", (int)LONGEST);
  else if (!(copy = strdup(text)))
    status_no_memory(status);
  fs->plugin->free(text);
  return copy;
}

char *modfs_fs_stored_hash(const modfs_fs *fs, const char *path, const char *algorithm,
                           TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  char *text = NULL;
  if (name) text = fs->extension.stored_hash(&fs->handle, name, algorithm, status);
  text = name && status_ok(status) ? copy_hash(fs, text, status) : NULL;
  fs_leave(fs, name, "hash", path, status);
  return text;
}
