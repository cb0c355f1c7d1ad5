/* Open directories: the calls by handles, and the checks for both forms (by paths:
 * default_directory.c).
 *
 * A fs_directory is open from a successful open to its close, which is called once. It owns the
 * plugin's handle, or its path. There is no lock: several threads may work on entries of one
 * directory at a time, but its listing is for one of them (tree_handles.c counts the users). */
#include "directory.h"

#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "core/base/interruption.h"
#include "core/base/status.h"

/* By handles ----------------------------------------------------------------- */

void directory_open_name(const modfs_fs *fs, const char *name, modfs_directory *handle,
                         TF_Status *status) {
  fs->extension.open_directory(&fs->handle, name, handle, status);
}

void directory_open_handle(const modfs_fs *fs, const char *path, modfs_directory *handle,
                           TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  if (name) directory_open_name(fs, name, handle, status);
  fs_free_name(fs, path, name);
}

void directory_close_handle(const modfs_fs *fs, modfs_directory *handle) {
  fs->extension.close_directory(handle);
}

static void handle_open(fs_directory *self, const char *path, TF_Status *status) {
  directory_open_handle(self->fs, path, &self->handle, status);
}

static void handle_open_below(const fs_directory *parent, const char *name, fs_directory *self,
                              TF_Status *status) {
  parent->fs->extension.open_subdirectory(&parent->handle, name, &self->handle, status);
}

static void handle_start(fs_directory *self, TF_Status *status) {
  (void)self, (void)status;
}

static modfs_directory *handle_iteration(fs_directory *self) {
  return &self->handle;
}

static void handle_close(fs_directory *self) {
  directory_close_handle(self->fs, &self->handle);
}

static void handle_attributes(const fs_directory *self, const char *name,
                              modfs_attributes *attributes, TF_Status *status) {
  self->fs->extension.entry_attributes(&self->handle, name, attributes, status);
  if (status_ok(status)) fs_check_attributes(self->fs, "entry_attributes", attributes, status);
  if (!status_ok(status)) *attributes = (modfs_attributes){.struct_size = sizeof *attributes};
}

static modfs_file *handle_reader(const fs_directory *self, const char *name, const char *shown,
                                 TF_Status *status) {
  return file_open_entry(self->fs, &self->handle, name, shown, status);
}

static void handle_create(const fs_directory *self, const char *name, TF_Status *status) {
  self->fs->extension.create_subdirectory(&self->handle, name, status);
}

static void handle_remove(const fs_directory *self, const char *name, bool is_directory,
                          TF_Status *status) {
  self->fs->extension.delete_entry(&self->handle, name, is_directory, status);
}

static void handle_set(const fs_directory *self, const char *name, const fs_wanted *wanted,
                       TF_Status *status) {
  fs_wanted others = *wanted;
  others.which &= ~(uint64_t)MODFS_ATTRIBUTE_OF_LINK;
  fs_set_attributes(self->fs, &self->handle, name, &others, status);
}

static fs_xattrs handle_xattrs(const fs_directory *self, const char *name, TF_Status *status) {
  return fs_get_xattrs(self->fs, &self->handle, name, status);
}

static void handle_set_xattrs(const fs_directory *self, const char *name, const fs_xattrs *xattrs,
                              TF_Status *status) {
  fs_set_xattrs(self->fs, &self->handle, name, xattrs, status);
}

static void handle_link(const fs_directory *self, const char *name, const char *target,
                        TF_Status *status) {
  fs_create_link(self->fs, &self->handle, name, target, status);
}

static char *handle_read_link(const fs_directory *self, const char *name, TF_Status *status) {
  return fs_read_link(self->fs, &self->handle, name, status);
}

const directory_ops directory_by_handle = {
    .open = handle_open,
    .open_below = handle_open_below,
    .start = handle_start,
    .iteration = handle_iteration,
    .close = handle_close,
    .attributes = handle_attributes,
    .reader = handle_reader,
    .create = handle_create,
    .remove = handle_remove,
    .set = handle_set,
    .xattrs = handle_xattrs,
    .set_xattrs = handle_set_xattrs,
    .link = handle_link,
    .read_link = handle_read_link,
};

/* Either way ----------------------------------------------------------------- */

void directory_open(const modfs_fs *fs, const char *path, fs_directory *self, TF_Status *status) {
  *self = (fs_directory){.fs = fs, .ops = fs->directories};
  status_clear(status);
  self->ops->open(self, path, status);
}

void directory_open_below(const fs_directory *parent, const char *name, fs_directory *self,
                          TF_Status *status) {
  *self = (fs_directory){.fs = parent->fs, .ops = parent->ops};
  status_clear(status);
  self->ops->open_below(parent, name, self, status);
}

void directory_close(fs_directory *self) {
  free(self->block);
  self->ops->close(self);
}

bool directory_is_path(const modfs_fs *fs) {
  return fs->directories == &directory_by_path;
}

void directory_start(fs_directory *self, TF_Status *status) {
  status_clear(status);
  self->ops->start(self, status);
}

static bool is_name(const char *name) {
  if (*name != '.') return *name != '\0';
  return name[1] != '\0' && (name[1] != '.' || name[2] != '\0');
}

static void breach_name(const modfs_fs *fs, const char *slot, const char *name, TF_Status *status) {
  fs_breach(fs, status, "%s returned the name \"%s\"", slot, name ? name : "NULL");
}

static int known_kind(int kind) {
  return kind >= MODFS_KIND_UNKNOWN && kind <= MODFS_KIND_OTHER ? kind : MODFS_KIND_UNKNOWN;
}

size_t directory_fill(const modfs_fs *fs, const modfs_directory *handle, char *block, size_t size,
                      TF_Status *status) {
  status_clear(status);
  if (interruption_ends(status)) return 0;
  size_t used = fs->extension.next_entries(handle, block, size, status);
  if (!status_ok(status) || used == 0) return 0;
  if (used <= size && block[used - 1] == '\0' && !memchr(block, '/', used)) return used;
  if (used > size)
    fs_breach(fs, status, "next_entries stored %zu bytes in a block of %zu", used, size);
  else if (block[used - 1] != '\0')
    fs_breach(fs, status, "next_entries returned a name that does not end");
  else
    fs_breach(fs, status, "next_entries returned a name with a slash");
  return 0;
}

static inline size_t unpack(const modfs_fs *fs, char *packed, size_t size, modfs_entry *entry,
                            TF_Status *status) {
  size_t length = size > 1 ? strlen(packed + 1) : 0;
  if (length > 0 && is_name(packed + 1)) {
    *entry = (modfs_entry){packed + 1, known_kind(*packed)};
    return length + 2;
  }
  breach_name(fs, "next_entries", length > 0 ? packed + 1 : "", status);
  return 0;
}

size_t directory_unpack(const modfs_fs *fs, char *packed, size_t size, modfs_entry *entry,
                        TF_Status *status) {
  return unpack(fs, packed, size, entry, status);
}

static directory_block *block_new(TF_Status *status) {
  directory_block *block = malloc(sizeof *block);
  if (block)
    block->next = block->filled = 0;
  else
    status_no_memory(status);
  return block;
}

/* The block is freed as soon as no entry is left in it. */
static bool next_of_block(fs_directory *self, modfs_entry *entry, TF_Status *status) {
  directory_block *block = self->block;
  size_t left = block->filled - block->next, taken = 0;
  if (left == 0) {
    block->next = 0;
    left = block->filled = directory_fill(self->fs, self->ops->iteration(self), block->bytes,
                                          sizeof block->bytes, status);
  }
  if (left > 0) taken = unpack(self->fs, block->bytes + block->next, left, entry, status);
  block->next += taken;
  if (taken > 0) return true;
  free(block);
  self->block = NULL;
  return false;
}

static bool next_by_itself(fs_directory *self, modfs_entry *entry, TF_Status *status) {
  modfs_directory_entry raw = {NULL, MODFS_KIND_UNKNOWN};
  if (interruption_ends(status)) return false;
  bool more = self->fs->extension.next_entry(self->ops->iteration(self), &raw, status);
  if (!status_ok(status) || !more) return false;
  if (!raw.name || strchr(raw.name, '/') || !is_name(raw.name)) {
    breach_name(self->fs, "next_entry", raw.name, status);
    return false;
  }
  *entry = (modfs_entry){raw.name, known_kind(raw.kind)};
  return true;
}

bool directory_next(fs_directory *self, modfs_entry *entry, TF_Status *status) {
  status_clear(status);
  if (!self->fs->lists_in_blocks) return next_by_itself(self, entry, status);
  if (!self->block) self->block = block_new(status);
  return self->block && next_of_block(self, entry, status);
}

void directory_attributes(const fs_directory *self, const char *name, modfs_attributes *attributes,
                          TF_Status *status) {
  *attributes = (modfs_attributes){.struct_size = sizeof *attributes};
  status_clear(status);
  self->ops->attributes(self, name, attributes, status);
}

void directory_identity(const fs_directory *self, uint64_t *device, uint64_t *inode,
                        TF_Status *status) {
  modfs_attributes attributes = {.device = 0};
  status_clear(status);
  if (self->ops == &directory_by_handle) directory_attributes(self, "", &attributes, status);
  *device = attributes.device;
  *inode = attributes.inode;
}

modfs_file *directory_reader(const fs_directory *self, const char *name, const char *shown,
                             TF_Status *status) {
  status_clear(status);
  return self->ops->reader(self, name, shown, status);
}

void directory_create(const fs_directory *self, const char *name, TF_Status *status) {
  status_clear(status);
  self->ops->create(self, name, status);
}

void directory_delete(const fs_directory *self, const char *name, bool is_directory,
                      TF_Status *status) {
  status_clear(status);
  self->ops->remove(self, name, is_directory, status);
}

void directory_set(const fs_directory *self, const char *name, const fs_wanted *wanted,
                   TF_Status *status) {
  status_clear(status);
  self->ops->set(self, name, wanted, status);
}

fs_xattrs directory_xattrs(const fs_directory *self, const char *name, TF_Status *status) {
  status_clear(status);
  return self->ops->xattrs(self, name, status);
}

void directory_set_xattrs(const fs_directory *self, const char *name, const fs_xattrs *xattrs,
                          TF_Status *status) {
  status_clear(status);
  self->ops->set_xattrs(self, name, xattrs, status);
}

void directory_link(const fs_directory *self, const char *name, const char *target,
                    TF_Status *status) {
  status_clear(status);
  self->ops->link(self, name, target, status);
}

char *directory_read_link(const fs_directory *self, const char *name, TF_Status *status) {
  status_clear(status);
  return self->ops->read_link(self, name, status);
}

/* The new link takes the old one's name; it is deleted if it cannot. */
static void relink_in_one_step(const fs_directory *self, const char *name, const char *temporary,
                               TF_Status *status) {
  const modfs_directory *at = &self->handle;
  self->fs->extension.rename_entry(at, temporary, at, name, status);
  TF_Status *ignored = status_ok(status) ? NULL : TF_NewStatus();
  if (ignored) directory_delete(self, temporary, false, ignored);
  TF_DeleteStatus(ignored);
}

void directory_relink(const fs_directory *self, const char *name, const char *target,
                      const char *temporary, TF_Status *status) {
  if (temporary) {
    directory_link(self, temporary, target, status);
    if (status_ok(status)) relink_in_one_step(self, name, temporary, status);
  } else {
    directory_delete(self, name, false, status);
    if (status_ok(status)) directory_link(self, name, target, status);
  }
}

bool directory_can_copy(const fs_directory *from, const fs_directory *to) {
  return from->fs == to->fs && from->ops == &directory_by_handle && to->ops == &directory_by_handle;
}

void directory_copy(const fs_directory *from, const fs_directory *to, const char *name,
                    TF_Status *status) {
  status_clear(status);
  from->fs->extension.copy_entry(&from->handle, name, &to->handle, name, status);
}

void directory_copy_keeping(const fs_directory *from, const fs_directory *to, const char *name,
                            fs_wanted *wanted, TF_Status *status) {
  const modfs_fs *fs = from->fs;
  modfs_attributes *own = &wanted->attributes;
  *own = (modfs_attributes){.struct_size = sizeof *own};
  status_clear(status);
  uint64_t kept = fs->extension.copy_entry_keeping(&from->handle, name, &to->handle, name,
                                                   wanted->which, own, status);
  if (status_ok(status)) fs_check_attributes(fs, "copy_entry_keeping", own, status);
  if (status_ok(status) && own->kind != MODFS_KIND_FILE)
    fs_breach(fs, status, "copy_entry_keeping returned those of no file");
  else if (status_ok(status) && (kept & ~wanted->which))
    fs_breach(fs, status, "copy_entry_keeping kept more than it was to");
  wanted->which &= ~kept;
}
