/* Lists keys, in pages. */
#ifndef OBJECTS_PAGE_H
#define OBJECTS_PAGE_H

#include "name.h"
#include "texts.h"

enum { OBJECTS_MOST_PAGE = 1000 };

typedef struct objects_entry {
  size_t at; /* offset of its key among the page's keys */
  bool is_prefix;
} objects_entry;

/* Starts zeroed with the first three set. Fetch it repeatedly while `more` is true. */
typedef struct objects_page {
  const objects_name
      *name;          /* the bucket, or a root: its buckets are listed as prefixes "bucket/" */
  const char *prefix; /* keys that begin with this */
  bool deep; /* every key; else keys with a slash behind the prefix are listed as "prefix.../" */
  int limit; /* entries in a page; 0: OBJECTS_MOST_PAGE */
  /* The result, sorted. Keys are complete: they include the prefix. */
  size_t count;
  bool more;
  /* For the service. */
  char *token; /* where this page starts; NULL: at the beginning */
  bool marked; /* the service's own, about the token */
  /* Private. */
  char *next;
  objects_entry *entries;
  size_t room;
  objects_texts keys;
} objects_page;

/* Fetches the next page: calls list, checks that every key has the prefix and that the token is another, and
 * sorts. Owns: the caller, objects_page_end, also on failure. */
bool objects_page_fetch(const TF_Filesystem *filesystem, objects_page *page, TF_Status *status);
void objects_page_end(objects_page *page);

/* For the service: empties the page before an attempt. */
void objects_page_begin(objects_page *page);

/* Adds a key, or a prefix that ends in a slash; false without memory. */
bool objects_page_add(objects_page *page, const char *key, bool is_prefix);

/* Adds a bucket to a page of these, if it has the prefix; false without memory. */
bool objects_page_add_bucket(objects_page *page, const char *bucket);

/* Sets where the next page starts; NULL: this one is the last. Call it when the page is complete. False
 * without memory. */
bool objects_page_more(objects_page *page, const char *token);

/* Owns: the page, until its next fetch. A service may change a key in place, if it becomes no longer. */
static inline char *objects_page_key(const objects_page *page, size_t i) {
  return page->keys.bytes + page->entries[i].at;
}

#endif
