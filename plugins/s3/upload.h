/* Writes an object: one request for a small one, parallel parts for a larger one.
 *
 * Readers see nothing of it before it is published, and then all of it at once. An upload belongs to the
 * process that started it: in a forked child every call fails, and freeing it sends no request. */
#ifndef S3_UPLOAD_H
#define S3_UPLOAD_H

#include "multipart.h"

typedef struct s3_upload s3_upload;

/* NULL on failure. name and condition are copied. */
s3_upload *s3_upload_new(const TF_Filesystem *filesystem, const s3_name *name,
                         const s3_condition *condition, TF_Status *status);

/* Frees the upload and aborts what was not published. NULL is allowed. */
void s3_upload_free(s3_upload *self);

/* Appends to the present object instead of replacing it. Call it before anything is appended. */
void s3_upload_set_base(s3_upload *self, const char *tag, uint64_t length);

/* The same with another object as the base. own: the response head of that object, or NULL. */
void s3_upload_set_source(s3_upload *self, const s3_name *source, const s3_object *object,
                          const net_answer *own);

/* Adds attributes to those that the object gets. False if they come too late for what was sent already; they
 * then hold only if more is appended and published. */
bool s3_upload_set_attributes(s3_upload *self, const s3_attributes *attributes);

/* Declares that the object at the server has everything appended so far. */
void s3_upload_set_published(s3_upload *self);

/* All return false on failure, and do so from then on. */
bool s3_upload_append(s3_upload *self, const char *bytes, size_t n, TF_Status *status);

/* Waits until the server has all full parts; the last bytes, too few for a part, stay here. */
bool s3_upload_flush(s3_upload *self, TF_Status *status);

/* Sends all bytes as parts and waits for them; nothing can be appended afterwards. */
bool s3_upload_stage(s3_upload *self, TF_Status *status);

/* Makes the object from all bytes so far. Later appends become visible when it is published again. */
bool s3_upload_publish(s3_upload *self, TF_Status *status);

/* Whether another process started it. */
bool s3_upload_is_inherited(const s3_upload *self);

uint64_t s3_upload_length(const s3_upload *self);
bool s3_upload_is_published(const s3_upload *self);

#endif
