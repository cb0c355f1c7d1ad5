/* One part, sent by a thread.
 *
 * A part is filling, then in flight from store_part_start to store_part_wait, then done, and store_part_reset
 * makes it fillable again with the same memory. In flight it belongs to its thread: the owner links it
 * by `next` and reads `place` and `room`, and touches nothing else; the join of store_part_wait makes tag
 * and status visible. The upload that it points to is read by all its parts and must not change
 * meanwhile (upload.c). There is no lock.
 *
 * A part without a thread of its own is sent by store_part_start itself, and is done when that returns.
 * Fork: has_thread is the parent's; a child frees a part, but never waits for it. */
#include "part.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../interrupt/interrupt.h"
#include "fetch.h"

enum { FIRST_ROOM = 64 * 1024 };

store_part *store_part_new(void) {
  store_part *part = calloc(1, sizeof *part);
  if (part) part->status = TF_NewStatus();
  if (part && part->status) return part;
  free(part);
  return NULL;
}

void store_part_free(store_part *part) {
  if (!part) return;
  TF_DeleteStatus(part->status);
  free(part->bytes);
  free(part);
}

void store_part_reset(store_part *part) {
  *part = (store_part){.bytes = part->bytes, .room = part->room, .status = part->status};
  TF_SetStatus(part->status, TF_OK, "");
}

static bool make_room(store_part *part, size_t wanted, size_t most) {
  size_t room = part->room > 0 ? part->room : FIRST_ROOM;
  while (room < wanted)
    room *= 2;
  if (room > most) room = most;
  if (room <= part->room) return true;
  char *bytes = realloc(part->bytes, room);
  if (!bytes) return false;
  part->bytes = bytes;
  part->room = room;
  return true;
}

size_t store_part_fill(store_part *part, const char *bytes, size_t n, size_t most) {
  size_t left = most - part->length, taken = n < left ? n : left;
  if (!make_room(part, part->length + taken, most)) return 0;
  memcpy(part->bytes + part->length, bytes, taken);
  part->length += taken;
  return taken;
}

static void send_part(store_part *part) {
  const objects_service *service = part->upload->service;
  const objects_content content = {part->bytes, part->length};
  if (part->piece.name)
    service->copy_part(part->upload, &part->place, &part->piece, part->tag, part->status);
  else
    service->put_part(part->upload, &part->place, &content, part->tag, part->status);
  atomic_store(&part->is_sent, true);
}

bool store_part_by_reading(const objects_multipart *upload, const objects_place *place,
                           const objects_piece *piece, char tag[OBJECTS_TAG_SIZE],
                           TF_Status *status) {
  const objects_service *service = upload->service;
  store_fetch fetch = {
      .name = piece->name, .offset = piece->first, .n = piece->last - piece->first + 1};
  if (!store_fetch_run(upload->filesystem, &fetch, status)) return false;
  const objects_content content = {fetch.bytes, fetch.length};
  bool same = fetch.length == fetch.n &&
              (*piece->tag == '\0' || strcmp(fetch.version.tag, piece->tag) == 0);
  if (!same)
    objects_fail(status, TF_ABORTED, (objects_action){service->get_operation, piece->name},
                 "the object has changed since it was opened; open it again");
  bool good = same && service->put_part(upload, place, &content, tag, status);
  free(fetch.bytes);
  return good;
}

static void *send_here(void *state) {
  store_part *part = state;
  interrupt_follow(part->ends);
  send_part(part);
  return NULL;
}

/* Blocks all signals: handlers run on the host's own threads. */
static bool start_thread(store_part *part) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&part->thread, NULL, send_here, part);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error == 0;
}

void store_part_start(store_part *part) {
  part->has_thread = start_thread(part);
  if (!part->has_thread) send_part(part);
}

void store_part_wait(store_part *part) {
  if (part->has_thread) interrupt_join(part->thread, part->ends);
  part->has_thread = false;
}
