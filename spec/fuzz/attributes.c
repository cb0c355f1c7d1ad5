/* sources: plugins/common/objects/attribute_values.c plugins/common/objects/headers.c plugins/common/net/answer.c plugins/common/remote/format.c
 * libraries: -lcurl
 *
 * Attributes in the metadata of an object, as strangers may have written them: what is believed is what a
 * file can have, and is read again as it was written. */
#include "../../plugins/common/objects/attribute_values.h"

#include <string.h>

#include "fuzz.h"

const char *const fuzz_words[] = {"x-amz-meta-mtime: ",
                                  "x-amz-meta-atime: ",
                                  "x-amz-meta-mode: ",
                                  "x-amz-meta-uid: ",
                                  "x-amz-meta-gid: ",
                                  "\r\n",
                                  "1500000000.123456789",
                                  "33188",
                                  "0100644",
                                  "9223372036",
                                  "4294967295",
                                  "-1",
                                  ".",
                                  "e9",
                                  "nan",
                                  NULL};

#define PREFIX "x-amz-meta-"

static void check(const objects_attributes *found) {
  MUST(found->mode <= 07777 && found->mtime_nsec >= 0 && found->atime_nsec >= 0);
  MUST(found->owner < UINT32_MAX && found->group < UINT32_MAX);
}

static objects_attributes written_and_read(const objects_attributes *found) {
  objects_headers headers = {0};
  objects_attributes again;
  char text[1024] = "";
  MUST(objects_attributes_write(found, PREFIX, &headers) &&
       objects_attributes_write(found, PREFIX, &headers));
  for (int i = 0; i < headers.count; i++)
    strcat(strcat(text, headers.lines[i]), "\r\n");
  objects_headers_end(&headers);
  const net_answer answer = {.head = text, .length = strlen(text)};
  objects_attributes_read(&answer, PREFIX, &again);
  return again;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  net_answer answer = {.status = 200, .head = malloc(n + 1), .length = n};
  objects_attributes found, again;
  MUST(answer.head);
  memcpy(answer.head, bytes, n);
  answer.head[n] = '\0';
  objects_attributes_read(&answer, PREFIX, &found);
  check(&found);
  again = written_and_read(&found);
  MUST(again.known == found.known && again.mode == found.mode && again.owner == found.owner);
  MUST(again.group == found.group && again.mtime_nsec == found.mtime_nsec &&
       again.atime_nsec == found.atime_nsec);
  net_answer_end(&answer);
  return 0;
}
