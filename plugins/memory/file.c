#include "file.h"

#include "filesystem.h"
#include "node.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

void memory_fs_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                      TF_RandomAccessFile *file, TF_Status *status) {
  struct memory_view *self = NULL;
  struct memory_node *node = NULL;
  memory_error error = memory_tree_open(memory_filesystem_of(filesystem), path, &node);
  if (!error && node->directory) error = MEMORY_IS_DIRECTORY;
  if (!error && !(self = calloc(1, sizeof(*self)))) error = MEMORY_NO_MEMORY;
  if (error) {
    memory_node_release(node);
    memory_error_report(error, status);
    return;
  }
  self->node = node;
  self->content = memory_node_content(node, &self->length);
  file->plugin_file = self;
}

static void file_cleanup(TF_RandomAccessFile *file) {
  memory_view_free(file->plugin_file);
  file->plugin_file = NULL;
}

static size_t copy_bytes(const struct memory_content *content, size_t length, uint64_t offset,
                         size_t n, char *buffer) {
  if (offset >= length || n == 0) return 0;
  if (n > length - offset) n = length - (size_t)offset;
  memcpy(buffer, content->data + offset, n);
  return n;
}

static size_t read_present(const struct memory_view *self, uint64_t offset, size_t n,
                           char *buffer) {
  size_t length;
  struct memory_content *content = memory_node_content(self->node, &length);
  size_t count = copy_bytes(content, length, offset, n, buffer);
  memory_content_release(content);
  return count;
}

static int64_t file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                         TF_Status *status) {
  const struct memory_view *self = file->plugin_file;
  size_t count;
  if (offset <= self->length && n <= self->length - offset)
    count = copy_bytes(self->content, self->length, offset, n, buffer);
  else
    count = read_present(self, offset, n, buffer);
  if (count < n) memory_error_report(MEMORY_END_OF_FILE, status);
  return (int64_t)count;
}

const TF_RandomAccessFileOps memory_file_ops = {file_cleanup, file_read};
