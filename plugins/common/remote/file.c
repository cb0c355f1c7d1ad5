#include "file.h"

#include <stdlib.h>

#include "../located/located.h"
#include "../region/read_region.h"

void remote_file_free(remote_file *self) {
  if (!self) return;
  if (self->end) self->end(self);
  free(self->path);
  free(self->reader.key);
  free(self->reader.whole);
  free(self);
}

static void file_cleanup(TF_RandomAccessFile *file) {
  remote_file_free(file->plugin_file);
  file->plugin_file = NULL;
}

static int64_t file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                         TF_Status *status) {
  remote_file *self = file->plugin_file;
  int64_t got = blocks_reader_read(&self->reader, offset, n, buffer, status);
  if (got < 0) located_fail(status, self->path);
  return got;
}

const TF_RandomAccessFileOps remote_file_ops = {file_cleanup, file_read};

static uint64_t file_length(const TF_RandomAccessFile *file) {
  return ((const remote_file *)file->plugin_file)->reader.length;
}

void remote_file_map(const TF_Filesystem *filesystem, const char *path,
                     FS_SLOT(new_random_access_file) * open, TF_ReadOnlyMemoryRegion *region,
                     TF_Status *status) {
  const read_region_files files = {open, file_length, &remote_file_ops};
  read_region_open(filesystem, path, &files, region, status);
}
