#include "filesystem.h"
#include "fs.h"
#include "node.h"
#include "place.h"
#include "tree.h"

#include <string.h>

/* As long as the kernel's may be. */
enum { LONGEST_TARGET = 4095 };

static memory_error create_link(struct memory_place *place, void *context) {
  struct memory_node *link;
  if (place->node) return MEMORY_EXISTS;
  memory_error error = memory_place_prepare(place);
  if (!error)
    error = memory_node_new_link(place->filesystem, memory_place_owner(place), context, &link);
  if (!error) memory_place_link(place, link);
  return error;
}

void memory_fs_create_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                           const char *path, const char *target, TF_Status *status) {
  size_t length = strnlen(target, LONGEST_TARGET + 1);
  memory_error error = directory ? MEMORY_BY_PATH_ONLY : MEMORY_OK;
  if (!error && (length == 0 || length > LONGEST_TARGET)) error = MEMORY_BAD_TARGET;
  if (!error)
    error = memory_place_change(filesystem, path, false, create_link, (void *)(uintptr_t)target);
  memory_error_report(error, status);
}

/* The content of a link is constant, so that it takes no lock. */
static memory_error copy_target(const struct memory_node *link, char **target) {
  if (!link->is_link) return MEMORY_NO_LINK;
  *target = strndup(link->content->data, link->length);
  return *target ? MEMORY_OK : MEMORY_NO_MEMORY;
}

char *memory_fs_read_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                          const char *path, TF_Status *status) {
  struct memory_node *node = NULL;
  char *target = NULL;
  memory_error error = directory ? MEMORY_BY_PATH_ONLY : MEMORY_OK;
  if (!error) error = memory_tree_open_entry(memory_filesystem_of(filesystem), path, &node);
  if (!error) error = copy_target(node, &target);
  memory_node_release(node);
  memory_error_report(error, status);
  return target;
}
