/* Interposed calls on descriptors as such, and on extended attributes. As in files.c: no state, no locks,
 * straight to the kernel. Commands of fcntl that make no descriptor and set no flags are let through. */
#include "system_calls.h"

#include <fcntl.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

/* The names of functions and parameters are the C library's, and its headers' are reserved:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,clang-analyzer-valist.Uninitialized) */
#define EXPORT __attribute__((visibility("default")))
#define CONTROL(number, ...)                                                                       \
  call_fate fate = calls_meet(SHIM_CONTROL, __func__, NULL);                                       \
  return fate.goes_on ? syscall(number, __VA_ARGS__) : -1;

static int control(const char *function, int fd, int command, void *argument) {
  bool duplicates = command == F_DUPFD || command == F_DUPFD_CLOEXEC;
  if (duplicates || command == F_SETFL) {
    if (!calls_meet(SHIM_CONTROL, function, NULL).goes_on) return -1;
    if (duplicates) calls_opened(command == F_DUPFD_CLOEXEC ? O_CLOEXEC : 0);
  }
  return (int)syscall(SYS_fcntl, fd, command, argument);
}

#define FCNTL(name)                                                                                \
  EXPORT int name(int fd, int command, ...) {                                                      \
    va_list more;                                                                                  \
    va_start(more, command);                                                                       \
    void *argument = va_arg(more, void *);                                                         \
    va_end(more);                                                                                  \
    return control(#name, fd, command, argument);                                                  \
  }

FCNTL(fcntl)
FCNTL(fcntl64)

EXPORT int dup(int fd) {
  if (!calls_meet(SHIM_CONTROL, __func__, NULL).goes_on) return -1;
  calls_opened(0);
  return (int)syscall(SYS_dup, fd);
}
EXPORT int flock(int fd, int operation) {
  call_fate fate = calls_meet(SHIM_CONTROL, __func__, NULL);
  return fate.goes_on ? (int)syscall(SYS_flock, fd, operation) : -1;
}
EXPORT off_t lseek(int fd, off_t offset,
                   int whence){CONTROL(SYS_lseek, fd, offset, whence)} EXPORT off64_t
    lseek64(int fd, off64_t offset, int whence){CONTROL(SYS_lseek, fd, offset, whence)} EXPORT
    int ftruncate(int fd, off_t length) {
  call_fate fate = calls_meet(SHIM_CONTROL, __func__, NULL);
  return fate.goes_on ? (int)syscall(SYS_ftruncate, fd, length) : -1;
}
EXPORT int ftruncate64(int fd, off64_t length) {
  call_fate fate = calls_meet(SHIM_CONTROL, __func__, NULL);
  return fate.goes_on ? (int)syscall(SYS_ftruncate, fd, length) : -1;
}

#define XATTR(type, number, ...)                                                                   \
  call_fate fate = calls_meet(SHIM_ATTRIBUTE, __func__, NULL);                                     \
  return fate.goes_on ? (type)syscall(number, __VA_ARGS__) : -1;
#define XATTRS(of, prefix, number)                                                                 \
  EXPORT ssize_t prefix##getxattr(of, const char *name, void *value, size_t size){                 \
      XATTR(ssize_t, SYS_##prefix##getxattr, number, name, value,                                  \
            size)} EXPORT ssize_t prefix##listxattr(of, char *list, size_t size){                  \
      XATTR(ssize_t, SYS_##prefix##listxattr, number, list,                                        \
            size)} EXPORT int prefix##setxattr(of, const char *name, const void *value,            \
                                               size_t size, int flags){                            \
      XATTR(int, SYS_##prefix##setxattr, number, name, value, size,                                \
            flags)} EXPORT int prefix##removexattr(of, const char *name) {                         \
    XATTR(int, SYS_##prefix##removexattr, number, name)                                            \
  }

XATTRS(const char *path, , path)
XATTRS(const char *path, l, path)
XATTRS(int fd, f, fd)
/* NOLINTEND(readability-inconsistent-declaration-parameter-name,clang-analyzer-valist.Uninitialized) */
