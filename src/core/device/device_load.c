/* Loading a file into device memory: while one pinned buffer is copied to the device, the next one
 * is read. */
#include <stdlib.h>
#include <time.h>

#include "device.h"
#include "core/fs/file.h"
#include "memory.h"
#include "core/base/status.h"
#include "stream.h"

enum {
  BUFFERS = 3,
  BUFFER_SIZE = 512 * 1024,
  WHOLE_FIRST = 64 * 1024,
  WHOLE_MAX = 64 * 1024 * 1024
};

/* What is small ----------------------------------------------------------------- */

/* Asks for one byte more than the reported size, so that a short read shows the end. */
static char *read_whole(const modfs_file *file, size_t told, size_t *length, TF_Status *status) {
  size_t first = told < WHOLE_FIRST ? WHOLE_FIRST : told + 1;
  char *data = file_read_all(file, first, WHOLE_MAX, length, status);
  if (!data && status_ok(status))
    modfs_set_status(status, TF_FAILED_PRECONDITION,
                     "load %s: it tells no size, and has no end within 64 MiB",
                     modfs_file_name(file));
  else
    status_locate(status, "read", modfs_file_name(file));
  return data;
}

/* The reported size may be 0, as in /proc, or too large, as in /sys. */
static modfs_memory *copy_small(modfs_device *device, const modfs_file *file, size_t told,
                                TF_Status *status) {
  size_t size = 0;
  char *data = read_whole(file, told, &size, status);
  modfs_memory *memory = status_ok(status) ? modfs_memory_allocate(device, size, status) : NULL;
  if (memory) modfs_memory_write(memory, 0, data, size, status);
  free(data);
  return memory;
}

/* What is large ----------------------------------------------------------------- */

typedef struct loading {
  const modfs_file *file;
  modfs_memory *memory;
  modfs_stream *stream;
  modfs_bytes *buffers[BUFFERS];
  modfs_event *copied[BUFFERS];
} loading;

static void open_parts(loading *work, modfs_device *device, uint64_t size, TF_Status *status) {
  work->memory = modfs_memory_allocate(device, size, status);
  if (status_ok(status)) work->stream = modfs_stream_open(device, status);
  for (size_t i = 0; i < BUFFERS && status_ok(status); i++) {
    work->buffers[i] = modfs_device_host_allocate(device, BUFFER_SIZE, status);
    if (status_ok(status)) work->copied[i] = modfs_event_open(device, status);
  }
}

static void close_parts(loading *work) {
  modfs_stream_close(work->stream);
  for (size_t i = 0; i < BUFFERS; i++) {
    modfs_event_close(work->copied[i]);
    modfs_bytes_drop(work->buffers[i]);
  }
}

/* Reads one piece, and enqueues its copy and the event after which its buffer may be reused. */
static void copy_piece(loading *work, size_t turn, uint64_t offset, size_t n, TF_Status *status) {
  modfs_bytes *buffer = work->buffers[turn];
  modfs_event *copied = work->copied[turn];
  if (offset >= (uint64_t)BUFFERS * BUFFER_SIZE) modfs_event_wait(copied, status);
  int64_t got = status_ok(status)
                    ? modfs_file_read(work->file, offset, n, modfs_bytes_data(buffer), status)
                    : -1;
  if (status_ok(status) && (uint64_t)got < n)
    modfs_set_status(status, TF_ABORTED, "load %s: the file became shorter while it was read",
                     modfs_file_name(work->file));
  if (status_ok(status))
    stream_write_range(work->stream, (memory_range){work->memory, offset, n}, buffer,
                       modfs_bytes_data(buffer), status);
  if (status_ok(status)) modfs_stream_record(work->stream, copied, status);
}

static void copy_all(loading *work, TF_Status *status) {
  uint64_t size = modfs_memory_size(work->memory), offset = 0;
  for (size_t turn = 0; offset < size && status_ok(status); turn = (turn + 1) % BUFFERS) {
    size_t n = size - offset < BUFFER_SIZE ? (size_t)(size - offset) : BUFFER_SIZE;
    copy_piece(work, turn, offset, n, status);
    offset += n;
  }
  if (status_ok(status)) modfs_stream_synchronize(work->stream, status);
}

static modfs_memory *copy_large(modfs_device *device, const modfs_file *file, uint64_t size,
                                TF_Status *status) {
  loading work = {.file = file};
  open_parts(&work, device, size, status);
  if (status_ok(status)) copy_all(&work, status);
  close_parts(&work);
  return work.memory;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

modfs_memory *modfs_device_load(modfs_device *device, const modfs_fs *fs, const char *path,
                                double *seconds, TF_Status *status) {
  modfs_memory *memory = NULL;
  double begun = now();
  modfs_file *file = modfs_file_open(fs, path, status);
  int64_t size = file ? modfs_file_size(file, status) : -1;
  if (size > BUFFER_SIZE)
    memory = copy_large(device, file, (uint64_t)size, status);
  else if (size >= 0)
    memory = copy_small(device, file, (size_t)size, status);
  modfs_file_close(file);
  *seconds = now() - begun;
  if (status_ok(status)) return memory;
  modfs_memory_free(memory);
  return NULL;
}
