#include "target.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <unistd.h>

#include "error.h"

static int target_look(const char *path, posix_target *target) {
  int error = posix_place_open(path, &target->at);
  if (error != 0) return error;
  if (*target->at.name == '\0') return ENOENT;
  target->exists = fstatat(target->at.dir, target->at.name, &target->was, AT_SYMLINK_NOFOLLOW) == 0;
  return target->exists || errno == ENOENT ? 0 : errno;
}

int posix_target_open(const char *path, posix_target *target) {
  target->resolved = NULL;
  int error = target_look(path, target);
  if (error == 0 && target->exists && S_ISLNK(target->was.st_mode)) {
    target->resolved = realpath(path, NULL);
    if (target->resolved == NULL) return errno == ENOENT ? POSIX_BROKEN_LINK : errno;
    posix_place_close(&target->at);
    error = target_look(target->resolved, target);
  }
  if (error != 0 || !target->exists || S_ISREG(target->was.st_mode)) return error;
  return S_ISDIR(target->was.st_mode) ? EISDIR : POSIX_NOT_A_FILE;
}

void posix_target_close(posix_target *target) {
  posix_place_close(&target->at);
  free(target->resolved);
  target->resolved = NULL;
}

/* Bits that differ between processes, between calls and after a fork. */
static uint64_t fresh_bits(void) {
  static atomic_uint_fast64_t calls;
  uint64_t seed = 0;
  struct timespec now = {0};
  const void *random = (const void *)(uintptr_t)getauxval(AT_RANDOM);
  if (random != NULL) memcpy(&seed, random, sizeof seed);
  clock_gettime(CLOCK_MONOTONIC, &now);
  uint64_t bits = seed + (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
  bits += atomic_fetch_add(&calls, 1) * UINT64_C(0x9e3779b97f4a7c15);
  bits = (bits ^ (bits >> 31)) * UINT64_C(0xbf58476d1ce4e5b9);
  return bits ^ (bits >> 29);
}

int posix_temporary_name(const posix_place *at, char name[4096]) {
  const char *slash = strrchr(at->name, '/');
  int directory = slash == NULL ? 0 : (int)(slash + 1 - at->name);
  int length = snprintf(name, 4096, "%.*s.modfs-%016" PRIx64, directory, at->name, fresh_bits());
  return length < 4096 ? 0 : ENAMETOOLONG;
}

int posix_target_inherit(int dir, const char *name, const struct stat *was) {
  int owner = fchownat(dir, name, was->st_uid, was->st_gid, AT_SYMLINK_NOFOLLOW);
  if (owner != 0 && errno == EPERM) /* setting the group alone may be allowed */
    owner = fchownat(dir, name, (uid_t)-1, was->st_gid, AT_SYMLINK_NOFOLLOW);
  if (owner != 0 && errno != EPERM && errno != EINVAL && errno != EOPNOTSUPP) return errno;
  return fchmodat(dir, name, was->st_mode & 0777, 0) == 0 ? 0 : errno;
}
