#include "filesystem.h"
#include "fs.h"
#include "node.h"
#include "place.h"

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
