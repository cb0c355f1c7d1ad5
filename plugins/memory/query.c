#include "filesystem.h"
#include "fs.h"
#include "node.h"
#include "tree.h"

#include <string.h>

void memory_fs_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  struct memory_node *node = NULL;
  memory_error_report(memory_tree_open(memory_filesystem_of(filesystem), path, &node), status);
  memory_node_release(node);
}

bool memory_fs_paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                           TF_Status **statuses) {
  bool all = true;
  for (int i = 0; i < num_files; ++i) {
    struct memory_node *node = NULL;
    memory_error error = memory_tree_open(memory_filesystem_of(filesystem), paths[i], &node);
    memory_node_release(node);
    if (statuses) TF_SetStatus(statuses[i], memory_error_code(error), memory_error_message(error));
    all = all && !error;
  }
  return all;
}

void memory_fs_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
                    TF_Status *status) {
  struct memory_node *node = NULL;
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), path, &node);
  if (!error) {
    stats->length = (int64_t)memory_node_length(node);
    stats->mtime_nsec = node->mtime_nsec;
    stats->is_directory = node->directory != NULL;
  }
  memory_node_release(node);
  memory_error_report(error, status);
}

bool memory_fs_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  struct memory_node *node = NULL;
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), path, &node);
  if (!error && !node->directory) error = MEMORY_IS_FILE;
  memory_node_release(node);
  memory_error_report(error, status);
  return !error;
}

int64_t memory_fs_get_file_size(const TF_Filesystem *filesystem, const char *path,
                                TF_Status *status) {
  struct memory_node *node = NULL;
  int64_t size = -1;
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), path, &node);
  if (!error && node->directory) error = MEMORY_IS_DIRECTORY;
  if (!error) size = (int64_t)memory_node_length(node);
  memory_node_release(node);
  memory_error_report(error, status);
  return size;
}

static void fill_attributes(struct memory_node *node, modfs_attributes *attributes) {
  modfs_attributes all = {
      .struct_size = attributes->struct_size,
      .kind = memory_node_kind(node),
      .mode = node->mode,
      .inode = node->number,
      .links = node->directory ? 0 : 1,
      .length = (int64_t)memory_node_length(node),
      .mtime_nsec = node->mtime_nsec,
      .atime_nsec = node->atime_nsec,
      .known = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME,
  };
  size_t size = attributes->struct_size < sizeof(all) ? attributes->struct_size : sizeof(all);
  memcpy(attributes, &all, size);
}

/* Takes over the reference to the node, which is NULL after an error. */
static void give_attributes(struct memory_node *node, memory_error error,
                            modfs_attributes *attributes, TF_Status *status) {
  if (!error && attributes->struct_size < sizeof(attributes->struct_size))
    error = MEMORY_BAD_ATTRIBUTES;
  if (!error) fill_attributes(node, attributes);
  memory_node_release(node);
  memory_error_report(error, status);
}

void memory_fs_lstat(const TF_Filesystem *filesystem, const char *path,
                     modfs_attributes *attributes, TF_Status *status) {
  struct memory_node *node = NULL;
  memory_error error = memory_tree_open_entry(memory_filesystem_of(filesystem), path, &node);
  give_attributes(node, error, attributes, status);
}

void memory_fs_get_attributes(const TF_Filesystem *filesystem, const char *path,
                              modfs_attributes *attributes, TF_Status *status) {
  struct memory_node *node = NULL;
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), path, &node);
  give_attributes(node, error, attributes, status);
}

void memory_fs_get_space(const TF_Filesystem *filesystem, const char *path, modfs_space *space,
                         TF_Status *status) {
  struct memory_filesystem *self = memory_filesystem_of(filesystem);
  struct memory_node *node = NULL;
  uint64_t limit = self->limit, stored = self->stored;
  memory_error error = memory_tree_open(self, path, &node);
  if (!error && !limit) error = MEMORY_NO_LIMIT;
  if (!error) {
    uint64_t left = stored < limit ? limit - stored : 0;
    modfs_space all = {
        .struct_size = space->struct_size, .total = limit, .free = left, .available = left};
    memcpy(space, &all, all.struct_size < sizeof(all) ? all.struct_size : sizeof(all));
  }
  memory_node_release(node);
  memory_error_report(error, status);
}
