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
static char *find_home(const char *name) {
  enum { FIRST = 1024, MOST = 1 << 20 };
  char *home = NULL, *buffer = NULL;
  int error = ERANGE;
  for (size_t size = FIRST; !home && error == ERANGE && size <= MOST; size *= 2) {
    struct passwd entry, *found = NULL;
    char *larger = realloc(buffer, size);
    if (!larger) break;
    buffer = larger;
    error = name ? getpwnam_r(name, &entry, buffer, size, &found)
                 : getpwuid_r(getuid(), &entry, buffer, size, &found);
    if (found && found->pw_dir) home = strdup(found->pw_dir);
  }
  free(buffer);
  return home;
}

/* The home that "~" or "~user" at the start of a path means. */
static char *home_of(const char *path, size_t length) {
  const char *variable = getenv("HOME");
  if (length == 1) return variable ? strdup(variable) : find_home(NULL);
  char *name = strndup(path + 1, length - 1), *home = name ? find_home(name) : NULL;
  free(name);
  return home;
}

char *modfs_path_expand_user(const char *path) {
  if (!path) return NULL;
  size_t length = strcspn(path, "/");
  char *home = *path == '~' ? home_of(path, length) : NULL;
  if (!home) return strdup(path);
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
