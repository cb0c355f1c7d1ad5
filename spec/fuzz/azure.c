/* sources: plugins/common/net/endpoint.c plugins/common/objects/page.c plugins/common/objects/texts.c plugins/common/objects/error.c plugins/common/fail/fail.c plugins/common/objects/server_clock.c plugins/common/objects/failure.c plugins/common/objects/object.c plugins/common/objects/name.c plugins/common/objects/headers.c plugins/common/objects/attribute_values.c plugins/common/remote/format.c plugins/az/list.c plugins/az/name.c plugins/az/block.c plugins/az/error.c plugins/az/connection.c plugins/az/endpoint.c plugins/common/xml_page/xml_page.c plugins/common/xml/xml.c plugins/common/xml/clean.c plugins/common/net/answer.c plugins/common/net/code.c plugins/common/remote/failure.c
 * libraries: -lexpat -lcurl -lcrypto
 *
 * What Azure's servers may send: listings, page after page; lists of blocks, of which an upload takes over
 * only what adds up to the blob; descriptions of failures. And connection strings and names, as people write
 * them. The input is the documents, with NUL between them. */
#include "../../plugins/az/blob.h"
#include "../../plugins/az/block.h"
#include "../../plugins/az/connection.h"
#include "../../plugins/az/list.h"
#include "../../plugins/az/name.h"
#include "../../plugins/common/store/part.h"
#include "pages.h"

const char *const fuzz_words[] = {"<EnumerationResults>",
                                  "</EnumerationResults>",
                                  "<Blobs>",
                                  "</Blobs>",
                                  "<Blob><Name>",
                                  "</Name></Blob>",
                                  "<Name Encoded=\"true\">a/%EF%BF%BF",
                                  "<BlobPrefix><Name>a/b/</Name></BlobPrefix>",
                                  "<NextMarker>a</NextMarker>",
                                  "<BlockList><CommittedBlocks>",
                                  "</CommittedBlocks></BlockList>",
                                  "<Block><Name>AAAAAAAAAAAAAAAAAAAA</Name><Size>3</Size></Block>",
                                  "<Size>18446744073709551615</Size>",
                                  "<Error><Code>",
                                  "</Code></Error>",
                                  "AccountName=",
                                  "BlobEndpoint=http://",
                                  "UseDevelopmentStorage=true;",
                                  "\xe2\x80\x9b",
                                  "\xe2\x90\x81",
                                  "\xef\xbc\xbc",
                                  "%00",
                                  "%zz",
                                  NULL};

/* In the place of the network. */
bool az_request_run(const TF_Filesystem *filesystem, const az_request *request, az_answer *answer,
                    TF_Status *status) {
  (void)filesystem;
  *answer = (az_answer){.head = {0}};
  return pages_send(&request->sink, &answer->head, status);
}

bool az_request_do(const TF_Filesystem *filesystem, const az_request *request, TF_Status *status) {
  (void)filesystem, (void)request;
  TF_SetStatus(status, TF_ABORTED, "no copies here");
  return false;
}

void az_answer_end(az_answer *answer) {
  net_answer_end(&answer->head);
}

const net_source az_no_body = {.bytes = ""};

bool az_access_account(const TF_Filesystem *filesystem, char account[AZ_ACCOUNT_SIZE],
                       TF_Status *status) {
  (void)filesystem, (void)account, (void)status;
  return false;
}

bool az_condition_add(const objects_condition *condition, objects_headers *headers) {
  return condition && headers;
}

bool az_condition_failed(const az_answer *answer, const objects_condition *condition) {
  return !answer || !condition;
}

bool az_blob_add_options(objects_headers *headers, const TF_Filesystem *filesystem,
                         const objects_name *name, const objects_own *own) {
  (void)filesystem, (void)name, (void)own;
  return headers != NULL;
}

bool store_part_by_reading(const objects_multipart *upload, const objects_place *place,
                           const objects_piece *piece, char tag[OBJECTS_TAG_SIZE],
                           TF_Status *status) {
  (void)upload, (void)place, (void)piece, (void)tag, (void)status;
  return false;
}

const option_values *options_here(const option_set *self) {
  (void)self;
  return NULL;
}

static const objects_service *service(const TF_Filesystem *filesystem) {
  static const objects_service lists = {.list = az_list, .list_operation = "ListBlobs"};
  (void)filesystem;
  return &lists;
}

/* A base of three bytes is taken over as blocks of three bytes, or it fails. */
static void append(const TF_Filesystem *filesystem, TF_Status *status) {
  const objects_base base = {.name = {.bucket = "acc/con", .key = "k"}, .length = 3};
  objects_multipart upload = {.filesystem = filesystem, .name = &base.name, .base = &base};
  bool good = az_begin(&upload, status);
  MUST(good == (TF_GetCode(status) == TF_OK) && good == (upload.state != NULL));
  az_end(&upload);
}

static void fail(const char *bytes, size_t n, TF_Status *status) {
  az_error error;
  objects_name name = {.bucket = "acc/con", .key = "k"};
  net_answer answer = {.status = 500, .attempts = 2};
  az_error_read(&answer, bytes, n, &error);
  az_fail_answer(status, (objects_action){"GetBlob", &name}, &answer, &error);
  MUST(TF_GetCode(status) != TF_OK && !strpbrk(TF_Message(status), "\r\n\t\v"));
}

static void connect(const char *bytes, size_t n) {
  static az_connection connection;
  char *text = strndup(bytes, n);
  net_endpoint to;
  if (text && !az_connection_parse(text, &connection))
    MUST(net_endpoint_parse(connection.endpoint, &to) && !strpbrk(to.host, "/?@#"));
  free(text);
}

/* A name for the service has no characters that it does not take, and is read back as it was. */
static void rename_back(const char *bytes, size_t n) {
  char key[OBJECTS_MOST_KEY + 1], name[AZ_NAME_SIZE];
  snprintf(key, sizeof key, "%.*s", (int)n, bytes);
  az_name_write(key, name);
  for (const char *c = name; *c; c++)
    MUST(*c < 0 || (*c >= ' ' && *c != 0x7f && *c != '\\'));
  az_name_read(name);
  MUST(strcmp(key, name) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  objects_filesystem state = {.scheme = "az", .service = service};
  TF_Filesystem filesystem = {.plugin_filesystem = &state};
  TF_Status *status = TF_NewStatus();
  for (int i = 0; i < 2; i++) {
    pages_begin(bytes, n);
    TF_SetStatus(status, TF_OK, "");
    if (i == 0)
      pages_list(&filesystem, "acc/con", n, status);
    else
      append(&filesystem, status);
  }
  TF_SetStatus(status, TF_OK, "");
  fail((const char *)bytes, n, status);
  connect((const char *)bytes, n);
  rename_back((const char *)bytes, n);
  TF_DeleteStatus(status);
  return 0;
}
