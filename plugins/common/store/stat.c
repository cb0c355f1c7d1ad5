/* What a path is, from objects that have keys and nothing else.
 *
 * Questions are asked in this order, and each costs one request: a head of the key (an object); a
 * listing of one key below the prefix (a directory); then, for a path that is neither, both for the
 * paths above it, the nearest first, as a path below a file is FAILED_PRECONDITION and not NOT_FOUND.
 * A directory with keys ends that search, and the prefix cache may answer for it.
 *
 * A name is both object and directory where "a" and "a/b" exist. The object wins, unless the path ends
 * in a slash. */
#include "stat.h"

#include "prefix_cache.h"
#include "../objects/page.h"

bool store_stat_object(const TF_Filesystem *filesystem, const objects_name *name,
                       objects_object *object, bool *missing, TF_Status *status) {
  bool found = objects_service_of(filesystem)->head(filesystem, name, object, NULL, status);
  *missing = TF_GetCode(status) == TF_NOT_FOUND;
  return found;
}

bool store_stat_prefix(const TF_Filesystem *filesystem, const objects_name *name,
                       TF_Status *status) {
  objects_page page = {.name = name, .prefix = name->prefix, .deep = true, .limit = 1};
  bool good = objects_page_fetch(filesystem, &page, status);
  bool there = good && (page.count > 0 || *name->prefix == '\0');
  if (there) store_prefix_cache_add(filesystem, name);
  objects_page_end(&page);
  return there;
}

bool store_stat_is_below_file(const TF_Filesystem *filesystem, const objects_name *name,
                              TF_Status *status) {
  objects_name above = *name;
  objects_object object;
  bool missing = false;
  while (objects_name_to_parent(&above) && above.key[0]) {
    if (store_prefix_cache_has_keys(filesystem, &above)) return false;
    if (store_stat_prefix(filesystem, &above, status) || TF_GetCode(status) != TF_OK) return false;
    if (objects_name_is_marker(&above)) continue;
    if (store_stat_object(filesystem, &above, &object, &missing, status)) return true;
    if (!missing) return false;
    TF_SetStatus(status, TF_OK, "");
  }
  return false;
}

typedef enum kind { FAILED, NOTHING, DIRECTORY, FILE_WITH_SLASH, BELOW_FILE } kind;

/* Finds out what a path is when no object has its key. */
static kind look_further(const TF_Filesystem *filesystem, const objects_name *name,
                         TF_Status *status) {
  objects_object object;
  bool missing = true;
  TF_SetStatus(status, TF_OK, "");
  if (store_stat_prefix(filesystem, name, status)) return DIRECTORY;
  if (TF_GetCode(status) != TF_OK) return FAILED;
  if (name->is_directory && *name->key &&
      store_stat_object(filesystem, name, &object, &missing, status))
    return FILE_WITH_SLASH;
  if (!missing) return FAILED;
  TF_SetStatus(status, TF_OK, "");
  if (store_stat_is_below_file(filesystem, name, status)) return BELOW_FILE;
  return TF_GetCode(status) == TF_OK ? NOTHING : FAILED;
}

static void tell(kind found, TF_Status *status) {
  if (found == NOTHING) TF_SetStatus(status, TF_NOT_FOUND, "no such object or directory");
  if (found == DIRECTORY) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  if (found == FILE_WITH_SLASH) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a file");
  if (found == BELOW_FILE)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "a parent of the path is a file");
}

void store_stat_missing(const TF_Filesystem *filesystem, const objects_name *name,
                        TF_Status *status) {
  tell(look_further(filesystem, name, status), status);
}

bool store_stat_any(const TF_Filesystem *filesystem, const objects_name *name,
                    objects_object *object, TF_Status *status) {
  bool missing = true;
  if (!name->is_directory && store_stat_object(filesystem, name, object, &missing, status))
    return true;
  if (!missing) return false;
  kind found = look_further(filesystem, name, status);
  *object = (objects_object){.is_directory = true};
  if (found != DIRECTORY) tell(found, status);
  return found == DIRECTORY;
}

bool store_stat_directory(const TF_Filesystem *filesystem, const objects_name *name,
                          TF_Status *status) {
  objects_object object;
  if (!store_stat_any(filesystem, name, &object, status)) return false;
  if (!object.is_directory) tell(FILE_WITH_SLASH, status);
  return object.is_directory;
}

void store_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
                TF_Status *status) {
  objects_name name;
  objects_object object;
  if (!objects_name_parse(filesystem, path, &name, status) ||
      !store_stat_any(filesystem, &name, &object, status))
    return;
  *stats = (TF_FileStatistics){.length = (int64_t)object.length,
                               .mtime_nsec = objects_object_mtime(&object),
                               .is_directory = object.is_directory};
}

void store_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  TF_FileStatistics stats;
  store_stat(filesystem, path, &stats, status);
}

bool store_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  objects_name name;
  return objects_name_parse(filesystem, path, &name, status) &&
         store_stat_directory(filesystem, &name, status);
}

int64_t store_get_file_size(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  TF_FileStatistics stats = {.length = -1};
  store_stat(filesystem, path, &stats, status);
  if (TF_GetCode(status) != TF_OK) return -1;
  if (!stats.is_directory) return stats.length;
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  return -1;
}
