/* Interposed calls that open, read, write, sync, map and close files.
 *
 * Each function asks calls_meet for its fate: it proceeds, perhaps with fewer bytes, or fails with the
 * rule's errno. A call that proceeds goes to the kernel by syscall(), never to the C library's function,
 * which is what was interposed. Calls of threads that are not inside proceed and are not counted.
 *
 * There is no state here; rule and counts are in system_calls.c, in atomics, except the rule, which is set before
 * the plugin is called. So there are no locks, and a child of fork works with its own copy of them.
 *
 * Every form of a call must be here, also those of _FORTIFY_SOURCE and of large files: one that is missing
 * is neither counted nor made to fail. */
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The names of functions and parameters are the C library's, and its headers' are reserved:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,clang-analyzer-valist.Uninitialized) */
#define EXPORT __attribute__((visibility("default")))

static bool takes_mode(int flags) {
  return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

static int open_at(int dir, const char *path, int flags, mode_t mode) {
  call_fate fate = calls_meet(SHIM_OPEN, "open", NULL);
  if (!fate.goes_on) return -1;
  calls_opened(flags);
  int fd = (int)syscall(SYS_openat, dir, path, flags, mode);
  if (fd >= 0 && takes_mode(flags)) calls_note("create", fd);
  return fd;
}

#define OPEN(name)                                                                                 \
  EXPORT int name(const char *path, int flags, ...) {                                              \
    va_list more;                                                                                  \
    va_start(more, flags);                                                                         \
    mode_t mode = takes_mode(flags) ? va_arg(more, mode_t) : 0;                                    \
    va_end(more);                                                                                  \
    return open_at(AT_FDCWD, path, flags, mode);                                                   \
  }
#define OPEN_AT(name)                                                                              \
  EXPORT int name(int dir, const char *path, int flags, ...) {                                     \
    va_list more;                                                                                  \
    va_start(more, flags);                                                                         \
    mode_t mode = takes_mode(flags) ? va_arg(more, mode_t) : 0;                                    \
    va_end(more);                                                                                  \
    return open_at(dir, path, flags, mode);                                                        \
  }

OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
/* The forms without a mode, which _FORTIFY_SOURCE calls. */
EXPORT int __open_2(const char *path, int flags) {
  return open_at(AT_FDCWD, path, flags, 0);
}
EXPORT int __open64_2(const char *path, int flags) {
  return open_at(AT_FDCWD, path, flags, 0);
}
EXPORT int __openat_2(int dir, const char *path, int flags) {
  return open_at(dir, path, flags, 0);
}
EXPORT int __openat64_2(int dir, const char *path, int flags) {
  return open_at(dir, path, flags, 0);
}
EXPORT int creat(const char *path, mode_t mode) {
  return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}

/* kind: reads or writes; the rest are the arguments of the kernel's call. */
#define MOVE(kind, number, count, ...)                                                             \
  call_fate fate = calls_meet(kind, __func__, &(count));                                           \
  if (!fate.goes_on) return fate.result;                                                           \
  return syscall(number, __VA_ARGS__);
/* The same for what writes to the descriptor `to`. */
#define PUT(kind, number, to, count, ...)                                                          \
  call_fate fate = calls_meet(kind, __func__, &(count));                                           \
  if (!fate.goes_on) return fate.result;                                                           \
  ssize_t put = syscall(number, __VA_ARGS__);                                                      \
  if (put >= 0) calls_note("write", to);                                                           \
  return put;

EXPORT ssize_t read(int fd, void *buffer,
                    size_t n){MOVE(SHIM_READ, SYS_read, n, fd, buffer, n)} EXPORT ssize_t
    pread(int fd, void *buffer, size_t n,
          off_t offset){MOVE(SHIM_READ, SYS_pread64, n, fd, buffer, n, offset)} EXPORT ssize_t
    pread64(int fd, void *buffer, size_t n,
            off64_t offset){MOVE(SHIM_READ, SYS_pread64, n, fd, buffer, n, offset)} EXPORT ssize_t
    __read_chk(int fd, void *buffer, size_t n, size_t room) {
  (void)room;
  MOVE(SHIM_READ, SYS_read, n, fd, buffer, n)
}
EXPORT ssize_t __pread_chk(int fd, void *buffer, size_t n, off_t offset, size_t room) {
  (void)room;
  MOVE(SHIM_READ, SYS_pread64, n, fd, buffer, n, offset)
}
EXPORT ssize_t __pread64_chk(int fd, void *buffer, size_t n, off64_t offset, size_t room) {
  (void)room;
  MOVE(SHIM_READ, SYS_pread64, n, fd, buffer, n, offset)
}
EXPORT ssize_t write(int fd, const void *buffer,
                     size_t n){PUT(SHIM_WRITE, SYS_write, fd, n, fd, buffer, n)} EXPORT ssize_t
    pwrite(int fd, const void *buffer, size_t n,
           off_t offset){PUT(SHIM_WRITE, SYS_pwrite64, fd, n, fd, buffer, n, offset)} EXPORT ssize_t
    pwrite64(int fd, const void *buffer, size_t n, off64_t offset){
        PUT(SHIM_WRITE, SYS_pwrite64, fd, n, fd, buffer, n, offset)} EXPORT ssize_t
    copy_file_range(int in, off64_t *from, int out, off64_t *to, size_t n, unsigned flags) {
  /* With 0 bytes it copies nothing: the posix plugin uses it to tell kinds of files apart. */
  if (n == 0) return syscall(SYS_copy_file_range, in, from, out, to, n, flags);
  PUT(SHIM_COPY, SYS_copy_file_range, out, n, in, from, out, to, n, flags)
}
EXPORT ssize_t sendfile(int out, int in, off_t *offset, size_t n){
    PUT(SHIM_COPY, SYS_sendfile, out, n, out, in, offset, n)} EXPORT ssize_t
    sendfile64(int out, int in, off64_t *offset,
               size_t n){PUT(SHIM_COPY, SYS_sendfile, out, n, out, in, offset, n)} EXPORT ssize_t
    getdents64(int fd, void *buffer, size_t n) {
  call_fate fate = calls_meet(SHIM_LIST, __func__, NULL);
  return fate.goes_on ? syscall(SYS_getdents64, fd, buffer, n) : -1;
}

#define SYNC(number, fd)                                                                           \
  call_fate fate = calls_meet(SHIM_SYNC, __func__, NULL);                                          \
  int done = fate.goes_on ? (int)syscall(number, fd) : -1;                                         \
  if (done == 0) calls_note("sync", fd);                                                           \
  return done;

EXPORT int fsync(int fd){SYNC(SYS_fsync, fd)} EXPORT
    int fdatasync(int fd){SYNC(SYS_fdatasync, fd)} EXPORT
    int syncfs(int fd){SYNC(SYS_syncfs, fd)} EXPORT
    int msync(void *address, size_t length, int flags) {
  call_fate fate = calls_meet(SHIM_SYNC, __func__, NULL);
  return fate.goes_on ? (int)syscall(SYS_msync, address, length, flags) : -1;
}

static bool is_socket(int fd) {
  struct stat found;
  return syscall(SYS_newfstatat, fd, "", &found, AT_EMPTY_PATH) == 0 && S_ISSOCK(found.st_mode);
}

/* Closes the descriptor even when the call is made to fail, as the kernel does. Nothing that was written can be
 * lost by closing a socket: it is not counted. */
EXPORT int close(int fd) {
  if (is_socket(fd)) return (int)syscall(SYS_close, fd);
  call_fate fate = calls_meet(SHIM_CLOSE, __func__, NULL);
  if (fate.goes_on) return (int)syscall(SYS_close, fd);
  int error = errno;
  syscall(SYS_close, fd);
  errno = error;
  return -1;
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  call_fate fate = calls_meet(SHIM_MAP, __func__, NULL);
  if (!fate.goes_on) return MAP_FAILED;
  return (void *)syscall(SYS_mmap, address, length, protection, flags, fd, offset);
}
EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int fd,
                    off64_t offset) {
  return mmap(address, length, protection, flags, fd, offset);
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp,clang-analyzer-valist.Uninitialized) */
