/* The clock of a server, beside ours. */
#ifndef OBJECTS_SERVER_CLOCK_H
#define OBJECTS_SERVER_CLOCK_H

#include "../net/net.h"

/* After a 403, adopts the server's clock if it differs so much from ours that it rejects signatures; whether it
 * did. clock: by how many seconds theirs is ahead, as far as it is known. It is one atomic number: threads that
 * correct it at once write the same. */
bool objects_correct_clock(_Atomic(int64_t) *clock, const net_answer *answer);

enum { OBJECTS_CLOCK_SIZE = 100 };

/* A hint, which begins with "; ", where the clock of this machine differs so much from the server's that signatures
 * are rejected; "" where it does not, or the response does not tell the time. */
const char *objects_clock_advice(const net_answer *answer, char text[OBJECTS_CLOCK_SIZE]);

#endif
