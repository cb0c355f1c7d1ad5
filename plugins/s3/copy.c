/* S3 cannot change the metadata of an object. To set an attribute, the server copies the object onto itself
 * with new metadata: everything that a HEAD told of it, and the attribute. The copy has the ETag of that HEAD
 * as its condition, so that it replaces no other version. */
#include <string.h>

#include "../common/objects/metadata.h"
#include "exchange.h"
#include "headers.h"
#include "protocol.h"
#include "version.h"

/* Sends the request of a copy with these headers, which name the source. */
static bool run(const TF_Filesystem *filesystem, const objects_name *to,
                const objects_headers *headers, TF_Status *status) {
  static const net_source no_body = {.bytes = ""};
  char tag[OBJECTS_TAG_SIZE];
  s3_answer answer = {0};
  s3_request request = {"CopyObject", "PUT", to, .headers = (const char *const *)headers->lines,
                        .source = &no_body};
  const s3_wanted wanted = {"/ETag", tag, sizeof tag};
  bool good = s3_exchange(filesystem, &request, &wanted, &answer, status);
  if (!good && answer.head.status == 412)
    objects_fail(status, TF_ABORTED, (objects_action){request.operation, to},
                 "the object was replaced meanwhile; try again");
  s3_answer_end(&answer);
  return good;
}

static bool add_match(objects_headers *headers, const char *tag) {
  return !tag || !*tag || objects_headers_add(headers, "x-amz-copy-source-if-match: %s", tag);
}

bool s3_copy(const TF_Filesystem *filesystem, const objects_copying *copying, TF_Status *status) {
  objects_headers headers = {0};
  if (!s3_version_is_present(filesystem, copying->to, status)) return false;
  bool gathered = s3_headers_add_source(&headers, filesystem, copying->from) &&
                  add_match(&headers, copying->match) &&
                  s3_headers_add_options(&headers, filesystem);
  bool good = gathered && run(filesystem, copying->to, &headers, status);
  if (!gathered) fail_no_memory(status);
  objects_headers_end(&headers);
  return good;
}

bool s3_metadata(const objects_own *own, objects_headers *items) {
  return objects_metadata_read(own, S3_METADATA_PREFIX, items);
}

bool s3_takes_metadata(const char *name) {
  return name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-._")] == '\0';
}

/* Replaces the headers of properties. */
static bool write_properties(const objects_headers *items, objects_headers *headers) {
  for (int i = 0; i < OBJECTS_PROPERTIES; i++) {
    const objects_property *property = &objects_properties[i];
    const char *value = objects_properties_find(items, property->name);
    objects_headers_drop(headers, property->header);
    if (value && !objects_headers_add_text(headers, property->header, value)) return false;
  }
  return true;
}

bool s3_set_attributes(const TF_Filesystem *filesystem, const objects_change *change,
                       TF_Status *status) {
  objects_headers headers = {0};
  if (!s3_version_is_present(filesystem, change->name, status)) return false;
  bool gathered = s3_headers_add_source(&headers, filesystem, change->name) &&
                  add_match(&headers, change->object->tag) &&
                  objects_headers_add(&headers, "x-amz-metadata-directive: REPLACE") &&
                  s3_headers_add_whole(&headers, change->own) &&
                  objects_attributes_write(change->attributes, S3_METADATA_PREFIX, &headers) &&
                  (!change->metadata ||
                   objects_metadata_write(change->metadata, S3_METADATA_PREFIX, &headers)) &&
                  (!change->properties || write_properties(change->properties, &headers));
  bool good = gathered && run(filesystem, change->name, &headers, status);
  if (!gathered) fail_no_memory(status);
  objects_headers_end(&headers);
  return good;
}
