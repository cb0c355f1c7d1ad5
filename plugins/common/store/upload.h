/* Writes an object: one request for a small one, parallel parts for a larger one.
 *
 * Readers see nothing of it before it is published, and then all of it at once. An upload belongs to the
 * process that started it: in a forked child every call fails, and freeing it sends no request. */
#ifndef STORE_UPLOAD_H
#define STORE_UPLOAD_H

#include "../objects/service.h"

typedef struct store_upload store_upload;

/* NULL on failure. name and condition are copied. */
store_upload *store_upload_new(const TF_Filesystem *filesystem, const objects_name *name,
                               const objects_condition *condition, TF_Status *status);

/* Frees the upload and aborts what was not published. NULL is allowed. */
void store_upload_free(store_upload *self);

/* The new object keeps this of the present one, when that is appended to, or of the one that is copied. Takes own
 * over. Call it before anything is sent. */
void store_upload_take_own(store_upload *self, objects_own *own);

/* Appends to the present object instead of replacing it. Call it before anything is appended. */
void store_upload_set_base(store_upload *self, const char *tag, uint64_t length);

/* The same with another object as the base: the upload copies it. */
void store_upload_set_source(store_upload *self, const objects_name *source,
                             const objects_object *object);

/* Adds attributes to those that the object gets. False if they come too late for what was sent already; they
 * then hold only if more is appended and published. */
bool store_upload_set_attributes(store_upload *self, const objects_attributes *attributes);

/* Declares that the object at the server has everything appended so far. */
void store_upload_set_published(store_upload *self);

/* All return false on failure, and do so from then on. */
bool store_upload_append(store_upload *self, const char *bytes, size_t n, TF_Status *status);

/* Waits until the server has all full parts; the last bytes, too few for a part, stay here. */
bool store_upload_flush(store_upload *self, TF_Status *status);

/* Sends all bytes as parts and waits for them; nothing can be appended afterwards. */
bool store_upload_stage(store_upload *self, TF_Status *status);

/* Makes the object from all bytes so far. Later appends become visible when it is published again. */
bool store_upload_publish(store_upload *self, TF_Status *status);

/* Whether another process started it. */
bool store_upload_is_inherited(const store_upload *self);

uint64_t store_upload_length(const store_upload *self);
bool store_upload_is_published(const store_upload *self);

#endif
