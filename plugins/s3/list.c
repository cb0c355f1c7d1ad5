/* One page of a listing.
 *
 * There is more where it says so, or where it only has a token. What is no complete listing (xml_page.h) is
 * DATA_LOSS.
 *
 * Where the next page starts is `token`: the server's or, with `after`, the last key of this page. Only
 * that is correct where characters of the response were replaced (clean.h), as the server's token might
 * be altered. The same token twice in a row is a failure: the listing would never end.
 *
 * Keys are decoded in place when the whole page is there, and sorted after that, as the bytes that
 * entries point to change. Who frees: objects_page_end; the keys move with each fetch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bucket_name.h"
#include "protocol.h"
#include "request.h"
#include "../common/xml_page/xml_page.h"

enum { MOST_TOKEN = 4096 };

/* One response while it is received. */
typedef struct reading {
  xml_page base;
  const char *problem;
  bool encoded;
  bool has_key;   /* the current entry has its key already */
  bool says_more; /* whether there is more */
  bool truncated;
  char token[MOST_TOKEN];
} reading;

static bool end_entry(reading *self) {
  bool good = self->has_key;
  self->has_key = false;
  return good;
}

static bool take_more(reading *self, const char *text) {
  self->truncated = strcmp(text, "true") == 0;
  return self->truncated || strcmp(text, "false") == 0;
}

/* The elements below the root that only a listing has: of keys, and of buckets. */
static bool is_of_listing(const char *name) {
  static const char *const names[] = {"/Name",        "/Prefix",   "/KeyCount",       "/MaxKeys",
                                      "/IsTruncated", "/Contents", "/CommonPrefixes", "/Buckets"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return true;
  return false;
}

static bool on_element(void *state, const char *path, const char *text) {
  reading *self = state;
  const char *name = xml_below_root(path);
  bool good = true;
  self->base.holds = self->base.holds || is_of_listing(name);
  if (strcmp(name, "/Contents/Key") == 0)
    good = self->has_key = objects_page_add(self->base.page, text, false);
  else if (strcmp(name, "/Contents") == 0)
    good = end_entry(self);
  else if (strcmp(name, "/CommonPrefixes/Prefix") == 0)
    good = objects_page_add(self->base.page, text, true);
  else if (strcmp(name, "/Buckets/Bucket/Name") == 0)
    good = strlen(text) > S3_MOST_BUCKET || /* too long for any path */
           objects_page_add_bucket(self->base.page, text);
  else if (strcmp(name, "/IsTruncated") == 0)
    good = self->says_more = take_more(self, text);
  else if (strcmp(name, "/EncodingType") == 0)
    self->encoded = strcmp(text, "url") == 0;
  else if (strcmp(name, "/NextContinuationToken") == 0)
    snprintf(self->token, sizeof self->token, "%s", text);
  else if (*name == '\0')
    xml_page_end_root(&self->base);
  return good;
}

static bool begin(void *state, const net_answer *answer) {
  reading *self = state;
  (void)answer;
  self->encoded = self->truncated = self->says_more = self->has_key = false;
  self->token[0] = '\0';
  return xml_page_begin(&self->base, on_element);
}

static bool decode_entries(reading *self) {
  for (size_t i = 0; i < self->base.page->count; i++)
    if (self->encoded && !objects_name_decode(objects_page_key(self->base.page, i), true)) {
      self->problem = "a key in the listing is badly encoded";
      return false;
    }
  return true;
}

static const char *last_key(const objects_page *page) {
  const char *last = "";
  for (size_t i = 0; i < page->count; i++)
    if (strcmp(objects_page_key(page, i), last) > 0) last = objects_page_key(page, i);
  return last;
}

/* The next page starts at the token or, where characters of the response were replaced, after the last key. */
static bool take_token(reading *self) {
  objects_page *page = self->base.page;
  bool more = self->truncated || (!self->says_more && *self->token);
  page->marked = page->count > 0 && xml_altered(self->base.xml);
  return objects_page_more(page, !more ? NULL : page->marked ? last_key(page) : self->token);
}

static bool ask(const TF_Filesystem *filesystem, reading *self, TF_Status *status) {
  objects_page *page = self->base.page;
  char limit[16];
  snprintf(limit, sizeof limit, "%d", page->limit ? page->limit : OBJECTS_MOST_PAGE);
  s3_pair query[] = {{"encoding-type", "url"},
                     {"list-type", "2"},
                     {"max-keys", limit},
                     {"prefix", page->prefix},
                     {page->deep ? NULL : "delimiter", "/"},
                     {NULL, NULL},
                     {NULL, NULL}};
  s3_pair next = {page->marked ? "start-after" : "continuation-token", page->token};
  if (page->token) query[page->deep ? 4 : 5] = next;
  s3_answer answer;
  bool all = !page->name->bucket[0];
  s3_request request = {all ? "ListBuckets" : S3_LIST,
                        "GET",
                        page->name,
                        .of_bucket = true,
                        .query = all ? NULL : query,
                        .sink = {.begin = begin, .write = xml_page_take, .state = self}};
  bool good = s3_request_run(filesystem, &request, &answer, status);
  self->problem = xml_page_problem(&self->base, good, &answer.head);
  s3_answer_end(&answer);
  return good && !self->problem;
}

bool s3_list(const TF_Filesystem *filesystem, objects_page *page, TF_Status *status) {
  reading *self = fail_or_allocate(sizeof *self, status);
  if (!self) return false;
  self->base.page = page;
  bool good = ask(filesystem, self, status) && decode_entries(self) && take_token(self);
  if (self->problem)
    objects_fail(status, TF_DATA_LOSS, (objects_action){S3_LIST, page->name}, "%s", self->problem);
  else if (!good && TF_GetCode(status) == TF_OK)
    fail_no_memory(status);
  xml_page_fini(&self->base);
  free(self);
  return good;
}
