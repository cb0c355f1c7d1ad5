/* One part, sent by a thread.
 *
 * A part is filling, then in flight from s3_part_start to s3_part_wait, then done, and s3_part_reset
 * makes it fillable again with the same memory. In flight it belongs to its thread: the owner links it
 * by `next` and reads `number` and `room`, and touches nothing else; the join of s3_part_wait makes tag
 * and status visible. The upload that it points to is read by all its parts and must not change
 * meanwhile (upload.c). There is no lock.
 *
 * A part without a thread of its own is sent by s3_part_start itself, and is done when that returns.
 * Fork: has_thread is the parent's; a child frees a part, but never waits for it. */
#include "part.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../common/interrupt/interrupt.h"

enum { FIRST_ROOM = 64 * 1024 };

s3_part *s3_part_new(void) {
  s3_part *part = calloc(1, sizeof *part);
  if (part) part->status = TF_NewStatus();
  if (part && part->status) return part;
  free(part);
  return NULL;
}

void s3_part_free(s3_part *part) {
  if (!part) return;
  TF_DeleteStatus(part->status);
  free(part->bytes);
  free(part);
}

void s3_part_reset(s3_part *part) {
  *part = (s3_part){.bytes = part->bytes, .room = part->room, .status = part->status};
  TF_SetStatus(part->status, TF_OK, "");
}

static bool make_room(s3_part *part, size_t wanted, size_t most) {
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

size_t s3_part_fill(s3_part *part, const char *bytes, size_t n, size_t most) {
  size_t left = most - part->length, taken = n < left ? n : left;
  if (!make_room(part, part->length + taken, most)) return 0;
  memcpy(part->bytes + part->length, bytes, taken);
  part->length += taken;
  return taken;
}

static void send_part(s3_part *part) {
  if (part->piece.name)
    s3_multipart_copy(part->upload, part->number, &part->piece, part->tag, part->status);
  else
    s3_multipart_put(part->upload, part->number, &(s3_content){part->bytes, part->length},
                     part->tag, part->status);
}

static void *send_here(void *state) {
  s3_part *part = state;
  interrupt_follow(part->ends);
  send_part(part);
  return NULL;
}

/* Blocks all signals: handlers run on the host's own threads. */
static bool start_thread(s3_part *part) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&part->thread, NULL, send_here, part);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error == 0;
}

void s3_part_start(s3_part *part) {
  part->has_thread = start_thread(part);
  if (!part->has_thread) send_part(part);
}

void s3_part_wait(s3_part *part) {
  if (part->has_thread) interrupt_join(part->thread, part->ends);
  part->has_thread = false;
}
