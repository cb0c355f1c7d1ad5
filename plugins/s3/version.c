#include "version.h"

#include <stdio.h>
#include <string.h>

#include "../common/remote/remote.h"
#include "options.h"

static const char mark[] = "?versionId=";

/* Where the version begins in a key; NULL: it has none. */
static const char *find(const TF_Filesystem *filesystem, const objects_name *name) {
  const char *found = NULL, *next = name->key;
  if (!remote_number(filesystem, S3_VERSIONS)) return NULL;
  while ((next = strstr(next, mark)))
    found = next++;
  size_t n = found ? strlen(found + sizeof mark - 1) : 0;
  return found != name->key && n > 0 && n < S3_VERSION_SIZE ? found : NULL;
}

void s3_version_take(const TF_Filesystem *filesystem, const objects_name *name,
                     s3_version *version) {
  const char *found = find(filesystem, name);
  version->name = name;
  version->query = NULL;
  if (!found) return;
  version->bare = *name;
  version->bare.key[found - name->key] = '\0';
  snprintf(version->id, sizeof version->id, "%s", found + sizeof mark - 1);
  version->pairs[0] = (s3_pair){"versionId", version->id};
  version->pairs[1] = (s3_pair){NULL, NULL};
  version->name = &version->bare;
  version->query = version->pairs;
}

bool s3_version_is_present(const TF_Filesystem *filesystem, const objects_name *name,
                           TF_Status *status) {
  if (!find(filesystem, name)) return true;
  TF_SetStatus(status, TF_FAILED_PRECONDITION,
               "the path names a version, and versions can only be read; option versions");
  return false;
}
