/* The posix plugin with slots that work on another entry than the one named, or on another thing
 * than the entry; and with those of links and attributes. */
#include "faulty.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define IN const modfs_directory *directory, const char *name
#define BETWEEN                                                                                    \
  const modfs_directory *from, const char *name, const modfs_directory *to, const char *new_name,  \
      TF_Status *status

/* Where the directory that was opened last stood then. */
static const TF_Filesystem *opened_fs;
static char opened_path[4096];

static void open_noting(FS, const char *path, modfs_directory *directory, TF_Status *status) {
  opened_fs = fs;
  snprintf(opened_path, sizeof opened_path, "%s", path);
  good_extension.open_directory(fs, path, directory, status);
}

static void create_by_path(IN, TF_Status *status) {
  char path[sizeof opened_path + 256];
  (void)directory;
  snprintf(path, sizeof path, "%s/%s", opened_path, name);
  good.create_dir(opened_fs, path, status);
}

static void open_itself(IN, modfs_directory *opened, TF_Status *status) {
  (void)name;
  good_extension.open_subdirectory(directory, ".", opened, status);
}

static void open_forgetting(IN, modfs_directory *opened, TF_Status *status) {
  if (!malloc(16)) return;
  good_extension.open_subdirectory(directory, name, opened, status);
}

static void open_leaking(IN, modfs_directory *opened, TF_Status *status) {
  if (open("/", O_RDONLY | O_CLOEXEC) < 0) return;
  good_extension.open_subdirectory(directory, name, opened, status);
}

/* As stat does: of what a link leads to, a file. */
static void attributes_follow(IN, modfs_attributes *attributes, TF_Status *status) {
  good_extension.entry_attributes(directory, name, attributes, status);
  if (TF_GetCode(status) == TF_OK && attributes->kind == MODFS_KIND_LINK)
    attributes->kind = MODFS_KIND_FILE;
}

static void attributes_of_directory(IN, modfs_attributes *attributes, TF_Status *status) {
  (void)name;
  good_extension.entry_attributes(directory, "", attributes, status);
}

static void reader_misreports(IN, TF_RandomAccessFile *file, TF_Status *status) {
  good_extension.open_reader(directory, name, file, status);
  if (TF_GetCode(status) != TF_OK) TF_SetStatus(status, TF_NOT_FOUND, "");
}

static void writer_over(FS, IN, uint32_t flags, TF_WritableFile *file, TF_Status *status) {
  if (directory) flags &= ~(uint32_t)MODFS_OPEN_NEW;
  good_extension.open_writer(fs, directory, name, flags, file, status);
}

static void create_twice(IN, TF_Status *status) {
  good_extension.create_subdirectory(directory, name, status);
  if (TF_GetCode(status) == TF_ALREADY_EXISTS) TF_SetStatus(status, TF_OK, "");
}

static void delete_any(IN, bool is_directory, TF_Status *status) {
  good_extension.delete_entry(directory, name, is_directory, status);
  if (TF_GetCode(status) != TF_FAILED_PRECONDITION) return;
  TF_SetStatus(status, TF_OK, "");
  good_extension.delete_entry(directory, name, !is_directory, status);
}

static void rename_copies(BETWEEN) {
  good_extension.copy_entry(from, name, to, new_name, status);
}

static void copy_moves(BETWEEN) {
  good_extension.rename_entry(from, name, to, new_name, status);
}

#define KEEPING                                                                                    \
  const modfs_directory *from, const char *name, const modfs_directory *to, const char *new_name,  \
      uint64_t which, modfs_attributes *attributes, TF_Status *status

static uint64_t keeping_moves(KEEPING) {
  (void)attributes;
  good_extension.rename_entry(from, name, to, new_name, status);
  return which;
}

static uint64_t keeping_claims(KEEPING) {
  good_extension.copy_entry_keeping(from, name, to, new_name, 0, attributes, status);
  return which;
}

static uint64_t keeping_all(KEEPING) {
  const uint64_t all = MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_MTIME;
  return good_extension.copy_entry_keeping(from, name, to, new_name, all, attributes, status) &
         which;
}

static uint64_t keeping_of_copy(KEEPING) {
  uint64_t kept =
      good_extension.copy_entry_keeping(from, name, to, new_name, which, attributes, status);
  if (TF_GetCode(status) == TF_OK)
    good_extension.entry_attributes(to, new_name, attributes, status);
  return kept;
}

static uint64_t keeping_beyond(KEEPING) {
  modfs_attributes all = {.struct_size = sizeof all};
  uint64_t kept = good_extension.copy_entry_keeping(from, name, to, new_name, which, &all, status);
  if (TF_GetCode(status) == TF_OK) *attributes = all;
  return kept;
}

static uint64_t keeping_set_id(KEEPING) {
  uint64_t kept =
      good_extension.copy_entry_keeping(from, name, to, new_name, which, attributes, status);
  if (TF_GetCode(status) == TF_OK && (which & MODFS_ATTRIBUTE_MODE))
    good_extension.set_attributes(NULL, to, new_name, attributes, MODFS_ATTRIBUTE_MODE, status);
  return kept;
}

/* Links and attributes ------------------------------------------------------------------------ */

#define OF FS, const modfs_directory *directory, const char *path

/* As by ln -r. */
static void link_from_here(OF, const char *target, TF_Status *status) {
  char changed[8192];
  snprintf(changed, sizeof changed, "%s%s", *target == '/' || *target == '.' ? "" : "./", target);
  good_extension.create_link(fs, directory, path, changed, status);
}

/* As by ln -f. */
static void link_over(OF, const char *target, TF_Status *status) {
  if (!directory) good.delete_file(fs, path, status);
  TF_SetStatus(status, TF_OK, "");
  good_extension.create_link(fs, directory, path, target, status);
}

static void link_by_path(OF, const char *target, TF_Status *status) {
  (void)directory;
  good_extension.create_link(fs, NULL, path, target, status);
}

static char *read_any(OF, TF_Status *status) {
  char *target = good_extension.read_link(fs, directory, path, status);
  if (TF_GetCode(status) != TF_FAILED_PRECONDITION) return target;
  TF_SetStatus(status, TF_OK, "");
  return calloc(1, 1);
}

static char *read_forgetting(OF, TF_Status *status) {
  char *target = good_extension.read_link(fs, directory, path, status);
  return target ? strdup(target) : NULL;
}

static void get_of_the_link(FS, const char *path, modfs_attributes *attributes, TF_Status *status) {
  good_extension.lstat(fs, path, attributes, status);
}

static void get_beyond(FS, const char *path, modfs_attributes *attributes, TF_Status *status) {
  modfs_attributes all = {.struct_size = sizeof all};
  good_extension.get_attributes(fs, path, &all, status);
  if (TF_GetCode(status) == TF_OK) *attributes = all;
}

static void set_all(OF, const modfs_attributes *attributes, uint64_t which, TF_Status *status) {
  modfs_attributes all = *attributes;
  if (!(which & MODFS_ATTRIBUTE_MODE)) all.mode = 0644;
  good_extension.set_attributes(fs, directory, path, &all, which | MODFS_ATTRIBUTE_MODE, status);
}

static void set_of_the_link(OF, const modfs_attributes *attributes, uint64_t which,
                            TF_Status *status) {
  const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT},
                                    {.tv_sec = attributes->mtime_nsec / 1000000000}};
  if ((which & MODFS_ATTRIBUTE_MTIME) && !directory)
    utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
  which &= ~(uint64_t)MODFS_ATTRIBUTE_MTIME;
  good_extension.set_attributes(fs, directory, path, attributes, which, status);
}

/* As by a plugin that does not know the bit and does not refuse it. */
static void set_of_the_end(OF, const modfs_attributes *attributes, uint64_t which,
                           TF_Status *status) {
  which &= ~(uint64_t)MODFS_ATTRIBUTE_OF_LINK;
  good_extension.set_attributes(fs, directory, path, attributes, which, status);
}

static void set_none_of_writer(FS, const TF_WritableFile *file, const modfs_attributes *attributes,
                               uint64_t which, TF_Status *status) {
  (void)fs, (void)file, (void)attributes, (void)which, (void)status;
}

static void set_half_of_writer(FS, const TF_WritableFile *file, const modfs_attributes *attributes,
                               uint64_t which, TF_Status *status) {
  which &= ~(uint64_t)MODFS_ATTRIBUTE_MODE;
  good_extension.set_writer_attributes(fs, file, attributes, which, status);
}

static void lose(void) {
  char *volatile lost = malloc(24);
  (void)lost;
}

static void get_loses(FS, const char *path, modfs_attributes *attributes, TF_Status *status) {
  lose();
  good_extension.get_attributes(fs, path, attributes, status);
}

static void set_loses(OF, const modfs_attributes *attributes, uint64_t which, TF_Status *status) {
  lose();
  good_extension.set_attributes(fs, directory, path, attributes, which, status);
}

/* One buffer for every path. */
static void set_static_path(OF, const modfs_attributes *attributes, uint64_t which,
                            TF_Status *status) {
  static char copy[8192];
  strncpy(copy, path, sizeof copy - 1);
  usleep(20);
  good_extension.set_attributes(fs, directory, copy, attributes, which, status);
}

static void create_loses(const modfs_directory *directory, const char *name, TF_Status *status) {
  lose();
  good_extension.create_subdirectory(directory, name, status);
}

static void create_misreports(const modfs_directory *directory, const char *name,
                              TF_Status *status) {
  good_extension.create_subdirectory(directory, name, status);
  if (TF_GetCode(status) == TF_NOT_FOUND) TF_SetStatus(status, TF_OK, "");
}

static void set_keeping_others(OF, const char *block, size_t size, TF_Status *status) {
  size_t present = 0;
  char *old = good_extension.get_xattrs(fs, directory, path, &present, status);
  if (!old || size == 0) good_extension.set_xattrs(fs, directory, path, block, size, status);
  free(old);
}

static void set_touching(OF, const char *block, size_t size, TF_Status *status) {
  const modfs_attributes attributes = {.struct_size = sizeof attributes, .mode = 0644};
  good_extension.set_xattrs(fs, directory, path, block, size, status);
  if (TF_GetCode(status) == TF_OK)
    good_extension.set_attributes(fs, directory, path, &attributes, MODFS_ATTRIBUTE_MODE, status);
}

static char *get_hiding(OF, size_t *size, TF_Status *status) {
  char *block = good_extension.get_xattrs(fs, directory, path, size, status);
  TF_SetStatus(status, TF_OK, "");
  return block;
}

static char *get_through(OF, size_t *size, TF_Status *status) {
  char way[64];
  int fd = directory ? -1 : open(path, O_PATH | O_CLOEXEC);
  if (fd < 0) return good_extension.get_xattrs(fs, directory, path, size, status);
  snprintf(way, sizeof way, "/proc/self/fd/%d", fd);
  return good_extension.get_xattrs(fs, NULL, way, size, status);
}

static char *get_losing(OF, size_t *size, TF_Status *status) {
  lose();
  return good_extension.get_xattrs(fs, directory, path, size, status);
}

static void set_of_directory(OF, const char *block, size_t size, TF_Status *status) {
  if (directory) path = "";
  good_extension.set_xattrs(fs, directory, path, block, size, status);
}

static char *get_none_of_links(OF, size_t *size, TF_Status *status) {
  struct stat info;
  if (!directory && lstat(path, &info) == 0 && S_ISLNK(info.st_mode)) return NULL;
  return good_extension.get_xattrs(fs, directory, path, size, status);
}

static void space_beyond(FS, const char *path, modfs_space *space, TF_Status *status) {
  size_t size = space->struct_size;
  space->struct_size = sizeof *space;
  good_extension.get_space(fs, path, space, status);
  space->struct_size = size;
}

bool entry_fault_apply(faulty_tables *t, const char *name) {
  modfs_extension_ops *ops = t->extension;
  ON("subdirectory.itself", ops->open_subdirectory = open_itself)
  ON("subdirectory.forgets", ops->open_subdirectory = open_forgetting)
  ON("subdirectory.leaks", ops->open_subdirectory = open_leaking)
  ON("subdirectory.twice", ops->create_subdirectory = create_twice)
  ON("subdirectory.by.path", ops->open_directory = open_noting;
     ops->create_subdirectory = create_by_path)
  ON("entry.of.directory", ops->entry_attributes = attributes_of_directory)
  ON("entry.follows", ops->entry_attributes = attributes_follow)
  ON("reader.misreports", ops->open_reader = reader_misreports)
  ON("writer.over", ops->open_writer = writer_over)
  ON("entry.delete.any", ops->delete_entry = delete_any)
  ON("entry.rename.copies", ops->rename_entry = rename_copies)
  ON("entry.copy.moves", ops->copy_entry = copy_moves)
  ON("entry.keeping.moves", ops->copy_entry_keeping = keeping_moves)
  ON("entry.keeping.claims", ops->copy_entry_keeping = keeping_claims)
  ON("entry.keeping.all", ops->copy_entry_keeping = keeping_all)
  ON("entry.keeping.of.copy", ops->copy_entry_keeping = keeping_of_copy)
  ON("entry.keeping.beyond", ops->copy_entry_keeping = keeping_beyond)
  ON("entry.keeping.set.id", ops->copy_entry_keeping = keeping_set_id)
  ON("link.from.here", ops->create_link = link_from_here)
  ON("link.over", ops->create_link = link_over)
  ON("link.by.path", ops->create_link = link_by_path)
  ON("link.reads.any", ops->read_link = read_any)
  ON("link.forgets", ops->read_link = read_forgetting)
  ON("attributes.of.the.link", ops->get_attributes = get_of_the_link)
  ON("attributes.beyond", ops->get_attributes = get_beyond)
  ON("attributes.set.all", ops->set_attributes = set_all)
  ON("attributes.lose", ops->get_attributes = get_loses)
  ON("attributes.set.loses", ops->set_attributes = set_loses)
  ON("attributes.static.path", ops->set_attributes = set_static_path)
  ON("subdirectory.loses", ops->create_subdirectory = create_loses)
  ON("subdirectory.misreports", ops->create_subdirectory = create_misreports)
  ON("attributes.set.of.the.link", ops->set_attributes = set_of_the_link)
  ON("attributes.set.of.the.end", ops->set_attributes = set_of_the_end)
  ON("xattrs.keep.others", ops->set_xattrs = set_keeping_others)
  ON("xattrs.touch", ops->set_xattrs = set_touching)
  ON("xattrs.hide", ops->get_xattrs = get_hiding)
  ON("xattrs.open", ops->get_xattrs = get_through)
  ON("xattrs.lose", ops->get_xattrs = get_losing)
  ON("xattrs.of.directory", ops->set_xattrs = set_of_directory)
  ON("xattrs.none.of.links", ops->get_xattrs = get_none_of_links)
  ON("space.beyond", ops->get_space = space_beyond)
  ON("attributes.of.writer.none", ops->set_writer_attributes = set_none_of_writer)
  ON("attributes.of.writer.half", ops->set_writer_attributes = set_half_of_writer)
  return false;
}
