#include "service.h"

enum { CHUNK = 256 * 1024, LEAST_PART = 5 * 1024 * 1024, MOST_PARTS = 1000000, MOST_BATCH = 100 };

/* An upload is one session: chunks come in order, each a multiple of 256 KiB, and the rest with the request
 * that completes it. */
const objects_service gs_json = {
    .title = "GCS",
    .head_operation = "objects.get",
    .get_operation = "objects.get",
    .list_operation = "objects.list",
    .delete_operation = "objects.delete",
    .most_parts = MOST_PARTS,
    .most_in_flight = 1,
    .least_part = LEAST_PART,
    .most_part = 1ULL << 30,
    .granule = CHUNK,
    .copies_any_size = true,
    .deletes_tell = true,
    .completes_if = true,
    .most_batch = MOST_BATCH,
    .take_bucket = gs_take_bucket,
    .head = gs_head,
    .get = gs_get,
    .read_head = gs_read_head,
    .list = gs_list,
    .put = gs_put,
    .begin = gs_begin,
    .put_part = gs_put_part,
    .complete = gs_complete,
    .abort = gs_abort,
    .end = gs_end,
    .copy = gs_copy,
    .set_attributes = gs_set_attributes,
    .metadata = gs_metadata,
    .takes_metadata = gs_takes_metadata,
    .most_metadata = 8192,
    .remove = gs_remove,
    .delete_many = gs_delete_many,
    .hashes = "etag md5 crc32c",
    .stored_hash = gs_stored_hash,
    .create_bucket = gs_create_bucket,
    .delete_bucket = gs_delete_bucket,
};
