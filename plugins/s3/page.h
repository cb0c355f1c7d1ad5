/* Lists keys, in pages of at most 1,000. */
#ifndef S3_PAGE_H
#define S3_PAGE_H

#include "filesystem.h"
#include "name.h"
#include "strings.h"

enum { S3_MOST_PAGE = 1000 };

typedef struct s3_entry {
  size_t at; /* offset of its key among the page's keys */
  bool is_prefix;
} s3_entry;

/* Starts zeroed with the first three set. Fetch it repeatedly while `more` is true. */
typedef struct s3_page {
  const s3_name *name; /* the bucket; "": all buckets, listed as prefixes "bucket/" */
  const char *prefix;  /* keys that begin with this */
  bool deep; /* every key; else keys with a slash behind the prefix are listed as "prefix.../" */
  int limit; /* entries in a page; 0: S3_MOST_PAGE */
  /* The result, sorted. Keys are complete: they include the prefix. */
  size_t count;
  bool more;
  /* Private. */
  s3_entry *entries;
  size_t room;
  s3_texts keys;
  char *token; /* where the next page starts */
  bool after;  /* token is the last key */
  bool encoded;
} s3_page;

/* Fetches the next page. Owns: the caller, s3_page_end, also on failure. */
bool s3_page_fetch(const TF_Filesystem *filesystem, s3_page *page, TF_Status *status);
void s3_page_end(s3_page *page);

/* Owns: the page, until its next fetch. */
static inline const char *s3_page_key(const s3_page *page, size_t i) {
  return page->keys.bytes + page->entries[i].at;
}

#endif
