/* Generation-checked handles: a plugin gets one instead of a pointer, as the argument of a
 * callback. A handle can be used once, so a plugin that calls twice, or too late, reaches nothing.
 */
#ifndef MODFS_CORE_CHECKED_HANDLE_H
#define MODFS_CORE_CHECKED_HANDLE_H

#include <stdint.h>

/* Free slots that whoever makes handles has taken in advance, for one thread at a time: {0} at
 * first. */
typedef struct handle_stock {
  uint32_t first; /* 0: none */
} handle_stock;

/* A handle for a thing; NULL when memory is short. */
void *checked_handle_new(handle_stock *stock, void *thing);

/* Uses a handle up. Returns its thing, which the caller now owns, or NULL when the handle was used
 * before. Threads: any, at any time. */
void *checked_handle_use(void *ticket);

/* Gives the slots back. */
void handle_stock_fini(handle_stock *stock);

#endif
