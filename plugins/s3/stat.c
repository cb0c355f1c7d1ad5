/* What a path is, from objects that have keys and nothing else.
 *
 * Questions are asked in this order, and each costs one request: a HEAD of the key (an object); a
 * listing of one key below the prefix (a directory); then, for a path that is neither, both for the
 * paths above it, the nearest first, as a path below a file is FAILED_PRECONDITION and not NOT_FOUND.
 * A directory with keys ends that search, and the prefix cache may answer for it.
 *
 * A name is both object and directory where "a" and "a/b" exist. The object wins, unless the path ends
 * in a slash. A failed HEAD has no body that says why: for the statuses that need it a GET of one byte
 * asks again, which may also find that the bucket is in another region. */
#include "stat.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "prefix_cache.h"
#include "page.h"

/* A failed HEAD has no body; a GET of one byte fails with the server's reason. True if it succeeds. */
static bool ask_why(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  const char *const headers[] = {"Range: bytes=0-0", NULL};
  s3_answer answer;
  s3_request request = {.operation = "HeadObject",
                        .method = "GET",
                        .name = name,
                        .headers = headers,
                        .repeatable = true};
  TF_SetStatus(status, TF_OK, "");
  bool good = s3_request_run(filesystem, &request, &answer, status);
  s3_answer_end(&answer);
  return good;
}

void s3_object_read(const net_answer *answer, s3_object *object) {
  char text[64];
  *object = (s3_object){0};
  net_answer_header(answer, "ETag", object->tag, sizeof object->tag);
  if (net_answer_header(answer, "Last-Modified", text, sizeof text))
    object->modified = net_time(text);
  s3_attributes_read(answer, &object->attributes);
}

static bool take_object(const net_answer *answer, s3_object *object) {
  char text[64], *end = NULL;
  s3_object_read(answer, object);
  if (!net_answer_header(answer, "Content-Length", text, sizeof text)) return false;
  errno = 0;
  object->length = strtoull(text, &end, 10);
  return errno == 0 && *end == '\0' && *text != '-' && object->length <= INT64_MAX;
}

int64_t s3_object_mtime(const s3_object *object) {
  bool kept = object->attributes.known & MODFS_ATTRIBUTE_MTIME;
  return kept ? object->attributes.mtime_nsec : object->modified * 1000000000;
}

static void head(const TF_Filesystem *filesystem, const s3_name *name, s3_object *object,
                 s3_answer *answer, TF_Status *status) {
  s3_request request = {
      .operation = "HeadObject", .method = "HEAD", .name = name, .repeatable = true};
  bool good = s3_request_run(filesystem, &request, answer, status);
  if (good && !take_object(&answer->head, object))
    s3_fail(status, TF_DATA_LOSS, (s3_action){"HeadObject", name},
            "the response has no Content-Length");
}

bool s3_stat_head(const TF_Filesystem *filesystem, const s3_name *name, s3_object *object,
                  s3_answer *answer, TF_Status *status) {
  head(filesystem, name, object, answer, status);
  int code = answer->head.status;
  bool refused = code == 301 || code == 400 || code == 403;
  /* If the GET was redirected to another region, the HEAD now goes there, too. */
  if (refused && ask_why(filesystem, name, status)) {
    s3_answer_end(answer);
    head(filesystem, name, object, answer, status);
  }
  return TF_GetCode(status) == TF_OK;
}

bool s3_stat_object(const TF_Filesystem *filesystem, const s3_name *name, s3_object *object,
                    bool *missing, TF_Status *status) {
  s3_answer answer;
  bool found = s3_stat_head(filesystem, name, object, &answer, status);
  *missing = answer.head.status == 404;
  s3_answer_end(&answer);
  return found;
}

bool s3_stat_prefix(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_page page = {.name = name, .prefix = name->prefix, .deep = true, .limit = 1};
  bool good = s3_page_fetch(filesystem, &page, status);
  bool there = good && (page.count > 0 || *name->prefix == '\0');
  if (there) s3_prefix_cache_add(filesystem, name);
  s3_page_end(&page);
  return there;
}

bool s3_stat_is_below_file(const TF_Filesystem *filesystem, const s3_name *name,
                           TF_Status *status) {
  s3_name above = *name;
  s3_object object;
  bool missing = false;
  while (s3_name_to_parent(&above) && above.key[0]) {
    if (s3_prefix_cache_has_keys(filesystem, &above)) return false;
    if (s3_stat_prefix(filesystem, &above, status) || TF_GetCode(status) != TF_OK) return false;
    if (s3_name_is_marker(&above)) continue;
    if (s3_stat_object(filesystem, &above, &object, &missing, status)) return true;
    if (!missing) return false;
    TF_SetStatus(status, TF_OK, "");
  }
  return false;
}

typedef enum kind { FAILED, NOTHING, DIRECTORY, FILE_WITH_SLASH, BELOW_FILE } kind;

/* Finds out what a path is when no object has its key. */
static kind look_further(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_object object;
  bool missing = true;
  TF_SetStatus(status, TF_OK, "");
  if (s3_stat_prefix(filesystem, name, status)) return DIRECTORY;
  if (TF_GetCode(status) != TF_OK) return FAILED;
  if (name->is_directory && *name->key &&
      s3_stat_object(filesystem, name, &object, &missing, status))
    return FILE_WITH_SLASH;
  if (!missing) return FAILED;
  TF_SetStatus(status, TF_OK, "");
  if (s3_stat_is_below_file(filesystem, name, status)) return BELOW_FILE;
  return TF_GetCode(status) == TF_OK ? NOTHING : FAILED;
}

static void tell(kind found, TF_Status *status) {
  if (found == NOTHING) TF_SetStatus(status, TF_NOT_FOUND, "no such object or directory");
  if (found == DIRECTORY) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  if (found == FILE_WITH_SLASH) TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a file");
  if (found == BELOW_FILE)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "a parent of the path is a file");
}

void s3_stat_missing(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  tell(look_further(filesystem, name, status), status);
}

bool s3_stat_any(const TF_Filesystem *filesystem, const s3_name *name, s3_object *object,
                 TF_Status *status) {
  bool missing = true;
  if (!name->is_directory && s3_stat_object(filesystem, name, object, &missing, status))
    return true;
  if (!missing) return false;
  kind found = look_further(filesystem, name, status);
  *object = (s3_object){.is_directory = true};
  if (found != DIRECTORY) tell(found, status);
  return found == DIRECTORY;
}

bool s3_stat_directory(const TF_Filesystem *filesystem, const s3_name *name, TF_Status *status) {
  s3_object object;
  if (!s3_stat_any(filesystem, name, &object, status)) return false;
  if (!object.is_directory) tell(FILE_WITH_SLASH, status);
  return object.is_directory;
}

void s3_stat(const TF_Filesystem *filesystem, const char *path, TF_FileStatistics *stats,
             TF_Status *status) {
  s3_name name;
  s3_object object;
  if (!s3_name_parse(path, &name, status) || !s3_stat_any(filesystem, &name, &object, status))
    return;
  *stats = (TF_FileStatistics){.length = (int64_t)object.length,
                               .mtime_nsec = s3_object_mtime(&object),
                               .is_directory = object.is_directory};
}

void s3_path_exists(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  TF_FileStatistics stats;
  s3_stat(filesystem, path, &stats, status);
}

bool s3_is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  s3_name name;
  return s3_name_parse(path, &name, status) && s3_stat_directory(filesystem, &name, status);
}

/* An ETag in lower-case hexadecimal digits, with the number of parts behind a hyphen if there is one. One of
 * another kind is only freed of its quotes. Owns: the caller, free(). */
static char *bare_tag(const char *tag) {
  static const char digits[] = "0123456789abcdefABCDEF";
  size_t n = strlen(tag);
  bool quoted = n > 2 && tag[0] == '"' && tag[n - 1] == '"';
  char *bare = strndup(tag + quoted, n - 2 * (size_t)quoted);
  size_t hex = bare ? strspn(bare, digits) : 0;
  bool plain = hex > 0 && (bare[hex] == '\0' || bare[hex] == '-');
  for (size_t i = 0; plain && i < hex; i++)
    if (bare[i] >= 'A' && bare[i] <= 'F') bare[i] = (char)(bare[i] - 'A' + 'a');
  return bare;
}

static char *give_tag(const s3_name *name, const s3_object *object, TF_Status *status) {
  const s3_action action = {"HeadObject", name};
  char *tag = NULL;
  if (object->is_directory)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  else if (object->tag[0] == '\0')
    s3_fail(status, TF_DATA_LOSS, action, "the response has no ETag");
  else if (!(tag = bare_tag(object->tag)))
    s3_no_memory(status);
  return tag;
}

char *s3_stored_hash(const TF_Filesystem *filesystem, const char *path, const char *algorithm,
                     TF_Status *status) {
  s3_name name;
  s3_object object;
  if (strcmp(algorithm, "etag") != 0)
    TF_SetStatus(status, TF_UNIMPLEMENTED, "of an object only the checksum \"etag\" is known");
  else if (s3_name_parse(path, &name, status) && s3_stat_any(filesystem, &name, &object, status))
    return give_tag(&name, &object, status);
  return NULL;
}

int64_t s3_get_file_size(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  TF_FileStatistics stats = {.length = -1};
  s3_stat(filesystem, path, &stats, status);
  if (TF_GetCode(status) != TF_OK) return -1;
  if (!stats.is_directory) return stats.length;
  TF_SetStatus(status, TF_FAILED_PRECONDITION, "the path is a directory");
  return -1;
}
