/* A file opened for writing. It is in one of three states: open; closed; or closed with its upload handed to
 * its transaction (upload is NULL).
 *
 * Attributes that are set before the first part is sent go with the upload, and cost no request. Later ones
 * are `late`, and set once the object is there.
 *
 * close publishes. cleanup without close publishes as well, because TensorFlow does not close files that are
 * dropped; a failure of that is logged. But cleanup without close aborts an atomic file, so the object that
 * it was to replace stays. After a failed append nothing is published any more: the upload keeps its failure.
 *
 * One thread at a time uses a file; there is no lock. The file owns its upload and one reference to its
 * transaction. It belongs to the process that opened it: a forked child neither publishes nor aborts. */
#include "writable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "attributes.h"
#include "../objects/error.h"
#include "../remote/file.h"
#include "file.h"
#include "place.h"
#include "staged.h"
#include "upload.h"

typedef struct store_writable {
  const TF_Filesystem *filesystem;
  objects_name name;
  store_transaction *transaction; /* that it was opened in, or NULL */
  store_upload *upload;           /* NULL: the transaction has it */
  objects_attributes late;        /* to set after the upload was published */
  bool is_closed;
  bool is_atomic;
} store_writable;

static void writable_free(store_writable *self) {
  if (!self) return;
  store_upload_free(self->upload);
  store_transaction_release(self->filesystem, self->transaction);
  free(self);
}

static store_writable *writable_new(const TF_Filesystem *filesystem, const objects_name *name,
                                    TF_Status *status) {
  store_writable *self = fail_or_allocate(sizeof *self, status);
  if (!self) return NULL;
  self->filesystem = filesystem;
  self->name = *name;
  self->transaction = store_transaction_of(filesystem, name);
  return self;
}

static bool writable_begin(store_writable *self, const objects_condition *condition,
                           TF_Status *status) {
  self->upload = store_upload_new(self->filesystem, &self->name, condition, status);
  return self->upload != NULL;
}

static bool may_write(const store_writable *self, TF_Status *status) {
  return self->transaction
             ? store_staged_may_write(self->filesystem, self->transaction, &self->name, status)
             : store_place_may_write(self->filesystem, &self->name, status);
}

static bool begin_new(store_writable *self, TF_Status *status) {
  objects_condition condition = {.if_absent =
                                     remote_number(self->filesystem, OBJECTS_IF_NONE_MATCH) != 0};
  return writable_begin(self, &condition, status);
}

static bool open_new(const char *path, store_writable *self, TF_Status *status) {
  (void)path;
  return may_write(self, status) && begin_new(self, status);
}

/* In a transaction the full check is needed: its steps may already use the name. */
static bool open_fresh(const char *path, store_writable *self, TF_Status *status) {
  if (self->transaction) return open_new(path, self, status);
  return store_place_may_write_fresh(self->filesystem, &self->name, status) &&
         begin_new(self, status);
}

/* An object too short to be a part is read, and its bytes are sent again. */
static bool take_short(const TF_Filesystem *filesystem, const char *path, store_upload *upload,
                       size_t length, TF_Status *status) {
  TF_RandomAccessFile file = {NULL};
  char *bytes = malloc(length);
  bool good = bytes != NULL;
  if (!good) fail_no_memory(status);
  if (good) store_new_random_access_file(filesystem, path, &file, status);
  good = good && TF_GetCode(status) == TF_OK &&
         remote_file_ops.read(&file, 0, length, bytes, status) == (int64_t)length &&
         store_upload_append(upload, bytes, length, status);
  if (file.plugin_file) remote_file_ops.cleanup(&file);
  free(bytes);
  return good;
}

/* The object keeps what it has besides its content, but is modified now. */
static void keep_own(store_upload *upload, const objects_object *object, objects_own *own) {
  const uint64_t times = MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME;
  objects_attributes kept = object->attributes;
  kept.known &= ~times;
  kept.ended = times;
  store_upload_set_attributes(upload, &kept);
  store_upload_take_own(upload, own);
}

static bool take_base(const char *path, store_writable *self, const objects_object *object,
                      TF_Status *status) {
  if (object->length >= objects_service_of(self->filesystem)->least_part)
    store_upload_set_base(self->upload, object->tag, object->length);
  else if (object->length > 0 &&
           !take_short(self->filesystem, path, self->upload, object->length, status))
    return false;
  store_upload_set_published(self->upload);
  return true;
}

static bool open_committed_end(const char *path, store_writable *self, TF_Status *status) {
  const objects_service *service = objects_service_of(self->filesystem);
  objects_object object;
  objects_own own = {0};
  objects_condition condition = {0};
  bool found = service->head(self->filesystem, &self->name, &object, &own, status);
  if (found) memcpy(condition.match, object.tag, sizeof condition.match);
  bool good = found && writable_begin(self, &condition, status);
  if (good) keep_own(self->upload, &object, &own);
  objects_own_end(&own);
  if (found) return good && take_base(path, self, &object, status);
  if (TF_GetCode(status) != TF_NOT_FOUND) return false;
  TF_SetStatus(status, TF_OK, "");
  return open_new(path, self, status);
}

static bool open_end(const char *path, store_writable *self, TF_Status *status) {
  char text[120];
  store_staged staged =
      self->transaction ? store_transaction_look(self->filesystem, self->transaction, &self->name)
                        : STORE_UNTOUCHED;
  if (staged == STORE_UNTOUCHED) return open_committed_end(path, self, status);
  if (staged != STORE_STAGED_FILE) return open_new(path, self, status);
  snprintf(text, sizeof text,
           "%s cannot append to an object created in the transaction; commit first",
           objects_service_of(self->filesystem)->title);
  TF_SetStatus(status, TF_FAILED_PRECONDITION, text);
  return false;
}

typedef bool (*open_by)(const char *path, store_writable *self, TF_Status *status);

/* NULL on failure. Owns: file, whose cleanup frees it. */
static store_writable *new_file(const TF_Filesystem *filesystem, const char *path, open_by opens,
                                TF_WritableFile *file, TF_Status *status) {
  objects_name name;
  if (!objects_name_parse_file(filesystem, path, &name, status)) return NULL;
  store_writable *self = writable_new(filesystem, &name, status);
  if (self && opens(path, self, status)) return file->plugin_file = self;
  writable_free(self);
  return NULL;
}

void store_new_writable_file(const TF_Filesystem *filesystem, const char *path,
                             TF_WritableFile *file, TF_Status *status) {
  new_file(filesystem, path, open_new, file, status);
}

/* Opens by flags. The store publishes objects as a whole and durably, so ATOMIC only decides what cleanup
 * without close does. */
void store_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                       const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status) {
  if (directory) {
    TF_SetStatus(status, TF_UNIMPLEMENTED, "objects can only be opened by their full path");
    return;
  }
  open_by opens = flags & MODFS_OPEN_NEW ? open_fresh : open_new;
  store_writable *self = new_file(filesystem, path, opens, file, status);
  if (self) self->is_atomic = (flags & MODFS_OPEN_ATOMIC) != 0;
}

void store_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                               TF_WritableFile *file, TF_Status *status) {
  new_file(filesystem, path, open_end, file, status);
}

static bool is_open(const store_writable *self, TF_Status *status) {
  if (self->is_closed) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the file is closed");
  return !self->is_closed;
}

void store_set_writer_attributes(const TF_Filesystem *filesystem, const TF_WritableFile *file,
                                 const modfs_attributes *attributes, uint64_t which,
                                 TF_Status *status) {
  store_writable *self = file->plugin_file;
  objects_attributes wanted = {0};
  (void)filesystem;
  if (!is_open(self, status) || !objects_attributes_from(attributes, which, &wanted, status) ||
      store_upload_set_attributes(self->upload, &wanted))
    return;
  if (self->transaction)
    TF_SetStatus(status, TF_UNIMPLEMENTED,
                 "in a transaction attributes must be set before the file is written");
  else
    objects_attributes_merge(&self->late, &wanted);
}

static void writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                            TF_Status *status) {
  store_writable *self = file->plugin_file;
  if (!is_open(self, status) || !store_upload_append(self->upload, buffer, n, status))
    objects_locate(self->filesystem, &self->name, status);
}

static int64_t writable_tell(const TF_WritableFile *file, TF_Status *status) {
  const store_writable *self = file->plugin_file;
  if (is_open(self, status)) return (int64_t)store_upload_length(self->upload);
  objects_locate(self->filesystem, &self->name, status);
  return -1;
}

static void writable_flush(const TF_WritableFile *file, TF_Status *status) {
  store_writable *self = file->plugin_file;
  if (!is_open(self, status) || !store_upload_flush(self->upload, status))
    objects_locate(self->filesystem, &self->name, status);
}

/* In a transaction content becomes durable with the commit, so this only waits for the parts. */
static void writable_sync(const TF_WritableFile *file, TF_Status *status) {
  store_writable *self = file->plugin_file;
  bool good =
      is_open(self, status) && (self->transaction ? store_upload_flush(self->upload, status)
                                                  : store_upload_publish(self->upload, status));
  if (!good) objects_locate(self->filesystem, &self->name, status);
}

/* Gives the upload to the transaction, for its commit; publishes it now if that has happened already. */
static bool pass_on(store_writable *self, TF_Status *status) {
  if (store_upload_is_published(self->upload)) return true;
  if (!store_upload_stage(self->upload, status)) return false;
  switch (store_staged_publish(self->filesystem, self->transaction, &self->name, self->upload,
                               status)) {
  case STORE_TRANSACTION_OPEN:
    self->upload = NULL;
    return true;
  case STORE_TRANSACTION_COMMITTED:
    return store_upload_publish(self->upload, status);
  default:
    return false;
  }
}

static bool end(store_writable *self, TF_Status *status) {
  self->is_closed = true;
  if (self->transaction) return pass_on(self, status);
  return store_upload_publish(self->upload, status) &&
         (!self->late.known ||
          store_attributes_replace(self->filesystem, &self->name, &self->late, status));
}

static void writable_close(const TF_WritableFile *file, TF_Status *status) {
  store_writable *self = file->plugin_file;
  if (!is_open(self, status) || !end(self, status))
    objects_locate(self->filesystem, &self->name, status);
}

/* Ends a file that was dropped without close: a failure can only be logged. */
static void end_dropped(store_writable *self) {
  TF_Status *status = TF_NewStatus();
  if (status && !end(self, status)) objects_log_loss(self->filesystem, &self->name, status);
  TF_DeleteStatus(status);
}

static void writable_cleanup(TF_WritableFile *file) {
  store_writable *self = file->plugin_file;
  bool dropped = self && !self->is_closed && !self->is_atomic;
  if (dropped && !store_upload_is_inherited(self->upload)) end_dropped(self);
  writable_free(self);
  file->plugin_file = NULL;
}

const TF_WritableFileOps store_writable_ops = {writable_cleanup, writable_append, writable_tell,
                                               writable_flush,   writable_sync,   writable_close};
