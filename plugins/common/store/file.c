#include "file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../remote/file.h"
#include "../remote/format.h"
#include "attributes.h"
#include "../objects/error.h"
#include "fetch.h"
#include "flow.h"
#include "stat.h"

typedef struct store_file {
  remote_file base;
  objects_name name;
  store_version version;
  modfs_attributes attributes;
  store_flow_place flow;
} store_file;

/* The key includes the endpoint: another one may have another object of that name. */
static char *make_key(const store_file *self) {
  return remote_format("%s\n%s\n%s\n%s\n%" PRIu64,
                       remote_text(self->base.filesystem, OBJECTS_ENDPOINT), self->name.bucket,
                       self->name.key, self->version.tag, self->version.length);
}

static uint64_t cache_limit(void *state) {
  const store_file *self = state;
  return (uint64_t)remote_number(self->base.filesystem, OBJECTS_CACHE_BYTES);
}

static store_flow_source source_of(const store_file *self) {
  return (store_flow_source){self->base.filesystem, &self->name, &self->version};
}

/* A read elsewhere, between two that follow each other, makes the second look like one of its own. */
static bool fetch_piece(void *state, uint64_t offset, size_t n, blocks_piece *piece,
                        TF_Status *status) {
  store_file *self = state;
  const store_flow_source source = source_of(self);
  const blocks_next next = {offset, n, NULL, piece, (n + BLOCKS_SIZE - 1) / BLOCKS_SIZE};
  store_fetch fetch = {
      .name = &self->name, .offset = offset, .n = n, .expected = &self->version, .piece = piece};
  return store_flow_go_on(&self->flow, &source, &next) ||
         store_fetch_run(self->base.filesystem, &fetch, status);
}

/* Without a cache each read would begin a flow. */
static bool follow(void *state, const blocks_next *next, TF_Status *status) {
  store_file *self = state;
  const store_flow_source source = source_of(self);
  (void)status;
  return cache_limit(self) >= BLOCKS_SIZE && store_flow_read(&self->flow, &source, next);
}

static void file_end(remote_file *base) {
  store_flow_end(&((store_file *)base)->flow);
}

/* Takes over the result of the first request. */
static bool file_fill(store_file *self, const store_fetch *fetch) {
  self->version = fetch->version;
  self->base.reader =
      (blocks_reader){.cache = &remote_of(self->base.filesystem)->cache,
                      .key = make_key(self),
                      .length = fetch->version.length,
                      .fetch = fetch_piece,
                      .follow = follow,
                      .limit = cache_limit,
                      .parallel = (int)remote_number(self->base.filesystem, OBJECTS_PARALLEL),
                      .state = self};
  if (!self->base.reader.key) return false;
  blocks_reader_keep(&self->base.reader, fetch->bytes, fetch->length);
  return true;
}

static bool file_open(store_file *self, TF_Status *status) {
  objects_object object = {0};
  store_fetch fetch = {.name = &self->name, .n = BLOCKS_SIZE, .object = &object};
  bool came = store_fetch_run(self->base.filesystem, &fetch, status);
  bool good = came && file_fill(self, &fetch);
  self->attributes.struct_size = sizeof self->attributes;
  if (good) store_attributes_give(&object, &self->attributes);
  if (came && !good) fail_no_memory(status);
  if (!came && fetch.missing) store_stat_missing(self->base.filesystem, &self->name, status);
  free(fetch.bytes);
  return good;
}

void store_new_random_access_file(const TF_Filesystem *filesystem, const char *path,
                                  TF_RandomAccessFile *file, TF_Status *status) {
  store_file *self = calloc(1, sizeof *self);
  bool opened = false;
  if (self)
    self->base = (remote_file){.filesystem = filesystem, .path = strdup(path), .end = file_end};
  if (!self || !self->base.path) {
    fail_no_memory(status);
  } else if (objects_name_parse(filesystem, path, &self->name, status)) {
    if (self->name.is_directory)
      store_stat_missing(filesystem, &self->name, status);
    else
      opened = file_open(self, status);
  }
  if (opened)
    file->plugin_file = self;
  else if (self)
    remote_file_free(&self->base);
}

void store_reader_attributes(const TF_Filesystem *filesystem, const TF_RandomAccessFile *file,
                             modfs_attributes *attributes, TF_Status *status) {
  const store_file *self = file->plugin_file;
  size_t size = attributes->struct_size, most = sizeof self->attributes;
  (void)filesystem, (void)status;
  memcpy(attributes, &self->attributes, size < most ? size : most);
  attributes->struct_size = size;
}

void store_new_read_only_memory_region_from_file(const TF_Filesystem *filesystem, const char *path,
                                                 TF_ReadOnlyMemoryRegion *region,
                                                 TF_Status *status) {
  remote_file_map(filesystem, path, store_new_random_access_file, region, status);
}
