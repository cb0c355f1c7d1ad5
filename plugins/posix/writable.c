#include "writable.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../common/located/located.h"
#include "attributes.h"
#include "configuration.h"
#include "error.h"
#include "path.h"
#include "replacement.h"

typedef struct posix_writable {
  int fd;    /* -1: closed */
  int error; /* not 0: a sync failed, so what the storage has is unknown */
  bool sync_on_close;
  bool regular;
  bool appends;
  mode_t mode; /* permissions when it was opened */
  int64_t position;
  posix_wanted wanted;            /* set when it is closed */
  posix_replacement *replacement; /* of a file that was opened by flags; else NULL */
  char path[];                    /* for messages; "" where only the host knows it */
} posix_writable;

static posix_writable *writable_alloc(const char *path) {
  size_t size = strlen(path) + 1;
  posix_writable *writable = calloc(1, sizeof *writable + size);
  if (writable != NULL) memcpy(writable->path, path, size);
  return writable;
}

static void report(const posix_writable *writable, int error, TF_Status *status) {
  posix_report(status, error);
  located_status(status, writable->path);
}

/* Refuses FIFOs and sockets; devices get the blocking writes that they expect. */
static int writable_inspect(posix_writable *writable) {
  struct stat info;
  if (fstat(writable->fd, &info) != 0) return errno;
  writable->regular = S_ISREG(info.st_mode);
  writable->mode = info.st_mode & 0777;
  if (writable->appends) writable->position = info.st_size;
  if (writable->regular) return 0;
  if (!S_ISCHR(info.st_mode) && !S_ISBLK(info.st_mode)) return POSIX_NOT_A_FILE;
  int flags = fcntl(writable->fd, F_GETFL);
  return fcntl(writable->fd, F_SETFL, flags & ~O_NONBLOCK) == 0 ? 0 : errno;
}

static int writable_open(posix_writable *writable, const char *path, int flags, mode_t mode) {
  int error = posix_open(path, O_WRONLY | O_CREAT | flags, mode, &writable->fd);
  if (error != 0) return error;
  writable->appends = (flags & O_APPEND) != 0;
  error = writable_inspect(writable);
  if (error != 0) close(writable->fd);
  return error;
}

static int writable_new(const TF_Filesystem *filesystem, const char *path, int flags,
                        TF_WritableFile *file) {
  posix_writable *writable = writable_alloc(path);
  if (writable == NULL) return ENOMEM;
  mode_t mode = (mode_t)posix_option_get(filesystem, POSIX_FILE_MODE);
  int error = writable_open(writable, path, flags, mode);
  if (error != 0) {
    free(writable);
    return error;
  }
  writable->sync_on_close = posix_option_get(filesystem, POSIX_SYNC_ON_CLOSE) != 0;
  file->plugin_file = writable;
  return 0;
}

void posix_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                             TF_WritableFile *file, TF_Status *status) {
  posix_report(status, writable_new(filesystem, path, O_TRUNC, file));
}

void posix_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                               TF_WritableFile *file, TF_Status *status) {
  posix_report(status, writable_new(filesystem, path, O_APPEND, file));
}

/* By flags ------------------------------------------------------------------- */

static int writable_wish(const posix_wish *wish, posix_writable *writable) {
  int error = posix_replacement_open(wish, &writable->replacement, &writable->fd);
  if (error != 0) return error;
  error = writable_inspect(writable);
  if (error != 0) {
    close(writable->fd);
    posix_replacement_free(writable->replacement);
  }
  return error;
}

void posix_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status) {
  const posix_wish wish = {directory, path, flags,
                           (mode_t)posix_option_get(filesystem, POSIX_FILE_MODE)};
  posix_writable *writable = writable_alloc(directory != NULL ? "" : path);
  int error = writable != NULL ? writable_wish(&wish, writable) : ENOMEM;
  if (error == 0) {
    writable->sync_on_close =
        (flags & MODFS_OPEN_DURABLE) != 0 || posix_option_get(filesystem, POSIX_SYNC_ON_CLOSE) != 0;
    file->plugin_file = writable;
  } else {
    free(writable);
  }
  posix_report(status, error);
}

/* Writing -------------------------------------------------------------------- */

static int check_usable(const posix_writable *writable) {
  return writable->fd < 0 ? POSIX_CLOSED : writable->error;
}

/* On a full disk the message says how many bytes were written. */
static void report_short(const posix_writable *writable, int error, size_t done, size_t n,
                         TF_Status *status) {
  TF_Code code = posix_error_code(error, status);
  if (code != TF_RESOURCE_EXHAUSTED) {
    report(writable, error, status);
    return;
  }
  char text[POSIX_ERROR_TEXT];
  char whole[POSIX_ERROR_TEXT + 64];
  posix_error_text(error, text);
  snprintf(whole, sizeof whole, "%s: %zu of %zu bytes were written", text, done, n);
  TF_SetStatus(status, code, whole);
  located_fail(status, writable->path);
}

static void writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                            TF_Status *status) {
  posix_writable *writable = file->plugin_file;
  int error = check_usable(writable);
  size_t done = 0;
  while (error == 0 && done < n) {
    const size_t most = 0x7ffff000;
    ssize_t put = write(writable->fd, buffer + done, n - done < most ? n - done : most);
    if (put > 0) {
      done += (size_t)put;
      writable->position += put;
    } else if (put == 0) {
      error = ENOSPC; /* write returned 0 without an error: repeating it would never end */
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error > 0) {
    report_short(writable, error, done, n, status);
  } else {
    report(writable, error, status);
  }
}

static int64_t writable_tell(const TF_WritableFile *file, TF_Status *status) {
  const posix_writable *writable = file->plugin_file;
  int error = check_usable(writable);
  report(writable, error, status);
  return error == 0 ? writable->position : -1;
}

static void writable_flush(const TF_WritableFile *file, TF_Status *status) {
  const posix_writable *writable = file->plugin_file;
  report(writable, check_usable(writable), status);
}

/* After a failed fsync the kernel drops the unwritten pages, and a second fsync would succeed wrongly. */
static int sync_file(posix_writable *writable) {
  int result;
  do {
    result = fsync(writable->fd);
  } while (result != 0 && errno == EINTR);
  if (result == 0 || (errno == EINVAL && !writable->regular)) return 0;
  writable->error = errno;
  return writable->error;
}

static void writable_sync(const TF_WritableFile *file, TF_Status *status) {
  posix_writable *writable = file->plugin_file;
  int error = check_usable(writable);
  report(writable, error != 0 ? error : sync_file(writable), status);
}

/* Attributes ----------------------------------------------------------------- */

/* The mode is set at once: so a storage without modes refuses it here, and what others may not read
 * later they cannot read while it is written. A file that gets another owner is the present owner's
 * alone until then. */
static int set_mode(posix_writable *writable, mode_t mode, bool moves) {
  mode &= moves ? writable->mode & 0700 : 0777;
  if (mode == writable->mode) return 0;
  if (fchmod(writable->fd, mode) != 0) return errno;
  writable->mode = mode;
  return 0;
}

/* Those of a device stay as they are. */
void posix_set_writer_attributes(const TF_Filesystem *filesystem, const TF_WritableFile *file,
                                 const modfs_attributes *attributes, uint64_t which,
                                 TF_Status *status) {
  (void)filesystem;
  posix_writable *writable = file->plugin_file;
  bool sets_mode = writable->regular && (which & MODFS_ATTRIBUTE_MODE) != 0;
  int error = check_usable(writable);
  if (error == 0) error = posix_wanted_check(attributes, which);
  if (error == 0 && sets_mode)
    error = set_mode(writable, (mode_t)attributes->mode, (which & POSIX_OWNERS) != 0);
  if (error == 0) posix_wanted_add(&writable->wanted, attributes, which);
  report(writable, error, status);
}

/* Writing and a change of the owner clear set-id bits. */
static int set_attributes(const posix_writable *writable) {
  const posix_wanted *wanted = &writable->wanted;
  uint64_t among = POSIX_ATTRIBUTES;
  if (wanted->which == 0 || !writable->regular) return 0;
  if (writable->mode == (mode_t)wanted->attributes.mode && (wanted->which & POSIX_OWNERS) == 0)
    among &= ~(uint64_t)MODFS_ATTRIBUTE_MODE;
  return posix_wanted_set(wanted, writable->fd, among);
}

/* Closing ---------------------------------------------------------------------- */

static void writable_close(const TF_WritableFile *file, TF_Status *status) {
  posix_writable *writable = file->plugin_file;
  int error = check_usable(writable);
  if (error == 0) error = set_attributes(writable);
  if (error == 0 && writable->sync_on_close) error = sync_file(writable);
  if (writable->fd >= 0 && close(writable->fd) != 0 && error == 0) error = errno;
  writable->fd = -1;
  if (error == 0 && writable->replacement != NULL)
    error = posix_replacement_place(writable->replacement, &writable->wanted);
  report(writable, error, status);
}

static void writable_cleanup(TF_WritableFile *file) {
  posix_writable *writable = file->plugin_file;
  if (writable == NULL) return;
  if (writable->fd >= 0) close(writable->fd);
  posix_replacement_free(writable->replacement);
  free(writable);
}

const TF_WritableFileOps posix_writable_ops = {writable_cleanup, writable_append, writable_tell,
                                               writable_flush,   writable_sync,   writable_close};
