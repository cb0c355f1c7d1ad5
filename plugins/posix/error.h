/* Errors inside the plugin are plain ints: 0, an errno, or one of the negative
 * ones below. They become a status once, at the end of an operation. */
#ifndef POSIX_ERROR_H
#define POSIX_ERROR_H

#include <modfs/status.h>

enum {
  POSIX_FOREIGN_HOST = -1, /* file://host/…, and host is not this machine */
  POSIX_NOT_A_FILE = -2,   /* a FIFO, socket or device where only a file will do */
  POSIX_EMPTY_FILE = -3,
  POSIX_BROKEN_LINK = -4,
  POSIX_CLOSED = -5,
  POSIX_NO_SYNC = -6, /* the storage cannot make it durable */
  POSIX_LINK = -7     /* where links are not followed */
};

/* Sets OK for 0, else the code and the text that fit the error. */
void posix_report(TF_Status *status, int error);

/* Code and text alone; status is scratch. */
enum { POSIX_ERROR_TEXT = 128 };
TF_Code posix_error_code(int error, TF_Status *status);
void posix_error_text(int error, char text[POSIX_ERROR_TEXT]);

#endif
