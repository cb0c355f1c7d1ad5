#include "../common/objects/range.h"
#include "protocol.h"
#include "request.h"
#include "version.h"

bool s3_get(const TF_Filesystem *filesystem, const objects_get *get, int *code, TF_Status *status) {
  objects_range range;
  objects_range_write(get, &range);
  s3_answer answer;
  s3_version version;
  s3_version_take(filesystem, get->name, &version);
  s3_request request = {
      S3_GET,           "GET", version.name, .query = version.query, .headers = range.headers,
      .sink = get->sink};
  bool good = s3_request_run(filesystem, &request, &answer, status);
  *code = answer.head.status;
  s3_answer_end(&answer);
  return good;
}
