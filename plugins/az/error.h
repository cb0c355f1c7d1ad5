/* Failures, as the service describes them. */
#ifndef AZ_ERROR_H
#define AZ_ERROR_H

#include "../common/net/net.h"
#include "../common/objects/error.h"

/* "" where the response has none. */
typedef struct az_error {
  char code[80];
  char message[400];
  char request_id[80];
} az_error;

/* Reads the headers and the document of a failure; bytes NULL: there is none. */
void az_error_read(const net_answer *answer, const char *bytes, size_t n, az_error *error);

bool az_error_is(const az_error *error, const char *code);

/* Sets the status for a failed request. */
void az_fail_answer(TF_Status *status, objects_action action, const net_answer *answer,
                    const az_error *error);

#endif
