#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

struct base_file {
  const modfs_host *host; /* NULL: descriptor is open */
  void *reader;
  int descriptor;
  char *memory; /* of a spool without a file; NULL: none */
  size_t length;
  size_t most; /* of memory */
  atomic_bool replaced;
};

static bool fail_errno(TF_Status *status, const char *what) {
  TF_SetStatusFromIOError(status, errno, what);
  return false;
}

/* Without a host there are local files alone. */
static bool is_local(const char *path, TF_Status *status) {
  if (!strstr(path, "://")) return true;
  return fail_with(status, TF_UNIMPLEMENTED, "this host lets plugins read local archives only");
}

static bool look_local(const char *path, base_version *version, TF_Status *status) {
  struct stat now;
  if (!is_local(path, status)) return false;
  if (stat(path, &now) != 0) return fail_errno(status, "the archive cannot be opened");
  if (S_ISDIR(now.st_mode))
    return fail_with(status, TF_FAILED_PRECONDITION, "the archive is a directory");
  *version = (base_version){now.st_dev, now.st_ino, now.st_size,
                            now.st_mtim.tv_sec * 1000000000 + now.st_mtim.tv_nsec};
  return true;
}

bool base_look(const modfs_host *host, const char *path, base_version *version, TF_Status *status) {
  if (!host) return look_local(path, version, status);
  modfs_attributes found = {.struct_size = sizeof found};
  host->get_attributes(path, &found, status);
  if (!archive_ok(status)) return false;
  if (found.kind == MODFS_KIND_DIRECTORY)
    return fail_with(status, TF_FAILED_PRECONDITION, "the archive is a directory");
  *version = (base_version){found.device, found.inode, found.length, found.mtime_nsec};
  return true;
}

base_file *base_open(const modfs_host *host, const char *path, TF_Status *status) {
  base_file *made = fail_or_allocate(sizeof *made, status);
  if (!made) return NULL;
  made->host = host;
  made->descriptor = -1;
  if (host)
    made->reader = host->open_reader(path, status);
  else if (is_local(path, status) && (made->descriptor = open(path, O_RDONLY | O_CLOEXEC)) < 0)
    fail_errno(status, "the archive cannot be opened");
  if (archive_ok(status)) return made;
  base_close(made);
  return NULL;
}

void base_close(base_file *self) {
  if (!self) return;
  if (self->reader) self->host->close_reader(self->reader);
  if (self->descriptor >= 0) close(self->descriptor);
  free(self->memory);
  free(self);
}

/* Returns as many bytes as there are up to n; -1 on failure. */
static int64_t read_local(int descriptor, uint64_t offset, size_t n, char *buffer,
                          TF_Status *status) {
  size_t done = 0;
  while (done < n && offset + done <= INT64_MAX) {
    ssize_t got = pread(descriptor, buffer + done, n - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      fail_errno(status, "the archive cannot be read");
      return -1;
    }
    if (got == 0) break;
    done += (size_t)got;
  }
  return (int64_t)done;
}

static int64_t read_memory(const base_file *self, uint64_t offset, size_t n, char *buffer) {
  size_t left = offset < self->length ? self->length - (size_t)offset : 0;
  size_t got = n < left ? n : left;
  if (got > 0) memcpy(buffer, self->memory + offset, got);
  return (int64_t)got;
}

bool base_read(base_file *self, uint64_t offset, size_t n, void *buffer, TF_Status *status) {
  if (n == 0) return true;
  int64_t got = self->reader   ? self->host->read(self->reader, offset, n, buffer, status)
                : self->memory ? read_memory(self, offset, n, buffer)
                               : read_local(self->descriptor, offset, n, buffer, status);
  if (got == (int64_t)n) return true;
  if (TF_GetCode(status) == TF_ABORTED) atomic_store(&self->replaced, true);
  if (!archive_ok(status)) return false;
  return fail_with(status, TF_DATA_LOSS, "the archive ends early: %zu bytes are missing at %llu",
                   n - (size_t)(got > 0 ? got : 0), (unsigned long long)offset);
}

bool base_is_replaced(const base_file *self) {
  return atomic_load(&self->replaced);
}

/* Where the filesystem knows no files without names, it has one for a moment. */
static int open_unnamed(const char *directory) {
  int descriptor = open(directory, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
  char path[4096];
  if (descriptor >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
    return descriptor;
  snprintf(path, sizeof path, "%s/modfs-archive-XXXXXX", directory);
  descriptor = mkostemp(path, O_CLOEXEC);
  if (descriptor >= 0) unlink(path);
  return descriptor;
}

/* From memory, which is freed. */
static bool go_to_file(base_file *self, TF_Status *status) {
  const char *directory = getenv("TMPDIR");
  self->descriptor = open_unnamed(directory && *directory ? directory : "/tmp");
  if (self->descriptor < 0)
    return fail_errno(status, "no temporary file can be created; TMPDIR says where");
  char *memory = self->memory;
  self->memory = NULL;
  bool fine = base_append(self, memory, self->length, status);
  free(memory);
  return fine;
}

base_file *base_spool(size_t in_memory, TF_Status *status) {
  base_file *made = fail_or_allocate(sizeof *made, status);
  if (!made) return NULL;
  made->descriptor = -1;
  made->most = in_memory;
  if (in_memory > 0 ? (made->memory = malloc(in_memory)) != NULL : go_to_file(made, status))
    return made;
  if (in_memory > 0) fail_no_memory(status);
  free(made);
  return NULL;
}

bool base_append(base_file *self, const void *bytes, size_t n, TF_Status *status) {
  if (self->memory && n <= self->most - self->length) {
    memcpy(self->memory + self->length, bytes, n);
    self->length += n;
    return true;
  }
  if (self->memory && !go_to_file(self, status)) return false;
  for (size_t done = 0; done < n;) {
    ssize_t put = write(self->descriptor, (const char *)bytes + done, n - done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail_errno(status, "the temporary file cannot be written");
    done += (size_t)put;
  }
  return true;
}
