/* What a HEAD tells of an object. A failed one has no body that says why: for the statuses that need it a GET of
 * one byte asks again, which may also find that the bucket is in another region. */
#include <stdlib.h>
#include <string.h>

#include "headers.h"
#include "protocol.h"
#include "request.h"
#include "version.h"

/* A GET of one byte fails with the server's reason. True if it succeeds. */
static bool ask_why(const TF_Filesystem *filesystem, const s3_version *version, TF_Status *status) {
  const char *const headers[] = {"Range: bytes=0-0", NULL};
  s3_answer answer;
  s3_request request = {S3_HEAD, "GET", version->name, .query = version->query, .headers = headers};
  TF_SetStatus(status, TF_OK, "");
  bool good = s3_request_run(filesystem, &request, &answer, status);
  s3_answer_end(&answer);
  return good;
}

void s3_read_head(const net_answer *answer, objects_object *object) {
  objects_object_read(answer, S3_METADATA_PREFIX, object);
}

static void ask(const TF_Filesystem *filesystem, const s3_version *version, objects_object *object,
                s3_answer *answer, TF_Status *status) {
  s3_request request = {S3_HEAD, "HEAD", version->name, .query = version->query};
  bool good = s3_request_run(filesystem, &request, answer, status);
  if (good) s3_read_head(&answer->head, object);
  if (good && !net_answer_length(&answer->head, &object->length))
    objects_fail(status, TF_DATA_LOSS, (objects_action){S3_HEAD, version->name},
                 "the response has no Content-Length");
}

/* Moves the head of the response to the caller. */
static void take_own(net_answer *answer, objects_own *own) {
  *own = (objects_own){.text = answer->head, .length = answer->length};
  answer->head = NULL;
  answer->length = 0;
}

bool s3_head(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
             objects_own *own, TF_Status *status) {
  s3_answer answer;
  s3_version version;
  s3_version_take(filesystem, name, &version);
  ask(filesystem, &version, object, &answer, status);
  int code = answer.head.status;
  bool refused = code == 301 || code == 400 || code == 403;
  /* If the GET was redirected to another region, the HEAD now goes there, too. */
  if (refused && ask_why(filesystem, &version, status)) {
    s3_answer_end(&answer);
    ask(filesystem, &version, object, &answer, status);
  }
  bool found = TF_GetCode(status) == TF_OK;
  if (found && own) take_own(&answer.head, own);
  s3_answer_end(&answer);
  return found;
}
