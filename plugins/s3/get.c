#include "../common/objects/range.h"
#include "protocol.h"
#include "request.h"
#include "version.h"

/* A request for a range, with what it points to. */
typedef struct asking {
  objects_range range;
  s3_version version;
  s3_request request;
} asking;

static void make(const TF_Filesystem *filesystem, const objects_get *get, asking *made) {
  objects_range_write(get, &made->range);
  s3_version_take(filesystem, get->name, &made->version);
  made->request = (s3_request){S3_GET,
                               "GET",
                               made->version.name,
                               .query = made->version.query,
                               .headers = made->range.headers,
                               .sink = get->sink};
}

bool s3_get(const TF_Filesystem *filesystem, const objects_get *get, int *code, TF_Status *status) {
  asking made;
  s3_answer answer;
  make(filesystem, get, &made);
  bool good = s3_request_run(filesystem, &made.request, &answer, status);
  *code = answer.head.status;
  s3_answer_end(&answer);
  return good;
}

net_stream *s3_start_get(const TF_Filesystem *filesystem, const objects_get *get,
                         TF_Status *status) {
  asking made;
  make(filesystem, get, &made);
  return s3_request_start(filesystem, &made.request, status);
}
