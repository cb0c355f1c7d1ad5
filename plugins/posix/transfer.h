/* Copies bytes from one descriptor to another. */
#ifndef POSIX_TRANSFER_H
#define POSIX_TRANSFER_H

#include <sys/types.h>

/* Copies size bytes, fewer when the source ends earlier. A size of 0 means up to the end, because files
 * of /proc report 0 whatever they contain. Returns an error. */
int posix_transfer(int from, int to, off_t size);

#endif
