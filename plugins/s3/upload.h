/* An object that is written: one request for a small one, parts side by side for a larger one.
 *
 * Readers see nothing of it before it is published, and then all at once. It belongs to the process that began
 * it: in a forked child every call fails, and freeing it leaves the server alone. */
#ifndef S3_UPLOAD_H
#define S3_UPLOAD_H

#include "multipart.h"

typedef struct s3_upload s3_upload;

/* NULL with a failure. condition is copied. */
s3_upload *s3_upload_new(const TF_Filesystem *filesystem, const s3_name *name,
                         const s3_condition *condition, TF_Status *status);

/* Aborts what was not published. NULL is allowed. */
void s3_upload_free(s3_upload *self);

/* Puts what is appended behind the object that is there; before anything is appended. */
void s3_upload_set_base(s3_upload *self, const char *tag, uint64_t length);

/* The same for another object, of which it will be a copy at least. own: the head of an answer about it. */
void s3_upload_set_source(s3_upload *self, const s3_name *source, const s3_object *object,
                          const net_answer *own);

/* What was appended so far is what is there. */
void s3_upload_set_published(s3_upload *self);

/* All return false with a failure, which stays. */
bool s3_upload_append(s3_upload *self, const char *bytes, size_t n, TF_Status *status);

/* Returns when all but the last bytes, too few for a part, are at the server. */
bool s3_upload_flush(s3_upload *self, TF_Status *status);

/* Returns when all bytes are at the server, as parts; nothing can be appended any more. */
bool s3_upload_stage(s3_upload *self, TF_Status *status);

/* Makes the object of all bytes so far. What is appended from now on is seen when it is published again. */
bool s3_upload_publish(s3_upload *self, TF_Status *status);

/* Whether another process began it. */
bool s3_upload_is_inherited(const s3_upload *self);

uint64_t s3_upload_length(const s3_upload *self);
bool s3_upload_is_published(const s3_upload *self);

#endif
