/* Every living block of the process: its start, its size, and whether it was made inside. */
#ifndef MODFS_SHIM_BLOCKS_H
#define MODFS_SHIM_BLOCKS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct block {
  char *start; /* NULL: the entry is empty */
  size_t size;
  bool inside;
} block;

/* All other functions need the lock. */
void blocks_lock(void);
void blocks_unlock(void);

bool blocks_add(char *start, size_t size, bool inside); /* false: no memory */
bool blocks_take(const char *start, block *found);      /* removes; false: no such block */
bool blocks_find(const char *address, block *found);    /* the block that contains an address */
size_t blocks_inside(void);
/* Visits living blocks until visit returns true; returns whether it did. */
bool blocks_each(bool (*visit)(const block *each));

#endif
