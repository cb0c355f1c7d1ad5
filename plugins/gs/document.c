/* Reading documents. jansson checks that texts are UTF-8 and that keys come once, and bounds their depth. What
 * holds secrets is not read here (flat.c): jansson does not wipe what it frees. */
#include "document.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

json_t *gs_document_read(const char *bytes, size_t n) {
  json_t *document = bytes ? json_loadb(bytes, n, 0, NULL) : NULL;
  if (json_is_object(document)) return document;
  json_decref(document);
  return NULL;
}

bool gs_document_number(const json_t *value, uint64_t *number) {
  const char *text = json_string_value(value);
  char *end = NULL;
  if (json_is_integer(value) && json_integer_value(value) >= 0) {
    *number = (uint64_t)json_integer_value(value);
    return true;
  }
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

static void take_metadata(const json_t *metadata, objects_attributes *attributes) {
  const char *name;
  json_t *value;
  json_object_foreach((json_t *)metadata, name, value) {
    const char *text = json_string_value(value);
    if (text) objects_attributes_take(attributes, name, text);
  }
}

/* A generation becomes part of URLs. */
static bool take_tag(const char *generation, objects_object *object) {
  size_t n = generation ? strlen(generation) : 0;
  if (n == 0 || n >= 24 || generation[strspn(generation, "0123456789")]) return false;
  memcpy(object->tag, generation, n + 1);
  return true;
}

bool gs_document_object(const json_t *resource, objects_object *object) {
  const json_t *length = json_object_get(resource, "size");
  const char *updated = json_string_value(json_object_get(resource, "timeCreated"));
  *object = (objects_object){0};
  /* Some servers leave out a length of 0. */
  bool good = !length || gs_document_number(length, &object->length);
  if (updated) object->modified = gs_document_time(updated);
  take_metadata(json_object_get(resource, "metadata"), &object->attributes);
  return take_tag(json_string_value(json_object_get(resource, "generation")), object) && good;
}

bool gs_document_own(const json_t *resource, objects_own *own) {
  static const char *const names[] = {
      "contentType", "cacheControl",  "contentDisposition", "contentEncoding", "contentLanguage",
      "metadata",    "customTime",    "storageClass",       "md5Hash",         "crc32c",
      "etag",        "metageneration"};
  json_t *kept = json_object();
  bool good = kept != NULL;
  for (size_t i = 0; good && i < sizeof names / sizeof *names; i++) {
    json_t *value = json_object_get(resource, names[i]);
    if (value) good = json_object_set(kept, names[i], value) == 0;
  }
  own->text = good ? json_dumps(kept, JSON_COMPACT) : NULL;
  own->length = own->text ? strlen(own->text) : 0;
  json_decref(kept);
  return own->text != NULL;
}
