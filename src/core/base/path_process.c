/* Paths as text that depend on the process: its working directory, and the homes of users. */
#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "path.h"
#include "status.h"

/* NULL with a failure. */
static char *below_working_directory(const char *path, TF_Status *status) {
  char *working = getcwd(NULL, 0);
  if (!working) {
    TF_SetStatusFromIOError(status, errno, "cannot find the working directory");
    return NULL;
  }
  char *whole = modfs_path_join(working, path);
  free(working);
  return whole;
}

char *modfs_path_absolute(const char *path, TF_Status *status) {
  if (!status_takes(status, "the path", path)) {
    status_locate(status, "absolute", NULL);
    return NULL;
  }
  modfs_path parts = modfs_path_parse(path, strlen(path));
  bool complete = parts.scheme_length > 0 || *path == '/';
  char *whole = complete ? strdup(path) : below_working_directory(path, status);
  char *clean = whole ? modfs_path_clean_uri(whole) : NULL;
  if (!clean && status_ok(status)) status_no_memory(status);
  free(whole);
  status_locate(status, "absolute", path);
  return clean;
}

/* The home directory from the user database; name: NULL for the user of this process. Owns: free().
 */
static char *find_home(const char *name, bool *short_of_memory) {
  enum { FIRST = 1024, MOST = 1 << 20 };
  char *home = NULL, *buffer = NULL;
  int error = ERANGE;
  for (size_t size = FIRST; !home && error == ERANGE && size <= MOST; size *= 2) {
    struct passwd entry, *found = NULL;
    char *larger = realloc(buffer, size);
    *short_of_memory = !larger;
    if (!larger) break;
    buffer = larger;
    error = name ? getpwnam_r(name, &entry, buffer, size, &found)
                 : getpwuid_r(getuid(), &entry, buffer, size, &found);
    if (found && found->pw_dir) *short_of_memory = !(home = strdup(found->pw_dir));
  }
  free(buffer);
  return home;
}

/* The home that "~" or "~user" at the start of a path means; NULL where there is none, and when memory
 * is short. */
static char *home_of(const char *path, size_t length, bool *short_of_memory) {
  const char *variable = length == 1 ? getenv("HOME") : NULL;
  char *name = length > 1 ? strndup(path + 1, length - 1) : NULL, *home = NULL;
  *short_of_memory = length > 1 && !name;
  if (variable)
    *short_of_memory = !(home = strdup(variable));
  else if (!*short_of_memory)
    home = find_home(name, short_of_memory);
  free(name);
  return home;
}

char *modfs_path_expand_user(const char *path) {
  if (!path) return NULL;
  size_t length = strcspn(path, "/");
  bool short_of_memory = false;
  char *home = *path == '~' ? home_of(path, length, &short_of_memory) : NULL;
  if (!home) return short_of_memory ? NULL : strdup(path);
  size_t kept = strlen(home);
  while (kept > 0 && home[kept - 1] == '/')
    kept--;
  home[kept] = '\0';
  char *out = malloc(kept + strlen(path + length) + 2);
  if (out) stpcpy(stpcpy(out, home), path + length);
  if (out && *out == '\0') stpcpy(out, "/");
  free(home);
  return out;
}
