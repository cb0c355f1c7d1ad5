/* sources: plugins/gs/list.c plugins/gs/document.c plugins/gs/error.c plugins/common/objects/flat.c plugins/gs/get.c plugins/common/objects/range.c plugins/gs/head.c plugins/gs/remove.c plugins/common/json/json.c plugins/common/objects/page.c plugins/common/objects/texts.c plugins/common/objects/error.c plugins/common/fail/fail.c plugins/common/objects/failure.c plugins/common/objects/object.c plugins/common/objects/attribute_values.c plugins/common/objects/name.c plugins/common/objects/headers.c plugins/common/net/answer.c plugins/common/net/code.c plugins/common/remote/failure.c plugins/common/remote/format.c
 * libraries: -lcjson -lcurl
 *
 * What Google's servers may send: listings, page after page, resources of objects, answers to a batch, errors
 * and tokens. The first byte chooses one of them; the rest is the documents, with NUL between them. */
#include <string.h>

#include "../../plugins/gs/document.h"
#include "../../plugins/common/objects/flat.h"
#include "../../plugins/gs/request.h"
#include "../../plugins/gs/service.h"
#include "fuzz.h"

const char *const fuzz_words[] = {
    "{\"kind\":\"storage#objects\",\"items\":[",
    "{\"name\":\"a/b\"}",
    "\"prefixes\":[\"a/\"]",
    "\"nextPageToken\":\"x\"",
    "\"generation\":\"12\"",
    "\"size\":\"3\"",
    "\"metadata\":{\"mtime\":\"5.5\"}",
    "\"md5Hash\":\"1B2M2Y8AsgTpgAmY7PhCfg==\"",
    "\"error\":{\"code\":404,\"message\":\"x\",\"errors\":[{\"reason\":\"y\"}]}",
    "\\ud83d\\ude00",
    "\\u0000",
    "--bound\r\nContent-ID: <response-modfs+1>\r\n\r\nHTTP/1.1 204 No\r\n\r\n",
    "--bound--\r\n",
    "\"access_token\":\"t\"",
    "null",
    "[",
    "}",
    NULL};

static const char *rest, *end;

/* A document's end. */
static const char *find_stop(void) {
  const char *stop = rest < end ? memchr(rest, 0, (size_t)(end - rest)) : NULL;
  return stop ? stop : end;
}

/* In the place of the options. */
const option_values *options_here(const option_set *self) {
  static option_values *values;
  (void)self;
  if (!values) {
    values = calloc(1, sizeof *values + GS_OPTIONS * sizeof *values->items);
    MUST(values);
    for (int i = 0; i < GS_OPTIONS; i++)
      values->items[i].text = "";
  }
  return values;
}

/* In the place of the network. */
bool gs_request_run(const TF_Filesystem *filesystem, const gs_request *request, gs_answer *answer,
                    TF_Status *status) {
  const char *stop = find_stop();
  size_t n = (size_t)(stop - rest);
  (void)filesystem;
  *answer = (gs_answer){.head = {.status = 200, .attempts = 1}};
  answer->head.head = strdup("Content-Type: multipart/mixed; boundary=bound\r\n");
  answer->head.length = strlen(answer->head.head);
  bool good = !request->sink.begin || request->sink.begin(request->sink.state, &answer->head);
  if (n > 0 && request->sink.write)
    good = good && request->sink.write(request->sink.state, rest, n);
  rest = stop < end ? stop + 1 : end;
  if (!good) TF_SetStatus(status, TF_DATA_LOSS, "stopped");
  return good;
}

void gs_answer_end(gs_answer *answer) {
  net_answer_end(&answer->head);
}

net_stream *gs_request_start(const TF_Filesystem *filesystem, const gs_request *request,
                             TF_Status *status) {
  (void)filesystem, (void)request, (void)status;
  return NULL;
}

bool gs_request_document(const TF_Filesystem *filesystem, gs_request *request, gs_answer *answer,
                         json_value **document, TF_Status *status) {
  const char *stop = find_stop();
  (void)filesystem, (void)request;
  *answer = (gs_answer){.head = {.status = 200, .attempts = 1}};
  *document = json_parse(rest, (size_t)(stop - rest));
  rest = stop < end ? stop + 1 : end;
  if (!*document) TF_SetStatus(status, TF_DATA_LOSS, "no document");
  return *document != NULL;
}

static bool begin_document(void *state, const net_answer *answer) {
  ((objects_document *)state)->length = 0;
  return answer != NULL;
}

static bool add_to_document(void *state, const char *bytes, size_t n) {
  objects_document *document = state;
  char *longer = realloc(document->bytes, document->length + n + 1);
  MUST(longer);
  memcpy(longer + document->length, bytes, n);
  document->bytes = longer;
  document->length += n;
  longer[document->length] = '\0';
  return true;
}

net_sink objects_document_sink(objects_document *document) {
  return (net_sink){.begin = begin_document, .write = add_to_document, .state = document};
}

void objects_document_end(objects_document *document) {
  free(document->bytes);
}

static int left;

void objects_batch_left(const objects_batch *batch, const char *key, const TF_Status *status) {
  (void)batch, (void)key, (void)status;
  left++;
}

/* In the place of the store: pages by the service. */
static void list(TF_Status *status) {
  objects_name name = {.bucket = "bucket"};
  objects_page page = {.name = &name, .prefix = ""};
  TF_Filesystem filesystem = {NULL};
  remote all = {.client = NULL};
  filesystem.plugin_filesystem = &all;
  gs_list(&filesystem, &page, status);
  for (size_t i = 0; TF_GetCode(status) == TF_OK && i < page.count; i++)
    MUST(*objects_page_key(&page, i));
  objects_page_end(&page);
}

static void read_object(TF_Status *status) {
  objects_name name = {.bucket = "bucket", .key = "key"};
  objects_object object;
  objects_own own = {0};
  bool found = gs_head(NULL, &name, &object, &own, status);
  MUST(found == (TF_GetCode(status) == TF_OK));
  if (found) {
    const objects_change change = {.name = &name, .object = &object, .own = &own};
    static const char *const hashes[] = {"etag", "md5", "crc32c"};
    MUST(*object.tag && own.text && object.length <= INT64_MAX);
    for (int i = 0; i < 3; i++) {
      TF_SetStatus(status, TF_OK, "");
      char *hash = gs_stored_hash(&change, hashes[i], status);
      MUST((hash != NULL) == (TF_GetCode(status) == TF_OK));
      free(hash);
    }
  }
  objects_own_end(&own);
}

static void delete_batch(TF_Status *status) {
  objects_name name = {.bucket = "bucket"};
  objects_batch batch = {.name = &name, .count = 3};
  for (int i = 0; i < 3; i++)
    MUST(objects_texts_add(&batch.keys, i == 0 ? "a" : i == 1 ? "b" : "c"));
  left = 0;
  gs_delete_many(&batch, status);
  MUST(left <= 3);
  free(batch.keys.bytes);
}

static void read_error(void) {
  gs_error error;
  gs_error_read(rest, (size_t)(end - rest), &error);
  MUST(strlen(error.reason) < sizeof error.reason && !strchr(error.message, '\n'));
}

static void read_flat(void) {
  char value[16], *text = strndup(rest, (size_t)(end - rest));
  MUST(text);
  if (objects_flat_find(text, "access_token", value, sizeof value))
    MUST(*value && strlen(value) < sizeof value);
  else
    MUST(!*value);
  free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  TF_Status *status = TF_NewStatus();
  rest = (const char *)bytes + (n > 0);
  end = (const char *)bytes + n;
  switch (n > 0 ? bytes[0] % 5 : 0) {
  case 0:
    list(status);
    break;
  case 1:
    read_object(status);
    break;
  case 2:
    delete_batch(status);
    break;
  case 3:
    read_error();
    break;
  default:
    read_flat();
  }
  TF_DeleteStatus(status);
  return 0;
}
