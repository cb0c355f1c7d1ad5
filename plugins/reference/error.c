#include "error.h"

static const struct {
  TF_Code code;
  const char *message;
} errors[] = {
    [REFERENCE_OK] = {TF_OK, ""},
    [REFERENCE_NO_MEMORY] = {TF_RESOURCE_EXHAUSTED, "out of memory"},
    [REFERENCE_NO_THREAD] = {TF_RESOURCE_EXHAUSTED, "cannot start a thread"},
    [REFERENCE_NO_DEVICE] = {TF_INVALID_ARGUMENT, "no device has this ordinal"},
    [REFERENCE_HOST_TOO_OLD] = {TF_FAILED_PRECONDITION, "struct_size of a host table is too small"},
    [REFERENCE_PARENTS_STREAM] = {TF_FAILED_PRECONDITION,
                                  "the stream belongs to the parent process"},
    [REFERENCE_PARENTS_EVENT] = {TF_FAILED_PRECONDITION, "the event belongs to the parent process"},
    [REFERENCE_OTHER_STREAM] = {TF_INVALID_ARGUMENT, "the stream belongs to another device"},
    [REFERENCE_OTHER_EVENT] = {TF_INVALID_ARGUMENT, "the event belongs to another device"},
    [REFERENCE_OWN_STREAM] = {TF_FAILED_PRECONDITION, "a callback cannot wait for its own stream"},
    [REFERENCE_NOT_RECORDED] = {TF_FAILED_PRECONDITION, "the event was not recorded in any stream"},
    [REFERENCE_NOT_MEMORY] = {TF_INVALID_ARGUMENT,
                              "the range is not inside one live allocation of the device"},
    [REFERENCE_FREED] = {TF_INVALID_ARGUMENT,
                         "memory was freed before the operations on it completed"},
    [REFERENCE_ODD_SIZE] = {TF_INVALID_ARGUMENT, "the size is not a multiple of 4"},
    [REFERENCE_ORDERED] = {TF_INTERNAL, "injected failure (MODFS_REFERENCE_FAULTS)"},
};

void reference_error_report(reference_error error, TF_Status *status) {
  if (error) TF_SetStatus(status, errors[error].code, errors[error].message);
}

TF_Code reference_error_code(reference_error error) {
  return errors[error].code;
}

const char *reference_error_message(reference_error error) {
  return errors[error].message;
}
