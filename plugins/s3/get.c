#include <inttypes.h>
#include <stdio.h>

#include "protocol.h"
#include "request.h"
#include "version.h"

bool s3_get(const TF_Filesystem *filesystem, const objects_get *get, int *code, TF_Status *status) {
  char range[80], match[OBJECTS_TAG_SIZE + 16];
  snprintf(range, sizeof range, "Range: bytes=%" PRIu64 "-%" PRIu64, get->offset,
           get->offset + get->n - 1);
  if (get->match) snprintf(match, sizeof match, "If-Match: %s", get->match);
  const char *const headers[] = {range, get->match ? match : NULL, NULL};
  s3_answer answer;
  s3_version version;
  s3_version_take(filesystem, get->name, &version);
  s3_request request = {
      S3_GET, "GET", version.name, .query = version.query, .headers = headers, .sink = get->sink};
  bool good = s3_request_run(filesystem, &request, &answer, status);
  *code = answer.head.status;
  s3_answer_end(&answer);
  return good;
}
