/* The memory of curl. */
#ifndef NET_MEMORY_H
#define NET_MEMORY_H

/* Starts curl on memory that is wiped when it is freed, unless the process has started it before. */
void memory_start_curl(void);

#endif
