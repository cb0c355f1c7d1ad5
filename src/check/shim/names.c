/* Interposed calls that query and change names and attributes. As in files.c: no state, no locks, straight
 * to the kernel; but for fchmodat, whose flags the C library alone makes work on every kernel. */
#include "memory.h"
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The names of functions and parameters are the C library's, and its headers' are reserved:
 * NOLINTBEGIN(readability-inconsistent-declaration-parameter-name) */
#define EXPORT __attribute__((visibility("default")))
#define NAME(number, ...)                                                                          \
  call_fate fate = calls_meet(SHIM_NAME, __func__, NULL);                                          \
  return fate.goes_on ? (int)syscall(number, __VA_ARGS__) : -1;
#define STAT(dir, path, info, flags)                                                               \
  call_fate fate = calls_meet(SHIM_STAT, __func__, NULL);                                          \
  return fate.goes_on ? (int)syscall(SYS_newfstatat, dir, path, info, flags) : -1;

/* What gets another name is noted by that name. */
#define RENAME(number, dir, name, ...)                                                             \
  call_fate fate = calls_meet(SHIM_NAME, __func__, NULL);                                          \
  int done = fate.goes_on ? (int)syscall(number, __VA_ARGS__) : -1;                                \
  if (done == 0) calls_note_name("rename", dir, name);                                             \
  return done;

EXPORT int rename(const char *from, const char *to){
    RENAME(SYS_renameat2, AT_FDCWD, to, AT_FDCWD, from, AT_FDCWD, to, 0)} EXPORT
    int renameat(int from_dir, const char *from, int to_dir, const char *to){
        RENAME(SYS_renameat2, to_dir, to, from_dir, from, to_dir, to, 0)} EXPORT
    int renameat2(int from_dir, const char *from, int to_dir, const char *to, unsigned flags){
        RENAME(SYS_renameat2, to_dir, to, from_dir, from, to_dir, to, flags)} EXPORT
    int linkat(int from_dir, const char *from, int to_dir, const char *to,
               int flags){RENAME(SYS_linkat, to_dir, to, from_dir, from, to_dir, to, flags)} EXPORT
    int link(const char *from, const char *to){
        RENAME(SYS_linkat, AT_FDCWD, to, AT_FDCWD, from, AT_FDCWD, to, 0)} EXPORT
    int unlink(const char *path){NAME(SYS_unlinkat, AT_FDCWD, path, 0)} EXPORT
    int unlinkat(int dir, const char *path, int flags){NAME(SYS_unlinkat, dir, path, flags)} EXPORT
    int rmdir(const char *path){NAME(SYS_unlinkat, AT_FDCWD, path, AT_REMOVEDIR)} EXPORT
    int mkdir(const char *path, mode_t mode){NAME(SYS_mkdirat, AT_FDCWD, path, mode)} EXPORT
    int mkdirat(int dir, const char *path, mode_t mode){NAME(SYS_mkdirat, dir, path, mode)} EXPORT
    int symlinkat(const char *target, int dir,
                  const char *path){NAME(SYS_symlinkat, target, dir, path)} EXPORT
    int symlink(const char *target, const char *path){NAME(SYS_symlinkat, target, AT_FDCWD, path)}

/* Only where the kernel's struct stat is the C library's; elsewhere these are not interposed. */
#if defined(__LP64__)
EXPORT int stat(const char *restrict path,
                struct stat *restrict info){STAT(AT_FDCWD, path, info, 0)} EXPORT
    int lstat(const char *restrict path,
              struct stat *restrict info){STAT(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW)} EXPORT
    int fstat(int fd, struct stat *info){STAT(fd, "", info, AT_EMPTY_PATH)} EXPORT
    int fstatat(int dir, const char *restrict path, struct stat *restrict info,
                int flags){STAT(dir, path, info, flags)} EXPORT
    int stat64(const char *restrict path,
               struct stat64 *restrict info){STAT(AT_FDCWD, path, info, 0)} EXPORT
    int lstat64(const char *restrict path, struct stat64 *restrict info){
        STAT(AT_FDCWD, path, info, AT_SYMLINK_NOFOLLOW)} EXPORT
    int fstat64(int fd, struct stat64 *info){STAT(fd, "", info, AT_EMPTY_PATH)} EXPORT
    int fstatat64(int dir, const char *restrict path, struct stat64 *restrict info,
                  int flags){STAT(dir, path, info, flags)}
#endif
EXPORT int statx(int dir, const char *restrict path, int flags, unsigned mask,
                 struct statx *restrict info) {
  call_fate fate = calls_meet(SHIM_STAT, __func__, NULL);
  return fate.goes_on ? (int)syscall(SYS_statx, dir, path, flags, mask, info) : -1;
}
/* Old kernels have no faccessat2, so no flags. */
EXPORT int faccessat(int dir, const char *path, int mode, int flags) {
  call_fate fate = calls_meet(SHIM_STAT, __func__, NULL);
  if (!fate.goes_on) return -1;
  int found = flags ? (int)syscall(SYS_faccessat2, dir, path, mode, flags) : -1;
  if (found == 0 || (flags && errno != ENOSYS)) return found;
  return (int)syscall(SYS_faccessat, dir, path, mode);
}
EXPORT int access(const char *path, int mode) {
  call_fate fate = calls_meet(SHIM_STAT, __func__, NULL);
  return fate.goes_on ? (int)syscall(SYS_faccessat, AT_FDCWD, path, mode) : -1;
}
EXPORT ssize_t readlinkat(int dir, const char *restrict path, char *restrict text, size_t size) {
  call_fate fate = calls_meet(SHIM_STAT, __func__, NULL);
  return fate.goes_on ? syscall(SYS_readlinkat, dir, path, text, size) : -1;
}
EXPORT ssize_t readlink(const char *restrict path, char *restrict text, size_t size) {
  return readlinkat(AT_FDCWD, path, text, size);
}

#define ATTRIBUTE(number, ...)                                                                     \
  call_fate fate = calls_meet(SHIM_ATTRIBUTE, __func__, NULL);                                     \
  return fate.goes_on ? (int)syscall(number, __VA_ARGS__) : -1;

EXPORT int chmod(const char *path,
                 mode_t mode){ATTRIBUTE(SYS_fchmodat, AT_FDCWD, path, mode)} EXPORT
    int fchmod(int fd, mode_t mode){ATTRIBUTE(SYS_fchmod, fd, mode)} EXPORT
    int fchown(int fd, uid_t owner, gid_t group){ATTRIBUTE(SYS_fchown, fd, owner, group)} EXPORT
    int fchownat(int dir, const char *path, uid_t owner, gid_t group,
                 int flags){ATTRIBUTE(SYS_fchownat, dir, path, owner, group, flags)} EXPORT
    int chown(const char *path, uid_t owner,
              gid_t group){ATTRIBUTE(SYS_fchownat, AT_FDCWD, path, owner, group, 0)} EXPORT
    int lchown(const char *path, uid_t owner, gid_t group){
        ATTRIBUTE(SYS_fchownat, AT_FDCWD, path, owner, group, AT_SYMLINK_NOFOLLOW)}
#if defined(__LP64__)
EXPORT int utimensat(int dir, const char *path, const struct timespec times[2],
                     int flags){ATTRIBUTE(SYS_utimensat, dir, path, times, flags)} EXPORT
    int futimens(int fd,
                 const struct timespec times[2]){ATTRIBUTE(SYS_utimensat, fd, NULL, times, 0)}
#endif
EXPORT int fchmodat(int dir, const char *path, mode_t mode, int flags) {
  static _Atomic uintptr_t place;
  int (*next)(int dir, const char *path, mode_t mode, int flags);
  call_fate fate = calls_meet(SHIM_ATTRIBUTE, __func__, NULL);
  if (!fate.goes_on) return -1;
  shim_next(&place, "fchmodat", &next);
  return next(dir, path, mode, flags);
}

/* Calls that the C library makes of several of the kernel's: they fail as one. */
#define WHOLE(type, failure, function, parameters, ...)                                            \
  static _Atomic uintptr_t place;                                                                  \
  type(*next) parameters;                                                                          \
  call_fate fate = calls_meet(SHIM_STAT, __func__, NULL);                                          \
  if (!fate.goes_on) return failure;                                                               \
  shim_next(&place, function, &next);                                                              \
  return next(__VA_ARGS__);

EXPORT char *realpath(const char *restrict path, char *restrict resolved){
    WHOLE(char *, NULL, "realpath", (const char *, char *), path, resolved)} EXPORT
    int statvfs(const char *restrict path, struct statvfs *restrict info){
        WHOLE(int, -1, "statvfs", (const char *, struct statvfs *), path, info)} EXPORT
    int fstatvfs(int fd, struct statvfs *info){
        WHOLE(int, -1, "fstatvfs", (int, struct statvfs *), fd, info)} EXPORT
    int statvfs64(const char *restrict path, struct statvfs64 *restrict info){
        WHOLE(int, -1, "statvfs64", (const char *, struct statvfs64 *), path, info)} EXPORT
    int fstatvfs64(int fd, struct statvfs64 *info) {
  WHOLE(int, -1, "fstatvfs64", (int, struct statvfs64 *), fd, info)
}
/* NOLINTEND(readability-inconsistent-declaration-parameter-name) */
