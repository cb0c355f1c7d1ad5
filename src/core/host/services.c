/* The functions behind modfs_host (extension.h). A path's filesystem is looked up, never loaded: the
 * search for joined schemes (search.c) has loaded each of them before a plugin sees the URI. The
 * table is constant; there is no other state. */
#include "services.h"

#include <modfs/modfs.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/status.h"

static const modfs_fs *find_fs(const char *path, TF_Status *status) {
  const modfs_fs *fs = modfs_fs_of(path);
  return fs ? fs : modfs_fs_search(path, "", "find", status);
}

static void *open_reader(const char *path, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  return fs ? modfs_file_open(fs, path, status) : NULL;
}

static int64_t read_bytes(void *reader, uint64_t offset, size_t n, char *buffer,
                          TF_Status *status) {
  return modfs_file_read(reader, offset, n, buffer, status);
}

static void close_reader(void *reader) {
  modfs_file_close(reader);
}

/* A plugin of another age has fewer members, or more. */
static void get_attributes(const char *path, modfs_attributes *attributes, TF_Status *status) {
  const size_t size = attributes->struct_size;
  modfs_attributes all;
  const modfs_fs *fs = find_fs(path, status);
  if (fs) modfs_fs_get_attributes(fs, path, &all, status);
  if (!fs || !status_ok(status)) return;
  memcpy(attributes, &all, size < sizeof all ? size : sizeof all);
  attributes->struct_size = size;
}

typedef struct service_writer {
  const modfs_fs *fs;
  modfs_writable *file;
  bool plain; /* not atomic: what an abort leaves is deleted */
} service_writer;

static void *open_writer(const char *path, TF_Status *status) {
  const modfs_fs *fs = find_fs(path, status);
  service_writer *made = fs ? calloc(1, sizeof *made) : NULL;
  if (!made) {
    if (fs) status_no_memory(status);
    return NULL;
  }
  made->fs = fs;
  made->file = modfs_writable_open(fs, path, MODFS_WRITE_ATOMIC_FAST, status);
  if (TF_GetCode(status) == TF_UNIMPLEMENTED) {
    made->plain = true;
    made->file = modfs_writable_open(fs, path, MODFS_WRITE_REPLACE, status);
  }
  if (status_ok(status)) return made;
  free(made);
  return NULL;
}

static void append(void *writer, const char *bytes, size_t n, TF_Status *status) {
  modfs_writable_append(((service_writer *)writer)->file, bytes, n, status);
}

/* The status of an abort is of no use to the plugin, which gives up for another reason. */
static void give_up(service_writer *self, TF_Status *status) {
  char *name = self->plain ? strdup(modfs_writable_name(self->file)) : NULL;
  modfs_writable_abort(self->file, status);
  if (name) modfs_fs_delete_file(self->fs, name, status);
  free(name);
}

static void close_writer(void *writer, bool publish, TF_Status *status) {
  service_writer *self = writer;
  if (publish)
    modfs_writable_close(self->file, status);
  else
    give_up(self, status);
  free(self);
}

const modfs_host host_services = {
    .struct_size = sizeof(modfs_host),
    .open_reader = open_reader,
    .read = read_bytes,
    .close_reader = close_reader,
    .get_attributes = get_attributes,
    .open_writer = open_writer,
    .append = append,
    .close_writer = close_writer,
};
