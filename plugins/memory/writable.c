#include "writable.h"

#include "../common/located/located.h"
#include "filesystem.h"
#include "node.h"
#include "place.h"
#include "scope.h"
#include "transaction.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

struct memory_writable {
  struct memory_node *node;
  struct memory_transaction *transaction; /* that it was opened in, or NULL */
  size_t position;
  bool closed;
  bool is_atomic; /* gets its name when it is closed */
  bool is_new;    /* for an atomic one: the name must not exist */
  const TF_Filesystem *filesystem;
  char *path;              /* of an atomic one: without links */
  modfs_attributes wanted; /* set when it is closed, as far as they are in: */
  uint64_t which;
};

static void writable_bind(struct memory_writable *self, const struct memory_place *place) {
  self->node = memory_node_share(place->node);
  self->position = memory_node_length(place->node);
  if (place->scope) self->transaction = memory_transaction_share(place->scope->transaction);
}

static memory_error open_new(struct memory_place *place, void *context) {
  if (place->node && place->node->directory) return MEMORY_IS_DIRECTORY;
  memory_error error = memory_place_prepare(place);
  if (error) return error;
  struct memory_node *node = memory_node_new_file(place->filesystem, memory_place_owner(place));
  if (!node) return MEMORY_NO_MEMORY;
  if (place->node) memory_node_inherit(node, place->node);
  memory_place_link(place, node);
  writable_bind(context, place);
  return MEMORY_OK;
}

/* A transaction appends to its own version of the file. */
static memory_error open_own(struct memory_place *place, void *context) {
  struct memory_node *node;
  memory_error error = memory_place_prepare(place);
  if (!error) error = memory_node_clone(place->node, memory_place_owner(place), &node);
  if (error) return error;
  memory_place_link(place, node);
  writable_bind(context, place);
  return MEMORY_OK;
}

static memory_error open_end(struct memory_place *place, void *context) {
  if (!place->node) return open_new(place, context);
  if (place->node->directory) return MEMORY_IS_DIRECTORY;
  if (place->scope && place->node->owner != memory_place_owner(place))
    return open_own(place, context);
  writable_bind(context, place);
  return MEMORY_OK;
}

static void writable_free(struct memory_writable *self) {
  if (self) free(self->path);
  free(self);
}

static struct memory_writable *writable_alloc(const TF_Filesystem *filesystem, const char *path) {
  struct memory_writable *self = calloc(1, sizeof(*self));
  if (!self) return NULL;
  self->filesystem = filesystem;
  self->path = strdup(path);
  if (self->path) return self;
  writable_free(self);
  return NULL;
}

/* Gives self, which may be NULL, to the file, or frees it on failure. follows: a link at the path. */
static void writable_open(struct memory_writable *self, bool follows, memory_change change,
                          TF_WritableFile *file, TF_Status *status) {
  memory_error error = MEMORY_NO_MEMORY;
  if (self) error = memory_place_change(self->filesystem, self->path, follows, change, self);
  if (self && self->is_atomic && follows)
    error = memory_tree_blame_link(memory_filesystem_of(self->filesystem), self->path, error);
  if (error)
    writable_free(self);
  else
    file->plugin_file = self;
  memory_error_report(error, status);
}

void memory_fs_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                                 TF_WritableFile *file, TF_Status *status) {
  writable_open(writable_alloc(filesystem, path), true, open_new, file, status);
}

void memory_fs_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                                   TF_WritableFile *file, TF_Status *status) {
  writable_open(writable_alloc(filesystem, path), true, open_end, file, status);
}

/* By flags ------------------------------------------------------------------- */

static memory_error open_only_new(struct memory_place *place, void *context) {
  return place->node ? MEMORY_EXISTS : open_new(place, context);
}

static memory_error check_room(const struct memory_place *place,
                               const struct memory_writable *self) {
  if (place->node && self->is_new) return MEMORY_EXISTS;
  if (place->node && place->node->is_link) return MEMORY_VIA_LINK;
  return place->node && place->node->directory ? MEMORY_IS_DIRECTORY : MEMORY_OK;
}

/* The file is to be named where the links on its way lead now. */
static memory_error keep_place(struct memory_writable *self, const struct memory_place *place) {
  if (!place->route.path) return MEMORY_OK;
  if (!place->node && place->route.leads) return MEMORY_BROKEN_LINK;
  char *path = strdup(place->route.path);
  if (!path) return MEMORY_NO_MEMORY;
  free(self->path);
  self->path = path;
  return MEMORY_OK;
}

/* The file has no name until it is closed. */
static memory_error open_apart(struct memory_place *place, void *context) {
  struct memory_writable *self = context;
  memory_error error = check_room(place, self);
  if (!error) error = keep_place(self, place);
  if (error) return error;
  self->node = memory_node_new_file(place->filesystem, memory_place_owner(place));
  if (!self->node) return MEMORY_NO_MEMORY;
  if (place->scope) self->transaction = memory_transaction_share(place->scope->transaction);
  return MEMORY_OK;
}

/* Names the file, in the transaction that covers the path now. */
static memory_error take_place(struct memory_place *place, void *context) {
  const struct memory_writable *self = context;
  memory_error error = check_room(place, self);
  if (!error) error = memory_place_prepare(place);
  if (!error && place->node) memory_node_inherit(self->node, place->node);
  if (!error) memory_node_set_attributes(self->node, &self->wanted, self->which);
  if (!error) memory_place_link(place, memory_node_share(self->node));
  return error;
}

static void open_atomic(const TF_Filesystem *filesystem, const char *path, bool is_new,
                        TF_WritableFile *file, TF_Status *status) {
  struct memory_writable *self = writable_alloc(filesystem, path);
  if (self) {
    self->is_atomic = true;
    self->is_new = is_new;
  }
  writable_open(self, !is_new, open_apart, file, status);
}

/* Ignores MODFS_OPEN_DURABLE: content in memory cannot become more durable. */
void memory_fs_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                           const char *path, uint32_t flags, TF_WritableFile *file,
                           TF_Status *status) {
  bool is_new = (flags & MODFS_OPEN_NEW) != 0;
  if (directory)
    TF_SetStatus(status, TF_UNIMPLEMENTED, "files can only be opened by path");
  else if (flags & MODFS_OPEN_ATOMIC)
    open_atomic(filesystem, path, is_new, file, status);
  else
    writable_open(writable_alloc(filesystem, path), !is_new, is_new ? open_only_new : open_new,
                  file, status);
}

/* Operations on files -------------------------------------------------------- */

static void writable_cleanup(TF_WritableFile *file) {
  struct memory_writable *self = file->plugin_file;
  if (!self) return;
  memory_transaction_release(self->transaction);
  memory_node_release(self->node);
  writable_free(self);
  file->plugin_file = NULL;
}

static void report(const struct memory_writable *self, memory_error error, TF_Status *status) {
  memory_error_report(error, status);
  if (error) located_fail(status, self->path);
}

static memory_error check_writable(const struct memory_writable *self) {
  if (self->closed) return MEMORY_CLOSED;
  return self->transaction && atomic_load(&self->transaction->aborted) ? MEMORY_ABORTED : MEMORY_OK;
}

static void writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                            TF_Status *status) {
  struct memory_writable *self = file->plugin_file;
  memory_error error = check_writable(self);
  if (!error) error = memory_node_append(self->node, buffer, n, &self->position);
  report(self, error, status);
}

static int64_t writable_tell(const TF_WritableFile *file, TF_Status *status) {
  const struct memory_writable *self = file->plugin_file;
  if (!self->closed) return (int64_t)self->position;
  report(self, MEMORY_CLOSED, status);
  return -1;
}

/* Nothing is buffered, and nothing can become more durable: the same for flush and sync. */
static void writable_flush(const TF_WritableFile *file, TF_Status *status) {
  const struct memory_writable *self = file->plugin_file;
  report(self, check_writable(self), status);
}

void memory_fs_set_writer_attributes(const TF_Filesystem *filesystem, const TF_WritableFile *file,
                                     const modfs_attributes *attributes, uint64_t which,
                                     TF_Status *status) {
  (void)filesystem;
  struct memory_writable *self = file->plugin_file;
  memory_error error = check_writable(self);
  if (!error && (which & ~(uint64_t)MEMORY_SETTABLE)) error = MEMORY_NO_ATTRIBUTE;
  if (!error) {
    if (which & MODFS_ATTRIBUTE_MODE) self->wanted.mode = attributes->mode;
    if (which & MODFS_ATTRIBUTE_MTIME) self->wanted.mtime_nsec = attributes->mtime_nsec;
    if (which & MODFS_ATTRIBUTE_ATIME) self->wanted.atime_nsec = attributes->atime_nsec;
    self->which |= which;
  }
  report(self, error, status);
}

static void writable_close(const TF_WritableFile *file, TF_Status *status) {
  struct memory_writable *self = file->plugin_file;
  memory_error error = self->closed || self->is_atomic ? check_writable(self) : MEMORY_OK;
  if (!self->closed && !self->is_atomic)
    memory_node_set_attributes(self->node, &self->wanted, self->which);
  self->closed = true;
  if (!error && self->is_atomic)
    error = memory_place_change(self->filesystem, self->path, false, take_place, self);
  report(self, error, status);
}

const TF_WritableFileOps memory_writable_ops = {writable_cleanup, writable_append, writable_tell,
                                                writable_flush,   writable_flush,  writable_close};
