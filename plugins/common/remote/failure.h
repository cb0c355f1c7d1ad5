/* The message and the code of a request that failed. */
#ifndef REMOTE_FAILURE_H
#define REMOTE_FAILURE_H

#include <modfs/status.h>
#include <stdarg.h>
#include <stddef.h>

/* Sets the code and the message "what: " with the formatted text. */
__attribute__((format(printf, 4, 0))) void remote_fail(TF_Status *status, TF_Code code,
                                                       const char *what, const char *format,
                                                       va_list arguments);

/* A code, and the server's words for such failures, separated by spaces. */
typedef struct remote_reason {
  TF_Code code;
  const char *words;
} remote_reason;

/* TF_OK: it is none of these. */
TF_Code remote_reason_code(const remote_reason *known, size_t count, const char *word);

/* Keeps n bytes of a server's text, or as many as have room, without control characters. */
void remote_keep_text(char *place, size_t size, const char *text, size_t n);

#endif
