/* The ownership check of a plugin file.
 *
 * It looks at each directory from the file up to the root, as whoever may write to one of them could put
 * another file there. The check and the later opening are two steps: only users whom the check accepts
 * could exchange the file in between. */
#include "ownership.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dylib.h"
#include "status.h"

static const char *entry_fault(const struct stat *entry) {
  bool sticky = S_ISDIR(entry->st_mode) && (entry->st_mode & S_ISVTX);
  if (entry->st_uid != 0 && entry->st_uid != geteuid()) return "belongs to another user";
  if ((entry->st_mode & S_IWOTH) && !sticky) return "is writable by everyone";
  if ((entry->st_mode & S_IWGRP) && !sticky) return "is writable by its group";
  return NULL;
}

static bool check_entry(const char *path, TF_Status *status) {
  struct stat entry;
  const char *fault = lstat(path, &entry) != 0 ? "cannot be examined" : entry_fault(&entry);
  if (fault)
    modfs_set_status(status, TF_PERMISSION_DENIED,
                     "%s %s %s, so another user could replace the code; change that, or load it "
                     "with trust = true",
                     S_ISDIR(entry.st_mode) ? "the directory" : "the file", path, fault);
  return !fault;
}

/* Whether path is in the directory that this code was loaded from: that one had to be trusted. */
static bool beside_us(const char *path) {
  const char *self = dylib_self(), *slash = self ? strrchr(self, '/') : NULL;
  return slash && strncmp(path, self, (size_t)(slash - self) + 1) == 0;
}

void ownership_check(const char *path, TF_Status *status) {
  if (beside_us(path)) return;
  char *part = strdup(path);
  if (!part) status_no_memory(status);
  while (part && check_entry(part, status) && strcmp(part, "/") != 0) {
    char *slash = strrchr(part, '/');
    slash[slash == part] = '\0';
  }
  free(part);
}
