/* Failures: of our own making, and what name nodes and data nodes answer. */
#ifndef HDFS_ERROR_H
#define HDFS_ERROR_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

#include "../common/fail/fail.h"
#include "../common/json/json.h"

/* A RemoteException, or else why HTTP refused the request. */
typedef struct hdfs_error {
  char exception[80]; /* the name of its class; "": the answer has none */
  char message[320];  /* its first line, or the words of the status line */
} hdfs_error;

static inline bool hdfs_ok(const TF_Status *status) {
  return TF_GetCode(status) == TF_OK;
}

/* Of the body of an answer, and of its status line. */
void hdfs_error_take(const json_value *root, const char *reason, hdfs_error *error);
void hdfs_error_parse(const char *bytes, size_t n, const char *reason, hdfs_error *error);

bool hdfs_error_is(const hdfs_error *error, const char *exception);

/* The code that fits the exception, or else the HTTP status. */
TF_Code hdfs_error_code(const hdfs_error *error, int http_status);

#endif
