/* Blocks of one size that are kept for their next use, as malloc takes longer than most of what they
 * are used for: up to a number, for the process. A thread that finds another one at the list does without,
 * and so does a forked child for good if that was the case in its parent. */
#ifndef MODFS_CORE_SPARE_H
#define MODFS_CORE_SPARE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct spare_list {
  atomic_flag busy;
  size_t count, most;
  void *first; /* each begins with a pointer to the next */
} spare_list;

/* Checkers must see each block end. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SPARE_LIST(number)                                                                         \
  { ATOMIC_FLAG_INIT, 0, 0, NULL }
#else
#define SPARE_LIST(number)                                                                         \
  { ATOMIC_FLAG_INIT, 0, number, NULL }
#endif

/* A block that was put there, whose first pointer is lost; NULL: there is none. */
void *spare_take(spare_list *list);
/* False: the block is still the caller's. */
bool spare_put(spare_list *list, void *block);

#endif
