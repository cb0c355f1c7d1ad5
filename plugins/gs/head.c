#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "request.h"
#include "service.h"

bool gs_head(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
             objects_own *own, TF_Status *status) {
  gs_answer answer;
  json_value *resource = NULL;
  gs_request request = {"objects.get", "GET", name, .place = GS_AT_KEY};
  bool good = gs_request_document(filesystem, &request, &answer, &resource, status);
  if (good && !gs_document_object(resource, object)) {
    objects_fail(status, TF_DATA_LOSS, (objects_action){request.operation, name},
                 "the response has no generation or no size");
    good = false;
  }
  if (good && own && !gs_document_own(resource, own)) {
    fail_no_memory(status);
    good = false;
  }
  json_free(resource);
  gs_answer_end(&answer);
  return good;
}

/* Checksums are kept in base64; the bytes of one in hexadecimal. NULL: it is no base64 of so many bytes. */
static char *to_hexadecimal(const char *text, size_t bytes) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *made = calloc(1, 2 * bytes + 1), *to = made;
  unsigned held = 0, bits = 0;
  for (; made && *text && (size_t)(to - made) < 2 * bytes; text++) {
    const char *found = *text == '=' ? NULL : strchr(digits, *text);
    if (!found) break;
    held = held << 6 | (unsigned)(found - digits);
    for (bits += 6; bits >= 4 && (size_t)(to - made) < 2 * bytes; bits -= 4)
      *to++ = "0123456789abcdef"[held >> (bits - 4) & 15];
    held &= 15;
  }
  if (made && (size_t)(to - made) == 2 * bytes) return made;
  free(made);
  return NULL;
}

char *gs_stored_hash(const objects_change *found, const char *algorithm, TF_Status *status) {
  const char *member = strcmp(algorithm, "md5") == 0 ? "md5Hash" : algorithm;
  json_value *own = json_parse(found->own->text, found->own->length);
  const char *value = json_member_text(own, member);
  char *made = NULL;
  if (!value)
    TF_SetStatus(status, TF_NOT_FOUND, "the server keeps no such checksum of the object");
  else if (strcmp(algorithm, "etag") == 0)
    made = strdup(value);
  else
    made = to_hexadecimal(value, *algorithm == 'm' ? 16 : 4);
  if (value && !made) TF_SetStatus(status, TF_DATA_LOSS, "the server's checksum is malformed");
  json_free(own);
  return made;
}
