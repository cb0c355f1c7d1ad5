#include "metadata.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "../common/objects/content_type.h"
#include "document.h"

static bool set_text(json_t *object, const char *name, const char *value) {
  return *value == '\0' || json_object_set_new(object, name, json_string(value)) == 0;
}

static bool add_attributes(json_t *resource, const objects_attributes *attributes) {
  char value[OBJECTS_ATTRIBUTE_SIZE];
  json_t *metadata = json_object_get(resource, "metadata");
  if (!attributes->known) return true;
  if (!json_is_object(metadata)) {
    metadata = json_object();
    if (json_object_set_new(resource, "metadata", metadata) != 0) return false;
  }
  for (int i = 0; i < OBJECTS_ATTRIBUTES; i++) {
    const char *name = objects_attributes_give(attributes, i, value);
    if (name && !set_text(metadata, name, value)) return false;
  }
  return true;
}

/* What is kept of another object, without what is of its content or its place. */
static json_t *read_own(const objects_own *own) {
  static const char *const others[] = {"md5Hash", "crc32c", "etag", "metageneration"};
  json_t *kept = own ? gs_document_read(own->text, own->length) : json_object();
  for (size_t i = 0; kept && i < sizeof others / sizeof *others; i++)
    json_object_del(kept, others[i]);
  return kept;
}

static char *give_text(json_t *resource, bool good) {
  char *text = good ? json_dumps(resource, JSON_COMPACT) : NULL;
  json_decref(resource);
  return text;
}

char *gs_metadata_new(const TF_Filesystem *filesystem, const objects_name *name,
                      const objects_attributes *attributes, const objects_own *own) {
  json_t *made = read_own(own);
  const char *type = own ? "" : objects_content_type(filesystem, name);
  bool good = made && set_text(made, "contentType", type) &&
              set_text(made, "storageClass", remote_text(filesystem, S3_STORAGE_CLASS)) &&
              add_attributes(made, attributes);
  return give_text(made, good);
}

char *gs_metadata_change(const objects_own *own, const objects_attributes *attributes) {
  json_t *all = gs_document_read(own->text, own->length), *made = json_object();
  json_t *metadata = json_object_get(all, "metadata");
  bool good = all && made && (!metadata || json_object_set(made, "metadata", metadata) == 0) &&
              add_attributes(made, attributes);
  char *text = give_text(made, good);
  json_decref(all);
  return text;
}

void gs_metadata_version(const objects_own *own, char *version, size_t size) {
  json_t *all = gs_document_read(own->text, own->length);
  const char *text = json_string_value(json_object_get(all, "metageneration"));
  snprintf(version, size, "%s", text && strlen(text) < size ? text : "");
  json_decref(all);
}
