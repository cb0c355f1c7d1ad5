#include "hash.h"

#include <stdio.h>
#include <string.h>

#include "../words/words.h"
#include "stat.h"

static void refuse(const char *known, TF_Status *status) {
  char text[160];
  const char *form = strchr(known, ' ') ? "of an object only these checksums are known: %s"
                                        : "of an object only the checksum \"%s\" is known";
  snprintf(text, sizeof text, form, known);
  TF_SetStatus(status, TF_UNIMPLEMENTED, text);
}

/* The object, or why there is none. */
static bool find(const TF_Filesystem *filesystem, const objects_name *name, objects_object *object,
                 objects_own *own, TF_Status *status) {
  if (!name->is_directory) {
    if (objects_service_of(filesystem)->head(filesystem, name, object, own, status)) return true;
    if (TF_GetCode(status) != TF_NOT_FOUND) return false;
    TF_SetStatus(status, TF_OK, "");
  }
  store_stat_missing(filesystem, name, status);
  return false;
}

char *store_stored_hash(const TF_Filesystem *filesystem, const char *path, const char *algorithm,
                        TF_Status *status) {
  const objects_service *service = objects_service_of(filesystem);
  objects_name name;
  objects_object object;
  objects_own own = {0};
  const objects_change found = {.name = &name, .object = &object, .own = &own};
  char *hash = NULL;
  if (!words_have(service->hashes, algorithm, strlen(algorithm)))
    refuse(service->hashes, status);
  else if (objects_name_parse(filesystem, path, &name, status) &&
           find(filesystem, &name, &object, &own, status))
    hash = service->stored_hash(&found, algorithm, status);
  objects_own_end(&own);
  return hash;
}
