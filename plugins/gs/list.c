/* One page of a listing. A page is parsed when all of it is there, so that two responses never mix, and what
 * is no whole JSON is a failure. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "request.h"
#include "service.h"

enum { MOST_LISTING = 64 << 20 }; /* some servers ignore maxResults */

/* The members that only a listing has. */
static bool is_listing(const json_value *document) {
  const char *kind = json_member_text(document, "kind");
  return (kind &&
          (strncmp(kind, "storage#object", 14) == 0 || strcmp(kind, "storage#buckets") == 0)) ||
         json_member(document, "items") || json_member(document, "prefixes");
}

static bool is_list(const json_value *value) {
  return !value || json_is_null(value) || json_is_array(value);
}

static const char no_memory[] = NET_NO_MEMORY;

typedef bool add_name(objects_page *page, const char *name);

static bool add_key(objects_page *page, const char *name) {
  return objects_page_add(page, name, false);
}

static bool add_prefix(objects_page *page, const char *name) {
  return objects_page_add(page, name, true);
}

/* Why not all names of a list could be added; NULL: they could. */
static const char *add_names(objects_page *page, const json_value *list, const char *member,
                             add_name *add) {
  if (!is_list(list)) return "the listing is malformed";
  for (const json_value *item = json_first(list); item; item = json_next(item)) {
    const char *name = json_text(member ? json_member(item, member) : item);
    if (!name || !*name) return "an entry of the listing has no name";
    if (!add(page, name)) return no_memory;
  }
  return NULL;
}

static const char *take_page(objects_page *page, const json_value *document) {
  const json_value *token = json_member(document, "nextPageToken");
  add_name *add = page->name->is_root ? objects_page_add_bucket : add_key;
  if (!is_listing(document)) return "the response is not a listing";
  const char *problem = add_names(page, json_member(document, "items"), "name", add);
  if (!problem) problem = add_names(page, json_member(document, "prefixes"), NULL, add_prefix);
  if (problem) return problem;
  const char *next = json_text(token);
  if (token && !json_is_null(token) && !next) return "the listing has a malformed token";
  return objects_page_more(page, next && *next ? next : NULL) ? NULL : no_memory;
}

static bool take(objects_page *page, const gs_request *request, const objects_document *body,
                 TF_Status *status) {
  json_value *document = json_parse(body->bytes, body->length);
  objects_page_begin(page);
  const char *problem = document ? take_page(page, document) : "the listing is incomplete JSON";
  json_free(document);
  if (problem == no_memory)
    fail_no_memory(status);
  else if (problem)
    objects_fail(status, TF_DATA_LOSS, (objects_action){request->operation, page->name}, "%s",
                 problem);
  return !problem;
}

enum { MOST_QUERY = 8 };

static void write_query(const TF_Filesystem *filesystem, const objects_page *page,
                        const char *limit, s3_pair query[MOST_QUERY]) {
  const char *project = remote_text(filesystem, GS_PROJECT);
  const bool root = page->name->is_root;
  const s3_pair all[] = {{"fields", "kind,items(name),prefixes,nextPageToken"},
                         {"maxResults", limit},
                         {"prettyPrint", "false"},
                         {*page->prefix && !root ? "prefix" : NULL, page->prefix},
                         {page->deep || root ? NULL : "delimiter", "/"},
                         {page->token ? "pageToken" : NULL, page->token},
                         {root && *project ? "project" : NULL, project}};
  int count = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].name) query[count++] = all[i];
  query[count] = (s3_pair){NULL, NULL};
}

bool gs_list(const TF_Filesystem *filesystem, objects_page *page, TF_Status *status) {
  const bool root = page->name->is_root;
  char limit[16];
  s3_pair query[MOST_QUERY];
  snprintf(limit, sizeof limit, "%d", page->limit ? page->limit : OBJECTS_MOST_PAGE);
  write_query(filesystem, page, limit, query);
  objects_document body = {.most = MOST_LISTING};
  const gs_request request = {root ? "buckets.list" : "objects.list",
                              "GET",
                              page->name,
                              .place = root ? GS_AT_BUCKETS : GS_AT_OBJECTS,
                              .query = query,
                              .sink = objects_document_sink(&body)};
  gs_answer answer;
  bool good = gs_request_run(filesystem, &request, &answer, status);
  if (root && answer.head.status == 400 && !*remote_text(filesystem, GS_PROJECT))
    objects_fail(status, TF_FAILED_PRECONDITION, (objects_action){request.operation, page->name},
                 "buckets are those of a project; set the option project");
  good = good && take(page, &request, &body, status);
  gs_answer_end(&answer);
  objects_document_end(&body);
  return good;
}
