#include "listing.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "scan.h"

typedef struct names {
  char **list;
  int count;
  int room;
} names;

static void names_fini(names *all) {
  while (all->count > 0)
    free(all->list[--all->count]);
  free(all->list);
}

static int names_grow(names *all) {
  if (all->room > INT_MAX / 2) return EOVERFLOW;
  int room = all->room > 0 ? all->room * 2 : 16;
  char **list = realloc(all->list, (size_t)room * sizeof *list);
  if (list == NULL) return ENOMEM;
  all->list = list;
  all->room = room;
  return 0;
}

static int names_add(names *all, const char *name) {
  int error = all->count == all->room ? names_grow(all) : 0;
  if (error != 0) return error;
  char *copy = strdup(name);
  if (copy == NULL) return ENOMEM;
  all->list[all->count++] = copy;
  return 0;
}

static int names_read(names *all, posix_scan *scan) {
  for (;;) {
    const struct dirent64 *entry;
    int error = posix_scan_next(scan, &entry);
    if (error != 0 || entry == NULL) return error;
    error = names_add(all, entry->d_name);
    if (error != 0) return error;
  }
}

int posix_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                       TF_Status *status) {
  names all = {0};
  posix_scan *scan = NULL;
  int error = posix_scan_new(filesystem, path, &scan);
  if (error == 0) error = names_read(&all, scan);
  posix_scan_free(scan);
  posix_report(status, error);
  if (error != 0) {
    names_fini(&all);
    return -1;
  }
  *entries = all.list;
  return all.count;
}

void posix_open_directory(const TF_Filesystem *filesystem, const char *path,
                          modfs_directory *directory, TF_Status *status) {
  posix_scan *scan = NULL;
  int error = posix_scan_new(filesystem, path, &scan);
  if (error == 0) directory->plugin_directory = scan;
  posix_report(status, error);
}

static int kind_of_type(unsigned char type) {
  switch (type) {
  case DT_UNKNOWN:
    return MODFS_KIND_UNKNOWN;
  case DT_REG:
    return MODFS_KIND_FILE;
  case DT_DIR:
    return MODFS_KIND_DIRECTORY;
  case DT_LNK:
    return MODFS_KIND_LINK;
  default:
    return MODFS_KIND_OTHER;
  }
}

bool posix_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                      TF_Status *status) {
  const struct dirent64 *found = NULL;
  int error = posix_scan_next(directory->plugin_directory, &found);
  if (found == NULL) posix_scan_rest(directory->plugin_directory);
  if (error == 0 && found != NULL) {
    entry->name = found->d_name;
    entry->kind = kind_of_type(found->d_type);
  }
  posix_report(status, error);
  return error == 0 && found != NULL;
}

/* Packs entries where they are: a packed one is shorter than what the kernel stored. */
static size_t pack(char *block, size_t filled) {
  size_t used = 0;
  for (size_t at = 0; at < filled;) {
    const struct dirent64 *found = (const void *)(block + at);
    at += found->d_reclen;
    if (posix_scan_is_dots(found->d_name)) continue;
    size_t size = strlen(found->d_name) + 1;
    char kind = (char)kind_of_type(found->d_type);
    memmove(block + used + 1, found->d_name, size);
    block[used] = kind;
    used += size + 1;
  }
  return used;
}

size_t posix_next_entries(const modfs_directory *directory, char *block, size_t size,
                          TF_Status *status) {
  size_t filled, used = 0;
  int error;
  do {
    error = posix_scan_read(directory->plugin_directory, block, size, &filled);
    if (error == 0) used = pack(block, filled);
  } while (error == 0 && used == 0 && filled > 0);
  posix_report(status, error);
  return error == 0 ? used : 0;
}

void posix_close_directory(modfs_directory *directory) {
  posix_scan_free(directory->plugin_directory);
}
