#include "region.h"

#include "filesystem.h"
#include "node.h"
#include "tree.h"

#include <stdlib.h>

static memory_error region_bind(struct memory_view *self, struct memory_node *node) {
  if (node->directory) return MEMORY_IS_DIRECTORY;
  if (!memory_node_terminated_content(node, &self->content, &self->length)) return MEMORY_NO_MEMORY;
  return self->length ? MEMORY_OK : MEMORY_EMPTY_FILE;
}

static void region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  memory_view_free(region->plugin_memory_region);
  region->plugin_memory_region = NULL;
}

void memory_fs_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem,
                                                     const char *path,
                                                     TF_ReadOnlyMemoryRegion *region,
                                                     TF_Status *status) {
  struct memory_view *self = calloc(1, sizeof(*self));
  memory_error error = MEMORY_NO_MEMORY;
  region->plugin_memory_region = self;
  if (self) error = memory_tree_open(memory_filesystem_of(filesystem), path, &self->node);
  if (!error) error = region_bind(self, self->node);
  if (error) region_cleanup(region);
  memory_error_report(error, status);
}

static const void *region_data(const TF_ReadOnlyMemoryRegion *region) {
  const struct memory_view *self = region->plugin_memory_region;
  return self->content->data;
}

static uint64_t region_length(const TF_ReadOnlyMemoryRegion *region) {
  const struct memory_view *self = region->plugin_memory_region;
  return self->length;
}

const TF_ReadOnlyMemoryRegionOps memory_region_ops = {region_cleanup, region_data, region_length};
