/* sources: plugins/common/objects/page.c plugins/common/objects/name.c plugins/common/objects/texts.c plugins/common/objects/error.c plugins/common/objects/failure.c plugins/s3/list.c plugins/common/xml/xml.c plugins/common/xml/clean.c plugins/s3/error.c plugins/common/net/answer.c plugins/common/net/code.c plugins/common/remote/failure.c
 * libraries: -lexpat -lcurl
 *
 * Listings, page after page, as a server may send them: every key has the prefix, and there is an end. The
 * input is the pages, with NUL between them. */
#include "../../plugins/common/objects/page.h"

#include <string.h>

#include "../../plugins/s3/protocol.h"
#include "../../plugins/s3/request.h"
#include "fuzz.h"

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

static const char *rest, *end;

/* In the place of the network. */
bool s3_request_run(const TF_Filesystem *filesystem, const s3_request *request, s3_answer *answer,
                    TF_Status *status) {
  (void)filesystem;
  *answer = (s3_answer){.head = {.status = 200, .attempts = 1}};
  MUST(request->sink.begin(request->sink.state, &answer->head));
  const char *stop = rest < end ? memchr(rest, 0, (size_t)(end - rest)) : NULL;
  if (!stop) stop = end;
  bool good = true;
  for (; good && rest < stop; rest++)
    good = request->sink.write(request->sink.state, rest, 1);
  rest = stop < end ? stop + 1 : end;
  if (good) return true;
  answer->head.error = NET_STOPPED;
  TF_SetStatus(status, TF_DATA_LOSS, "stopped");
  return false;
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
  objects_name name = {.bucket = "bucket"};
  objects_page page = {.name = &name, .prefix = n % 2 ? "a/" : "", .deep = n % 3 == 0};
  TF_Status *status = TF_NewStatus();
  rest = (const char *)bytes;
  end = rest + n;
  size_t pages = 0;
  do {
    bool good = objects_page_fetch(&filesystem, &page, status);
    MUST(good == (TF_GetCode(status) == TF_OK));
    for (size_t i = 0; good && i < page.count; i++)
      MUST(strncmp(objects_page_key(&page, i), page.prefix, strlen(page.prefix)) == 0);
    if (!good) break;
    MUST(++pages <= n + 1);
  } while (page.more);
  objects_page_end(&page);
  TF_DeleteStatus(status);
  return 0;
}
