/* sources: plugins/common/xml/xml.c plugins/common/xml/clean.c plugins/common/objects/error.c plugins/common/fail/fail.c plugins/common/objects/server_clock.c plugins/common/objects/failure.c plugins/s3/error.c plugins/common/net/answer.c plugins/common/net/code.c plugins/common/remote/failure.c
 * libraries: -lexpat -lcurl
 *
 * Documents, in pieces and whole: the same elements are told, and none after the parser gave up. */
#include "../../plugins/common/xml/xml.h"

#include <string.h>

#include "../../plugins/s3/error.h"
#include "fuzz.h"

const char *const fuzz_words[] = {"<Error>",       "</Error>",  "<Code>", "</Code>", "<![CDATA[",
                                  "]]>",           "<!DOCTYPE", "&amp;",  "&#x41;",  "&lt;",
                                  "<?xml",         "?>",        "<!--",   "-->",     "<a b=\"",
                                  "xmlns=\"http:", NULL};

enum { MOST_TEXT = 16 * 1024, MOST_DEPTH = 16 };

typedef struct told {
  uint64_t sum;
  size_t count;
  size_t most; /* stops then */
} told;

static bool tell(void *state, const char *path, const char *text) {
  told *self = state;
  size_t depth = 0;
  MUST(path[0] == '/' && strlen(path) < 256 && strlen(text) <= MOST_TEXT);
  for (const char *c = path; *c; c++) {
    depth += *c == '/';
    self->sum = self->sum * 31 + (unsigned char)*c;
  }
  MUST(depth <= MOST_DEPTH);
  for (const char *c = text; *c; c++)
    self->sum = self->sum * 31 + (unsigned char)*c;
  self->count++;
  MUST(self->count <= self->most);
  return self->count < self->most;
}

static bool parse(const char *bytes, size_t n, size_t piece, told *found) {
  xml_reader *xml = xml_new(tell, found);
  MUST(xml);
  bool good = true;
  for (size_t i = 0; good && i < n; i += piece)
    good = xml_feed(xml, bytes + i, piece < n - i ? piece : n - i);
  if (!good) MUST(!xml_feed(xml, "<a/>", 4) && !xml_end(xml));
  good = good && xml_end(xml);
  xml_free(xml);
  return good;
}

static void parse_error(const char *bytes, size_t n) {
  s3_error error;
  objects_name name = {.bucket = "bucket", .key = "key"};
  net_answer answer = {.status = 500, .attempts = 2};
  TF_Status *status = TF_NewStatus();
  bool is_error = s3_error_parse(bytes, n, &error);
  MUST(is_error == (error.code[0] != '\0'));
  s3_fail_answer(status, (objects_action){"GetObject", &name}, &answer, &error);
  MUST(TF_GetCode(status) != TF_OK && !strpbrk(TF_Message(status), "\r\n\t\v"));
  TF_DeleteStatus(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n) {
  told whole = {.most = SIZE_MAX}, pieces = whole, few = {.most = n % 7 + 1};
  bool good = parse((const char *)bytes, n, n + 1, &whole);
  MUST(parse((const char *)bytes, n, n % 5 + 1, &pieces) == good);
  if (good) MUST(whole.sum == pieces.sum && whole.count == pieces.count && whole.count > 0);
  parse((const char *)bytes, n, 3, &few);
  parse_error((const char *)bytes, n);
  return 0;
}
