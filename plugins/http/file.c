#include "file.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "fetch.h"

enum { MOST_BLOCKS = 16 }; /* of one request */

typedef struct http_file {
  const TF_Filesystem *filesystem;
  char *url;
  char *key; /* of its blocks in the cache */
  http_version version;
  char *whole;                /* the content, from a server without ranges */
  atomic_uint_fast64_t end;   /* of the last read: one that goes on there reads ahead */
  atomic_uint_fast64_t ahead; /* blocks */
} http_file;

static void file_free(http_file *self) {
  free(self->url);
  free(self->key);
  free(self->whole);
  free(self);
}

/* Readers of one version share blocks. Where nothing names a version, each reader is alone. */
static char *make_key(const char *url, const http_version *version) {
  static atomic_uint_fast64_t opened;
  char *key = NULL;
  bool named = version->tag[0] || version->modified[0];
  uint64_t number = named ? 0 : atomic_fetch_add(&opened, 1) + 1;
  int n = asprintf(&key, "%s\n%s\n%s\n%" PRIu64 "\n%" PRIu64, url, version->tag, version->modified,
                   version->length, number);
  return n < 0 ? NULL : key;
}

static uint64_t cache_limit(const http_file *self) {
  return (uint64_t)http_options_of(self->filesystem)->numbers[HTTP_CACHE_BYTES];
}

/* Cuts what came into blocks, and returns the first. */
static http_block *keep(const http_file *self, uint64_t index, const char *bytes, size_t n) {
  http_cache_place *cache = &http_filesystem_of(self->filesystem)->cache;
  http_block *first = NULL;
  for (size_t at = 0; at < n; at += HTTP_BLOCK) {
    size_t size = n - at < HTTP_BLOCK ? n - at : HTTP_BLOCK;
    http_block *block = http_cache_put(cache, self->key, index + at / HTTP_BLOCK, bytes + at, size,
                                       cache_limit(self));
    if (at == 0)
      first = block;
    else if (block)
      http_cache_release(cache, block);
  }
  return first;
}

/* Takes over what the first request brought. */
static bool file_fill(http_file *self, http_fetch *fetch) {
  self->version = fetch->version;
  self->url = fetch->url;
  fetch->url = NULL;
  self->key = make_key(self->url, &self->version);
  if (!self->key) return false;
  if (fetch->whole) {
    self->whole = fetch->bytes;
    fetch->bytes = NULL;
  } else {
    http_block *block = keep(self, 0, fetch->bytes, fetch->length);
    if (block) http_cache_release(&http_filesystem_of(self->filesystem)->cache, block);
  }
  return true;
}

void http_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                 TF_RandomAccessFile *file, TF_Status *status) {
  http_fetch fetch = {.n = HTTP_BLOCK};
  http_file *self = calloc(1, sizeof *self);
  if (!self) {
    http_no_memory(status);
    return;
  }
  self->filesystem = filesystem;
  bool came = http_fetch_run(filesystem, path, &fetch, status);
  if (came && file_fill(self, &fetch)) {
    file->plugin_file = self;
  } else {
    if (came) http_no_memory(status);
    file_free(self);
  }
  http_fetch_end(&fetch);
}

void http_file_cleanup(TF_RandomAccessFile *file) {
  if (file->plugin_file) file_free(file->plugin_file);
  file->plugin_file = NULL;
}

uint64_t http_file_length(const TF_RandomAccessFile *file) {
  return ((const http_file *)file->plugin_file)->version.length;
}

static http_block *fetch_blocks(const http_file *self, uint64_t index, uint64_t count,
                                TF_Status *status) {
  uint64_t most = cache_limit(self) / HTTP_BLOCK / 2;
  if (count > MOST_BLOCKS) count = MOST_BLOCKS;
  if (count > most) count = most > 0 ? most : 1;
  uint64_t offset = index * HTTP_BLOCK, left = self->version.length - offset;
  uint64_t n = count * HTTP_BLOCK < left ? count * HTTP_BLOCK : left;
  http_fetch fetch = {.offset = offset, .n = n, .expected = &self->version};
  http_block *first = NULL;
  if (http_fetch_run(self->filesystem, self->url, &fetch, status)) {
    first = keep(self, index, fetch.bytes, fetch.length);
    if (!first) http_no_memory(status);
  }
  http_fetch_end(&fetch);
  return first;
}

/* Copies from the block that holds offset; returns how much, 0 on failure. */
static size_t copy_from_block(const http_file *self, uint64_t offset, size_t n, uint64_t ahead,
                              char *buffer, TF_Status *status) {
  uint64_t index = offset / HTTP_BLOCK, last = (offset + n - 1) / HTTP_BLOCK;
  http_cache_place *cache = &http_filesystem_of(self->filesystem)->cache;
  size_t held = 0, start = (size_t)(offset % HTTP_BLOCK);
  http_block *block = http_cache_get(cache, self->key, index);
  if (!block) block = fetch_blocks(self, index, last - index + 1 + ahead, status);
  if (!block) return 0;
  const char *bytes = http_block_bytes(block, &held);
  if (n > held - start) n = held - start;
  memcpy(buffer, bytes + start, n);
  http_cache_release(cache, block);
  return n;
}

/* Twice as far with each read that goes on where the last one ended. */
static uint64_t blocks_ahead(http_file *self, uint64_t offset, size_t n) {
  uint64_t ahead = 0;
  if (atomic_exchange(&self->end, offset + n) == offset && offset > 0) {
    ahead = atomic_load(&self->ahead) * 2;
    if (ahead == 0) ahead = 1;
    if (ahead > MOST_BLOCKS) ahead = MOST_BLOCKS;
  }
  atomic_store(&self->ahead, ahead);
  return ahead;
}

static bool read_blocks(http_file *self, uint64_t offset, size_t n, char *buffer,
                        TF_Status *status) {
  uint64_t ahead = blocks_ahead(self, offset, n);
  for (size_t done = 0; done < n;) {
    size_t got = copy_from_block(self, offset + done, n - done, ahead, buffer + done, status);
    if (got == 0) return false;
    done += got;
  }
  return true;
}

int64_t http_file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                       TF_Status *status) {
  http_file *self = file->plugin_file;
  uint64_t length = self->version.length, left = offset < length ? length - offset : 0;
  size_t take = n < left ? n : (size_t)left;
  if (take > 0 && self->whole)
    memcpy(buffer, self->whole + offset, take);
  else if (take > 0 && !read_blocks(self, offset, take, buffer, status))
    return -1;
  TF_SetStatus(status, take < n ? TF_OUT_OF_RANGE : TF_OK, take < n ? "end of file" : "");
  return (int64_t)take;
}
