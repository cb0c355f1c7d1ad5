/* From a file into device memory: while one pinned buffer is being copied, the next one is read. */
#include <stdlib.h>
#include <time.h>

#include "device.h"
#include "memory.h"
#include "status.h"
#include "stream.h"

enum { BUFFERS = 3, BUFFER_SIZE = 4 * 1024 * 1024 };

typedef struct loading {
  modfs_file *file;
  modfs_memory *memory;
  modfs_stream *stream;
  modfs_bytes *buffers[BUFFERS];
  modfs_event *copied[BUFFERS];
} loading;

static void open_parts(loading *work, modfs_device *device, uint64_t size, TF_Status *status) {
  size_t room = size < BUFFER_SIZE ? (size_t)size : BUFFER_SIZE;
  work->memory = modfs_memory_allocate(device, size, status);
  if (status_ok(status)) work->stream = modfs_stream_open(device, status);
  for (size_t i = 0; i < BUFFERS && status_ok(status); i++) {
    work->buffers[i] = modfs_device_host_allocate(device, room, status);
    if (status_ok(status)) work->copied[i] = modfs_event_open(device, status);
  }
}

static void close_parts(loading *work) {
  modfs_stream_close(work->stream);
  for (size_t i = 0; i < BUFFERS; i++) {
    modfs_event_close(work->copied[i]);
    modfs_bytes_drop(work->buffers[i]);
  }
  modfs_file_close(work->file);
}

/* Reads one piece, and enqueues its copy and the mark that frees its buffer again. */
static void load_piece(loading *work, size_t turn, uint64_t offset, size_t n, TF_Status *status) {
  modfs_bytes *buffer = work->buffers[turn];
  modfs_event *copied = work->copied[turn];
  if (offset >= (uint64_t)BUFFERS * BUFFER_SIZE) modfs_event_wait(copied, status);
  int64_t got = status_ok(status)
                    ? modfs_file_read(work->file, offset, n, modfs_bytes_data(buffer), status)
                    : -1;
  if (status_ok(status) && (uint64_t)got < n)
    TF_SetStatus(status, TF_ABORTED, "the file became shorter while it was read");
  if (status_ok(status))
    stream_write_at(work->stream, work->memory, offset, buffer, modfs_bytes_data(buffer), n,
                    status);
  if (status_ok(status)) modfs_stream_record(work->stream, copied, status);
}

static void load_all(loading *work, TF_Status *status) {
  uint64_t size = modfs_memory_size(work->memory), offset = 0;
  for (size_t turn = 0; offset < size && status_ok(status); turn = (turn + 1) % BUFFERS) {
    size_t n = size - offset < BUFFER_SIZE ? (size_t)(size - offset) : BUFFER_SIZE;
    load_piece(work, turn, offset, n, status);
    offset += n;
  }
  if (status_ok(status)) modfs_stream_synchronize(work->stream, status);
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

modfs_memory *modfs_device_load(modfs_device *device, const modfs_fs *fs, const char *path,
                                double *seconds, TF_Status *status) {
  loading work = {.file = modfs_file_open(fs, path, status)};
  double begun = now();
  int64_t size = work.file ? modfs_file_size(work.file, status) : -1;
  if (size >= 0) open_parts(&work, device, (uint64_t)size, status);
  if (size > 0 && status_ok(status)) load_all(&work, status);
  close_parts(&work);
  *seconds = now() - begun;
  if (status_ok(status)) return work.memory;
  modfs_memory_free(work.memory);
  return NULL;
}
