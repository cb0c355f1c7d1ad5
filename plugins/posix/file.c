#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/located/located.h"
#include "entry.h"
#include "error.h"
#include "path.h"

typedef struct posix_file {
  int fd;
  char path[]; /* for messages; "" where only the host knows it */
} posix_file;

static int file_set(TF_RandomAccessFile *file, int fd, const char *path) {
  size_t size = strlen(path) + 1;
  posix_file *self = malloc(sizeof *self + size);
  if (self == NULL) return ENOMEM;
  self->fd = fd;
  memcpy(self->path, path, size);
  file->plugin_file = self;
  return 0;
}

/* Some devices refuse a pread of 0 bytes, too. */
static int check_other(int fd) {
  struct stat info;
  char nothing;
  if (pread(fd, &nothing, 0, 0) == 0) return 0;
  if (errno == ESPIPE) return POSIX_NOT_A_FILE;
  if (fstat(fd, &info) != 0) return errno;
  return S_ISDIR(info.st_mode) ? EISDIR : 0;
}

/* Directories, FIFOs and terminals cannot be read at an offset. copy_file_range of 0 bytes checks the
 * kind of the file first: EBADF (not opened for writing) means a regular file. That costs a third of
 * fstat. After any other result a pread decides. */
static inline int check_readable(int fd) {
  bool is_regular = copy_file_range(fd, NULL, fd, NULL, 0, 0) < 0 && errno == EBADF;
  return is_regular ? 0 : check_other(fd);
}

static inline int file_take(TF_RandomAccessFile *file, int fd, const char *path) {
  int error = check_readable(fd);
  if (error == 0) error = file_set(file, fd, path);
  if (error != 0) close(fd);
  return error;
}

void posix_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                  TF_RandomAccessFile *file, TF_Status *status) {
  (void)filesystem;
  int fd = -1;
  int error = posix_open(path, O_RDONLY, 0, &fd);
  posix_report_at(status, error != 0 ? error : file_take(file, fd, path), path);
}

void posix_open_reader(const modfs_directory *directory, const char *name,
                       TF_RandomAccessFile *file, TF_Status *status) {
  int fd = -1;
  int error = posix_open_at(directory, name, O_RDONLY, &fd);
  posix_report(status, error != 0 ? error : file_take(file, fd, ""));
}

/* The most that one pread may read: the kernel's own limit, and nothing beyond the largest offset. */
static size_t read_chunk(size_t n, uint64_t offset) {
  const uint64_t most = 0x7ffff000;
  uint64_t left = (uint64_t)INT64_MAX - offset;
  if (n > most) n = most;
  return n < left ? n : (size_t)left;
}

static int64_t file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                         TF_Status *status) {
  const posix_file *self = file->plugin_file;
  size_t done = 0;
  while (done < n && offset <= (uint64_t)INT64_MAX) {
    ssize_t got = pread(self->fd, buffer + done, read_chunk(n - done, offset), (off_t)offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      posix_report(status, errno);
      located_fail(status, self->path);
      return -1;
    }
    if (got == 0) break;
    done += (size_t)got;
    offset += (uint64_t)got;
  }
  TF_SetStatus(status, done < n ? TF_OUT_OF_RANGE : TF_OK, "end of file");
  return (int64_t)done;
}

static void file_cleanup(TF_RandomAccessFile *file) {
  posix_file *self = file->plugin_file;
  if (self == NULL) return;
  int fd = self->fd;
  free(self);
  close(fd); /* last, as a jump, which leaves no return behind the system call */
}

const TF_RandomAccessFileOps posix_file_ops = {file_cleanup, file_read};
