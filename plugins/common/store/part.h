/* One part of an upload, sent by a thread of its own. */
#ifndef STORE_PART_H
#define STORE_PART_H

#include <pthread.h>
#include <stdatomic.h>

#include "../objects/service.h"

typedef struct store_part {
  struct store_part *next;
  const objects_multipart *upload;
  objects_place place;
  char *bytes; /* to send, where the piece has no name */
  size_t length;
  size_t room;
  objects_piece piece; /* to copy at the server, where it has a name */
  atomic_bool *ends;   /* of the upload: makes its thread end */
  bool has_thread;
  atomic_bool is_sent; /* whether a wait for it would be short */
  pthread_t thread;
  TF_Status *status; /* the outcome; the sending thread's until store_part_wait */
  char tag[OBJECTS_TAG_SIZE];
} store_part;

/* NULL without memory. */
store_part *store_part_new(void);
void store_part_free(store_part *part);

/* Resets a part, keeping its memory. */
void store_part_reset(store_part *part);

/* Appends bytes up to a length of `most`; returns how many, 0 without memory. */
size_t store_part_fill(store_part *part, const char *bytes, size_t n, size_t most);

/* Sends the part on a new thread; on the caller's, if none can be created. */
void store_part_start(store_part *part);

/* Waits until the part has been sent, or has ended because the call is to. */
void store_part_wait(store_part *part);

/* A copy_part for servers that have none: reads the piece and sends it as a part. */
OBJECTS_SLOT(copy_part) store_part_by_reading;

#endif
