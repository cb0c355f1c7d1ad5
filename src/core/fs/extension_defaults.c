/* Completes the slots of the extension that a plugin leaves empty, once, at load. Where the core
 * works differently without a slot, a flag of modfs_fs records that: tells_links, may_have_links,
 * has_links, readers_tell, keeps_xattrs, sets_attributes, lists_in_blocks, copies_keep, joins,
 * directories, anew. */
#include <stdlib.h>

#include "directory.h"
#include "fs_defaults.h"
#include "core/base/status.h"

/* Iteration over the complete list of names ---------------------------------- */

typedef struct name_list {
  modfs_string_list names;
  size_t next;
} name_list;

static void default_open_directory(const TF_Filesystem *filesystem, const char *path,
                                   modfs_directory *directory, TF_Status *status) {
  name_list *list = calloc(1, sizeof *list);
  if (!list) {
    status_no_memory(status);
    return;
  }
  fs_children(fs_of(filesystem), path, &list->names, status);
  if (status_ok(status))
    directory->plugin_directory = list;
  else
    free(list);
}

static bool default_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                               TF_Status *status) {
  name_list *list = directory->plugin_directory;
  (void)status;
  if (list->next == list->names.count) return false;
  *entry = (modfs_directory_entry){list->names.items[list->next++], MODFS_KIND_UNKNOWN};
  return true;
}

static size_t refuse_next_entries(const modfs_directory *directory, char *block, size_t size,
                                  TF_Status *status) {
  (void)directory, (void)block, (void)size;
  TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin does not list entries in blocks");
  return 0;
}

static void default_close_directory(modfs_directory *directory) {
  name_list *list = directory->plugin_directory;
  modfs_string_list_fini(&list->names);
  free(list);
}

/* Entries of an open directory: by paths, in default_directory.c --------------- */

static void refuse_handles(TF_Status *status) {
  TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin does not support directory handles");
}

static void refuse_open_subdirectory(const modfs_directory *parent, const char *name,
                                     modfs_directory *directory, TF_Status *status) {
  (void)parent, (void)name, (void)directory;
  refuse_handles(status);
}

static void refuse_entry_attributes(const modfs_directory *directory, const char *name,
                                    modfs_attributes *attributes, TF_Status *status) {
  (void)directory, (void)name, (void)attributes;
  refuse_handles(status);
}

static void refuse_open_reader(const modfs_directory *directory, const char *name,
                               TF_RandomAccessFile *file, TF_Status *status) {
  (void)directory, (void)name, (void)file;
  refuse_handles(status);
}

static void refuse_create_subdirectory(const modfs_directory *directory, const char *name,
                                       TF_Status *status) {
  (void)directory, (void)name;
  refuse_handles(status);
}

static void refuse_delete_entry(const modfs_directory *directory, const char *name,
                                bool is_directory, TF_Status *status) {
  (void)directory, (void)name, (void)is_directory;
  refuse_handles(status);
}

static void refuse_two_entries(const modfs_directory *from, const char *name,
                               const modfs_directory *to, const char *new_name, TF_Status *status) {
  (void)from, (void)name, (void)to, (void)new_name;
  refuse_handles(status);
}

static uint64_t refuse_copy_entry_keeping(const modfs_directory *from, const char *name,
                                          const modfs_directory *to, const char *new_name,
                                          uint64_t which, modfs_attributes *attributes,
                                          TF_Status *status) {
  (void)from, (void)name, (void)to, (void)new_name, (void)which, (void)attributes;
  TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin does not copy files with their attributes");
  return 0;
}

/* The others ------------------------------------------------------------------ */

static void refuse_abort_transaction(const TF_Filesystem *filesystem, TF_TransactionToken *token,
                                     TF_Status *status) {
  (void)filesystem, (void)token;
  TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin does not support aborting a transaction");
}

static void default_create_private_dir(const TF_Filesystem *filesystem, const char *path,
                                       TF_Status *status) {
  fs_create_dir(fs_of(filesystem), path, status);
}

void default_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                         const char *path, uint32_t flags, TF_WritableFile *file,
                         TF_Status *status) {
  if (directory || (flags & (MODFS_OPEN_ATOMIC | MODFS_OPEN_DURABLE)))
    TF_SetStatus(status, TF_UNIMPLEMENTED,
                 "the plugin does not support atomic replacement of a file");
  else
    fs_of(filesystem)->tables.fs.new_writable_file(filesystem, path, file, status);
}

static void refuse_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                                  const char *path, const modfs_attributes *attributes,
                                  uint64_t which, TF_Status *status) {
  (void)directory, (void)path, (void)attributes, (void)which;
  modfs_set_status(status, TF_UNIMPLEMENTED, "%s:// cannot set times or permissions",
                   modfs_fs_scheme(fs_of(filesystem)));
}

static void refuse_set_writer_attributes(const TF_Filesystem *filesystem,
                                         const TF_WritableFile *file,
                                         const modfs_attributes *attributes, uint64_t which,
                                         TF_Status *status) {
  (void)filesystem, (void)file, (void)attributes, (void)which;
  TF_SetStatus(status, TF_UNIMPLEMENTED,
               "the plugin does not support attributes of a file that is being written");
}

static void refuse_links(const TF_Filesystem *filesystem, TF_Status *status) {
  modfs_set_status(status, TF_UNIMPLEMENTED, "%s:// has no symbolic links",
                   modfs_fs_scheme(fs_of(filesystem)));
}

static void refuse_create_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                               const char *path, const char *target, TF_Status *status) {
  (void)directory, (void)path, (void)target;
  refuse_links(filesystem, status);
}

static char *refuse_read_link(const TF_Filesystem *filesystem, const modfs_directory *directory,
                              const char *path, TF_Status *status) {
  (void)directory, (void)path;
  refuse_links(filesystem, status);
  return NULL;
}

static char *refuse_stored_hash(const TF_Filesystem *filesystem, const char *path,
                                const char *algorithm, TF_Status *status) {
  (void)path;
  modfs_set_status(status, TF_UNIMPLEMENTED, "%s:// keeps no \"%.32s\" of a file",
                   modfs_fs_scheme(fs_of(filesystem)), algorithm);
  return NULL;
}

static char *refuse_presign(const TF_Filesystem *filesystem, const char *path, const char *method,
                            uint64_t seconds, TF_Status *status) {
  (void)path, (void)method, (void)seconds;
  modfs_set_status(status, TF_UNIMPLEMENTED, "%s:// cannot sign URLs",
                   modfs_fs_scheme(fs_of(filesystem)));
  return NULL;
}

static void refuse_reader_attributes(const TF_Filesystem *filesystem,
                                     const TF_RandomAccessFile *file, modfs_attributes *attributes,
                                     TF_Status *status) {
  (void)filesystem, (void)file, (void)attributes;
  TF_SetStatus(status, TF_UNIMPLEMENTED, "the plugin does not report attributes of an open file");
}

static void ignore_interruption(const TF_Filesystem *filesystem, modfs_interrupted *interrupted) {
  (void)filesystem, (void)interrupted;
}

static void refuse_xattrs(const TF_Filesystem *filesystem, TF_Status *status) {
  modfs_set_status(status, TF_UNIMPLEMENTED, "%s:// has no extended attributes",
                   modfs_fs_scheme(fs_of(filesystem)));
}

static char *refuse_get_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                               const char *path, size_t *size, TF_Status *status) {
  (void)directory, (void)path, (void)size;
  refuse_xattrs(filesystem, status);
  return NULL;
}

static void refuse_set_xattrs(const TF_Filesystem *filesystem, const modfs_directory *directory,
                              const char *path, const char *block, size_t size, TF_Status *status) {
  (void)directory, (void)path, (void)block, (void)size;
  refuse_xattrs(filesystem, status);
}

static void refuse_get_space(const TF_Filesystem *filesystem, const char *path, modfs_space *space,
                             TF_Status *status) {
  (void)path, (void)space;
  modfs_set_status(status, TF_UNIMPLEMENTED, "%s:// does not report how much room it has",
                   modfs_fs_scheme(fs_of(filesystem)));
}

static void ignore_host(const TF_Filesystem *filesystem, const modfs_host *host) {
  (void)filesystem, (void)host;
}

/* Settling -------------------------------------------------------------------- */

#define SETTLE(fs, slot, filler, origin)                                                           \
  do {                                                                                             \
    size_t index_ = TABLES_EXTENSION_INDEX(slot);                                                  \
    (fs)->extension_origins[index_] = (fs)->extension.slot ? "plugin" : (origin);                  \
    if (!(fs)->extension.slot) (fs)->extension.slot = (filler);                                    \
  } while (0)

void extension_settle(modfs_fs *fs) {
  const modfs_extension_ops *extension = &fs->extension;
  bool publishes = extension->open_writer && (extension->deviations & MODFS_SHOWN_AT_CLOSE);
  fs->anew = publishes ? MODFS_OPEN_ATOMIC : 0;
  fs->tells_links = extension->lstat != NULL;
  bool knows_links = extension->struct_size > offsetof(modfs_extension_ops, read_link);
  fs->may_have_links =
      fs->tells_links && (!knows_links || extension->create_link || extension->read_link);
  fs->has_links = fs->tells_links && extension->create_link && extension->read_link;
  fs->readers_tell = extension->reader_attributes != NULL;
  fs->keeps_xattrs = extension->set_xattrs != NULL;
  fs->sets_attributes = extension->set_attributes || extension->set_writer_attributes;
  fs->joins = extension->accept_host != NULL;
  fs->lists_in_blocks = extension->next_entries != NULL;
  fs->copies_keep = extension->copy_entry_keeping != NULL;
  fs->directories = extension->open_subdirectory ? &directory_by_handle : &directory_by_path;
  SETTLE(fs, open_directory, default_open_directory, "default");
  SETTLE(fs, next_entry, default_next_entry, "default");
  SETTLE(fs, close_directory, default_close_directory, "default");
  SETTLE(fs, lstat, default_lstat, "default");
  SETTLE(fs, abort_transaction, refuse_abort_transaction, "missing");
  SETTLE(fs, create_private_dir, default_create_private_dir, "default");
  SETTLE(fs, open_writer, default_open_writer, "default");
  SETTLE(fs, open_subdirectory, refuse_open_subdirectory, "missing");
  SETTLE(fs, entry_attributes, refuse_entry_attributes, "missing");
  SETTLE(fs, open_reader, refuse_open_reader, "missing");
  SETTLE(fs, create_subdirectory, refuse_create_subdirectory, "missing");
  SETTLE(fs, delete_entry, refuse_delete_entry, "missing");
  SETTLE(fs, rename_entry, refuse_two_entries, "missing");
  SETTLE(fs, copy_entry, refuse_two_entries, "missing");
  SETTLE(fs, get_attributes, default_get_attributes, "default");
  SETTLE(fs, set_attributes, refuse_set_attributes, "missing");
  SETTLE(fs, create_link, refuse_create_link, "missing");
  SETTLE(fs, read_link, refuse_read_link, "missing");
  SETTLE(fs, set_writer_attributes, refuse_set_writer_attributes, "missing");
  SETTLE(fs, stored_hash, refuse_stored_hash, "missing");
  SETTLE(fs, reader_attributes, refuse_reader_attributes, "missing");
  SETTLE(fs, accept_interruption, ignore_interruption, "missing");
  SETTLE(fs, get_xattrs, refuse_get_xattrs, "missing");
  SETTLE(fs, set_xattrs, refuse_set_xattrs, "missing");
  SETTLE(fs, get_space, refuse_get_space, "missing");
  SETTLE(fs, accept_host, ignore_host, "missing");
  SETTLE(fs, presign, refuse_presign, "missing");
  SETTLE(fs, next_entries, refuse_next_entries, "missing");
  SETTLE(fs, copy_entry_keeping, refuse_copy_entry_keeping, "missing");
}
