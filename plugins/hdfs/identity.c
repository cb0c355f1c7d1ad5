/* The last name of each kind and its answer are remembered in each thread, because the files of a tree have
 * few owners, and a look-up may ask a directory service. */
#include "identity.h"

#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <string.h>

enum { BUFFER = 8192, NAME_SIZE = 256 };

typedef struct memory {
  char name[NAME_SIZE];
  bool is_known;
  uint64_t id;
} memory;

static bool find_user(const char *name, uint64_t *id) {
  char buffer[BUFFER];
  struct passwd entry, *found = NULL;
  if (getpwnam_r(name, &entry, buffer, sizeof buffer, &found) != 0 || !found) return false;
  *id = found->pw_uid;
  return true;
}

static bool find_group(const char *name, uint64_t *id) {
  char buffer[BUFFER];
  struct group entry, *found = NULL;
  if (getgrnam_r(name, &entry, buffer, sizeof buffer, &found) != 0 || !found) return false;
  *id = found->gr_gid;
  return true;
}

static bool recall(memory *last, const char *name, bool (*find)(const char *name, uint64_t *id),
                   uint64_t *id) {
  if (!*name || strlen(name) >= NAME_SIZE) return false;
  if (strcmp(last->name, name) != 0) {
    last->is_known = find(name, &last->id);
    snprintf(last->name, sizeof last->name, "%s", name);
  }
  if (last->is_known) *id = last->id;
  return last->is_known;
}

bool hdfs_identity_user_id(const char *name, uint64_t *id) {
  static _Thread_local memory last;
  return recall(&last, name, find_user, id);
}

bool hdfs_identity_group_id(const char *name, uint64_t *id) {
  static _Thread_local memory last;
  return recall(&last, name, find_group, id);
}

bool hdfs_identity_user(uint64_t id, char *name, size_t size) {
  char buffer[BUFFER];
  struct passwd entry, *found = NULL;
  if (id <= UINT32_MAX) getpwuid_r((uid_t)id, &entry, buffer, sizeof buffer, &found);
  return found && (size_t)snprintf(name, size, "%s", found->pw_name) < size;
}

bool hdfs_identity_group(uint64_t id, char *name, size_t size) {
  char buffer[BUFFER];
  struct group entry, *found = NULL;
  if (id <= UINT32_MAX) getgrgid_r((gid_t)id, &entry, buffer, sizeof buffer, &found);
  return found && (size_t)snprintf(name, size, "%s", found->gr_name) < size;
}
