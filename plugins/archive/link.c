#include "link.h"

#include <stdlib.h>
#include <string.h>

#include "content.h"
#include "error.h"
#include "filesystem.h"

enum { LONGEST_TARGET = 4096 };

char *archive_link_target(const archive *self, const index_entry *link, TF_Status *status) {
  char *target;
  if (link->link) {
    target = strdup(link->link);
    if (!target) fail_no_memory(status);
    return target;
  }
  if (link->length == 0 || link->length > LONGEST_TARGET) {
    fail_with(status, TF_DATA_LOSS, "the target of the link %.200s has %llu bytes", link->name,
              (unsigned long long)link->length);
    return NULL;
  }
  target = content_whole(self, link, status);
  if (target && strlen(target) < link->length) {
    free(target);
    fail_with(status, TF_DATA_LOSS, "the target of the link %.200s contains a NUL", link->name);
    return NULL;
  }
  return target;
}

char *archive_read_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                        const char *path, TF_Status *status) {
  archive_place place = {.entry = NULL};
  char *target = NULL;
  if (directory)
    fail_with(status, TF_UNIMPLEMENTED, "archives have no directory handles");
  else if (archive_place_init(&place, filesystem, path, true, status)) {
    if (place.entry->kind == MODFS_KIND_LINK)
      target = archive_link_target(place.archive, place.entry, status);
    else
      fail_with(status, TF_FAILED_PRECONDITION, "is not a link");
  }
  archive_place_fini(&place);
  return target;
}
