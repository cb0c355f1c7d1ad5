#include "region.h"

#include "filesystem.h"
#include "node.h"
#include "tree.h"

#include <stdlib.h>

struct memory_region {
  struct memory_node *node;
  struct memory_content *content;
  size_t length;
};

static memory_error region_bind(struct memory_region *self, struct memory_node *node) {
  if (node->directory) return MEMORY_IS_DIRECTORY;
  if (!memory_node_terminated_content(node, &self->content, &self->length)) return MEMORY_NO_MEMORY;
  return self->length ? MEMORY_OK : MEMORY_EMPTY_FILE;
}

void memory_fs_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem,
                                                     const char *path,
                                                     TF_ReadOnlyMemoryRegion *region,
                                                     TF_Status *status) {
  struct memory_region *self = calloc(1, sizeof(*self));
  memory_error error = MEMORY_NO_MEMORY;
  region->plugin_memory_region = self;
  if (self) error = memory_tree_open(memory_filesystem_of(filesystem), path, &self->node);
  if (!error) error = region_bind(self, self->node);
  if (error) memory_region_cleanup(region);
  memory_error_report(error, status);
}

void memory_region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  struct memory_region *self = region->plugin_memory_region;
  if (!self) return;
  memory_content_release(self->content);
  memory_node_release(self->node);
  free(self);
  region->plugin_memory_region = NULL;
}

const void *memory_region_data(const TF_ReadOnlyMemoryRegion *region) {
  const struct memory_region *self = region->plugin_memory_region;
  return self->content->data;
}

uint64_t memory_region_length(const TF_ReadOnlyMemoryRegion *region) {
  const struct memory_region *self = region->plugin_memory_region;
  return self->length;
}
