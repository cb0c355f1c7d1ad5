#include "file.h"

#include <string.h>

#include "inlined.h"

enum { BLOCK = 4096, PIECE = 4 * 1024 * 1024 };

static const file_ops plugin_ops; /* below */

modfs_file *file_new(const modfs_fs *fs, const char *shown, TF_Status *status) {
  size_t size = strlen(shown) + 1;
  modfs_file *file = malloc(sizeof *file + size); /* calloc would pass by the thread's own blocks */
  if (!file) {
    status_no_memory(status);
    return NULL;
  }
  *file = (modfs_file){.fs = fs, .ops = &plugin_ops};
  atomic_init(&file->references, 1);
  memcpy(file->name, shown, size);
  return file;
}

modfs_file *file_open_handle(const modfs_fs *fs, const file_ops *ops, void *plugin_file,
                             const char *shown, TF_Status *status) {
  modfs_file *file = file_new(fs, shown, status);
  if (!file) return NULL;
  file->ops = ops;
  file->handle.plugin_file = plugin_file;
  return file;
}

void *file_plugin_file(const modfs_file *file) {
  return file->handle.plugin_file;
}

modfs_file *file_open_name(const modfs_fs *fs, const char *name, const char *shown,
                           TF_Status *status) {
  return file_open_name_here(fs, name, shown, status);
}

modfs_file *file_open_entry(const modfs_fs *fs, const modfs_directory *directory, const char *name,
                            const char *shown, TF_Status *status) {
  modfs_file *file = file_new(fs, shown, status);
  if (!file) return NULL;
  fs->extension.open_reader(directory, name, &file->handle, status);
  if (status_ok(status)) return file;
  free(file);
  return NULL;
}

modfs_file *modfs_file_open(const modfs_fs *fs, const char *path, TF_Status *status) {
  return modfs_file_open_here(fs, path, status);
}

modfs_file *file_hold(modfs_file *file) {
  atomic_fetch_add_explicit(&file->references, 1, memory_order_relaxed);
  return file;
}

void modfs_file_close(modfs_file *file) {
  modfs_file_close_here(file);
}

const char *modfs_file_name(const modfs_file *file) {
  return file->name;
}

const modfs_fs *modfs_file_fs(const modfs_file *file) {
  return file->fs;
}

/* Existing plugins return -1 when nothing was left; that is accepted. */
int64_t file_check_read(const modfs_file *file, int64_t got, size_t n, TF_Status *status) {
  TF_Code code = TF_GetCode(status);
  if (code != TF_OK && code != TF_OUT_OF_RANGE) return -1;
  if (got == -1 && code == TF_OUT_OF_RANGE) got = 0;
  if (code == TF_OUT_OF_RANGE && got >= 0 && ((uint64_t)got < n || n == 0)) {
    status_clear(status);
    return got;
  }
  fs_breach(file->fs, status, "read of %zu bytes returned %lld with %s", n, (long long)got,
            modfs_code_name(code));
  return -1;
}

int64_t file_read_in_pieces(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                            TF_Status *status) {
  size_t done = 0, piece;
  int64_t got;
  do {
    piece = n - done < PIECE ? n - done : PIECE;
    if (interruption_ends(status)) return -1;
    got = file_read_once(file, offset + done, piece, buffer + done, status);
    if (got < 0) return -1;
    done += (size_t)got;
  } while ((size_t)got == piece && done < n);
  return (int64_t)done;
}

int64_t file_read(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                  TF_Status *status) {
  return file_read_here(file, offset, n, buffer, status);
}

/* Storage is damaged in blocks: after a large read that failed, the block at its start is tried
 * alone. */
static int64_t plugin_read_some(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                                TF_Status *status) {
  int64_t got = file_read(file, offset, n, buffer, status);
  TF_Code code = TF_GetCode(status);
  bool may_be_later = n > BLOCK && (code == TF_DATA_LOSS || code == TF_UNKNOWN);
  if (!may_be_later) return got;
  status_clear(status);
  return file_read(file, offset, BLOCK - (size_t)(offset % BLOCK), buffer, status);
}

static int64_t plugin_size(const modfs_file *file, TF_Status *status) {
  return modfs_fs_get_file_size(file->fs, file->name, status);
}

static const file_ops plugin_ops = {.read_some = plugin_read_some, .size = plugin_size};

void file_attributes(const modfs_file *file, modfs_attributes *attributes, TF_Status *status) {
  const modfs_fs *fs = file->fs;
  modfs_attributes answer = {.struct_size = sizeof answer};
  status_clear(status);
  if (file->ops == &plugin_ops)
    fs->extension.reader_attributes(&fs->handle, &file->handle, &answer, status);
  else
    TF_SetStatus(status, TF_UNIMPLEMENTED, "a decoded file has no attributes");
  if (status_ok(status) && fs_check_attributes(fs, "reader_attributes", &answer, status))
    *attributes = answer;
}

int64_t file_read_some(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                       TF_Status *status) {
  return file->ops->read_some(file, offset, n, buffer, status);
}

char *file_read_all(const modfs_file *file, size_t first, size_t most, size_t *length,
                    TF_Status *status) {
  char *data = NULL;
  *length = 0;
  for (size_t size = first; size <= most; size *= 2) {
    char *larger = realloc(data, size);
    if (!larger) {
      status_no_memory(status);
      break;
    }
    data = larger;
    status_clear(status);
    int64_t got = file_read(file, *length, size - *length, data + *length, status);
    if (got < 0) break;
    *length += (size_t)got;
    if (*length < size) return data;
  }
  free(data);
  return NULL;
}

int64_t modfs_file_read(const modfs_file *file, uint64_t offset, size_t n, char *buffer,
                        TF_Status *status) {
  return modfs_file_read_here(file, offset, n, buffer, status);
}

int64_t modfs_file_size(const modfs_file *file, TF_Status *status) {
  return file->ops->size(file, status);
}
