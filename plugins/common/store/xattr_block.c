#include "xattr_block.h"

#include <stdlib.h>
#include <string.h>

#include "../objects/metadata.h"

/* Makes "name\0value" of each item; the values begin behind one space. */
static void split(objects_headers *items) {
  for (int i = 0; i < items->count; i++) {
    char *line = items->lines[i];
    line[strcspn(line, ":")] = '\0';
  }
}

static const char *value_of(const char *name) {
  return name + strlen(name) + 2;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_kept(const objects_headers *items, int i) {
  const char *name = items->lines[i];
  return *name && strlen(name) <= STORE_MOST_XATTR_NAME && !objects_attributes_has(name) &&
         (i == 0 || strcmp(items->lines[i - 1], name) != 0);
}

static size_t add_value(const char *value, bool encoded, char *to) {
  if (encoded) return objects_metadata_decode(value, to);
  memcpy(to, value, strlen(value));
  return strlen(value);
}

/* There is room. */
static void add(store_xattr_block *to, const char *name, const char *space) {
  const size_t before = strlen(space);
  char *at = to->bytes + to->size, *value = at + sizeof(uint32_t) + before + strlen(name) + 1;
  const bool encoded = strcmp(space, STORE_USER) == 0;
  const uint32_t length = (uint32_t)add_value(value_of(name), encoded, value);
  memcpy(at, &length, sizeof length);
  memcpy(at + sizeof length, space, before);
  memcpy(at + sizeof length + before, name, strlen(name) + 1);
  to->size = (size_t)(value - to->bytes) + length;
}

bool store_xattr_block_add(store_xattr_block *to, objects_headers *items, const char *space) {
  size_t room = to->size + 1;
  split(items);
  qsort(items->lines, (size_t)items->count, sizeof *items->lines, compare);
  for (int i = 0; i < items->count; i++)
    room += sizeof(uint32_t) + strlen(space) + strlen(items->lines[i]) + 1 +
            strlen(value_of(items->lines[i]));
  char *bytes = realloc(to->bytes, room);
  if (!bytes) return false;
  to->bytes = bytes;
  for (int i = 0; i < items->count; i++)
    if (is_kept(items, i)) add(to, items->lines[i], space);
  return true;
}

bool store_xattr_next(const char *block, size_t size, size_t *at, store_xattr *found) {
  if (*at >= size) return false;
  memcpy(&found->length, block + *at, sizeof found->length);
  found->name = block + *at + sizeof found->length;
  found->value = found->name + strlen(found->name) + 1;
  *at = (size_t)(found->value - block) + found->length;
  return true;
}

const char *store_xattr_within(const store_xattr *from, const char *space) {
  const size_t n = strlen(space);
  return strncmp(from->name, space, n) == 0 ? from->name + n : "";
}
