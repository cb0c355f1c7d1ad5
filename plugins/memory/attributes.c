#include "filesystem.h"
#include "fs.h"
#include "node.h"
#include "place.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

struct wish {
  const modfs_attributes *attributes;
  uint64_t which;
};

static memory_error set_attributes(struct memory_place *place, void *context) {
  const struct wish *wish = context;
  if (!place->node) return MEMORY_MISSING;
  memory_error error = memory_place_own(place);
  if (error) return error;
  memory_node_set_attributes(place->node, wish->attributes, wish->which);
  return MEMORY_OK;
}

void memory_fs_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                              const char *path, const modfs_attributes *attributes, uint64_t which,
                              TF_Status *status) {
  struct wish wish = {attributes, which};
  bool follows = !(which & MODFS_ATTRIBUTE_OF_LINK);
  uint64_t all = MEMORY_SETTABLE | MODFS_ATTRIBUTE_OF_LINK;
  memory_error error = directory ? MEMORY_BY_PATH_ONLY : MEMORY_OK;
  if (!error && (which & ~all)) error = MEMORY_NO_ATTRIBUTE;
  if (!error) error = memory_place_change(filesystem, path, follows, set_attributes, &wish);
  memory_error_report(error, status);
}

/* Extended attributes ------------------------------------------------------------ */

/* A copy for the host. */
static memory_error copy_xattrs(struct memory_node *node, char **block, size_t *size) {
  size_t length;
  struct memory_content *xattrs = memory_node_xattrs(node, &length);
  if (xattrs && (*block = malloc(length))) memcpy(*block, xattrs->data, length);
  memory_error error = xattrs && !*block ? MEMORY_NO_MEMORY : MEMORY_OK;
  memory_content_release(xattrs);
  *size = *block ? length : 0;
  return error;
}

char *memory_fs_get_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                           const char *path, size_t *size, TF_Status *status) {
  struct memory_node *node = NULL;
  char *block = NULL;
  memory_error error = directory ? MEMORY_BY_PATH_ONLY : MEMORY_OK;
  if (!error) error = memory_tree_open(memory_filesystem_of(filesystem), path, &node);
  if (!error) error = copy_xattrs(node, &block, size);
  memory_node_release(node);
  memory_error_report(error, status);
  return block;
}

struct block {
  const char *data;
  size_t size;
};

static memory_error set_xattrs(struct memory_place *place, void *context) {
  const struct block *block = context;
  if (!place->node) return MEMORY_MISSING;
  memory_error error = memory_place_own(place);
  return error ? error : memory_node_set_xattrs(place->node, block->data, block->size);
}

void memory_fs_set_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                          const char *path, const char *data, size_t size, TF_Status *status) {
  struct block block = {data, size};
  memory_error error = directory ? MEMORY_BY_PATH_ONLY : MEMORY_OK;
  if (!error) error = memory_place_change(filesystem, path, true, set_xattrs, &block);
  memory_error_report(error, status);
}
