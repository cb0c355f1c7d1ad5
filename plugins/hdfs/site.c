/* Hadoop's configuration files: <configuration> with <property>, each with <name>, <value> and perhaps
 * <final>. A later property replaces an earlier one of that name, unless that is final; hdfs-site.xml
 * comes after core-site.xml. Documents with a DTD, of more than 4 MiB or with deep nesting are refused:
 * the files may be anybody's. */
#include "site.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../common/xml/xml.h"
#include "error.h"

enum { FILES = 2, MOST_BYTES = 4 * 1024 * 1024, MOST_TEXT = 16 * 1024 };
enum { MOST_EXPANSIONS = 20, PATH_SIZE = 4096 };

static const char *const files[FILES] = {"core-site.xml", "hdfs-site.xml"};

typedef struct property {
  char *name;
  char *value;
  bool final;
} property;

/* Which version of a file was loaded; all zero: there was none. */
typedef struct stamp {
  ino_t inode;
  off_t size;
  struct timespec mtime;
} stamp;

struct hdfs_site {
  property *items;
  size_t count;
  size_t room;
  stamp stamps[FILES];
};

hdfs_site *hdfs_site_new(void) {
  return calloc(1, sizeof(hdfs_site));
}

void hdfs_site_free(hdfs_site *self) {
  if (!self) return;
  for (size_t i = 0; i < self->count; i++) {
    free(self->items[i].name);
    free(self->items[i].value);
  }
  free(self->items);
  free(self);
}

static property *find(const hdfs_site *self, const char *name) {
  for (size_t i = 0; i < self->count; i++)
    if (strcmp(self->items[i].name, name) == 0) return &self->items[i];
  return NULL;
}

/* Takes over both texts, also where it fails. */
static bool put(hdfs_site *self, char *name, char *value, bool final) {
  property *old = find(self, name);
  if (old) {
    free(name);
    if (old->final) {
      free(value);
      return true;
    }
    free(old->value);
    old->value = value;
    old->final = final;
    return true;
  }
  if (self->count == self->room) {
    size_t room = self->room * 2 + 64;
    property *longer = realloc(self->items, room * sizeof *longer);
    if (!longer) {
      free(name);
      free(value);
      return false;
    }
    self->items = longer;
    self->room = room;
  }
  self->items[self->count++] = (property){name, value, final};
  return true;
}

/* A document while it is read. */
typedef struct reading {
  hdfs_site *site;
  char *name; /* of the property, once it was read */
  char *value;
  bool final;
} reading;

/* Keeps the text without white space around it; false without memory. */
static bool keep(const char *text, char **place) {
  text += strspn(text, " \t\r\n");
  size_t n = strlen(text);
  while (n > 0 && strchr(" \t\r\n", text[n - 1]))
    n--;
  free(*place);
  *place = strndup(text, n);
  return *place != NULL;
}

static bool end_property(reading *self) {
  char *name = self->name, *value = self->value;
  bool final = self->final;
  self->name = self->value = NULL;
  self->final = false;
  if (name && value) return put(self->site, name, value, final);
  free(name);
  free(value);
  return true;
}

static bool on_element(void *state, const char *path, const char *text) {
  reading *self = state;
  const char *name = xml_below_root(path);
  if (strcmp(name, "/property/name") == 0) return keep(text, &self->name);
  if (strcmp(name, "/property/value") == 0) return keep(text, &self->value);
  if (strcmp(name, "/property/final") == 0) self->final = strstr(text, "true") != NULL;
  return strcmp(name, "/property") != 0 || end_property(self);
}

bool hdfs_site_parse(hdfs_site *self, const char *bytes, size_t n) {
  reading state = {.site = self};
  bool good = n <= MOST_BYTES && xml_read(on_element, &state, bytes, n);
  free(state.name);
  free(state.value);
  return good;
}

static stamp stamp_of(const struct stat *found) {
  return (stamp){found->st_ino, found->st_size, found->st_mtim};
}

static bool fail_to_read(const char *path, int error, TF_Status *status) {
  TF_SetStatusFromIOError(status, error, path);
  return false;
}

/* Reads at most MOST_BYTES + 1 bytes of a file. 0, or the error number. */
static int read_all(FILE *file, struct stat *found, char *bytes, size_t *n) {
  if (fstat(fileno(file), found) != 0) return errno;
  if (S_ISDIR(found->st_mode)) return EISDIR;
  errno = EIO;
  *n = fread(bytes, 1, MOST_BYTES + 1, file);
  return ferror(file) ? errno : 0;
}

/* The reader of XML does not tell why it stopped; where memory is short, malloc does. */
static bool parse(hdfs_site *self, const char *path, const char *bytes, size_t n,
                  TF_Status *status) {
  errno = 0;
  if (hdfs_site_parse(self, bytes, n)) return true;
  if (errno == ENOMEM) return fail_no_memory(status);
  return fail_with(status, TF_FAILED_PRECONDITION,
                   "%s is not a configuration of Hadoop, or is damaged", path);
}

static bool load_open(hdfs_site *self, FILE *file, const char *path, stamp *loaded,
                      TF_Status *status) {
  struct stat found;
  size_t n = 0;
  char *bytes = malloc(MOST_BYTES + 1);
  if (!bytes) return fail_no_memory(status);
  int error = read_all(file, &found, bytes, &n);
  bool good = error == 0 ? parse(self, path, bytes, n, status) : fail_to_read(path, error, status);
  if (error == 0) *loaded = stamp_of(&found);
  free(bytes);
  return good;
}

static bool load_file(hdfs_site *self, const char *path, stamp *loaded, TF_Status *status) {
  FILE *file = fopen(path, "re");
  if (!file) return errno == ENOENT || errno == ENOTDIR || fail_to_read(path, errno, status);
  bool good = load_open(self, file, path, loaded, status);
  fclose(file);
  return good;
}

static void path_of(char path[PATH_SIZE], const char *folder, int which) {
  snprintf(path, PATH_SIZE, "%s/%s", folder, files[which]);
}

hdfs_site *hdfs_site_load(const char *folder, TF_Status *status) {
  char path[PATH_SIZE];
  hdfs_site *made = hdfs_site_new();
  if (!made) fail_no_memory(status);
  for (int i = 0; made && *folder && i < FILES; i++) {
    path_of(path, folder, i);
    if (load_file(made, path, &made->stamps[i], status)) continue;
    hdfs_site_free(made);
    made = NULL;
  }
  return made;
}

bool hdfs_site_is_present(const hdfs_site *self, const char *folder) {
  char path[PATH_SIZE];
  for (int i = 0; *folder && i < FILES; i++) {
    struct stat found;
    stamp now = {0}, then = self->stamps[i];
    path_of(path, folder, i);
    if (stat(path, &found) == 0) now = stamp_of(&found);
    if (now.inode != then.inode || now.size != then.size || now.mtime.tv_sec != then.mtime.tv_sec ||
        now.mtime.tv_nsec != then.mtime.tv_nsec)
      return false;
  }
  return true;
}

bool hdfs_site_at(const hdfs_site *self, size_t number, const char **name, const char **value) {
  if (number >= self->count) return false;
  *name = self->items[number].name;
  *value = self->items[number].value;
  return true;
}

/* Replaces the first ${name} of the text, in place; false where it has none that can be replaced. */
static bool expand(const hdfs_site *self, char *text, size_t size) {
  char name[256], rest[MOST_TEXT + 1];
  char *start = strstr(text, "${"), *end = start ? strchr(start, '}') : NULL;
  if (!end || (size_t)(end - start) - 2 >= sizeof name) return false;
  snprintf(name, sizeof name, "%.*s", (int)(end - start - 2), start + 2);
  const property *found = find(self, name);
  if (!found) return false;
  snprintf(rest, sizeof rest, "%s", end + 1);
  size_t room = size - (size_t)(start - text);
  return (size_t)snprintf(start, room, "%s%s", found->value, rest) < room;
}

bool hdfs_site_get(const hdfs_site *self, const char *name, char *value, size_t size) {
  const property *found = find(self, name);
  if (!found || strlen(found->value) >= size) return false;
  memcpy(value, found->value, strlen(found->value) + 1);
  for (int i = 0; i < MOST_EXPANSIONS && expand(self, value, size); i++) {
  }
  return true;
}
