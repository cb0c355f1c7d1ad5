/* Uploads in blocks.
 *
 * A block is sent under an id that we choose, and is kept aside until a list of ids makes the blob of those
 * blocks. So an upload begins without a request. Its ids have a random part: those of two uploads differ. A
 * list may also name blocks that the blob has already, so appending to a blob that was made of blocks copies
 * nothing: its ids are the first of the new list. A blob without blocks (one that was put as a whole), or
 * with too many, is copied: by the server where that knows Put Block From URL, else it is read and sent again.
 *
 * When a list is committed, the service drops all other blocks of that blob that nobody has committed,
 * those of other writers among them: whose commit fails then, with InvalidBlockList, which is ABORTED.
 * Blocks that were given up cannot be discarded by a request; the service does so after a week.
 *
 * All ids of a blob have one length, in the service's rules. Ours are AZ_ID_BYTES before they are encoded,
 * and as long as those of the base where it has blocks.
 *
 * Threads: put_part only reads the state. begin, complete and end run alone (multipart.h). Who frees: end. */
#include "block.h"

#include <inttypes.h>
#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "../common/objects/filesystem.h"
#include "../common/store/part.h"
#include "../common/xml/xml.h"
#include "blob.h"

enum {
  ID_BYTES = 24,       /* of ours, before they are encoded */
  LEAST_ID_BYTES = 12, /* an id must have room for the number and a random part */
  MOST_ID_BYTES = 64,
  ID_SIZE = 96,
  NUMBER_BYTES = 4,
  MOST_BASE = AZ_MOST_BLOCKS / 2
};

typedef struct blocks {
  unsigned char random[MOST_ID_BYTES]; /* the part that all ids of the upload share */
  int id_bytes;
  objects_texts base; /* ids of the blocks that the new blob begins with, each with its NUL */
  int base_count;
} blocks;

/* Ids ------------------------------------------------------------------------------------------- */

/* The number is behind the random part, in base64. */
static void make_id(const blocks *self, int number, char id[ID_SIZE]) {
  unsigned char bytes[MOST_ID_BYTES];
  size_t n = (size_t)self->id_bytes;
  memcpy(bytes, self->random, n);
  for (size_t i = 0; i < NUMBER_BYTES; i++)
    bytes[n - 1 - i] = (unsigned char)((unsigned)number >> (8 * i));
  EVP_EncodeBlock((unsigned char *)id, bytes, self->id_bytes);
}

/* The bytes that an id in base64 stands for. */
static int bytes_of(const char *id) {
  size_t n = strlen(id), padding = 0;
  while (padding < 2 && n > padding && id[n - 1 - padding] == '=')
    padding++;
  return (int)(n / 4 * 3 - (n >= 4 ? padding : 0));
}

/* It goes into XML as it is. */
static bool is_id(const char *id) {
  size_t n = strlen(id);
  return n > 0 && n < ID_SIZE && n % 4 == 0 &&
         strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/=") == n;
}

static blocks *blocks_new(void) {
  blocks *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->id_bytes = ID_BYTES;
  if (getrandom(self->random, sizeof self->random, 0) == sizeof self->random) return self;
  free(self);
  return NULL;
}

void az_end(objects_multipart *upload) {
  blocks *self = upload->state;
  if (self) free(self->base.bytes);
  free(self);
  upload->state = NULL;
}

/* The service discards blocks by itself. */
void az_abort(objects_multipart *upload) {
  (void)upload;
}

/* The blocks that a blob has ------------------------------------------------------------------------ */

typedef struct found {
  objects_texts ids; /* each with its NUL */
  int count;
  uint64_t length; /* of all blocks */
  int id_bytes;    /* of every id; 0: they differ, or are too short for ours */
  bool whole;
  bool short_of_memory;
  xml_reader *xml;
  char tag[OBJECTS_TAG_SIZE]; /* of the blob */
} found;

static bool add_id(found *self, const char *id) {
  int bytes = bytes_of(id);
  if (!is_id(id) || bytes > MOST_ID_BYTES) return false;
  if (self->count == 0) self->id_bytes = bytes >= LEAST_ID_BYTES ? bytes : 0;
  if (bytes != self->id_bytes) self->id_bytes = 0;
  self->count++;
  bool added = objects_texts_add(&self->ids, id);
  self->short_of_memory = !added;
  return added;
}

static bool add_size(found *self, const char *size) {
  uint64_t n = strtoull(size, NULL, 10);
  bool good = n <= INT64_MAX - self->length;
  if (good) self->length += n;
  return good;
}

static bool on_element(void *state, const char *path, const char *text) {
  found *self = state;
  const char *name = xml_below_root(path);
  if (strcmp(name, "/CommittedBlocks/Block/Name") == 0) return add_id(self, text);
  if (strcmp(name, "/CommittedBlocks/Block/Size") == 0) return add_size(self, text);
  if (*name == '\0') self->whole = strcmp(path, "/BlockList") == 0;
  return true;
}

static bool begin_list(void *state, const net_answer *answer) {
  found *self = state;
  (void)answer;
  xml_free(self->xml);
  *self = (found){.ids = self->ids, .xml = xml_new(on_element, self)};
  self->ids.length = 0;
  self->short_of_memory = !self->xml;
  return self->xml != NULL;
}

static bool take_list(void *state, const char *bytes, size_t n) {
  found *self = state;
  return xml_feed(self->xml, bytes, n);
}

static void found_end(found *self) {
  xml_free(self->xml);
  free(self->ids.bytes);
}

/* Reads the list of the version with the tag, or of any where that is "". */
static bool list_blocks(const TF_Filesystem *filesystem, const objects_name *name, const char *tag,
                        found *self, TF_Status *status) {
  static const az_pair query[] = {
      {"blocklisttype", "committed"}, {"comp", "blocklist"}, {NULL, NULL}};
  az_answer answer;
  const az_request request = {"GetBlockList", "GET", name, .query = query,
                              .sink = {.begin = begin_list, .write = take_list, .state = self}};
  bool good = az_request_run(filesystem, &request, &answer, status);
  bool stopped = !good && answer.head.error == NET_STOPPED && answer.head.status < 300;
  net_answer_header(&answer.head, "ETag", self->tag, sizeof self->tag);
  if (self->short_of_memory)
    fail_no_memory(status);
  else if (stopped || (good && !(xml_end(self->xml) && self->whole)))
    objects_fail(status, TF_DATA_LOSS, (objects_action){request.operation, name},
                 "the list of blocks is malformed or incomplete XML");
  else if (good && *tag && strcmp(tag, self->tag) != 0)
    objects_fail(status, TF_ABORTED, (objects_action){request.operation, name},
                 "the object has changed since it was opened; open it again");
  az_answer_end(&answer);
  return TF_GetCode(status) == TF_OK;
}

/* The base ---------------------------------------------------------------------------------------- */

enum { COPIED_NUMBER = 1 << 24 }; /* copied blocks have numbers behind those of all parts */
static const uint64_t copied_size = 100 << 20;

/* Takes over the blocks of the base, where it consists of blocks that a list can name. */
static bool name_blocks(blocks *self, const objects_multipart *upload, TF_Status *status) {
  const objects_base *base = upload->base;
  found list = {.count = 0};
  bool good = list_blocks(upload->filesystem, &base->name, base->tag, &list, status);
  if (good && list.length == base->length && list.id_bytes > 0 && list.count <= MOST_BASE) {
    self->base = list.ids;
    self->base_count = list.count;
    self->id_bytes = list.id_bytes;
    list.ids = (objects_texts){.bytes = NULL};
  }
  found_end(&list);
  return good;
}

static bool copy_block(const objects_multipart *upload, const objects_piece *piece, const char *id,
                       TF_Status *status) {
  const az_pair query[] = {{"comp", "block"}, {"blockid", id}, {NULL, NULL}};
  objects_headers headers = {.count = 0};
  bool good = objects_headers_add(&headers, "x-ms-source-range: bytes=%" PRIu64 "-%" PRIu64,
                                  piece->first, piece->last) &&
              (*piece->tag == '\0' ||
               objects_headers_add(&headers, "x-ms-source-if-match: %s", piece->tag));
  const az_request request = {"PutBlockFromURL",
                              "PUT",
                              upload->name,
                              .query = query,
                              .headers = (const char *const *)headers.lines,
                              .copied = piece->name,
                              .source = &az_no_body};
  if (!good) fail_no_memory(status);
  good = good && az_request_do(upload->filesystem, &request, status);
  objects_headers_end(&headers);
  return good;
}

/* A server may not know the request, or may not be allowed to read what our credentials can. */
static bool is_worth_reading(const TF_Status *status) {
  TF_Code code = TF_GetCode(status);
  return code != TF_ABORTED && code != TF_CANCELLED && code != TF_RESOURCE_EXHAUSTED;
}

static bool copy_piece(blocks *self, const objects_multipart *upload, objects_piece *piece,
                       bool *reads, TF_Status *status) {
  char id[ID_SIZE], tag[OBJECTS_TAG_SIZE];
  const objects_place place = {.number = COPIED_NUMBER + self->base_count, .offset = piece->first};
  make_id(self, place.number, id);
  bool good = !*reads && copy_block(upload, piece, id, status);
  if (!good && !*reads && is_worth_reading(status)) {
    TF_SetStatus(status, TF_OK, "");
    *reads = true;
  }
  if (*reads) {
    uint64_t most = (uint64_t)remote_number(upload->filesystem, OBJECTS_PART_BYTES);
    if (piece->last - piece->first >= most) piece->last = piece->first + most - 1;
    good = store_part_by_reading(upload, &place, piece, tag, status);
  }
  if (good && !objects_texts_add(&self->base, id)) return fail_no_memory(status);
  self->base_count++;
  return good;
}

static bool copy_base(blocks *self, const objects_multipart *upload, TF_Status *status) {
  const objects_base *base = upload->base;
  bool reads = false;
  for (uint64_t first = 0; first < base->length;) {
    uint64_t left = base->length - first;
    objects_piece piece = {.name = &base->name,
                           .tag = base->tag,
                           .first = first,
                           .last = first + (left < copied_size ? left : copied_size) - 1};
    if (!copy_piece(self, upload, &piece, &reads, status)) return false;
    first = piece.last + 1;
  }
  return true;
}

bool az_begin(objects_multipart *upload, TF_Status *status) {
  const objects_base *base = upload->base;
  blocks *self = blocks_new();
  if (!self) return fail_no_memory(status);
  upload->state = self;
  bool good = true;
  if (base->length > 0 && objects_name_is_same(&base->name, upload->name))
    good = name_blocks(self, upload, status);
  if (good && base->length > 0 && self->base_count == 0) good = copy_base(self, upload, status);
  if (!good) az_end(upload);
  return good;
}

/* Parts ------------------------------------------------------------------------------------------- */

bool az_put_part(const objects_multipart *upload, const objects_place *place,
                 const objects_content *content, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  char id[ID_SIZE];
  const az_pair query[] = {{"comp", "block"}, {"blockid", id}, {NULL, NULL}};
  const net_source source = {.length = content->length, .bytes = content->bytes};
  const az_request request = {"PutBlock", "PUT", upload->name, .query = query, .source = &source};
  make_id(upload->state, place->number, id);
  *tag = '\0';
  return az_request_do(upload->filesystem, &request, status);
}

/* The end ----------------------------------------------------------------------------------------- */

/* The ids of the whole blob, each with its NUL. */
static bool gather(const blocks *self, int count, objects_texts *ids) {
  char id[ID_SIZE];
  bool good = true;
  for (size_t at = 0; good && at < self->base.length; at += strlen(self->base.bytes + at) + 1)
    good = objects_texts_add(ids, self->base.bytes + at);
  for (int i = 1; good && i <= count; i++) {
    make_id(self, i, id);
    good = objects_texts_add(ids, id);
  }
  return good;
}

/* NULL without memory. Owns: the caller, free(). */
static char *write_list(const objects_texts *ids) {
  static const char opening[] = "<?xml version=\"1.0\" encoding=\"utf-8\"?><BlockList>",
                    closing[] = "</BlockList>";
  size_t count = 0;
  for (size_t at = 0; at < ids->length; at += strlen(ids->bytes + at) + 1)
    count++;
  char *text = malloc(sizeof opening + sizeof closing + ids->length + count * 18);
  char *end = text ? stpcpy(text, opening) : NULL;
  for (size_t at = 0; text && at < ids->length; at += strlen(ids->bytes + at) + 1)
    end = stpcpy(stpcpy(stpcpy(end, "<Latest>"), ids->bytes + at), "</Latest>");
  if (text) stpcpy(end, closing);
  return text;
}

static bool add_headers(objects_headers *headers, const objects_multipart *upload) {
  return objects_headers_add(headers, "Content-Type: application/xml") &&
         az_condition_add(upload->condition, headers) &&
         az_blob_add_options(headers, upload->filesystem, upload->name, upload->base->own) &&
         objects_attributes_write(upload->attributes, "x-ms-meta-", headers);
}

/* Whether the blob consists of just these blocks: a commit whose response was lost. */
static bool is_committed(const objects_multipart *upload, const objects_texts *ids,
                         char tag[OBJECTS_TAG_SIZE]) {
  found list = {.count = 0};
  TF_Status *status = TF_NewStatus();
  bool same = status && list_blocks(upload->filesystem, upload->name, "", &list, status) &&
              list.ids.length == ids->length && ids->length > 0 &&
              memcmp(list.ids.bytes, ids->bytes, ids->length) == 0;
  if (same) memcpy(tag, list.tag, OBJECTS_TAG_SIZE);
  found_end(&list);
  TF_DeleteStatus(status);
  return same;
}

/* Whether an attempt may have succeeded without our knowing. */
static bool is_unclear(const net_answer *answer) {
  return answer->attempts > 1 || answer->status == 0 || answer->status >= 500 ||
         answer->error != NET_OK;
}

static bool commit(const objects_multipart *upload, const az_request *request,
                   const objects_texts *ids, char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  const objects_action action = {request->operation, upload->name};
  az_answer answer;
  bool good = az_request_run(upload->filesystem, request, &answer, status);
  if (good) {
    good = net_answer_header(&answer.head, "ETag", tag, OBJECTS_TAG_SIZE);
    if (!good) objects_fail(status, TF_DATA_LOSS, action, "the response has no ETag");
  } else if (is_unclear(&answer.head) && is_committed(upload, ids, tag)) {
    TF_SetStatus(status, TF_OK, "");
    good = true;
  } else if (az_condition_failed(&answer, upload->condition)) {
    objects_condition_fail(upload->condition, action, status);
  }
  az_answer_end(&answer);
  return good;
}

bool az_complete(objects_multipart *upload, const objects_completion *completion,
                 char tag[OBJECTS_TAG_SIZE], TF_Status *status) {
  static const az_pair query[] = {{"comp", "blocklist"}, {NULL, NULL}};
  const blocks *self = upload->state;
  objects_texts ids = {.bytes = NULL};
  objects_headers headers = {.count = 0};
  char *body = gather(self, completion->count, &ids) ? write_list(&ids) : NULL;
  const net_source source = {.length = body ? strlen(body) : 0, .bytes = body};
  bool good = body && add_headers(&headers, upload);
  const az_request request = {"PutBlockList",
                              "PUT",
                              upload->name,
                              .query = query,
                              .headers = (const char *const *)headers.lines,
                              .source = &source};
  if (good)
    good = commit(upload, &request, &ids, tag, status);
  else
    fail_no_memory(status);
  free(body);
  free(ids.bytes);
  objects_headers_end(&headers);
  return good;
}
