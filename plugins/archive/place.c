/* Finding what a path names. Links are followed by text: each is replaced by its target, and the
 * search begins anew, so nothing above the archive's root can be reached. */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "filesystem.h"
#include "link.h"

enum { MOST_LINKS = 40, LONGEST = 64 * 1024 };

/* Whether the target leads above the directory of the link. */
static bool leads_out(const char *inner, size_t directory, const char *target) {
  long depth = 0;
  if (*target == '/') return true;
  for (size_t i = 0; i < directory; i++)
    depth += i == 0 || inner[i] == '/';
  for (const char *segment = target; *segment;) {
    size_t n = strcspn(segment, "/");
    if (n == 2 && memcmp(segment, "..", 2) == 0)
      depth--;
    else if (n > 0 && !(n == 1 && *segment == '.'))
      depth++;
    if (depth < 0) return true;
    segment += n + (segment[n] == '/');
  }
  return false;
}

/* Replaces the link, which ends at `end`, by its target. */
static bool follow(archive_place *self, const index_entry *link, size_t end, TF_Status *status) {
  char *inner = self->name.inner, *target = archive_link_target(self->archive, link, status);
  const char *slash = memrchr(inner, '/', end);
  size_t directory = slash ? (size_t)(slash - inner) : 0, rest = strlen(inner + end);
  if (!target) return false;
  bool out = leads_out(inner, directory, target);
  size_t size = directory + 1 + strlen(target) + rest + 1;
  char *made = out || size > LONGEST ? NULL : malloc(size);
  if (made) {
    char *to = mempcpy(made, inner, directory);
    *to++ = '/';
    stpcpy(stpcpy(to, target), inner + end);
    archive_inner_clean(made);
    free(inner);
    self->name.inner = made;
  } else if (out) {
    fail_with(status, TF_FAILED_PRECONDITION,
              "the link %s leads out of the archive and is not followed", link->name);
  } else {
    fail_with(status, TF_RESOURCE_EXHAUSTED, "a link leads to a path that is too long");
  }
  free(target);
  return made != NULL;
}

/* Goes down the path. True with the entry, or NULL after a link that was replaced. */
static bool descend(archive_place *self, bool keeps_last, TF_Status *status) {
  const char *inner = self->name.inner;
  size_t length = strlen(inner);
  self->entry = index_find(&self->archive->index, "", 0);
  for (size_t end = 0; end < length; end++) {
    const char *slash = strchr(inner + end, '/');
    end = slash ? (size_t)(slash - inner) : length;
    if (self->entry->kind != MODFS_KIND_DIRECTORY)
      return fail_with(status, TF_FAILED_PRECONDITION, "\"%.200s\" is a file", self->entry->name);
    self->entry = index_find(&self->archive->index, inner, end);
    if (!self->entry)
      return fail_with(status, TF_NOT_FOUND, "no such file in the archive %.500s", self->name.base);
    if (self->entry->kind != MODFS_KIND_LINK || (keeps_last && end == length)) continue;
    if (!follow(self, self->entry, end, status)) return false;
    self->entry = NULL;
    return true;
  }
  return true;
}

bool archive_place_init(archive_place *self, const TF_Filesystem *filesystem, const char *path,
                        bool keeps_last, TF_Status *status) {
  if (!archive_name_init(&self->name, path, status)) return false;
  self->archive = archive_get(archive_fs_of(filesystem), self->name.base, status);
  if (!self->archive) return false;
  for (int links = 0; links <= MOST_LINKS; links++) {
    if (!descend(self, keeps_last, status)) return false;
    if (self->entry) return true;
  }
  return fail_with(status, TF_FAILED_PRECONDITION, "more than %d links lead to each other",
                   (int)MOST_LINKS);
}

void archive_place_fini(archive_place *self) {
  archive_name_fini(&self->name);
  archive_release(self->archive);
}
