/* Streams: a queue of operations, and a worker that performs them in order.
 *
 * Operations are numbered from 1 as they are enqueued. The progress of a stream is one
 * number, so whatever waits for a point in a stream (the host, another stream, an event)
 * stores a pair: the stream and the number of the last operation before that point.
 *
 * The queue has two arrays. Operations are added to one while the worker works on the
 * other, so both sides synchronize once for many operations, and memory is allocated only
 * when a queue becomes longer than ever before. An idle worker sleeps.
 *
 * The first failure of a stream is permanent: later copies and fills are skipped; fences
 * still pass and callbacks still run. */
#ifndef REFERENCE_STREAM_H
#define REFERENCE_STREAM_H

#include <modfs/stream_executor.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "device.h"
#include "error.h"
#include "futex.h"
#include "memory.h"

typedef struct reference_operation reference_operation;

typedef void (*reference_run)(SP_Stream stream, reference_operation *operation);

/* One operation. `run` releases what it refers to, also when the stream has failed. */
struct reference_operation {
  reference_run run;
  union {
    struct {
      reference_block *to_block, *from_block; /* pinned; NULL: host memory */
      char *to;
      const char *from;
      uint64_t size;
      bool fails;
    } copy;
    struct {
      reference_block *block; /* pinned */
      char *to;
      uint64_t size;
      uint32_t pattern;
      bool fails;
    } fill;
    struct {
      SP_Stream stream; /* referenced */
      uint64_t number;
    } wait;
    struct {
      SP_Timer timer; /* referenced */
      int mark;
    } stamp;
    struct {
      SE_StatusCallbackFn function;
      void *argument;
    } callback;
  } of;
};

typedef struct reference_queue {
  reference_operation *operations;
  size_t count, room;
} reference_queue;

struct SP_Stream_st {
  reference_device *device;
  uint64_t epoch;
  SP_Stream next;    /* in the list of the device */
  atomic_uint users; /* the host, events, waits */

  pthread_mutex_t lock;
  reference_queue queue;
  bool started, ending;
  reference_futex sleeping; /* 1: the worker, until an operation is enqueued, or `ending` is set */
  pthread_t worker;
  atomic_uint_fast64_t enqueued;

  reference_futex progress; /* how often waiting threads were woken */
  atomic_uint_fast64_t done;
  atomic_uint_fast64_t awaited; /* the least number that a thread waits for; UINT64_MAX: none */

  TF_Status *status;           /* the worker's, for callbacks */
  atomic_uint_fast64_t failed; /* the number of the first operation that failed; UINT64_MAX: none */
  TF_Code code;
  char message[256];
};

/* The slots. */
void reference_stream_create(const SP_Device *device, SP_Stream *stream, TF_Status *status);
void reference_stream_destroy(const SP_Device *device, SP_Stream stream);
void reference_stream_depend(const SP_Device *device, SP_Stream dependent, SP_Stream other,
                             TF_Status *status);
void reference_stream_status(const SP_Device *device, SP_Stream stream, TF_Status *status);
void reference_stream_synchronize(const SP_Device *device, SP_Stream stream, TF_Status *status);

/* Checks that the stream belongs to this device and this process. */
reference_error reference_stream_check(const SP_Device *device, SP_Stream stream);

/* Enqueues an operation; the first one starts the worker. */
reference_error reference_stream_enqueue(SP_Stream stream, const reference_operation *operation);

/* The number of the last operation so far. */
uint64_t reference_stream_enqueued(SP_Stream stream);
bool reference_stream_has_done(SP_Stream stream, uint64_t number);

/* Waits until an operation is done; OWN_STREAM from the worker itself, which would wait for ever. */
reference_error reference_stream_wait(SP_Stream stream, uint64_t number);

/* Waits, and reports a failure to wait or of the operations up to that number. */
void reference_stream_finish(SP_Stream stream, uint64_t number, TF_Status *status);

/* Enqueues a wait for another stream. */
reference_error reference_stream_follow(SP_Stream stream, SP_Stream other, uint64_t number);

/* On the worker: fails the current operation. Only the first failure of a stream is kept. */
void reference_stream_fail(SP_Stream stream, TF_Code code, const char *message);
void reference_stream_fail_with(SP_Stream stream, reference_error error);

/* Whether one of the operations up to a number failed, or any at all. */
bool reference_stream_has_failed(SP_Stream stream, uint64_t number);
bool reference_stream_is_failed(SP_Stream stream);

SP_Stream reference_stream_hold(SP_Stream stream);
/* NULL is allowed. */
void reference_stream_drop(SP_Stream stream);

#endif
