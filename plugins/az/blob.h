/* Blobs: slots of a service, and what files that are appended to need. */
#ifndef AZ_BLOB_H
#define AZ_BLOB_H

#include "../common/objects/service.h"
#include "request.h"

/* The kinds of blobs that can be told apart. */
typedef enum az_type { AZ_BLOCK_BLOB, AZ_APPEND_BLOB, AZ_PAGE_BLOB } az_type;

/* A HEAD, as the slot head, that also tells the kind. */
bool az_blob_look(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
                  az_type *type, TF_Status *status);

/* Adds If-None-Match or If-Match; false without memory. */
bool az_condition_add(const objects_condition *condition, objects_headers *headers);

/* Whether a failed write failed for its condition. */
bool az_condition_failed(const az_answer *answer, const objects_condition *condition);

/* Adds what new blobs get by the options: content type, access tier. own: in the place of the type, what the blob
 * keeps of another one; NULL: nothing. */
bool az_blob_add_options(objects_headers *headers, const TF_Filesystem *filesystem,
                         const objects_name *name, const objects_own *own);

OBJECTS_SLOT(head) az_head;
OBJECTS_SLOT(get) az_get;
OBJECTS_SLOT(start_get) az_start_get;
OBJECTS_SLOT(read_head) az_read_head;
OBJECTS_SLOT(put) az_put;
OBJECTS_SLOT(set_attributes) az_set_attributes;
OBJECTS_SLOT(metadata) az_metadata;
OBJECTS_SLOT(takes_metadata) az_takes_metadata;
OBJECTS_SLOT(remove) az_remove;

#endif
