/* An open directory. First come the names of the mount table, if it has some there, then the pages of the
 * name node, of as many entries as it likes to send (1,000 by default): one is in memory at a time. The next
 * page begins behind the last name of this one, so what is created or deleted meanwhile is seen or not, and
 * nothing is seen twice. Servers without LISTSTATUS_BATCH send all at once. One thread at a time uses it. */
#include "listing.h"

#include <stdlib.h>
#include <string.h>

#include "call.h"
#include "place.h"
#include "stat.h"
#include "../common/remote/strings.h"
#include "text.h"

typedef struct listing {
  const TF_Filesystem *filesystem;
  hdfs_place place;
  remote_strings mounted; /* names of the mount table */
  size_t next_mounted;
  json_value *page;        /* NULL: none is there */
  const json_value *items; /* of the page */
  const json_value *next;  /* of the items; NULL: no more */
  bool has_more;
  char *name; /* the last that was returned */
} listing;

static void listing_close(listing *self) {
  if (!self) return;
  remote_strings_fini(&self->mounted);
  json_free(self->page);
  free(self->name);
  free(self);
}

/* Whether the server does not know the operation. */
static bool is_unknown(const hdfs_answer *answer) {
  return answer->http_status == 400 && hdfs_error_is(&answer->error, "IllegalArgumentException");
}

static bool fetch(listing *self, const char *op, const char *query, hdfs_answer *answer,
                  TF_Status *status) {
  const hdfs_call call = {.method = "GET", .op = op, .query = query};
  return hdfs_call_run(self->filesystem, &self->place.name, &call, answer, status);
}

/* The last entry of the page, where the next one begins. */
static const char *last_name(const listing *self) {
  return json_member_text(json_last(self->items), "pathSuffix");
}

static bool take_page(listing *self, hdfs_answer *answer, TF_Status *status) {
  json_free(self->page);
  self->page = answer->json;
  answer->json = NULL;
  self->items = hdfs_json_listing(self->page, &self->has_more);
  self->next = json_first(self->items);
  const char *last = self->items ? last_name(self) : NULL;
  if (!self->items || (self->has_more && (!last || !*last)))
    return fail_with(status, TF_DATA_LOSS, "LISTSTATUS_BATCH: the answer holds no listing");
  return true;
}

/* A file is listed as itself, with an empty name. */
static bool is_file(const listing *self) {
  const json_value *first = json_first(self->items);
  const char *name = json_member_text(first, "pathSuffix");
  return name && !*name && !json_next(first);
}

static bool next_page(listing *self, TF_Status *status) {
  hdfs_text query = {.bytes = NULL};
  hdfs_answer answer = {.http_status = 0};
  const char *last = self->page ? last_name(self) : NULL;
  if (last) {
    hdfs_text_add(&query, "&startAfter=");
    hdfs_text_add_encoded(&query, last, false);
  }
  bool good = query.failed ? fail_no_memory(status)
                           : fetch(self, "LISTSTATUS_BATCH", query.bytes, &answer, status);
  if (!good && !last && is_unknown(&answer)) {
    TF_SetStatus(status, TF_OK, "");
    good = fetch(self, "LISTSTATUS", NULL, &answer, status);
  }
  good = good && take_page(self, &answer, status);
  hdfs_answer_fini(&answer);
  hdfs_text_fini(&query);
  return good;
}

/* The first request tells whether it is a directory at all. */
static bool begin(listing *self, TF_Status *status) {
  hdfs_status found;
  if (self->place.is_virtual &&
      !hdfs_place_list(self->filesystem, &self->place, &self->mounted, status))
    return false;
  if (self->place.is_virtual && !self->place.has_fallback) return true;
  if (next_page(self, status))
    return !is_file(self) || fail_with(status, TF_FAILED_PRECONDITION, "is a file");
  if (TF_GetCode(status) != TF_NOT_FOUND) return false;
  if (self->place.is_virtual) { /* the fallback lacks the directory that the mount table has */
    TF_SetStatus(status, TF_OK, "");
    return true;
  }
  TF_SetStatus(status, TF_OK, "");
  /* A file above it has another code; what appeared meanwhile is missing all the same. */
  if (hdfs_stat_name(self->filesystem, &self->place.name, &found, status))
    fail_with(status, TF_NOT_FOUND, "was not there");
  return false;
}

static listing *listing_open(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  listing *self = fail_or_allocate(sizeof *self, status);
  if (!self) return NULL;
  self->filesystem = filesystem;
  if (hdfs_place_find(filesystem, path, &self->place, status) && begin(self, status)) return self;
  listing_close(self);
  return NULL;
}

/* Files that are being written are no entries yet: .modfs- and 16 digits. */
static bool is_own(const char *name) {
  return strncmp(name, ".modfs-", 7) == 0 && strlen(name) == 23 &&
         strspn(name + 7, "0123456789abcdef") == 16;
}

/* The next entry of the pages that has a name of its own; NULL at the end and on failure. */
static const json_value *next_item(listing *self, TF_Status *status) {
  for (;;) {
    while (self->next) {
      const json_value *item = self->next;
      self->next = json_next(item);
      const char *name = hdfs_json_name(item);
      if (name && !is_own(name) && !remote_strings_has(&self->mounted, name)) return item;
    }
    if (!self->has_more || !next_page(self, status)) return NULL;
  }
}

static int kind_of(const json_value *item) {
  const char *type = json_member_text(item, "type");
  if (!type) return MODFS_KIND_UNKNOWN;
  if (strcmp(type, "DIRECTORY") == 0) return MODFS_KIND_DIRECTORY;
  if (strcmp(type, "FILE") == 0) return MODFS_KIND_FILE;
  return strcmp(type, "SYMLINK") == 0 ? MODFS_KIND_LINK : MODFS_KIND_UNKNOWN;
}

/* The kind of a link of the mount table is asked for with lstat. */
static const char *listing_next(listing *self, int *kind, TF_Status *status) {
  if (self->next_mounted < self->mounted.count) {
    *kind = MODFS_KIND_UNKNOWN;
    return self->mounted.items[self->next_mounted++];
  }
  const json_value *item = next_item(self, status);
  if (!item) return NULL;
  *kind = kind_of(item);
  return hdfs_json_name(item);
}

int hdfs_get_children(const TF_Filesystem *filesystem, const char *path, char ***entries,
                      TF_Status *status) {
  remote_strings names = {.items = NULL};
  int kind;
  listing *opened = listing_open(filesystem, path, status);
  if (!opened) return -1;
  for (const char *name; (name = listing_next(opened, &kind, status));)
    if (!remote_strings_add(&names, name, status)) break;
  listing_close(opened);
  return remote_strings_give(&names, entries, status);
}

void hdfs_open_directory(const TF_Filesystem *filesystem, const char *path,
                         modfs_directory *directory, TF_Status *status) {
  directory->plugin_directory = listing_open(filesystem, path, status);
}

bool hdfs_next_entry(const modfs_directory *directory, modfs_directory_entry *entry,
                     TF_Status *status) {
  listing *self = directory->plugin_directory;
  const char *name = listing_next(self, &entry->kind, status);
  if (!name) return false;
  free(self->name);
  self->name = strdup(name);
  entry->name = self->name;
  return self->name != NULL || fail_no_memory(status);
}

void hdfs_close_directory(modfs_directory *directory) {
  listing_close(directory->plugin_directory);
  directory->plugin_directory = NULL;
}
