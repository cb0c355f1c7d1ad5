#include "directory.h"
#include "filesystem.h"
#include "fs.h"
#include "../common/glob/glob.h"
#include "lock.h"
#include "names.h"
#include "node.h"
#include "tree.h"

#include <stdlib.h>
#include <string.h>

/* A match of the pattern up to one of its names: the text, and the node. */
struct found {
  char *text;
  struct memory_node *node;
};

struct level {
  struct found *items;
  size_t count;
  size_t room;
};

static void level_fini(struct level *level) {
  for (size_t i = 0; i < level->count; ++i)
    free(level->items[i].text);
  free(level->items);
}

static bool level_reserve(struct level *level) {
  if (level->count < level->room) return true;
  size_t room = level->room ? 2 * level->room : 16;
  struct found *items = realloc(level->items, room * sizeof(*items));
  if (!items) return false;
  level->items = items;
  level->room = room;
  return true;
}

static char *join(const char *text, const char *name) {
  size_t length = strlen(text), name_length = strlen(name);
  bool slash = length > 0 && text[length - 1] != '/';
  char *joined = malloc(length + slash + name_length + 1);
  if (!joined) return NULL;
  char *at = mempcpy(joined, text, length);
  if (slash) *at++ = '/';
  memcpy(at, name, name_length + 1);
  return joined;
}

static memory_error level_add(struct level *level, char *text, struct memory_node *node) {
  if (!text || !level_reserve(level)) {
    free(text);
    return MEMORY_NO_MEMORY;
  }
  level->items[level->count++] = (struct found){text, node};
  return MEMORY_OK;
}

static memory_error add_entry(struct level *level, const char *above,
                              const struct memory_entry *entry) {
  return level_add(level, join(above, memory_entry_name(entry)), entry->node);
}

/* Replaces a link by what it leads to; NULL: nowhere. text is its path as the pattern spells it. */
static memory_error follow(const struct memory_filesystem *self, const char *text,
                           struct memory_node **node) {
  size_t length;
  if (!(*node)->is_link) return MEMORY_OK;
  char *path = memory_path_translate(text);
  if (!path) return MEMORY_NO_MEMORY;
  memory_error error = memory_path_check(path, &length);
  if (!error) error = memory_tree_find(self, path, length, true, node);
  free(path);
  if (error == MEMORY_NO_MEMORY) return error;
  if (error) *node = NULL;
  return MEMORY_OK;
}

/* The directory that a match leads to; NULL: to none. */
static memory_error directory_of(const struct memory_filesystem *self, const struct found *item,
                                 struct memory_directory **directory) {
  struct memory_node *node = item->node;
  memory_error error = follow(self, item->text, &node);
  *directory = error || !node ? NULL : node->directory;
  return error;
}

/* Adds the entries of one directory that match one name of the pattern. */
static memory_error match_children(const struct memory_filesystem *self, const struct found *above,
                                   struct memory_name name, struct level *level) {
  struct memory_directory *directory;
  memory_error error = directory_of(self, above, &directory);
  if (!directory) return error;
  if (!glob_is_pattern(name.text, name.length)) {
    const struct memory_entry *entry = memory_directory_find(directory, name);
    return entry ? add_entry(level, above->text, entry) : MEMORY_OK;
  }
  const struct memory_entry *entry = directory->first[0];
  for (; entry && !error; entry = entry->next[0])
    if (glob_match(name.text, name.length, memory_entry_name(entry)))
      error = add_entry(level, above->text, entry);
  return error;
}

/* Replaces a level by the one below it. */
static memory_error descend(const struct memory_filesystem *self, struct level *level,
                            struct memory_name name) {
  struct level below = {0};
  memory_error error = MEMORY_OK;
  for (size_t i = 0; i < level->count && !error; ++i)
    error = match_children(self, &level->items[i], name, &below);
  level_fini(level);
  *level = below;
  return error;
}

/* Results ------------------------------------------------------------------------ */

static memory_error add_result(struct memory_names *names, const char *above, size_t length,
                               struct memory_name name) {
  bool slash = length > 0 && above[length - 1] != '/' && name.length > 0;
  char *text;
  memory_error error = memory_names_add(names, length + slash + name.length, &text);
  if (error) return error;
  text = mempcpy(text, above, length);
  if (slash) *text++ = '/';
  memcpy(text, name.text, name.length);
  return MEMORY_OK;
}

/* Adds the names of a listing that match the last name of the pattern. */
static memory_error match_listing(const struct memory_listing *listing, const char *above,
                                  struct memory_name name, struct memory_names *names) {
  bool all = name.length == 1 && *name.text == '*';
  size_t above_length = strlen(above), length;
  memory_error error = all ? memory_names_reserve(names, names->count + listing->count) : MEMORY_OK;
  for (const char *at = listing->text; !error && at < listing->end; at += length + 1) {
    length = strlen(at);
    if (all || glob_match(name.text, name.length, at))
      error = add_result(names, above, above_length, (struct memory_name){at, length});
  }
  return error;
}

/* A name without wildcards matches what exists: a link only if it leads somewhere. */
static memory_error match_name(const struct memory_filesystem *self, const char *above,
                               const struct memory_entry *entry, struct memory_names *names) {
  const char *name = memory_entry_name(entry);
  struct memory_node *node = entry->node;
  if (node->is_link) {
    char *text = join(above, name);
    memory_error error = text ? follow(self, text, &node) : MEMORY_NO_MEMORY;
    free(text);
    if (error || !node) return error;
  }
  return add_result(names, above, strlen(above), (struct memory_name){name, entry->length});
}

static memory_error match_last(const struct memory_filesystem *self, const struct found *above,
                               struct memory_name name, struct memory_names *names) {
  struct memory_directory *directory;
  memory_error error = directory_of(self, above, &directory);
  if (!directory) return error;
  if (!glob_is_pattern(name.text, name.length)) {
    const struct memory_entry *entry = memory_directory_find(directory, name);
    return entry ? match_name(self, above->text, entry, names) : MEMORY_OK;
  }
  struct memory_listing *listing = memory_directory_list(directory);
  error = listing ? match_listing(listing, above->text, name, names) : MEMORY_NO_MEMORY;
  memory_listing_release(listing);
  return error;
}

/* The results below a level or, if name is "", the level itself. */
static memory_error finish(const struct memory_filesystem *self, const struct level *level,
                           struct memory_name name, struct memory_names *names) {
  memory_error error = MEMORY_OK;
  for (size_t i = 0; i < level->count && !error; ++i) {
    const struct found *item = &level->items[i];
    error = name.length ? match_last(self, item, name, names)
                        : add_result(names, item->text, strlen(item->text), name);
  }
  return error;
}

/* The search --------------------------------------------------------------------- */

/* The start of the first name with a pattern; NULL if there is none. */
static const char *pattern_start(const char *at, const char *end) {
  struct memory_name name;
  while (memory_path_next(&at, end, &name))
    if (glob_is_pattern(name.text, name.length)) return name.text;
  return NULL;
}

/* The directory of the literal part is the first level; no level if it does not exist. */
static memory_error level_start(const struct memory_filesystem *self, const char *literal,
                                struct level *level) {
  struct memory_node *node = NULL;
  char *path = memory_path_translate(literal);
  size_t length;
  if (!path) return MEMORY_NO_MEMORY;
  memory_error error = memory_path_check(path, &length);
  memory_error missing = error ? error : memory_tree_find(self, path, length, true, &node);
  free(path);
  if (!error && missing == MEMORY_NO_MEMORY) error = missing;
  return node ? level_add(level, strdup(literal), node) : error;
}

static memory_error expand(const struct memory_filesystem *self, const char *literal,
                           const char *at, struct level *level, struct memory_names *names) {
  const char *end = at + strlen(at);
  struct memory_name name = {at, 0}, next;
  memory_error error = level_start(self, literal, level);
  bool more = memory_path_next(&at, end, &name);
  while (!error && more && (more = memory_path_next(&at, end, &next))) {
    error = descend(self, level, name);
    name = next;
  }
  return error ? error : finish(self, level, name, names);
}

static memory_error match(const struct memory_filesystem *self, const char *pattern,
                          struct memory_names *names) {
  const char *end = pattern + strlen(pattern);
  const char *start = pattern_start(pattern + memory_path_scheme_length(pattern), end);
  struct level level = {0};
  if (pattern == end) return MEMORY_OK;
  if ((size_t)(end - pattern) > MEMORY_PATH_MAX) return MEMORY_TOO_LONG;
  char *literal = strndup(pattern, (size_t)((start ? start : end) - pattern));
  if (!literal) return MEMORY_NO_MEMORY;
  memory_lock_tree();
  memory_error error = expand(self, literal, start ? start : end, &level, names);
  memory_unlock_tree();
  memory_names_sort(names);
  level_fini(&level);
  free(literal);
  return error;
}

int memory_fs_get_matching_paths(const TF_Filesystem *filesystem, const char *pattern,
                                 char ***entries, TF_Status *status) {
  struct memory_names names = {0};
  memory_error error = match(memory_filesystem_of(filesystem), pattern, &names);
  return memory_names_give(&names, error, entries, status);
}
