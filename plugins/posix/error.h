/* Errors inside the plugin are ints: 0, an errno, or one of the negative values below. They
 * become a status once, at the end of an operation. */
#ifndef POSIX_ERROR_H
#define POSIX_ERROR_H

#include <modfs/status.h>

enum {
  POSIX_FOREIGN_HOST = -1, /* file://host/… with a host that is not this machine */
  POSIX_NOT_A_FILE = -2,   /* a FIFO, socket or device where a regular file is needed */
  POSIX_EMPTY_FILE = -3,
  POSIX_BROKEN_LINK = -4,
  POSIX_CLOSED = -5,
  POSIX_NO_SYNC = -6, /* the storage does not support making it durable */
  POSIX_LINK = -7,    /* a link where links are not followed */
  POSIX_NO_LINK = -8  /* something else where a link is needed */
};

/* Sets the error's code and message; OK for 0. */
void posix_report_error(TF_Status *status, int error);
static inline void posix_report(TF_Status *status, int error) {
  if (error != 0)
    posix_report_error(status, error);
  else
    TF_SetStatus(status, TF_OK, "");
}

/* The same with the path before the message. */
void posix_report_error_at(TF_Status *status, int error, const char *path);
static inline void posix_report_at(TF_Status *status, int error, const char *path) {
  if (error != 0)
    posix_report_error_at(status, error, path);
  else
    TF_SetStatus(status, TF_OK, "");
}

/* The code and the message of an error; status is scratch. */
enum { POSIX_ERROR_TEXT = 128 };
TF_Code posix_error_code(int error, TF_Status *status);
void posix_error_text(int error, char text[POSIX_ERROR_TEXT]);

#endif
