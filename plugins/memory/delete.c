#include "directory.h"
#include "filesystem.h"
#include "fs.h"
#include "node.h"
#include "place.h"
#include "scope.h"

static bool covered_below(const struct memory_place *place) {
  return !place->scope && memory_scope_is_below(place->filesystem, place->path, place->length);
}

static memory_error delete_place(struct memory_place *place) {
  memory_error error = memory_place_prepare(place);
  if (!error) memory_place_unlink(place);
  return error;
}

static memory_error delete_file(struct memory_place *place, void *context) {
  (void)context;
  if (!place->node) return MEMORY_MISSING;
  if (place->node->directory) return MEMORY_IS_DIRECTORY;
  return delete_place(place);
}

static memory_error delete_directory(struct memory_place *place, void *context) {
  (void)context;
  if (!place->node) return MEMORY_MISSING;
  if (!place->node->directory) return MEMORY_IS_FILE;
  if (memory_place_is_root(place)) return MEMORY_IS_ROOT;
  if (place->node->directory->count > 0) return MEMORY_NOT_EMPTY;
  if (covered_below(place)) return MEMORY_COVERED_BELOW;
  return delete_place(place);
}

/* The root always exists: an empty one replaces it. */
static memory_error empty_root(struct memory_place *place) {
  struct memory_node *root =
      memory_node_new_directory(place->filesystem, memory_place_owner(place));
  if (!root) return MEMORY_NO_MEMORY;
  root->number = place->node->number;
  memory_place_link(place, root);
  return MEMORY_OK;
}

static memory_error delete_tree(struct memory_place *place, void *context) {
  (void)context;
  if (!place->node) return MEMORY_MISSING;
  if (place->node->directory && covered_below(place)) return MEMORY_COVERED_BELOW;
  return memory_place_is_root(place) ? empty_root(place) : delete_place(place);
}

void memory_fs_delete_file(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  memory_error_report(memory_place_change(filesystem, path, false, delete_file, NULL), status);
}

void memory_fs_delete_dir(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  memory_error_report(memory_place_change(filesystem, path, false, delete_directory, NULL), status);
}

void memory_fs_delete_recursively(const TF_Filesystem *filesystem, const char *path,
                                  uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                                  TF_Status *status) {
  memory_error error = memory_place_change(filesystem, path, false, delete_tree, NULL);
  *undeleted_files = 0;
  *undeleted_dirs = error ? 1 : 0;
  memory_error_report(error, status);
}
