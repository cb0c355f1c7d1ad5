#include "writable.h"

#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "file.h"
#include "place.h"
#include "stat.h"
#include "upload.h"

typedef struct s3_writable {
  s3_upload *upload;
  bool is_closed;
} s3_writable;

static s3_writable *writable_of(const TF_WritableFile *file) {
  return file->plugin_file;
}

static s3_writable *writable_new(const TF_Filesystem *filesystem, const s3_name *name,
                                 const s3_condition *condition, TF_Status *status) {
  s3_writable *self = calloc(1, sizeof *self);
  if (self) self->upload = s3_upload_new(filesystem, name, condition, status);
  if (self && self->upload) return self;
  if (!self) s3_no_memory(status);
  free(self);
  return NULL;
}

static void writable_free(s3_writable *self) {
  if (!self) return;
  s3_upload_free(self->upload);
  free(self);
}

void s3_new_writable_file(const TF_Filesystem *filesystem, const char *path, TF_WritableFile *file,
                          TF_Status *status) {
  s3_name name;
  s3_condition condition = {.if_absent = s3_number(filesystem, S3_IF_NONE_MATCH) != 0};
  if (s3_name_parse_file(path, &name, status) && s3_place_may_write(filesystem, &name, status))
    file->plugin_file = writable_new(filesystem, &name, &condition, status);
}

/* What is too short for a part of its own is read, to be sent again. */
static bool take_short(const TF_Filesystem *filesystem, const char *path, s3_upload *upload,
                       size_t length, TF_Status *status) {
  TF_RandomAccessFile file = {NULL};
  char *bytes = malloc(length);
  bool good = bytes != NULL;
  if (!good) s3_no_memory(status);
  if (good) s3_new_random_access_file(filesystem, path, &file, status);
  good = good && TF_GetCode(status) == TF_OK &&
         s3_file_read(&file, 0, length, bytes, status) == (int64_t)length &&
         s3_upload_append(upload, bytes, length, status);
  if (file.plugin_file) s3_file_cleanup(&file);
  free(bytes);
  return good;
}

static bool take_base(const TF_Filesystem *filesystem, const char *path, s3_writable *self,
                      const s3_object *object, TF_Status *status) {
  if (object->length >= S3_LEAST_PART)
    s3_upload_set_base(self->upload, object->tag, object->length);
  else if (object->length > 0 &&
           !take_short(filesystem, path, self->upload, object->length, status))
    return false;
  s3_upload_set_published(self->upload);
  return true;
}

static s3_writable *open_end(const TF_Filesystem *filesystem, const char *path, const s3_name *name,
                             const s3_object *object, TF_Status *status) {
  s3_condition condition = {0};
  memcpy(condition.match, object->tag, sizeof condition.match);
  s3_writable *self = writable_new(filesystem, name, &condition, status);
  if (!self || take_base(filesystem, path, self, object, status)) return self;
  writable_free(self);
  return NULL;
}

void s3_new_appendable_file(const TF_Filesystem *filesystem, const char *path,
                            TF_WritableFile *file, TF_Status *status) {
  s3_name name;
  s3_object object;
  bool missing = false;
  if (!s3_name_parse_file(path, &name, status)) return;
  if (s3_stat_object(filesystem, &name, &object, &missing, status)) {
    file->plugin_file = open_end(filesystem, path, &name, &object, status);
  } else if (missing) {
    TF_SetStatus(status, TF_OK, "");
    s3_new_writable_file(filesystem, path, file, status);
  }
}

void s3_writable_cleanup(TF_WritableFile *file) {
  writable_free(writable_of(file));
  file->plugin_file = NULL;
}

static bool is_open(const s3_writable *self, TF_Status *status) {
  if (self->is_closed) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the file is closed");
  return !self->is_closed;
}

void s3_writable_append(const TF_WritableFile *file, const char *buffer, size_t n,
                        TF_Status *status) {
  s3_writable *self = writable_of(file);
  if (is_open(self, status)) s3_upload_append(self->upload, buffer, n, status);
}

int64_t s3_writable_tell(const TF_WritableFile *file, TF_Status *status) {
  const s3_writable *self = writable_of(file);
  return is_open(self, status) ? (int64_t)s3_upload_length(self->upload) : -1;
}

void s3_writable_flush(const TF_WritableFile *file, TF_Status *status) {
  s3_writable *self = writable_of(file);
  if (is_open(self, status)) s3_upload_flush(self->upload, status);
}

void s3_writable_sync(const TF_WritableFile *file, TF_Status *status) {
  s3_writable *self = writable_of(file);
  if (is_open(self, status)) s3_upload_publish(self->upload, status);
}

void s3_writable_close(const TF_WritableFile *file, TF_Status *status) {
  s3_writable *self = writable_of(file);
  if (!is_open(self, status)) return;
  self->is_closed = true;
  s3_upload_publish(self->upload, status);
}
