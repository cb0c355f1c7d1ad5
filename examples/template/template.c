/* template: a filesystem to copy and to fill with your own calls. Its files lie in a folder of the
 * machine, $TEMPLATE_FOLDER or ./template.files: each slot is one call of the operating system, and
 * where that call stands yours is to stand. README.md says how to build it. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "modfs/filesystem.h"
#include "modfs/register.h"

static int folder = -1; /* a descriptor of it, opened by init */

/* Paths arrive cleaned, with one slash before them: "/" is the folder itself. */
static const char *below(const char *path) {
  return path[1] ? path + 1 : ".";
}

static void fail(TF_Status *status, const char *what) {
  TF_SetStatusFromIOError(status, errno, what);
}

static bool look(const char *path, struct stat *found, TF_Status *status) {
  bool there = fstatat(folder, below(path), found, 0) == 0;
  if (there)
    TF_SetStatus(status, TF_OK, "");
  else
    fail(status, "cannot be asked for");
  return there;
}

/* Whether a path is a file, or may become one. */
static bool may_be_file(const char *path, TF_Status *status) {
  struct stat found;
  bool there = fstatat(folder, below(path), &found, 0) == 0;
  bool fine = there ? !S_ISDIR(found.st_mode) : errno == ENOENT;
  if (there && !fine) TF_SetStatus(status, TF_FAILED_PRECONDITION, "is a directory");
  if (!there && !fine) fail(status, "cannot be looked at");
  return fine;
}

/* Opens a file; a descriptor is small enough to be the handle itself. */
static void *open_file(const char *path, int flags, TF_Status *status) {
  if (!may_be_file(path, status)) return NULL;
  int fd;
  do {
    fd = openat(folder, below(path), flags | O_CLOEXEC, 0666);
  } while (fd < 0 && errno == EINTR); /* a signal is no failure */
  if (fd < 0) {
    fail(status, "cannot be opened");
    return NULL;
  }
  return (void *)(intptr_t)fd;
}

static int fd_of(const void *handle) {
  return (int)(intptr_t)handle;
}

/* Files for reading -------------------------------------------------------------------- */
static void reader_open(const TF_Filesystem *fs, const char *path, TF_RandomAccessFile *file,
                        TF_Status *status) {
  (void)fs;
  file->plugin_file = open_file(path, O_RDONLY, status);
}

static void reader_cleanup(TF_RandomAccessFile *file) {
  close(fd_of(file->plugin_file));
}

static int64_t reader_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                           TF_Status *status) {
  uint64_t most = offset < INT64_MAX ? INT64_MAX - offset : 0; /* what the system can count to */
  size_t got = 0, wanted = n < most ? n : (size_t)most;
  while (got < wanted) {
    ssize_t piece =
        pread(fd_of(file->plugin_file), buffer + got, wanted - got, (off_t)(offset + got));
    if (piece < 0 && errno == EINTR) continue;
    if (piece < 0) {
      fail(status, "cannot be read");
      return -1;
    }
    if (piece == 0) break;
    got += (size_t)piece;
  }
  if (got < n) TF_SetStatus(status, TF_OUT_OF_RANGE, "end of file");
  return (int64_t)got;
}

/* Files for writing -------------------------------------------------------------------- */
static void writer_open(const TF_Filesystem *fs, const char *path, TF_WritableFile *file,
                        TF_Status *status) {
  (void)fs;
  file->plugin_file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC, status);
}

static void writer_open_at_end(const TF_Filesystem *fs, const char *path, TF_WritableFile *file,
                               TF_Status *status) {
  (void)fs;
  file->plugin_file = open_file(path, O_WRONLY | O_CREAT | O_APPEND, status);
}

static void writer_cleanup(TF_WritableFile *file) {
  close(fd_of(file->plugin_file));
}

static void writer_append(const TF_WritableFile *file, const char *buffer, size_t n,
                          TF_Status *status) {
  for (size_t done = 0; done < n;) {
    ssize_t piece = write(fd_of(file->plugin_file), buffer + done, n - done);
    if (piece < 0 && errno == EINTR) continue;
    if (piece == 0) errno = ENOSPC; /* no progress, and no reason */
    if (piece <= 0) {
      fail(status, "cannot be written");
      return;
    }
    done += (size_t)piece;
  }
}

static int64_t writer_tell(const TF_WritableFile *file, TF_Status *status) {
  off_t position = lseek(fd_of(file->plugin_file), 0, SEEK_END);
  if (position < 0) fail(status, "has no position");
  return position;
}

static void writer_sync(const TF_WritableFile *file, TF_Status *status) {
  int failed;
  do {
    failed = fsync(fd_of(file->plugin_file));
  } while (failed && errno == EINTR);
  if (failed) fail(status, "cannot be made durable");
}

static void writer_close(const TF_WritableFile *file, TF_Status *status) {
  /* What you buffer has to arrive here. Closing a second descriptor tells what is held back. */
  int second = fcntl(fd_of(file->plugin_file), F_DUPFD_CLOEXEC, 0);
  if (second < 0 || close(second) != 0) fail(status, "cannot be closed");
}

/* Regions ------------------------------------------------------------------------------ */
typedef struct region {
  void *bytes;
  size_t length;
} region;

static bool region_map(region *self, int fd, TF_Status *status) {
  struct stat found;
  if (fstat(fd, &found) != 0) {
    fail(status, "cannot be asked for");
    return false;
  }
  if (found.st_size == 0) {
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the file is empty");
    return false;
  }
  self->length = (size_t)found.st_size;
  self->bytes = mmap(NULL, self->length, PROT_READ, MAP_PRIVATE, fd, 0);
  if (self->bytes == MAP_FAILED) fail(status, "cannot be mapped");
  return self->bytes != MAP_FAILED;
}

static void region_open(const TF_Filesystem *fs, const char *path, TF_ReadOnlyMemoryRegion *memory,
                        TF_Status *status) {
  (void)fs;
  int fd = fd_of(open_file(path, O_RDONLY, status));
  if (TF_GetCode(status) != TF_OK) return;
  region *made = malloc(sizeof *made);
  if (!made)
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  else if (region_map(made, fd, status))
    memory->plugin_memory_region = made;
  else
    free(made);
  close(fd);
}

static void region_cleanup(TF_ReadOnlyMemoryRegion *memory) {
  region *self = memory->plugin_memory_region;
  munmap(self->bytes, self->length);
  free(self);
}

static const void *region_data(const TF_ReadOnlyMemoryRegion *memory) {
  return ((const region *)memory->plugin_memory_region)->bytes;
}

static uint64_t region_length(const TF_ReadOnlyMemoryRegion *memory) {
  return ((const region *)memory->plugin_memory_region)->length;
}

/* The tree ----------------------------------------------------------------------------- */
static void tree_create_dir(const TF_Filesystem *fs, const char *path, TF_Status *status) {
  (void)fs;
  if (mkdirat(folder, below(path), 0777) != 0) fail(status, "cannot be made");
}

static void tree_delete_file(const TF_Filesystem *fs, const char *path, TF_Status *status) {
  (void)fs;
  if (may_be_file(path, status) && unlinkat(folder, below(path), 0) != 0)
    fail(status, "cannot be deleted");
}

static void tree_delete_dir(const TF_Filesystem *fs, const char *path, TF_Status *status) {
  (void)fs;
  if (path[1] == '\0')
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the root stays");
  else if (unlinkat(folder, below(path), AT_REMOVEDIR) != 0)
    fail(status, "cannot be deleted");
}

static void tree_rename_file(const TF_Filesystem *fs, const char *from, const char *to,
                             TF_Status *status) {
  (void)fs;
  if (may_be_file(from, status) && may_be_file(to, status) &&
      renameat(folder, below(from), folder, below(to)) != 0)
    fail(status, "cannot be renamed");
}

static void tree_path_exists(const TF_Filesystem *fs, const char *path, TF_Status *status) {
  (void)fs;
  look(path, &(struct stat){0}, status);
}

static void tree_stat(const TF_Filesystem *fs, const char *path, TF_FileStatistics *stats,
                      TF_Status *status) {
  (void)fs;
  struct stat found;
  if (!look(path, &found, status)) return;
  stats->length = found.st_size;
  stats->mtime_nsec = (int64_t)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
  stats->is_directory = S_ISDIR(found.st_mode);
}

static int is_child(const struct dirent *entry) {
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

/* The system's array and its entries are from malloc: each is made to hold its name alone. */
static int tree_get_children(const TF_Filesystem *fs, const char *path, char ***names,
                             TF_Status *status) {
  (void)fs;
  struct dirent **found;
  int count = scandirat(folder, below(path), &found, is_child, NULL);
  if (count < 0) {
    fail(status, "cannot be listed");
    return -1;
  }
  for (int i = 0; i < count; i++)
    memmove(found[i], found[i]->d_name, strlen(found[i]->d_name) + 1);
  *names = (char **)found;
  return count;
}

/* The whole ---------------------------------------------------------------------------- */
static void template_init(TF_Filesystem *fs, TF_Status *status) {
  (void)fs;
  const char *name = getenv("TEMPLATE_FOLDER");
  if (!name) name = "template.files";
  mkdir(name, 0777);
  folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) fail(status, name);
}

static void template_cleanup(TF_Filesystem *fs) {
  (void)fs;
  close(folder);
}

static const TF_RandomAccessFileOps reader = {.cleanup = reader_cleanup, .read = reader_read};
static const TF_WritableFileOps writer = {.cleanup = writer_cleanup,
                                          .append = writer_append,
                                          .tell = writer_tell,
                                          .sync = writer_sync,
                                          .close = writer_close};
static const TF_ReadOnlyMemoryRegionOps memory = {
    .cleanup = region_cleanup, .data = region_data, .length = region_length};
static const TF_FilesystemOps tree = {.init = template_init,
                                      .cleanup = template_cleanup,
                                      .new_random_access_file = reader_open,
                                      .new_writable_file = writer_open,
                                      .new_appendable_file = writer_open_at_end,
                                      .new_read_only_memory_region_from_file = region_open,
                                      .create_dir = tree_create_dir,
                                      .delete_file = tree_delete_file,
                                      .delete_dir = tree_delete_dir,
                                      .rename_file = tree_rename_file,
                                      .path_exists = tree_path_exists,
                                      .stat = tree_stat,
                                      .get_children = tree_get_children};

void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
  const modfs_register_tables tables = {&tree, &reader, &writer, &memory};
  modfs_register_start(info, malloc, free);
  modfs_register_scheme(info, "template", &tables);
}
