/* TF_Status, the result of a call: a code, a message and optional payloads.
 *
 * The functions are those of TensorFlow's tf_status.h. Host and plugins share one
 * implementation, the library with the soname libtensorflow_framework.so.2: the one
 * of modfs, or TensorFlow's own if the process has already loaded it. TF_Status is
 * an opaque type; access it only through these functions.
 *
 * Threads: a status has no lock; use each one from one thread at a time.
 * Strings are NUL-terminated byte strings. A status parameter must not be NULL,
 * unless the function says so. */
#ifndef MODFS_STATUS_H
#define MODFS_STATUS_H

#ifndef TF_CAPI_EXPORT
#define TF_CAPI_EXPORT __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TF_Status TF_Status;

/* The canonical status codes; the numbers are those of gRPC and Abseil. */
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

/* Callback of TF_ForEachPayload. Both strings are valid only during the call; capture is passed
 * through. */
typedef void (*TF_PayloadVisitor)(const char *key, const char *value, void *capture);

/* Creates a status that is OK, or returns NULL if memory could not be allocated.
 * Owns: the caller, who frees it with TF_DeleteStatus. */
TF_CAPI_EXPORT extern TF_Status *TF_NewStatus(void);

/* Frees a status; NULL is allowed. */
TF_CAPI_EXPORT extern void TF_DeleteStatus(TF_Status *status);

/* Sets code and message and removes all payloads. With TF_OK the message is ignored and becomes "".
 * The code is stored without a check. The message is copied; NULL means "". */
TF_CAPI_EXPORT extern void TF_SetStatus(TF_Status *status, TF_Code code, const char *message);

/* Adds a payload or replaces the one with the same key. Has no effect on a status that is OK. Both
 * strings are copied. */
TF_CAPI_EXPORT extern void TF_SetPayload(TF_Status *status, const char *key, const char *value);

/* Calls visitor once for each payload, in the order in which the keys were first set. */
TF_CAPI_EXPORT extern void TF_ForEachPayload(const TF_Status *status, TF_PayloadVisitor visitor,
                                             void *capture);

/* Sets the code that corresponds to the errno value error_code and the message "context; error
 * text", with the text of strerror. 0 sets OK. */
TF_CAPI_EXPORT extern void TF_SetStatusFromIOError(TF_Status *status, int error_code,
                                                   const char *context);

/* Returns the code. */
TF_CAPI_EXPORT extern TF_Code TF_GetCode(const TF_Status *status);

/* Returns the message, "" if the status is OK.
 * Owns: the status; the string is valid until the status is changed or deleted. */
TF_CAPI_EXPORT extern const char *TF_Message(const TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
