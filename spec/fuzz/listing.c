/* sources: plugins/common/objects/page.c plugins/common/objects/name.c plugins/common/objects/texts.c plugins/common/objects/error.c plugins/common/fail/fail.c plugins/common/objects/server_clock.c plugins/common/objects/failure.c plugins/s3/list.c plugins/common/xml_page/xml_page.c plugins/common/xml/xml.c plugins/common/xml/clean.c plugins/s3/error.c plugins/common/net/answer.c plugins/common/net/code.c plugins/common/remote/failure.c
 * libraries: -lexpat -lcurl
 *
 * Listings, page after page, as a server may send them: every key has the prefix, and there is an end. The
 * input is the pages, with NUL between them. */
#include "../../plugins/s3/protocol.h"
#include "../../plugins/s3/request.h"
#include "pages.h"

const char *const fuzz_words[] = {"<ListBucketResult>",
                                  "</ListBucketResult>",
                                  "<Contents>",
                                  "<Key>",
                                  "</Key>",
                                  "<IsTruncated>true</IsTruncated>",
                                  "<EncodingType>url</EncodingType>",
                                  "<NextContinuationToken>a</NextContinuationToken>",
                                  "<CommonPrefixes><Prefix>",
                                  "a/",
                                  "%00",
                                  "%2F",
                                  "%zz",
                                  "%",
                                  "+",
                                  NULL};

/* In the place of the network. */
bool s3_request_run(const TF_Filesystem *filesystem, const s3_request *request, s3_answer *answer,
                    TF_Status *status) {
  (void)filesystem;
  *answer = (s3_answer){.head = {0}};
  return pages_send(&request->sink, &answer->head, status);
}

void s3_answer_end(s3_answer *answer) {
  net_answer_end(&answer->head);
}

static const objects_service *service(const TF_Filesystem *filesystem) {
  static const objects_service lists = {.list = s3_list, .list_operation = S3_LIST};
  (void)filesystem;
  return &lists;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  objects_filesystem state = {.service = service};
  const TF_Filesystem filesystem = {&state};
  TF_Status *status = TF_NewStatus();
  pages_begin(bytes, n);
  pages_list(&filesystem, "bucket", n, status);
  TF_DeleteStatus(status);
  return 0;
}
