/* A flow is a row of ranges that follow each other, each requested and on its way in a stream of its own.
 *
 * The first range is read while it arrives. The others have been requested; what has come of them waits in their
 * sockets, so they take none of our memory, and what the server sends of them is bounded by the sockets'. When
 * the first is read to its end its connection is idle again, and serves the next request.
 *
 * How many ranges there are and how long they are depends on the reader's window alone, which grows with each
 * sequential read: four of 1 MiB at first, `parallel` of 4 MiB in the end.
 *
 * A flow knows no failure: whatever is not as expected, be it a head with another version or a connection that
 * broke, ends it, and its reader fetches the block by itself. That repeats, corrects and explains as ever, and
 * from the block behind it a new flow goes on.
 *
 * One thread reads a flow. It takes it out of its file's place, and puts it back afterwards; where another one
 * rests there by then, that ends. `flows` counts all of the process, for each keeps connections: at most MOST_FLOWS
 * exist, and other files are read without.
 *
 * Fork: a flow has no thread. A child leaves the connections of its parent's as they are (net/stream.c). */
#include "flow.h"

#include <stdlib.h>
#include <string.h>

#include "../objects/range.h"

enum {
  MOST_FLOWS = 8,
  MOST_RANGES = 64, /* as the option */
  LEAST_RANGE = 4 * BLOCKS_SIZE,
  MOST_RANGE = 16 * BLOCKS_SIZE
};

typedef struct range {
  net_stream *stream;
  uint64_t start, end;
  bool is_accepted; /* its head is that of the range */
} range;

struct store_flow {
  uint64_t offset; /* of its next byte */
  int count;       /* of the ranges, the first of which has that byte */
  range ranges[MOST_RANGES];
};

static atomic_int flows;

static void flow_free(store_flow *self) {
  if (!self) return;
  for (int i = 0; i < self->count; i++)
    net_stream_close(self->ranges[i].stream);
  free(self);
  atomic_fetch_sub(&flows, 1);
}

/* NULL: there are too many. */
static store_flow *flow_new(uint64_t offset) {
  store_flow *self = atomic_fetch_add(&flows, 1) < MOST_FLOWS ? calloc(1, sizeof *self) : NULL;
  if (self)
    self->offset = offset;
  else
    atomic_fetch_sub(&flows, 1);
  return self;
}

void store_flow_end(store_flow_place *place) {
  flow_free(atomic_exchange(&place->rests, NULL));
}

static bool fits(const store_flow *self, uint64_t offset) {
  return self->offset == offset && self->count > 0 &&
         !net_stream_is_inherited(self->ranges[0].stream);
}

static bool request_range(store_flow *self, const store_flow_source *source, uint64_t start,
                          uint64_t n) {
  const objects_service *service = objects_service_of(source->filesystem);
  const objects_get get = {
      .name = source->name, .offset = start, .n = n, .match = source->version->tag};
  TF_Status *status = service->start_get ? TF_NewStatus() : NULL;
  net_stream *stream = status ? service->start_get(source->filesystem, &get, status) : NULL;
  TF_DeleteStatus(status);
  if (stream) self->ranges[self->count++] = (range){stream, start, start + n, false};
  return stream != NULL;
}

/* Requests what the window has room for. */
static bool extend(store_flow *self, const store_flow_source *source, uint64_t window) {
  int parallel = (int)remote_number(source->filesystem, OBJECTS_PARALLEL);
  if (parallel > MOST_RANGES) parallel = MOST_RANGES;
  uint64_t length = source->version->length, size = window * BLOCKS_SIZE / (uint64_t)parallel;
  size -= size % BLOCKS_SIZE;
  if (size < LEAST_RANGE) size = LEAST_RANGE;
  if (size > MOST_RANGE) size = MOST_RANGE;
  uint64_t start = self->count > 0 ? self->ranges[self->count - 1].end : self->offset;
  uint64_t end = self->offset + window * BLOCKS_SIZE;
  while (self->count < parallel && start < length && (self->count == 0 || start < end)) {
    uint64_t n = length - start < size ? length - start : size;
    if (!request_range(self, source, start, n)) return self->count > 0;
    start += n;
  }
  return true;
}

static bool accept(range *first, const store_flow_source *source) {
  net_range told;
  objects_object object;
  uint64_t n = first->end - first->start, length = n;
  const net_answer *answer = first->is_accepted ? NULL : net_stream_head(first->stream);
  if (!answer) return first->is_accepted;
  objects_service_of(source->filesystem)->read_head(answer, &object);
  net_answer_length(answer, &length);
  first->is_accepted = answer->status == 206 && length == n && net_answer_range(answer, &told) &&
                       told.first == first->start && told.last + 1 == first->end &&
                       told.total == source->version->length &&
                       strcmp(object.tag, source->version->tag) == 0;
  return first->is_accepted;
}

/* Whether the range ended where it was to, and drops it: its connection is idle again. */
static bool pass_first(store_flow *self) {
  char more;
  net_error error = NET_OK;
  bool good = net_stream_read(self->ranges[0].stream, &more, 1, &error) == 0 && error == NET_OK;
  net_stream_close(self->ranges[0].stream);
  self->count--;
  memmove(self->ranges, self->ranges + 1, (size_t)self->count * sizeof *self->ranges);
  return good;
}

/* Whether the heads of all others are here. */
static bool nudge_others(store_flow *self) {
  bool all = true;
  for (int i = 1; i < self->count; i++)
    all = net_stream_nudge(self->ranges[i].stream) && all;
  return all;
}

/* Reads up to `room` bytes of the first range, a block where others want to be nudged again soon; 0 where it fails. */
static size_t pour(store_flow *self, const store_flow_source *source, char *to, size_t room) {
  range *first = &self->ranges[0];
  net_error error = NET_OK;
  uint64_t left = first->end - self->offset;
  size_t n = room < left ? room : (size_t)left;
  if (!nudge_others(self) && n > BLOCKS_SIZE) n = BLOCKS_SIZE;
  if (!accept(first, source) || net_stream_read(first->stream, to, n, &error) < n) return 0;
  self->offset += n;
  return n < left || pass_first(self) ? n : 0;
}

static bool fill(store_flow *self, const store_flow_source *source, const blocks_next *next) {
  size_t room = 0, got = 0;
  for (size_t at = 0; at < next->n; at += got) {
    char *to = extend(self, source, next->window) ? blocks_next_room(next, at, &room) : NULL;
    got = to ? pour(self, source, to, room) : 0;
    if (got == 0) return false;
  }
  blocks_next_tell(next);
  return true;
}

/* Reads from a flow that its place does not have, and puts it there. */
static bool run(store_flow_place *place, store_flow *self, const store_flow_source *source,
                const blocks_next *next) {
  bool good = self && fill(self, source, next);
  bool rests = good && self->count > 0;
  flow_free(rests ? atomic_exchange(&place->rests, self) : self);
  return good;
}

bool store_flow_read(store_flow_place *place, const store_flow_source *source,
                     const blocks_next *next) {
  store_flow *self = atomic_exchange(&place->rests, NULL);
  if (self && !fits(self, next->offset)) {
    flow_free(self);
    self = NULL;
  }
  return run(place, self ? self : flow_new(next->offset), source, next);
}

bool store_flow_go_on(store_flow_place *place, const store_flow_source *source,
                      const blocks_next *next) {
  store_flow *self = atomic_exchange(&place->rests, NULL);
  if (self && fits(self, next->offset)) return run(place, self, source, next);
  if (self) flow_free(atomic_exchange(&place->rests, self));
  return false;
}
