/* Hadoop's configuration files: <configuration> with <property>, each with <name>, <value> and perhaps
 * <final>. A later property replaces an earlier one of that name, unless that is final; hdfs-site.xml
 * comes after core-site.xml. Documents with a DTD, of more than 4 MiB or with deep nesting are refused:
 * the files may be anybody's. */
#include "site.h"

#include <expat.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "error.h"

enum { FILES = 2, MOST_BYTES = 4 * 1024 * 1024, MOST_DEPTH = 8, MOST_TEXT = 16 * 1024 };
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

/* A document on its way through the parser. */
typedef struct reading {
  hdfs_site *site;
  XML_Parser parser;
  bool failed;
  int depth;
  char *name; /* of the property, once it was read */
  char *value;
  bool final;
  size_t length;
  char text[MOST_TEXT + 1];
} reading;

static void fail(reading *self) {
  self->failed = true;
  XML_StopParser(self->parser, XML_FALSE);
}

static void XMLCALL on_start(void *state, const XML_Char *name, const XML_Char **attributes) {
  reading *self = state;
  (void)name, (void)attributes;
  self->length = 0;
  if (++self->depth > MOST_DEPTH) fail(self);
}

static void XMLCALL on_text(void *state, const XML_Char *text, int n) {
  reading *self = state;
  if (self->failed) return;
  if ((size_t)n > MOST_TEXT - self->length) {
    fail(self);
    return;
  }
  memcpy(self->text + self->length, text, (size_t)n);
  self->length += (size_t)n;
}

/* The text of the element without white space around it. */
static char *take_text(reading *self) {
  size_t start = 0, end = self->length;
  while (start < end && strchr(" \t\r\n", self->text[start]))
    start++;
  while (end > start && strchr(" \t\r\n", self->text[end - 1]))
    end--;
  return strndup(self->text + start, end - start);
}

static void keep(reading *self, char **place) {
  free(*place);
  *place = take_text(self);
  if (!*place) fail(self);
}

static void end_property(reading *self) {
  char *name = self->name, *value = self->value;
  self->name = self->value = NULL;
  if (name && value) {
    if (!put(self->site, name, value, self->final)) fail(self);
  } else {
    free(name);
    free(value);
  }
  self->final = false;
}

static void XMLCALL on_end(void *state, const XML_Char *name) {
  reading *self = state;
  if (self->failed) return;
  if (self->depth == 3 && strcmp(name, "name") == 0)
    keep(self, &self->name);
  else if (self->depth == 3 && strcmp(name, "value") == 0)
    keep(self, &self->value);
  else if (self->depth == 3 && strcmp(name, "final") == 0)
    self->final = self->length >= 4 && memmem(self->text, self->length, "true", 4);
  else if (self->depth == 2 && strcmp(name, "property") == 0)
    end_property(self);
  self->depth--;
  self->length = 0;
}

static void XMLCALL on_doctype(void *state, const XML_Char *name, const XML_Char *system,
                               const XML_Char *public, int internal) {
  (void)name, (void)system, (void)public, (void)internal;
  fail(state);
}

bool hdfs_site_parse(hdfs_site *self, const char *bytes, size_t n) {
  reading *state = n <= MOST_BYTES ? calloc(1, sizeof *state) : NULL;
  XML_Parser parser = state ? XML_ParserCreate(NULL) : NULL;
  bool good = false;
  if (parser) {
    state->site = self;
    state->parser = parser;
    XML_SetUserData(parser, state);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetCharacterDataHandler(parser, on_text);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
    good = XML_Parse(parser, bytes, (int)n, XML_TRUE) == XML_STATUS_OK && !state->failed;
    XML_ParserFree(parser);
    free(state->name);
    free(state->value);
  }
  free(state);
  return good;
}

static stamp stamp_of(const struct stat *found) {
  return (stamp){found->st_ino, found->st_size, found->st_mtim};
}

/* The whole of a file; NULL without memory, or when it is too long or unreadable. */
static char *read_all(FILE *file, size_t *n) {
  char *bytes = malloc(MOST_BYTES + 1);
  *n = bytes ? fread(bytes, 1, MOST_BYTES + 1, file) : 0;
  if (bytes && (ferror(file) || *n > MOST_BYTES)) {
    free(bytes);
    bytes = NULL;
  }
  return bytes;
}

static bool load_file(hdfs_site *self, const char *path, stamp *loaded, TF_Status *status) {
  struct stat found;
  size_t n = 0;
  FILE *file = fopen(path, "re");
  if (!file) return true;
  char *bytes = fstat(fileno(file), &found) == 0 ? read_all(file, &n) : NULL;
  bool good = bytes && hdfs_site_parse(self, bytes, n);
  if (bytes) *loaded = stamp_of(&found);
  if (!good)
    hdfs_fail(status, TF_FAILED_PRECONDITION, "%s is no configuration of Hadoop, or is damaged",
              path);
  free(bytes);
  fclose(file);
  return good;
}

static void path_of(char path[PATH_SIZE], const char *folder, int which) {
  snprintf(path, PATH_SIZE, "%s/%s", folder, files[which]);
}

hdfs_site *hdfs_site_load(const char *folder, TF_Status *status) {
  char path[PATH_SIZE];
  hdfs_site *made = hdfs_site_new();
  if (!made) hdfs_no_memory(status);
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
