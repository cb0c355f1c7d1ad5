/* The thread of a stream. */
#ifndef REFERENCE_WORKER_H
#define REFERENCE_WORKER_H

#include "stream.h"

/* Starts it, under the stream's lock; false when the system has no more threads. */
bool reference_worker_start(SP_Stream stream);

/* Waits until it has done everything, and ends it. */
void reference_worker_stop(SP_Stream stream);

/* Whether this is the worker of the stream, in a callback. */
bool reference_worker_is(SP_Stream stream);

#endif
