/* One page of a listing, whatever the protocol.
 *
 * The service fills it, and begins anew with each attempt, so a page never mixes two responses. Here stands
 * what would be a wrong deletion or a loop without end if a server were believed: keys outside of the prefix,
 * and the same token twice in a row, are failures.
 *
 * Who frees: objects_page_end; the keys move with each fetch. A page is for one thread. */
#include "page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "filesystem.h"

void objects_page_begin(objects_page *page) {
  page->count = page->keys.length = 0;
}

bool objects_page_add(objects_page *page, const char *key, bool is_prefix) {
  if (page->count == page->room) {
    size_t room = page->room * 2 + 64;
    objects_entry *longer = realloc(page->entries, room * sizeof *longer);
    if (!longer) return false;
    page->entries = longer;
    page->room = room;
  }
  size_t at = page->keys.length;
  if (!objects_texts_add(&page->keys, key)) return false;
  page->entries[page->count++] = (objects_entry){at, is_prefix};
  return true;
}

bool objects_page_add_bucket(objects_page *page, const char *bucket) {
  char text[OBJECTS_BUCKET_SIZE + 1];
  bool wanted = strncmp(bucket, page->prefix, strlen(page->prefix)) == 0;
  if (!wanted || strlen(bucket) >= OBJECTS_BUCKET_SIZE) return true; /* too long for any path */
  snprintf(text, sizeof text, "%s/", bucket);
  return objects_page_add(page, text, true);
}

bool objects_page_more(objects_page *page, const char *token) {
  free(page->next);
  page->next = token ? strdup(token) : NULL;
  return !token || page->next;
}

/* What is wrong with a page; NULL: nothing. */
static const char *find_problem(const objects_page *page) {
  size_t n = strlen(page->prefix);
  for (size_t i = 0; i < page->count; i++)
    if (strncmp(objects_page_key(page, i), page->prefix, n) != 0)
      return "the listing contains a key outside the requested prefix";
  bool again = page->next && page->token && strcmp(page->token, page->next) == 0;
  return again || (page->next && !*page->next)
             ? "the listing is truncated without a continuation token"
             : NULL;
}

static int compare(const void *a, const void *b, void *text) {
  const objects_entry *one = a, *other = b;
  const char *keys = text;
  return strcmp(keys + one->at, keys + other->at);
}

bool objects_page_fetch(const TF_Filesystem *filesystem, objects_page *page, TF_Status *status) {
  const objects_service *service = objects_service_of(filesystem);
  objects_page_begin(page);
  bool good = service->list(filesystem, page, status);
  const char *problem = good ? find_problem(page) : NULL;
  if (problem)
    objects_fail(status, TF_DATA_LOSS, (objects_action){service->list_operation, page->name}, "%s",
                 problem);
  page->more = page->next != NULL;
  free(page->token);
  page->token = page->next;
  page->next = NULL;
  /* Services list all keys first, then all prefixes, or in orders of their own. */
  if (page->count > 1)
    qsort_r(page->entries, page->count, sizeof *page->entries, compare, page->keys.bytes);
  return good && !problem;
}

void objects_page_end(objects_page *page) {
  free(page->entries);
  free(page->keys.bytes);
  free(page->token);
  free(page->next);
  *page = (objects_page){0};
}
