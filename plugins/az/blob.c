#include "blob.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/objects/content_type.h"
#include "../common/objects/filesystem.h"
#include "../common/objects/metadata.h"
#include "../common/objects/range.h"

#define METADATA "x-ms-meta-"

enum { MD5_SIZE = 16, MD5_TEXT = 25 };

bool az_condition_add(const objects_condition *condition, objects_headers *headers) {
  if (condition->if_absent) return objects_headers_add(headers, "If-None-Match: *");
  return condition->match[0] == '\0' ||
         objects_headers_add(headers, "If-Match: %s", condition->match);
}

bool az_condition_failed(const az_answer *answer, const objects_condition *condition) {
  if (condition->if_absent && az_error_is(&answer->error, "BlobAlreadyExists")) return true;
  return (condition->if_absent || condition->match[0]) && answer->head.status == 412 &&
         strncmp(answer->error.code, "Lease", 5) != 0;
}

/* What a blob keeps of the one that it is made of. */
static bool add_own(objects_headers *headers, const objects_own *own) {
  static const char *const metadata[] = {METADATA, NULL};
  static const char *const kept[][2] = {{"Content-Type", "x-ms-blob-content-type"},
                                        {"Content-Encoding", "x-ms-blob-content-encoding"},
                                        {"Content-Language", "x-ms-blob-content-language"},
                                        {"Content-Disposition", "x-ms-blob-content-disposition"},
                                        {"Cache-Control", "x-ms-blob-cache-control"}};
  const net_answer head = {.head = own->text, .length = own->length};
  char value[2048];
  bool good = objects_headers_add_lines(headers, own->text, metadata);
  for (size_t i = 0; good && i < sizeof kept / sizeof *kept; i++)
    if (net_answer_header(&head, kept[i][0], value, sizeof value))
      good = objects_headers_add_text(headers, kept[i][1], value);
  return good;
}

bool az_blob_add_options(objects_headers *headers, const TF_Filesystem *filesystem,
                         const objects_name *name, const objects_own *own) {
  return (own ? add_own(headers, own)
              : objects_headers_add_text(headers, "x-ms-blob-content-type",
                                         objects_content_type(filesystem, name))) &&
         objects_headers_add_text(headers, "x-ms-access-tier",
                                  remote_text(filesystem, AZ_ACCESS_TIER));
}

/* Reading ---------------------------------------------------------------------------------------- */

void az_read_head(const net_answer *answer, objects_object *object) {
  objects_object_read(answer, METADATA, object);
}

static az_type type_of(const net_answer *answer) {
  char text[32] = "";
  net_answer_header(answer, "x-ms-blob-type", text, sizeof text);
  if (strcmp(text, "AppendBlob") == 0) return AZ_APPEND_BLOB;
  return strcmp(text, "PageBlob") == 0 ? AZ_PAGE_BLOB : AZ_BLOCK_BLOB;
}

static bool look(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
                 az_answer *answer, TF_Status *status) {
  const az_request request = {.operation = "GetBlobProperties", .method = "HEAD", .name = name};
  bool good = az_request_run(filesystem, &request, answer, status);
  if (!good) return false;
  az_read_head(&answer->head, object);
  good = net_answer_length(&answer->head, &object->length);
  if (!good)
    objects_fail(status, TF_DATA_LOSS, (objects_action){request.operation, name},
                 "the response has no Content-Length");
  return good;
}

bool az_head(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
             objects_own *own, TF_Status *status) {
  az_answer answer;
  bool good = look(filesystem, name, object, &answer, status);
  if (good && own) {
    *own = (objects_own){.text = answer.head.head, .length = answer.head.length};
    answer.head.head = NULL;
  }
  az_answer_end(&answer);
  return good;
}

bool az_blob_look(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
                  az_type *type, TF_Status *status) {
  az_answer answer;
  bool good = look(filesystem, name, object, &answer, status);
  *type = type_of(&answer.head);
  az_answer_end(&answer);
  return good;
}

static az_request to_get(const objects_get *get, objects_range *range) {
  objects_range_write(get, range);
  return (az_request){"GetBlob", "GET", get->name, .headers = range->headers, .sink = get->sink};
}

bool az_get(const TF_Filesystem *filesystem, const objects_get *get, int *code, TF_Status *status) {
  objects_range range;
  const az_request request = to_get(get, &range);
  az_answer answer;
  bool good = az_request_run(filesystem, &request, &answer, status);
  *code = answer.head.status;
  az_answer_end(&answer);
  return good;
}

net_stream *az_start_get(const TF_Filesystem *filesystem, const objects_get *get,
                         TF_Status *status) {
  objects_range range;
  const az_request request = to_get(get, &range);
  return az_request_start(filesystem, &request, status);
}

/* Writing ---------------------------------------------------------------------------------------- */

/* As in the header Content-MD5; false where MD5 is not available. */
static bool md5(const objects_content *content, char text[MD5_TEXT]) {
  unsigned char digest[MD5_SIZE];
  ERR_set_mark(); /* no error stays in OpenSSL's queue */
  bool good = EVP_Digest(content->bytes, content->length, digest, NULL, EVP_md5(), NULL) == 1;
  ERR_pop_to_mark();
  return good && EVP_EncodeBlock((unsigned char *)text, digest, MD5_SIZE) == MD5_TEXT - 1;
}

/* Whether the blob is the one that a lost response was about. */
static bool is_written(const TF_Filesystem *filesystem, const objects_new_object *object,
                       char tag[OBJECTS_TAG_SIZE]) {
  char expected[MD5_TEXT], text[64] = "";
  objects_object found;
  az_answer answer = {.head = {0}};
  TF_Status *status = TF_NewStatus();
  bool same = status && md5(&object->content, expected) &&
              look(filesystem, object->name, &found, &answer, status) &&
              found.length == object->content.length &&
              net_answer_header(&answer.head, "Content-MD5", text, sizeof text) &&
              strcmp(text, expected) == 0;
  if (same) snprintf(tag, OBJECTS_TAG_SIZE, "%s", found.tag);
  az_answer_end(&answer);
  TF_DeleteStatus(status);
  return same;
}

static bool put(const TF_Filesystem *filesystem, const objects_new_object *object,
                const az_request *request, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const objects_action action = {request->operation, object->name};
  az_answer answer;
  bool good = az_request_run(filesystem, request, &answer, status);
  if (good) {
    good = net_answer_header(&answer.head, "ETag", tag, OBJECTS_TAG_SIZE);
    if (!good) objects_fail(status, TF_DATA_LOSS, action, "the response has no ETag");
  } else if (az_condition_failed(&answer, &object->condition)) {
    good = answer.head.attempts > 1 && is_written(filesystem, object, tag);
    TF_SetStatus(status, TF_OK, "");
    if (!good) objects_condition_fail(&object->condition, action, status);
  }
  az_answer_end(&answer);
  return good;
}

bool az_put(const TF_Filesystem *filesystem, const objects_new_object *object,
            char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  objects_headers headers = {.count = 0};
  const net_source source = {.length = object->content.length, .bytes = object->content.bytes};
  bool good = objects_headers_add(&headers, "x-ms-blob-type: BlockBlob") &&
              az_condition_add(&object->condition, &headers) &&
              az_blob_add_options(&headers, filesystem, object->name, object->own) &&
              objects_attributes_write(&object->attributes, METADATA, &headers);
  const az_request request = {"PutBlob", "PUT", object->name,
                              .headers = (const char *const *)headers.lines, .source = &source};
  good = good ? put(filesystem, object, &request, tag, status) : fail_no_memory(status);
  objects_headers_end(&headers);
  return good;
}

bool az_metadata(const objects_own *own, objects_headers *items) {
  return objects_metadata_read(own, METADATA, items);
}

/* The service wants an identifier of C#, whose case does not count. */
bool az_takes_metadata(const char *name) {
  return !strchr("0123456789", *name) &&
         name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0';
}

/* A request that replaces a part of a blob: comp=metadata, say. */
typedef struct replacing {
  const char *operation;
  const char *part;
  objects_headers headers;
  bool gathered; /* the headers, without lack of memory */
} replacing;

/* Sends it for the blob that has the tag, which becomes the new one. Ends the headers. */
static bool replace(const TF_Filesystem *filesystem, const objects_name *name, replacing *self,
                    char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const objects_action action = {self->operation, name};
  const az_pair query[] = {{"comp", self->part}, {NULL, NULL}};
  bool whole = self->gathered && objects_headers_add(&self->headers, "If-Match: %s", tag);
  az_answer answer = {.head = {0}};
  const az_request request = {self->operation,
                              "PUT",
                              name,
                              .query = query,
                              .headers = (const char *const *)self->headers.lines,
                              .source = &az_no_body};
  if (!whole) fail_no_memory(status);
  bool good = whole && az_request_run(filesystem, &request, &answer, status);
  bool told = net_answer_header(&answer.head, "ETag", tag, OBJECTS_TAG_SIZE);
  if (good && !told)
    objects_fail(status, TF_DATA_LOSS, action, "the response has no ETag");
  else if (answer.head.status == 412 && strncmp(answer.error.code, "Lease", 5) != 0)
    objects_fail(status, TF_ABORTED, action, "the object was replaced meanwhile; try again");
  az_answer_end(&answer);
  objects_headers_end(&self->headers);
  return good && told;
}

/* Other metadata is sent again: the request replaces all of it. */
static bool set_metadata(const TF_Filesystem *filesystem, const objects_change *change,
                         char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  static const char *const kept[] = {METADATA, NULL};
  replacing self = {"SetBlobMetadata", "metadata", .headers = {.count = 0}};
  self.gathered =
      objects_headers_add_lines(&self.headers, change->own->text ? change->own->text : "", kept) &&
      objects_attributes_write(change->attributes, METADATA, &self.headers) &&
      (!change->metadata || objects_metadata_write(change->metadata, METADATA, &self.headers));
  return replace(filesystem, change->name, &self, tag, status);
}

static bool add_properties(const objects_change *change, objects_headers *headers) {
  for (int i = 0; i < OBJECTS_PROPERTIES; i++) {
    const objects_property *property = &objects_properties[i];
    const char *value = objects_properties_find(change->properties, property->name);
    if (value && !objects_headers_add(headers, "x-ms-blob-%s: %s", property->header, value))
      return false;
  }
  return true;
}

/* The request clears what it does not name: the MD5 of the content is sent again. */
static bool set_properties(const TF_Filesystem *filesystem, const objects_change *change,
                           char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const net_answer head = {.head = change->own->text, .length = change->own->length};
  replacing self = {"SetBlobProperties", "properties", .headers = {.count = 0}};
  char sum[64] = "";
  net_answer_header(&head, "Content-MD5", sum, sizeof sum);
  self.gathered = objects_headers_add_text(&self.headers, "x-ms-blob-content-md5", sum) &&
                  add_properties(change, &self.headers);
  return replace(filesystem, change->name, &self, tag, status);
}

/* Metadata first: it keeps the time of the content, which the second request would change. */
bool az_set_attributes(const TF_Filesystem *filesystem, const objects_change *change,
                       TF_Status *status) {
  char tag[OBJECTS_TAG_SIZE];
  memcpy(tag, change->object->tag, sizeof tag);
  return set_metadata(filesystem, change, tag, status) &&
         (!change->properties || set_properties(filesystem, change, tag, status));
}

/* Snapshots go with their blob. */
bool az_remove(const TF_Filesystem *filesystem, const objects_name *name, bool *missing,
               TF_Status *status) {
  static const char *const headers[] = {"x-ms-delete-snapshots: include", NULL};
  az_answer answer;
  const az_request request = {"DeleteBlob", "DELETE", name, .headers = headers};
  bool good = az_request_run(filesystem, &request, &answer, status);
  *missing = az_error_is(&answer.error, "BlobNotFound");
  /* A first attempt whose response was lost may have deleted it. */
  if (*missing && answer.head.attempts > 1) *missing = false;
  if (!good && az_error_is(&answer.error, "BlobNotFound")) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  }
  az_answer_end(&answer);
  return good;
}
