#include "metadata.h"

#include <stdio.h>
#include <string.h>

#include "../common/json/json.h"
#include "../common/objects/content_type.h"

static bool set_text(json_value *object, const char *name, const char *value) {
  return *value == '\0' || json_set_text(object, name, value);
}

static bool add_attributes(json_value *resource, const objects_attributes *attributes) {
  char value[OBJECTS_ATTRIBUTE_SIZE];
  if (!attributes->known) return true;
  json_value *metadata = json_member_object(resource, "metadata");
  if (!metadata) metadata = json_set_object(resource, "metadata");
  if (!metadata) return false;
  for (int i = 0; i < OBJECTS_ATTRIBUTES; i++) {
    const char *name = objects_attributes_give(attributes, i, value);
    if (name && !set_text(metadata, name, value)) return false;
  }
  return true;
}

/* What is kept of another object, without what is of its content or its place. */
static json_value *read_own(const objects_own *own) {
  static const char *const others[] = {"md5Hash", "crc32c", "etag", "metageneration"};
  json_value *kept = own ? json_parse(own->text, own->length) : json_new();
  for (size_t i = 0; kept && i < sizeof others / sizeof *others; i++)
    json_free(json_take(kept, others[i]));
  return kept;
}

static char *give_text(json_value *resource, bool good) {
  char *text = good ? json_print(resource) : NULL;
  json_free(resource);
  return text;
}

char *gs_metadata_new(const TF_Filesystem *filesystem, const objects_name *name,
                      const objects_attributes *attributes, const objects_own *own) {
  json_value *made = read_own(own);
  const char *type = own ? "" : objects_content_type(filesystem, name);
  bool good = made && set_text(made, "contentType", type) &&
              set_text(made, "storageClass", remote_text(filesystem, S3_STORAGE_CLASS)) &&
              add_attributes(made, attributes);
  return give_text(made, good);
}

char *gs_metadata_change(const objects_own *own, const objects_attributes *attributes) {
  json_value *all = json_parse(own->text, own->length), *made = json_new();
  bool good =
      all && made &&
      (!json_member(all, "metadata") || json_set(made, "metadata", json_take(all, "metadata"))) &&
      add_attributes(made, attributes);
  char *text = give_text(made, good);
  json_free(all);
  return text;
}

void gs_metadata_version(const objects_own *own, char *version, size_t size) {
  json_value *all = json_parse(own->text, own->length);
  const char *text = json_member_text(all, "metageneration");
  snprintf(version, size, "%s", text && strlen(text) < size ? text : "");
  json_free(all);
}
