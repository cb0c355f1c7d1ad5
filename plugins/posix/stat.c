#include "stat.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "entry.h"
#include "error.h"
#include "path.h"
#include "scan.h"

static inline int path_check(const char *path) {
  posix_place at;
  int error = posix_place_open(path, &at);
  if (error == 0 && faccessat(at.dir, at.name, F_OK, AT_EACCESS) != 0) error = errno;
  posix_place_close(&at);
  return error;
}

void posix_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem;
  posix_report_at(status, path_check(path), path);
}

bool posix_paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                       TF_Status **statuses) {
  (void)filesystem;
  bool all = true;
  for (int i = 0; i < num_files; i++) {
    int error = path_check(paths[i]);
    if (error != 0) all = false;
    if (statuses != NULL) {
      posix_report(statuses[i], error);
    } else if (!all) {
      break;
    }
  }
  return all;
}

/* Uses fstatat: statx is slower and has nothing more that is needed here. */
static inline int path_stat(const char *path, int flags, struct stat *info) {
  posix_place at;
  int error = posix_place_open(path, &at);
  if (error == 0 && fstatat(at.dir, at.name, info, flags) != 0) error = errno;
  posix_place_close(&at);
  return error;
}

/* Clamps times that do not fit into 64 bits of nanoseconds. */
static int64_t nanoseconds(struct timespec time) {
  int64_t result;
  bool far = __builtin_mul_overflow(time.tv_sec, INT64_C(1000000000), &result) ||
             __builtin_add_overflow(result, (int64_t)time.tv_nsec, &result);
  if (!far) return result;
  return time.tv_sec < 0 ? INT64_MIN : INT64_MAX;
}

void posix_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
                TF_Status *status) {
  (void)filesystem;
  struct stat info;
  int error = path_stat(path, 0, &info);
  if (error == 0) {
    stats->length = (int64_t)info.st_size;
    stats->mtime_nsec = nanoseconds(info.st_mtim);
    stats->is_directory = S_ISDIR(info.st_mode);
  }
  posix_report_at(status, error, path);
}

bool posix_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem;
  struct stat info;
  int error = path_stat(path, 0, &info);
  if (error == 0 && !S_ISDIR(info.st_mode)) error = ENOTDIR;
  posix_report_at(status, error, path);
  return error == 0;
}

int64_t posix_get_file_size(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  (void)filesystem;
  struct stat info;
  int error = path_stat(path, 0, &info);
  if (error == 0 && S_ISDIR(info.st_mode)) error = EISDIR;
  posix_report_at(status, error, path);
  return error == 0 ? (int64_t)info.st_size : -1;
}

static int kind_of_mode(mode_t mode) {
  if (S_ISREG(mode)) return MODFS_KIND_FILE;
  if (S_ISDIR(mode)) return MODFS_KIND_DIRECTORY;
  return S_ISLNK(mode) ? MODFS_KIND_LINK : MODFS_KIND_OTHER;
}

static void fill_members(const struct stat *info, modfs_attributes *attributes) {
  attributes->kind = kind_of_mode(info->st_mode);
  attributes->mode = info->st_mode & 07777u;
  attributes->owner = info->st_uid;
  attributes->group = info->st_gid;
  attributes->device = info->st_dev;
  attributes->inode = info->st_ino;
  attributes->links = info->st_nlink;
  attributes->length = (int64_t)info->st_size;
  attributes->mtime_nsec = nanoseconds(info->st_mtim);
  attributes->atime_nsec = nanoseconds(info->st_atim);
  attributes->known = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP |
                      MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME;
}

/* Hosts of another age have fewer members, or more. */
void posix_attributes_fill(const struct stat *info, modfs_attributes *attributes) {
  modfs_attributes all = {.struct_size = attributes->struct_size};
  if (all.struct_size >= sizeof all) {
    fill_members(info, attributes);
    return;
  }
  fill_members(info, &all);
  memcpy(attributes, &all, all.struct_size);
}

static inline void path_attributes(const char *path, int flags, modfs_attributes *attributes,
                                   TF_Status *status) {
  struct stat info;
  int error = path_stat(path, flags, &info);
  if (error == 0) posix_attributes_fill(&info, attributes);
  posix_report(status, error);
}

void posix_lstat(const TF_Filesystem *filesystem, const char *path, modfs_attributes *attributes,
                 TF_Status *status) {
  (void)filesystem;
  path_attributes(path, AT_SYMLINK_NOFOLLOW, attributes, status);
}

void posix_get_attributes(const TF_Filesystem *filesystem, const char *path,
                          modfs_attributes *attributes, TF_Status *status) {
  (void)filesystem;
  path_attributes(path, 0, attributes, status);
}

void posix_entry_attributes(const modfs_directory *directory, const char *name,
                            modfs_attributes *attributes, TF_Status *status) {
  const posix_scan *scan = directory->plugin_directory;
  struct stat info;
  int flags = AT_SYMLINK_NOFOLLOW | (*name == '\0' ? AT_EMPTY_PATH : 0);
  int error = fstatat(scan->fd, name, &info, flags) == 0 ? 0 : errno;
  if (error == 0) posix_attributes_fill(&info, attributes);
  posix_report(status, error);
}
