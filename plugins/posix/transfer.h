/* Moving bytes from one descriptor to another. */
#ifndef POSIX_TRANSFER_H
#define POSIX_TRANSFER_H

#include <sys/types.h>

/* Copies size bytes, fewer when the source ends before; a size of 0 means up to the end, since
 * files of /proc say 0 whatever is in them. Returns an error. */
int posix_transfer(int from, int to, off_t size);

#endif
