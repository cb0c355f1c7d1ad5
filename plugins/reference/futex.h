/* Sleeping until another thread changes a word. What the word stands for is its owner's; a condition
 * variable would put a queue and a lock of its own between the two. */
#ifndef REFERENCE_FUTEX_H
#define REFERENCE_FUTEX_H

#include <stdatomic.h>

typedef _Atomic unsigned reference_futex;

/* Sleeps until a wake, or not at all if the word is no longer what is expected; may return early. */
void reference_futex_wait(reference_futex *word, unsigned expected);
void reference_futex_wake_one(reference_futex *word);
void reference_futex_wake_all(reference_futex *word);

#endif
