/* Files opened for writing.
 *
 * A file is one of the store's (`inner`), or an append blob. Bytes for an append blob are gathered up to
 * MOST_BLOCK and appended as a block, which is visible at once and stays. So flush, sync and close send what
 * is gathered, nothing can be given up, and a transaction cannot hold it.
 *
 * A block is appended on the condition that the blob has the length `offset`. Where it has another,
 * another writer was faster, and the block goes behind what that has written; or an earlier attempt had
 * succeeded, its response was lost, and the bytes are there: they are compared. After any other failure
 * nothing more is sent, as it would leave a gap: the failure stays.
 *
 * One thread at a time uses a file; there is no lock. The file belongs to the process that opened it: in a
 * forked child every call fails, and cleanup sends nothing. cleanup without close sends what is gathered,
 * because TensorFlow does not close files that are dropped; a failure of that is logged. */
#include "append.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/objects/content_type.h"
#include "../common/store/place.h"
#include "../common/store/plugin.h"
#include "../common/store/writing.h"
#include "blob.h"

enum { MOST_BLOCK = 4 << 20, FIRST_ROOM = 64 << 10, MOST_RACES = 32 };

typedef struct appending {
  store_writing writing; /* first */
  const TF_Filesystem *filesystem;
  objects_name name;
  uint64_t offset; /* length of the blob, as far as it is known */
  char *bytes;     /* to append */
  size_t length;
  size_t room;
  bool is_closed;
} appending;

typedef struct az_writer {
  TF_WritableFile inner;
  appending *blob; /* NULL: inner is the file */
} az_writer;

static void appending_free(appending *self) {
  if (!self) return;
  free(self->bytes);
  store_writing_free(&self->writing);
}

/* Sending -------------------------------------------------------------------------------------- */

typedef struct comparison {
  const appending *blob;
  size_t at;
  bool differs;
} comparison;

static bool begin_comparison(void *state, const net_answer *answer) {
  comparison *self = state;
  (void)answer;
  self->at = 0;
  self->differs = false;
  return true;
}

static bool compare(void *state, const char *bytes, size_t n) {
  comparison *self = state;
  const appending *blob = self->blob;
  self->differs =
      self->differs || n > blob->length - self->at || memcmp(blob->bytes + self->at, bytes, n) != 0;
  self->at += n;
  return !self->differs;
}

/* Whether the bytes that were to be appended are in the blob, at their place. */
static bool is_appended(const appending *self) {
  int code = 0;
  comparison state = {.blob = self};
  const objects_get get = {.name = &self->name,
                           .offset = self->offset,
                           .n = self->length,
                           .sink = {.begin = begin_comparison, .write = compare, .state = &state}};
  TF_Status *status = TF_NewStatus();
  bool good = status && az_get(self->filesystem, &get, &code, status) && !state.differs &&
              state.at == self->length;
  TF_DeleteStatus(status);
  return good;
}

/* After a failure: whether to try again, behind what others have appended, or nothing is left to send. */
static bool settle(appending *self, const az_answer *answer, TF_Status *status) {
  objects_object object;
  az_type type = AZ_APPEND_BLOB;
  if (!az_error_is(&answer->error, "AppendPositionConditionNotMet")) return false;
  bool sent = answer->head.attempts > 1 && is_appended(self);
  TF_SetStatus(status, TF_OK, "");
  if (!az_blob_look(self->filesystem, &self->name, &object, &type, status)) return false;
  self->offset = object.length;
  if (sent) self->length = 0;
  return true;
}

/* Appends what is gathered; true also where there is another chance to. */
static bool send_once(appending *self, TF_Status *status) {
  static const az_pair query[] = {{"comp", "appendblock"}, {NULL, NULL}};
  char position[80];
  const char *const headers[] = {position, NULL};
  const net_source source = {.length = self->length, .bytes = self->bytes};
  const az_request request = {
      "AppendBlock", "PUT", &self->name, .query = query, .headers = headers, .source = &source};
  az_answer answer;
  snprintf(position, sizeof position, "x-ms-blob-condition-appendpos: %" PRIu64, self->offset);
  bool good = az_request_run(self->filesystem, &request, &answer, status);
  if (good) {
    self->offset += self->length;
    self->length = 0;
  } else {
    good = settle(self, &answer, status);
  }
  az_answer_end(&answer);
  return good;
}

static bool send_all(appending *self) {
  for (int i = 0; self->length > 0; i++) {
    if (i == MOST_RACES)
      TF_SetStatus(self->writing.failure, TF_ABORTED,
                   "other writers append to the blob all the time");
    if (i == MOST_RACES || !send_once(self, self->writing.failure)) return false;
  }
  return true;
}

/* Calls ---------------------------------------------------------------------------------------- */

/* Whether the file can be used; if not, status says why. */
static bool is_sound(const appending *self, TF_Status *status) {
  if (self->is_closed)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the file is closed");
  else if (store_writing_may_go_on(&self->writing, status))
    return true;
  objects_locate(self->filesystem, &self->name, status);
  return false;
}

static bool make_room(appending *self, size_t n) {
  size_t room = self->room > 0 ? self->room : FIRST_ROOM;
  while (room < self->length + n)
    room *= 2;
  char *bytes = room > self->room ? realloc(self->bytes, room) : self->bytes;
  if (!bytes) return fail_no_memory(self->writing.failure);
  self->bytes = bytes;
  self->room = room;
  return true;
}

static bool gather(appending *self, const char *bytes, size_t n) {
  while (n > 0) {
    size_t left = MOST_BLOCK - self->length, taken = n < left ? n : left;
    if (!make_room(self, taken)) return false;
    memcpy(self->bytes + self->length, bytes, taken);
    self->length += taken;
    bytes += taken;
    n -= taken;
    if (self->length == MOST_BLOCK && !send_all(self)) return false;
  }
  return true;
}

static void writer_append(const TF_WritableFile *file, const char *buffer, size_t n,
                          TF_Status *status) {
  az_writer *self = file->plugin_file;
  if (!self->blob)
    store_writable_ops.append(&self->inner, buffer, n, status);
  else if (is_sound(self->blob, status) && !gather(self->blob, buffer, n))
    is_sound(self->blob, status);
}

static int64_t writer_tell(const TF_WritableFile *file, TF_Status *status) {
  const az_writer *self = file->plugin_file;
  if (!self->blob) return store_writable_ops.tell(&self->inner, status);
  return is_sound(self->blob, status) ? (int64_t)(self->blob->offset + self->blob->length) : -1;
}

static void flush(appending *self, TF_Status *status) {
  if (is_sound(self, status) && !send_all(self)) is_sound(self, status);
}

/* Sends what is gathered of an append blob; any other file is the store's. */
static void flush_by(const TF_WritableFile *file,
                     void (*inner)(const TF_WritableFile *file, TF_Status *status),
                     TF_Status *status) {
  az_writer *self = file->plugin_file;
  if (self->blob)
    flush(self->blob, status);
  else
    inner(&self->inner, status);
}

static void writer_flush(const TF_WritableFile *file, TF_Status *status) {
  flush_by(file, store_writable_ops.flush, status);
}

static void writer_sync(const TF_WritableFile *file, TF_Status *status) {
  flush_by(file, store_writable_ops.sync, status);
}

static void writer_close(const TF_WritableFile *file, TF_Status *status) {
  az_writer *self = file->plugin_file;
  flush_by(file, store_writable_ops.close, status);
  if (self->blob) self->blob->is_closed = true;
}

/* Ends a file that was dropped without close: a failure can only be logged. */
static void end_dropped(appending *self) {
  if (!self->is_closed && !store_writing_is_inherited(&self->writing) && !send_all(self))
    objects_log_loss(self->filesystem, &self->name, self->writing.failure);
}

static void writer_cleanup(TF_WritableFile *file) {
  az_writer *self = file->plugin_file;
  if (self && self->blob)
    end_dropped(self->blob);
  else if (self)
    store_writable_ops.cleanup(&self->inner);
  if (self) appending_free(self->blob);
  free(self);
  file->plugin_file = NULL;
}

const TF_WritableFileOps az_writable_ops = {writer_cleanup, writer_append, writer_tell,
                                            writer_flush,   writer_sync,   writer_close};

/* Opening -------------------------------------------------------------------------------------- */

/* Gives the file to the host, unless opening it has failed. */
static void give(az_writer *self, TF_WritableFile *file, TF_Status *status) {
  if (TF_GetCode(status) == TF_OK)
    file->plugin_file = self;
  else
    free(self);
}

void az_new_writable_file(const TF_Filesystem *filesystem, const char *path, TF_WritableFile *file,
                          TF_Status *status) {
  az_writer *self = fail_or_allocate(sizeof *self, status);
  if (!self) return;
  store_new_writable_file(filesystem, path, &self->inner, status);
  give(self, file, status);
}

void az_open_writer(const TF_Filesystem *filesystem, const modfs_directory *directory,
                    const char *path, uint32_t flags, TF_WritableFile *file, TF_Status *status) {
  az_writer *self = fail_or_allocate(sizeof *self, status);
  if (!self) return;
  store_open_writer(filesystem, directory, path, flags, &self->inner, status);
  give(self, file, status);
}

static appending *appending_new(const TF_Filesystem *filesystem, const objects_name *name,
                                uint64_t length, TF_Status *status) {
  appending *self = store_writing_new(sizeof *self, status);
  if (!self) return NULL;
  self->filesystem = filesystem;
  self->name = *name;
  self->offset = length;
  return self;
}

/* An empty append blob; another writer may be faster, and have made one, too. */
static bool create(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status) {
  objects_headers headers = {.count = 0};
  bool good = objects_headers_add(&headers, "x-ms-blob-type: AppendBlob") &&
              objects_headers_add(&headers, "If-None-Match: *") &&
              objects_headers_add_text(&headers, "x-ms-blob-content-type",
                                       objects_content_type(filesystem, name));
  const az_request request = {"PutBlob", "PUT", name, .headers = (const char *const *)headers.lines,
                              .source = &az_no_body};
  az_answer answer = {.head = {0}};
  if (!good) fail_no_memory(status);
  good = good && az_request_run(filesystem, &request, &answer, status);
  if (!good && (az_error_is(&answer.error, "BlobAlreadyExists") || answer.head.status == 412)) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  }
  az_answer_end(&answer);
  objects_headers_end(&headers);
  return good;
}

static bool is_in_transaction(const TF_Filesystem *filesystem, const objects_name *name) {
  store_transaction *transaction = store_transaction_of(filesystem, name);
  store_transaction_release(filesystem, transaction);
  return transaction != NULL;
}

/* Whether the file is an append blob, which is opened then; false with OK: it is one of the store's. */
static bool open_blob(const TF_Filesystem *filesystem, const objects_name *name, az_writer *self,
                      TF_Status *status) {
  objects_object object = {.length = 0};
  az_type type = AZ_BLOCK_BLOB;
  bool staged = is_in_transaction(filesystem, name);
  bool found = az_blob_look(filesystem, name, &object, &type, status);
  bool missing = TF_GetCode(status) == TF_NOT_FOUND;
  if (missing) TF_SetStatus(status, TF_OK, "");
  if (missing && !staged && remote_number(filesystem, AZ_APPEND_BLOBS) &&
      store_place_may_write(filesystem, name, status) && create(filesystem, name, status))
    found = az_blob_look(filesystem, name, &object, &type, status);
  if (!found || type != AZ_APPEND_BLOB) return false;
  if (staged)
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "an append blob cannot be appended to in a transaction");
  else
    self->blob = appending_new(filesystem, name, object.length, status);
  return self->blob != NULL;
}

void az_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                            TF_WritableFile *file, TF_Status *status) {
  objects_name name;
  az_writer *self = fail_or_allocate(sizeof *self, status);
  if (!self) return;
  if (objects_name_parse_file(filesystem, path, &name, status) &&
      !open_blob(filesystem, &name, self, status) && TF_GetCode(status) == TF_OK)
    store_new_appendable_file(filesystem, path, &self->inner, status);
  give(self, file, status);
}

void az_set_writer_attributes(const TF_Filesystem *filesystem, const TF_WritableFile *file,
                              const modfs_attributes *attributes, uint64_t which,
                              TF_Status *status) {
  const az_writer *self = file->plugin_file;
  if (self->blob)
    TF_SetStatus(status, TF_UNIMPLEMENTED,
                 "attributes of an append blob are set once the file is closed");
  else
    store_set_writer_attributes(filesystem, &self->inner, attributes, which, status);
}
