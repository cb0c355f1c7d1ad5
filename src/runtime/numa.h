/* The processors of a NUMA node, as the kernel lists them. */
#ifndef MODFS_NUMA_H
#define MODFS_NUMA_H

#include <sched.h>
#include <stdbool.h>

/* Fills in the processors of a list such as "0-3,8". False when the text is no such list. */
bool modfs_numa_parse(const char *text, cpu_set_t *processors);

/* Fills in the processors of a node that the calling thread may use; false when there are none. */
bool modfs_numa_processors(int node, cpu_set_t *processors);

#endif
