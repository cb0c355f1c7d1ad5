#include "service.h"

#include <stdlib.h>
#include <string.h>

#include "../common/objects/metadata.h"
#include "blob.h"
#include "block.h"
#include "container.h"
#include "copy.h"
#include "list.h"
#include "place.h"

enum { LEAST_BASE = 4 << 20 }; /* a shorter base is sent again, so that few blocks are small */
#define MOST_BLOCK (4000ULL << 20)

/* Our own copy of a value, without the quotes around it. Owns: the caller, free(). */
static char *bare(const char *value) {
  size_t n = strlen(value);
  bool quoted = n > 1 && value[0] == '"' && value[n - 1] == '"';
  return strndup(value + quoted, n - 2 * (size_t)quoted);
}

static char *give_hash(const objects_change *found, const char *algorithm, TF_Status *status) {
  const objects_action action = {"GetBlobProperties", found->name};
  (void)algorithm;
  if (found->object->tag[0] == '\0') {
    objects_fail(status, TF_DATA_LOSS, action, "the response has no ETag");
    return NULL;
  }
  char *tag = bare(found->object->tag);
  if (!tag) fail_no_memory(status);
  return tag;
}

const objects_service az_service = {
    .title = "Azure",
    .head_operation = "GetBlobProperties",
    .get_operation = "GetBlob",
    .list_operation = "ListBlobs",
    .delete_operation = "DeleteBlob",
    .most_parts = AZ_MOST_BLOCKS / 2,
    .least_part = LEAST_BASE,
    .most_part = MOST_BLOCK,
    .granule = 1,
    .copies_any_size = true,
    .completes_if = true,
    .one_upload_per_key = true,
    .deletes_tell = true,
    .take_bucket = az_take_bucket,
    .head = az_head,
    .get = az_get,
    .start_get = az_start_get,
    .read_head = az_read_head,
    .list = az_list,
    .put = az_put,
    .begin = az_begin,
    .put_part = az_put_part,
    .complete = az_complete,
    .abort = az_abort,
    .end = az_end,
    .copy = az_copy,
    .set_attributes = az_set_attributes,
    .metadata = az_metadata,
    .takes_metadata = az_takes_metadata,
    .most_metadata = 8192,
    .properties = objects_properties_read,
    .remove = az_remove,
    .hashes = "etag",
    .stored_hash = give_hash,
    .create_bucket = az_create_container,
    .delete_bucket = az_delete_container,
};
