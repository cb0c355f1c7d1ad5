/* A part of an upload on its way, on a thread of its own. */
#ifndef S3_PART_H
#define S3_PART_H

#include <pthread.h>

#include "multipart.h"

typedef struct s3_part {
  struct s3_part *next;
  const s3_multipart *upload;
  int number;
  char *bytes; /* to send; NULL: the piece is copied */
  size_t length;
  size_t room;
  s3_piece piece;
  bool has_thread;
  pthread_t thread;
  TF_Status *status; /* how it went */
  char tag[S3_TAG_SIZE];
} s3_part;

/* NULL when memory is short. */
s3_part *s3_part_new(void);
void s3_part_free(s3_part *part);

/* As new, but for the memory that it has. */
void s3_part_reset(s3_part *part);

/* Adds what there is room for below most bytes; returns how many, 0 when memory is short. */
size_t s3_part_fill(s3_part *part, const char *bytes, size_t n, size_t most);

/* Sends it, while the caller goes on; without a thread to spare, before. */
void s3_part_start(s3_part *part);

/* Returns when it has been sent. */
void s3_part_wait(s3_part *part);

#endif
