#include <modfs/env.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "string_stream.h"

enum { CANDIDATES = 4 };

static bool is_directory(const char *path) {
  struct stat info;
  return path && *path && stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

/* What stands between a directory's path and a name in it. */
static const char *slash_after(const char *directory) {
  return directory[strlen(directory) - 1] == '/' ? "" : "/";
}

/* A copy of the directory's path that ends in a slash. */
static char *directory_dup(const char *directory) {
  size_t size = strlen(directory) + sizeof "/";
  char *text = malloc(size);
  if (text) snprintf(text, size, "%s%s", directory, slash_after(directory));
  return text;
}

static const char *directory_find(void) {
  const char *const candidates[CANDIDATES] = {secure_getenv("TEST_TMPDIR"), secure_getenv("TMPDIR"),
                                              secure_getenv("TMP"), "/tmp"};
  for (int i = 0; i < CANDIDATES; i++)
    if (is_directory(candidates[i])) return candidates[i];
  return NULL;
}

static char *template_new(const char *directory, const char *extension) {
  const char *dot = *extension ? "." : "";
  size_t size = strlen(directory) + sizeof "/modfs_XXXXXX." + strlen(extension);
  char *text = malloc(size);
  if (text)
    snprintf(text, size, "%s%smodfs_XXXXXX%s%s", directory, slash_after(directory), dot, extension);
  return text;
}

static bool file_make(char *name, const char *extension) {
  size_t suffix = *extension ? strlen(extension) + 1 : 0;
  if (suffix > NAME_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  int fd = mkostemps(name, (int)suffix, O_CLOEXEC);
  if (fd >= 0) close(fd);
  return fd >= 0;
}

char *TF_GetTempFileName(const char *extension) {
  char text[128];
  const char *directory = directory_find();
  if (!directory) {
    TF_Log(TF_ERROR, "no directory for temporary files");
    return NULL;
  }
  if (!extension) extension = "";
  char *name = template_new(directory, extension);
  if (name && file_make(name, extension)) return name;
  TF_Log(TF_ERROR, "cannot create a temporary file in %s: %s", directory,
         strerror_r(errno, text, sizeof text));
  free(name);
  return NULL;
}

TF_StringStream *TF_GetLocalTempDirectories(void) {
  const char *directory = directory_find();
  char **strings = calloc(2, sizeof *strings);
  if (strings && directory) strings[0] = directory_dup(directory);
  if (!strings || (directory && !strings[0])) {
    free(strings);
    return NULL;
  }
  return modfs_string_stream_new(strings);
}
