/* The status of a call: a code, a message and optional payloads.
 *
 * Host and plugins share one implementation of it: the library whose soname is
 * libtensorflow_framework.so.2, ours or TensorFlow's own where the process
 * already holds that. A TF_Status is opaque; only these functions touch it.
 *
 * Threads: a status is not locked; use each from one thread at a time.
 * Units: none. Strings are NUL-terminated bytes. */
#ifndef MODFS_STATUS_H
#define MODFS_STATUS_H

#ifndef TF_CAPI_EXPORT
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Status TF_Status;

/* The numbers are those of gRPC and absl. */
typedef enum TF_Code {
  TF_OK = 0,
  TF_CANCELLED = 1,
  TF_UNKNOWN = 2,
  TF_INVALID_ARGUMENT = 3,
  TF_DEADLINE_EXCEEDED = 4,
  TF_NOT_FOUND = 5,
  TF_ALREADY_EXISTS = 6,
  TF_PERMISSION_DENIED = 7,
  TF_RESOURCE_EXHAUSTED = 8,
  TF_FAILED_PRECONDITION = 9,
  TF_ABORTED = 10,
  TF_OUT_OF_RANGE = 11,
  TF_UNIMPLEMENTED = 12,
  TF_INTERNAL = 13,
  TF_UNAVAILABLE = 14,
  TF_DATA_LOSS = 15,
  TF_UNAUTHENTICATED = 16
} TF_Code;

/* Receives one payload; both strings live only as long as the call. */
typedef void (*TF_PayloadVisitor)(const char *key, const char *value, void *capture);

/* Makes an OK status. Owns: the caller deletes it. NULL when memory is short. */
TF_CAPI_EXPORT extern TF_Status *TF_NewStatus(void);

/* Deletes a status; NULL is allowed. */
TF_CAPI_EXPORT extern void TF_DeleteStatus(TF_Status *status);

/* Replaces code and message and drops the payloads; TF_OK clears all three and ignores the message.
 * The code is stored unchecked. The message is copied; NULL reads as "". */
TF_CAPI_EXPORT extern void TF_SetStatus(TF_Status *status, TF_Code code, const char *message);

/* Adds or overwrites a payload; does nothing while the status is OK. Both strings are copied. */
TF_CAPI_EXPORT extern void TF_SetPayload(TF_Status *status, const char *key, const char *value);

/* Calls the visitor once for each payload, in the order in which the keys first came. */
TF_CAPI_EXPORT extern void TF_ForEachPayload(const TF_Status *status, TF_PayloadVisitor visitor,
                                             void *capture);

/* Sets the code that fits an errno and the message "context; text of the error"; 0 sets OK. */
TF_CAPI_EXPORT extern void TF_SetStatusFromIOError(TF_Status *status, int error_code,
                                                   const char *context);

/* The code. */
TF_CAPI_EXPORT extern TF_Code TF_GetCode(const TF_Status *status);

/* The message, "" when OK. Owns: the status; valid until it changes or is deleted. */
TF_CAPI_EXPORT extern const char *TF_Message(const TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
