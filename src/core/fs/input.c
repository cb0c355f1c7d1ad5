/* Sequential reading: a window of the file that moves on when it is used up. For one thread at a
 * time. */
#include <stdlib.h>
#include <string.h>

#include <modfs/modfs.h>

#include "file.h"
#include "core/base/status.h"

enum { WINDOW = 64 * 1024 };

struct modfs_input {
  const modfs_file *file;
  uint64_t position; /* of the byte at start */
  size_t start;      /* the window's bytes from start to end are unread */
  size_t end;
  char window[WINDOW];
};

modfs_input *modfs_input_open(const modfs_file *file) {
  modfs_input *input = malloc(sizeof *input);
  if (!input) return NULL;
  input->file = file;
  input->position = 0;
  input->start = input->end = 0;
  return input;
}

void modfs_input_close(modfs_input *input) {
  free(input);
}

static int64_t read_some(const modfs_input *input, size_t n, char *buffer, TF_Status *status) {
  int64_t got = file_read_some(input->file, input->position, n, buffer, status);
  if (got < 0) status_locate(status, "read", modfs_file_name(input->file));
  return got;
}

size_t modfs_input_peek(modfs_input *input, const char **data, TF_Status *status) {
  status_clear(status);
  if (input->start == input->end) {
    int64_t got = read_some(input, WINDOW, input->window, status);
    input->start = 0;
    input->end = got > 0 ? (size_t)got : 0;
  }
  *data = input->window + input->start;
  return input->end - input->start;
}

void modfs_input_skip(modfs_input *input, size_t n) {
  input->start += n;
  input->position += n;
}

bool modfs_input_line(modfs_input *input, const char **data, size_t *n) {
  const char *first = input->window + input->start;
  const char *newline = memchr(first, '\n', input->end - input->start);
  if (!newline) return false;
  *data = first;
  *n = (size_t)(newline + 1 - first);
  modfs_input_skip(input, *n);
  return true;
}

static size_t take_buffered(modfs_input *input, char *buffer, size_t n) {
  size_t buffered = input->end - input->start, taken = buffered < n ? buffered : n;
  memcpy(buffer, input->window + input->start, taken);
  modfs_input_skip(input, taken);
  return taken;
}

int64_t modfs_input_read(modfs_input *input, char *buffer, size_t n, TF_Status *status) {
  size_t taken = take_buffered(input, buffer, n);
  status_clear(status);
  if (n - taken >= WINDOW) {
    int64_t got = read_some(input, n - taken, buffer + taken, status);
    input->start = input->end = 0;
    if (got > 0) {
      input->position += (uint64_t)got;
      taken += (size_t)got;
    }
  } else {
    const char *data;
    if (taken < n && modfs_input_peek(input, &data, status) > 0)
      taken += take_buffered(input, buffer + taken, n - taken);
  }
  if (status_ok(status) || taken == 0) return status_ok(status) ? (int64_t)taken : -1;
  status_clear(status); /* the next read reports the failure */
  return (int64_t)taken;
}

uint64_t modfs_input_tell(const modfs_input *input) {
  return input->position;
}

void modfs_input_seek(modfs_input *input, uint64_t position) {
  uint64_t first = input->position - input->start, buffered = input->end;
  if (position >= first && position - first <= buffered)
    input->start = (size_t)(position - first);
  else
    input->start = input->end = 0;
  input->position = position;
}
