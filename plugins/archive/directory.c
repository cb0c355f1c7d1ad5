/* A directory handle is a place in the archive's index, which it holds. */
#include "directory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "filesystem.h"

typedef struct listing {
  archive *archive;
  uint32_t next;
} listing;

static bool find_directory(archive_place *place, const TF_Filesystem *filesystem, const char *path,
                           TF_Status *status) {
  if (!archive_place_init(place, filesystem, path, false, status)) return false;
  if (place->entry->kind == MODFS_KIND_DIRECTORY) return true;
  return fail_with(status, TF_FAILED_PRECONDITION, "is a file");
}

void archive_open_directory(const TF_Filesystem *filesystem, const char *path,
                            modfs_directory *directory, TF_Status *status) {
  archive_place place = {.entry = NULL};
  if (find_directory(&place, filesystem, path, status)) {
    listing *made = malloc(sizeof *made);
    if (made) {
      *made = (listing){place.archive, place.entry->first};
      directory->plugin_directory = made;
      place.archive = NULL;
    } else {
      fail_no_memory(status);
    }
  }
  archive_place_fini(&place);
}

bool archive_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                        TF_Status *status) {
  listing *self = directory->plugin_directory;
  (void)status;
  if (self->next == INDEX_NONE) return false;
  const index_entry *found = &self->archive->index.entries[self->next];
  *entry = (modfs_directory_entry){found->last, found->kind};
  self->next = found->next;
  return true;
}

void archive_close_directory(modfs_directory *directory) {
  listing *self = directory->plugin_directory;
  if (!self) return;
  archive_release(self->archive);
  free(self);
  directory->plugin_directory = NULL;
}

/* The names of the entries from first on; NULL without memory. */
static char **copy_names(const archive_index *index, uint32_t first, int count) {
  char **names = calloc(count > 0 ? (size_t)count : 1, sizeof *names);
  int i = 0;
  for (uint32_t at = first; names && at != INDEX_NONE; at = index->entries[at].next)
    if (!(names[i++] = strdup(index->entries[at].last))) {
      while (i > 0)
        free(names[--i]);
      free(names);
      return NULL;
    }
  return names;
}

int archive_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                         TF_Status *status) {
  archive_place place = {.entry = NULL};
  int count = -1;
  if (find_directory(&place, filesystem, path, status)) {
    const archive_index *index = &place.archive->index;
    uint32_t number = 0;
    for (uint32_t at = place.entry->first; at != INDEX_NONE; at = index->entries[at].next)
      number++;
    char **names = number < INT_MAX ? copy_names(index, place.entry->first, (int)number) : NULL;
    if (names) {
      *entries = names;
      count = (int)number;
    } else {
      fail_no_memory(status);
    }
  }
  archive_place_fini(&place);
  return count;
}
