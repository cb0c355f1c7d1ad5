/* Reading documents. What holds secrets is not read here (flat.c): it would not be wiped. */
#include "document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool gs_document_number(const json_value *value, uint64_t *number) {
  const char *text = json_text(value);
  char *end = NULL;
  if (json_number(value, number)) return true;
  if (!text || *text < '0' || *text > '9') return false;
  errno = 0;
  *number = strtoull(text, &end, 10);
  return errno == 0 && *end == '\0' && *number <= INT64_MAX;
}

int64_t gs_document_time(const char *text) {
  struct tm parts = {0};
  const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &parts);
  if (!rest || (*rest != '.' && *rest != 'Z')) return 0;
  int64_t time = timegm(&parts);
  return time > 0 && time < INT64_MAX / 1000000000 ? time : 0;
}

static void take_metadata(const json_value *metadata, objects_attributes *attributes) {
  for (const json_value *one = json_first(metadata); one; one = json_next(one)) {
    const char *name = json_name(one), *text = json_text(one);
    if (name && text) objects_attributes_take(attributes, name, text);
  }
}

/* A generation becomes part of URLs. */
static bool take_tag(const char *generation, objects_object *object) {
  size_t n = generation ? strlen(generation) : 0;
  if (n == 0 || n >= 24 || generation[strspn(generation, "0123456789")]) return false;
  memcpy(object->tag, generation, n + 1);
  return true;
}

bool gs_document_object(const json_value *resource, objects_object *object) {
  const json_value *length = json_member(resource, "size");
  const char *updated = json_member_text(resource, "timeCreated");
  *object = (objects_object){0};
  /* Some servers leave out a length of 0. */
  bool good = !length || gs_document_number(length, &object->length);
  if (updated) object->modified = gs_document_time(updated);
  take_metadata(json_member(resource, "metadata"), &object->attributes);
  return take_tag(json_member_text(resource, "generation"), object) && good;
}

bool gs_document_own(json_value *resource, objects_own *own) {
  static const char *const names[] = {
      "contentType", "cacheControl",  "contentDisposition", "contentEncoding", "contentLanguage",
      "metadata",    "customTime",    "storageClass",       "md5Hash",         "crc32c",
      "etag",        "metageneration"};
  json_value *kept = json_new();
  bool good = kept != NULL;
  for (size_t i = 0; good && i < sizeof names / sizeof *names; i++)
    if (json_member(resource, names[i]))
      good = json_set(kept, names[i], json_take(resource, names[i]));
  own->text = good ? json_print(kept) : NULL;
  own->length = own->text ? strlen(own->text) : 0;
  json_free(kept);
  return own->text != NULL;
}
