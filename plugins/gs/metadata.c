#include "metadata.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/json/json.h"
#include "../common/objects/content_type.h"
#include "../common/objects/metadata.h"

static bool set_text(json_value *object, const char *name, const char *value) {
  return *value == '\0' || json_set_text(object, name, value);
}

static bool add_attributes(json_value *resource, const objects_attributes *attributes) {
  char value[OBJECTS_ATTRIBUTE_SIZE];
  if (!(attributes->known | attributes->ended)) return true;
  json_value *metadata = json_member_object(resource, "metadata");
  if (!metadata) metadata = json_set_object(resource, "metadata");
  if (!metadata) return false;
  for (int i = 0; i < OBJECTS_ATTRIBUTES; i++) {
    const char *name = objects_attributes_give(attributes, i, value);
    if (name && !*value) json_free(json_take(metadata, name));
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

/* A value that is null, by which a patch deletes a member. */
static json_value *make_null(void) {
  static const char text[] = "{\"none\":null}";
  json_value *document = json_parse(text, sizeof text - 1), *null = json_take(document, "none");
  json_free(document);
  return null;
}

/* Whether it can be told as one line; others stay as they are. */
static bool is_item(const json_value *member) {
  const char *value = json_text(member);
  return value && !strpbrk(value, "\r\n") && !strpbrk(json_name(member), ":\r\n");
}

/* Replaces the metadata of a patch by the items; members that are in no item are to be deleted. */
static bool replace(json_value *resource, const json_value *old, const objects_headers *items) {
  json_value *metadata = json_set_object(resource, "metadata");
  bool good = metadata != NULL;
  for (const json_value *member = json_first(old); good && member; member = json_next(member))
    if (is_item(member)) good = json_set(metadata, json_name(member), make_null());
  for (int i = 0; good && i < items->count; i++) {
    const char *line = items->lines[i], *colon = strchr(line, ':');
    char *name = strndup(line, (size_t)(colon - line));
    good = name && json_set_text(metadata, name, colon + 2);
    free(name);
  }
  return good;
}

/* Adds the properties that change to a patch. */
static bool change_properties(json_value *resource, const json_value *old,
                              const objects_headers *items) {
  bool good = true;
  for (int i = 0; good && i < OBJECTS_PROPERTIES; i++) {
    const char *member = objects_properties[i].member, *before = json_member_text(old, member);
    const char *value = objects_properties_find(items, objects_properties[i].name);
    if (value && (!before || strcmp(before, value) != 0))
      good = json_set_text(resource, member, value);
    else if (!value && before)
      good = json_set(resource, member, make_null());
  }
  return good;
}

char *gs_metadata_change(const objects_change *change) {
  const objects_own *own = change->own;
  json_value *all = json_parse(own->text, own->length), *made = json_new();
  bool good = all && made;
  if (good && change->metadata)
    good = replace(made, json_member(all, "metadata"), change->metadata);
  else if (good && json_member(all, "metadata"))
    good = json_set(made, "metadata", json_take(all, "metadata"));
  good = good && add_attributes(made, change->attributes) &&
         (!change->properties || change_properties(made, all, change->properties));
  char *text = give_text(made, good);
  json_free(all);
  return text;
}

bool gs_properties(const objects_own *own, objects_headers *items) {
  json_value *all = json_parse(own->text, own->length);
  bool good = all != NULL;
  for (int i = 0; good && i < OBJECTS_PROPERTIES; i++) {
    const char *value = json_member_text(all, objects_properties[i].member);
    if (value && !strpbrk(value, "\r\n"))
      good = objects_headers_add_text(items, objects_properties[i].name, value);
  }
  json_free(all);
  return good;
}

bool gs_metadata(const objects_own *own, objects_headers *items) {
  json_value *all = json_parse(own->text, own->length);
  bool good = all != NULL;
  const json_value *member = json_first(json_member(all, "metadata"));
  for (; good && member; member = json_next(member)) {
    if (is_item(member))
      good = objects_headers_add(items, "%s: %s", json_name(member), json_text(member));
  }
  json_free(all);
  return good;
}

bool gs_takes_metadata(const char *name) {
  return !strpbrk(name, ":\r\n");
}

void gs_metadata_version(const objects_own *own, char *version, size_t size) {
  json_value *all = json_parse(own->text, own->length);
  const char *text = json_member_text(all, "metageneration");
  snprintf(version, size, "%s", text && strlen(text) < size ? text : "");
  json_free(all);
}
