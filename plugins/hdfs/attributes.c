#include "attributes.h"

#include <inttypes.h>
#include <stdio.h>

#include "call.h"
#include "identity.h"
#include "stat.h"
#include "text.h"

enum { TIMES = MODFS_ATTRIBUTE_MTIME | MODFS_ATTRIBUTE_ATIME };
enum { OWNERS = MODFS_ATTRIBUTE_OWNER | MODFS_ATTRIBUTE_GROUP, NAME_SIZE = 256 };

bool hdfs_attributes_check(const modfs_attributes *attributes, uint64_t which, TF_Status *status) {
  char name[NAME_SIZE];
  if (which & ~(uint64_t)(MODFS_ATTRIBUTE_MODE | TIMES | OWNERS | MODFS_ATTRIBUTE_OF_LINK))
    return fail_with(status, TF_UNIMPLEMENTED, "HDFS does not keep such attributes");
  if (((which & MODFS_ATTRIBUTE_MTIME) && attributes->mtime_nsec < 0) ||
      ((which & MODFS_ATTRIBUTE_ATIME) && attributes->atime_nsec < 0))
    return fail_with(status, TF_UNIMPLEMENTED, "HDFS keeps no times before 1970");
  if ((which & MODFS_ATTRIBUTE_MODE) && (attributes->mode & ~(uint32_t)01777))
    return fail_with(status, TF_UNIMPLEMENTED, "HDFS has no set-user-id and set-group-id bits");
  if ((which & MODFS_ATTRIBUTE_OWNER) && !hdfs_identity_user(attributes->owner, name, sizeof name))
    return fail_with(status, TF_UNIMPLEMENTED,
                     "HDFS keeps names of users, and this machine has none for %" PRIu64,
                     attributes->owner);
  if ((which & MODFS_ATTRIBUTE_GROUP) && !hdfs_identity_group(attributes->group, name, sizeof name))
    return fail_with(status, TF_UNIMPLEMENTED,
                     "HDFS keeps names of groups, and this machine has none for %" PRIu64,
                     attributes->group);
  return true;
}

static bool run(const TF_Filesystem *filesystem, const hdfs_name *name, const char *op,
                const char *query, TF_Status *status) {
  const hdfs_call call = {.method = "PUT", .op = op, .query = query};
  return hdfs_call_plain(filesystem, name, &call, status);
}

static bool set_owners(const TF_Filesystem *filesystem, const hdfs_name *name,
                       const modfs_attributes *attributes, uint64_t which, TF_Status *status) {
  char user[NAME_SIZE] = "", group[NAME_SIZE] = "";
  hdfs_text query = {.bytes = NULL};
  if (which & MODFS_ATTRIBUTE_OWNER) {
    hdfs_identity_user(attributes->owner, user, sizeof user);
    hdfs_text_add(&query, "&owner=");
    hdfs_text_add_encoded(&query, user, false);
  }
  if (which & MODFS_ATTRIBUTE_GROUP) {
    hdfs_identity_group(attributes->group, group, sizeof group);
    hdfs_text_add(&query, "&group=");
    hdfs_text_add_encoded(&query, group, false);
  }
  bool good = query.failed ? fail_no_memory(status)
                           : run(filesystem, name, "SETOWNER", query.bytes, status);
  hdfs_text_fini(&query);
  return good;
}

bool hdfs_attributes_set(const TF_Filesystem *filesystem, const hdfs_name *name,
                         const modfs_attributes *attributes, uint64_t which, TF_Status *status) {
  char query[128];
  if ((which & OWNERS) && !set_owners(filesystem, name, attributes, which, status)) return false;
  snprintf(query, sizeof query, "&permission=%o", (unsigned)(attributes->mode & 07777));
  if ((which & MODFS_ATTRIBUTE_MODE) && !run(filesystem, name, "SETPERMISSION", query, status))
    return false;
  int64_t mtime = which & MODFS_ATTRIBUTE_MTIME ? attributes->mtime_nsec / 1000000 : -1;
  int64_t atime = which & MODFS_ATTRIBUTE_ATIME ? attributes->atime_nsec / 1000000 : -1;
  snprintf(query, sizeof query, "&modificationtime=%" PRId64 "&accesstime=%" PRId64, mtime, atime);
  return !(which & TIMES) || run(filesystem, name, "SETTIMES", query, status);
}

void hdfs_set_attributes(const TF_Filesystem *filesystem, const modfs_directory *directory,
                         const char *path, const modfs_attributes *attributes, uint64_t which,
                         TF_Status *status) {
  hdfs_place place;
  hdfs_status found;
  if (directory) {
    fail_with(status, TF_UNIMPLEMENTED, "entries are changed by their full path");
    return;
  }
  if (!hdfs_attributes_check(attributes, which, status) ||
      !hdfs_place_find(filesystem, path, &place, status))
    return;
  if (place.is_virtual)
    fail_with(status, TF_PERMISSION_DENIED, "a directory of the mount table, which is read-only");
  else if (hdfs_stat_name(filesystem, &place.name, &found, status))
    hdfs_attributes_set(filesystem, &place.name, attributes, which, status);
}
