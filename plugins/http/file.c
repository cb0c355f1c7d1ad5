/* A file opened for reading.
 *
 * It is constant from open to close: path, url, version and the fields of its reader, except the reader's two
 * hints, which are atomics. So any number of threads may read it without a lock.
 *
 * It is in one of two forms. With ranges: the reader has no whole content, and reads go through the block
 * cache, which all files of the filesystem share; each response must have the version seen at open, so
 * reading a file that has changed at the server fails with ABORTED. Without ranges: the reader has the whole
 * content, read at open, at most whole_bytes.
 *
 * Cached blocks are found by a key of URL, version and length. A server that names no version gets a
 * number for each open instead, so that its files share nothing.
 *
 * Who frees: the file owns its strings and the reader's key and content; blocks are the cache's. Fork: a file
 * has neither thread nor descriptor; a child may read it with its own connections and cache. */
#include "file.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/remote/file.h"
#include "../common/remote/format.h"
#include "error.h"
#include "fetch.h"

typedef struct http_file {
  remote_file base;
  char *url; /* where redirects from the path led */
  http_version version;
} http_file;

static void file_end(remote_file *base) {
  free(((http_file *)base)->url);
}

/* Readers of one version share blocks. Without a tag or date the version is unknown: nothing is shared. */
static char *make_key(const char *url, const http_version *version) {
  static atomic_uint_fast64_t opened;
  bool named = version->tag[0] || version->modified[0];
  uint64_t number = named ? 0 : atomic_fetch_add(&opened, 1) + 1;
  return remote_format("%s\n%s\n%s\n%" PRIu64 "\n%" PRIu64, url, version->tag, version->modified,
                       version->length, number);
}

static uint64_t cache_limit(void *state) {
  const http_file *self = state;
  return (uint64_t)remote_number(self->base.filesystem, HTTP_CACHE_BYTES);
}

static bool fetch_piece(void *state, uint64_t offset, size_t n, blocks_piece *piece,
                        TF_Status *status) {
  const http_file *self = state;
  int64_t deadline = net_now() + remote_number(self->base.filesystem, HTTP_TOTAL_TIMEOUT_MS);
  bool good = true;
  for (size_t got = 0; good && got < n;) { /* a server may send less at once */
    http_fetch fetch = {.offset = offset + got,
                        .n = n - got,
                        .expected = &self->version,
                        .piece = piece,
                        .at = got,
                        .deadline = deadline};
    good = http_fetch_run(self->base.filesystem, self->url, &fetch, status);
    got += fetch.length;
    http_fetch_end(&fetch);
  }
  return good;
}

/* Takes over the result of the first request. */
static bool file_fill(http_file *self, http_fetch *fetch) {
  self->version = fetch->version;
  self->url = fetch->url;
  fetch->url = NULL;
  blocks_reader *reader = &self->base.reader;
  *reader = (blocks_reader){.cache = &remote_of(self->base.filesystem)->cache,
                            .key = make_key(self->url, &self->version),
                            .length = self->version.length,
                            .fetch = fetch_piece,
                            .limit = cache_limit,
                            .state = self};
  if (!reader->key) return false;
  if (fetch->whole) {
    reader->whole = fetch->bytes;
    fetch->bytes = NULL;
  } else if (fetch->length == BLOCKS_SIZE || fetch->length == self->version.length) {
    blocks_reader_keep(reader, fetch->bytes, fetch->length);
  }
  return true;
}

void http_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                 TF_RandomAccessFile *file, TF_Status *status) {
  http_fetch fetch = {.n = BLOCKS_SIZE};
  http_file *self = fail_or_allocate(sizeof *self, status);
  if (!self) return;
  self->base = (remote_file){.filesystem = filesystem, .path = strdup(path), .end = file_end};
  bool came = self->base.path && http_fetch_run(filesystem, path, &fetch, status);
  if (came && file_fill(self, &fetch)) {
    file->plugin_file = self;
  } else {
    if (came || !self->base.path) fail_no_memory(status);
    remote_file_free(&self->base);
  }
  http_fetch_end(&fetch);
}

void http_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                TF_ReadOnlyMemoryRegion *region,
                                                TF_Status *status) {
  remote_file_map(filesystem, path, http_new_random_access_file, region, status);
}
