/* The thread of a stream. */
#ifndef REFERENCE_WORKER_H
#define REFERENCE_WORKER_H

#include "stream.h"

/* Starts the worker, under the stream's lock; false when no thread can be created. */
bool reference_worker_start(SP_Stream stream);

/* Waits until the worker has performed everything, and joins it. */
void reference_worker_stop(SP_Stream stream);

/* Whether the calling thread is this stream's worker, that is, in a callback. */
bool reference_worker_is(SP_Stream stream);

#endif
