/* One part of an upload, sent by a thread of its own. */
#ifndef S3_PART_H
#define S3_PART_H

#include <pthread.h>
#include <stdatomic.h>

#include "multipart.h"

typedef struct s3_part {
  struct s3_part *next;
  const s3_multipart *upload;
  int number;
  char *bytes; /* to send, where the piece has no name */
  size_t length;
  size_t room;
  s3_piece piece;    /* to copy at the server, where it has a name */
  atomic_bool *ends; /* of the upload: makes its thread end */
  bool has_thread;
  pthread_t thread;
  TF_Status *status; /* the outcome; the sending thread's until s3_part_wait */
  char tag[S3_TAG_SIZE];
} s3_part;

/* NULL without memory. */
s3_part *s3_part_new(void);
void s3_part_free(s3_part *part);

/* Resets a part, keeping its memory. */
void s3_part_reset(s3_part *part);

/* Appends bytes up to a length of `most`; returns how many, 0 without memory. */
size_t s3_part_fill(s3_part *part, const char *bytes, size_t n, size_t most);

/* Sends the part on a new thread; on the caller's, if none can be created. */
void s3_part_start(s3_part *part);

/* Waits until the part has been sent, or has ended because the call is to. */
void s3_part_wait(s3_part *part);

#endif
