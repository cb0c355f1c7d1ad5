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

#include "../common/blocks/reader.h"
#include "../common/located/located.h"
#include "../common/region/read_region.h"
#include "../common/remote/format.h"
#include "error.h"
#include "fetch.h"

typedef struct http_file {
  const TF_Filesystem *filesystem;
  char *path; /* as given at open; url is where redirects led */
  char *url;
  http_version version;
  blocks_reader reader;
} http_file;

static void file_free(http_file *self) {
  free(self->path);
  free(self->url);
  free(self->reader.key);
  free(self->reader.whole);
  free(self);
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
  return (uint64_t)remote_number(self->filesystem, HTTP_CACHE_BYTES);
}

static bool fetch_piece(void *state, uint64_t offset, size_t n, blocks_piece *piece,
                        TF_Status *status) {
  const http_file *self = state;
  int64_t deadline = net_now() + remote_number(self->filesystem, HTTP_TOTAL_TIMEOUT_MS);
  bool good = true;
  for (size_t got = 0; good && got < n;) { /* a server may send less at once */
    http_fetch fetch = {.offset = offset + got,
                        .n = n - got,
                        .expected = &self->version,
                        .piece = piece,
                        .at = got,
                        .deadline = deadline};
    good = http_fetch_run(self->filesystem, self->url, &fetch, status);
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
  self->reader = (blocks_reader){.cache = &remote_of(self->filesystem)->cache,
                                 .key = make_key(self->url, &self->version),
                                 .length = self->version.length,
                                 .fetch = fetch_piece,
                                 .limit = cache_limit,
                                 .state = self};
  if (!self->reader.key) return false;
  if (fetch->whole) {
    self->reader.whole = fetch->bytes;
    fetch->bytes = NULL;
  } else if (fetch->length == BLOCKS_SIZE || fetch->length == self->version.length) {
    blocks_reader_keep(&self->reader, fetch->bytes, fetch->length);
  }
  return true;
}

void http_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                 TF_RandomAccessFile *file, TF_Status *status) {
  http_fetch fetch = {.n = BLOCKS_SIZE};
  http_file *self = calloc(1, sizeof *self);
  if (!self) {
    http_no_memory(status);
    return;
  }
  self->filesystem = filesystem;
  self->path = strdup(path);
  bool came = self->path && http_fetch_run(filesystem, path, &fetch, status);
  if (came && file_fill(self, &fetch)) {
    file->plugin_file = self;
  } else {
    if (came || !self->path) http_no_memory(status);
    file_free(self);
  }
  http_fetch_end(&fetch);
}

static void file_cleanup(TF_RandomAccessFile *file) {
  if (file->plugin_file) file_free(file->plugin_file);
  file->plugin_file = NULL;
}

static int64_t file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                         TF_Status *status) {
  http_file *self = file->plugin_file;
  int64_t got = blocks_reader_read(&self->reader, offset, n, buffer, status);
  if (got < 0) located_fail(status, self->path);
  return got;
}

const TF_RandomAccessFileOps http_file_ops = {file_cleanup, file_read};

static uint64_t file_length(const TF_RandomAccessFile *file) {
  return ((const http_file *)file->plugin_file)->version.length;
}

/* The whole content, read at once. */
void http_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                TF_ReadOnlyMemoryRegion *region,
                                                TF_Status *status) {
  static const read_region_files files = {http_new_random_access_file, file_length, &http_file_ops};
  read_region_open(filesystem, path, &files, region, status);
}
