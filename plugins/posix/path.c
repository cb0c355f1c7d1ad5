#include "path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "error.h"

static const char uri_prefix[] = "file://";

static bool is_uri(const char *text) {
  return strncmp(text, uri_prefix, sizeof uri_prefix - 1) == 0;
}

/* The path in a file URI; NULL when its host is another machine. */
static const char *uri_path(const char *uri) {
  static const char local[] = "localhost";
  const char *host = uri + sizeof uri_prefix - 1;
  size_t length = strcspn(host, "/");
  bool here = length == 0 || (length == sizeof local - 1 && memcmp(host, local, length) == 0);
  if (!here) return NULL;
  return host[length] == '\0' ? "/" : host + length;
}

/* Removes the last name of out[0..n), but nothing below floor. */
static size_t drop_name(const char *out, size_t n, size_t floor) {
  while (n > floor && out[n - 1] != '/')
    n--;
  return n > floor ? n - 1 : n;
}

static size_t add_name(char *out, size_t n, const char *name, size_t length) {
  if (n > 0 && out[n - 1] != '/') out[n++] = '/';
  memcpy(out + n, name, length);
  return n + length;
}

/* Normalizes the text without looking at files; out has room for the path and two bytes more. */
static void clean(const char *path, char *out) {
  bool absolute = path[0] == '/';
  size_t n = 0;
  if (absolute) out[n++] = '/';
  size_t floor = n;
  while (*path != '\0') {
    size_t length = strcspn(path, "/");
    if (length == 2 && path[0] == '.' && path[1] == '.') {
      if (n > floor) {
        n = drop_name(out, n, floor);
      } else if (!absolute) {
        n = floor = add_name(out, n, path, length);
      }
    } else if (length > 0 && !(length == 1 && path[0] == '.')) {
      n = add_name(out, n, path, length);
    }
    path += length;
    path += strspn(path, "/");
  }
  if (n == 0) out[n++] = '.';
  out[n] = '\0';
}

char *posix_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  const char *path = is_uri(uri) ? uri_path(uri) : uri;
  if (path == NULL || path[0] == '\0') return strdup(uri);
  char *out = malloc(strlen(path) + 2);
  if (out != NULL) clean(path, out);
  return out;
}

/* Opens the directory at the longest part of the place that fits, and continues from there. */
static int place_advance(posix_place *place, posix_prepare prepare, mode_t mode) {
  char part[POSIX_PATH_STEP];
  size_t length = POSIX_PATH_STEP - 1;
  while (length > 0 && place->name[length - 1] != '/')
    length--;
  if (length == 0) return ENAMETOOLONG;
  memcpy(part, place->name, length);
  part[length] = '\0';
  int error = prepare != NULL ? prepare(place->dir, part, mode) : 0;
  if (error != 0) return error;
  int dir = posix_openat(place->dir, part, O_PATH | O_DIRECTORY, 0);
  if (dir < 0) return errno;
  posix_place_close(place);
  place->dir = dir;
  place->name += length;
  place->name += strspn(place->name, "/");
  return 0;
}

int posix_place_prepare(const char *path, posix_place *place, posix_prepare prepare, mode_t mode) {
  place->dir = AT_FDCWD;
  place->name = path;
  if (is_uri(path)) return POSIX_FOREIGN_HOST;
  while (strnlen(place->name, POSIX_PATH_STEP) == POSIX_PATH_STEP) {
    int error = place_advance(place, prepare, mode);
    if (error != 0) return error;
  }
  return 0;
}

void posix_place_leave(posix_place *place) {
  close(place->dir);
  place->dir = AT_FDCWD;
}
