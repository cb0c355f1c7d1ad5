#include "error.h"

static const struct {
  TF_Code code;
  const char *message;
} errors[] = {
    [MEMORY_OK] = {TF_OK, ""},
    [MEMORY_MISSING] = {TF_NOT_FOUND, "no such file or directory"},
    [MEMORY_NO_PARENT] = {TF_NOT_FOUND, "a parent directory does not exist"},
    [MEMORY_PARENT_IS_FILE] = {TF_FAILED_PRECONDITION, "a parent of the path is a file"},
    [MEMORY_IS_DIRECTORY] = {TF_FAILED_PRECONDITION, "is a directory"},
    [MEMORY_IS_FILE] = {TF_FAILED_PRECONDITION, "is a file, not a directory"},
    [MEMORY_EXISTS] = {TF_ALREADY_EXISTS, "the path already exists"},
    [MEMORY_NOT_EMPTY] = {TF_FAILED_PRECONDITION, "the directory is not empty"},
    [MEMORY_IS_ROOT] = {TF_FAILED_PRECONDITION, "the root cannot be deleted"},
    [MEMORY_MALFORMED] = {TF_FAILED_PRECONDITION, "the path is not in its translated form"},
    [MEMORY_TOO_LONG] = {TF_INVALID_ARGUMENT,
                         "a name is longer than 255 bytes or the path longer than 65536"},
    [MEMORY_EMPTY_FILE] = {TF_INVALID_ARGUMENT, "the file is empty"},
    [MEMORY_END_OF_FILE] = {TF_OUT_OF_RANGE, "end of file"},
    [MEMORY_CLOSED] = {TF_FAILED_PRECONDITION, "the file is closed"},
    [MEMORY_NO_MEMORY] = {TF_RESOURCE_EXHAUSTED, "out of memory"},
    [MEMORY_LIMIT] = {TF_RESOURCE_EXHAUSTED, "the limit of option limit_bytes is reached"},
    [MEMORY_TOO_MANY] = {TF_RESOURCE_EXHAUSTED, "more entries than an int can count"},
    [MEMORY_ABORTED] = {TF_ABORTED, "the transaction of the file was aborted"},
    [MEMORY_COVERED_BELOW] = {TF_FAILED_PRECONDITION, "an open transaction covers a path below"},
    [MEMORY_CROSSES] = {TF_FAILED_PRECONDITION,
                        "source and target are not in the same transaction"},
    [MEMORY_OVERLAPS] = {TF_FAILED_PRECONDITION,
                         "another transaction covers the path, a parent of it or a path below it"},
    [MEMORY_NO_TRANSACTION] = {TF_NOT_FOUND, "no such transaction is open"},
    [MEMORY_NOT_COVERED] = {TF_NOT_FOUND, "the path is not in any transaction"},
    [MEMORY_NO_OPTION] = {TF_NOT_FOUND, "unknown option; the only option is limit_bytes"},
    [MEMORY_BAD_OPTION] = {TF_INVALID_ARGUMENT, "the option has no name or no value"},
    [MEMORY_BAD_VALUE] = {TF_INVALID_ARGUMENT,
                          "option limit_bytes takes one integer that is not negative"},
    [MEMORY_BAD_ATTRIBUTES] = {TF_INVALID_ARGUMENT, "struct_size is not set"},
    [MEMORY_NO_LINK] = {TF_FAILED_PRECONDITION, "not a symbolic link"},
    [MEMORY_BAD_TARGET] = {TF_INVALID_ARGUMENT, "the target of a link needs 1 to 4095 bytes"},
    [MEMORY_VIA_LINK] = {TF_FAILED_PRECONDITION, "symbolic link, which is not followed"},
    [MEMORY_BROKEN_LINK] = {TF_FAILED_PRECONDITION, "the path is a dangling symbolic link"},
    [MEMORY_LOOP] = {TF_FAILED_PRECONDITION, "too many levels of symbolic links"},
    [MEMORY_NO_ATTRIBUTE] = {TF_UNIMPLEMENTED, "mem:// has no owners and groups"},
    [MEMORY_NO_LIMIT] = {TF_UNIMPLEMENTED, "mem:// has no limit; option limit_bytes sets one"},
    [MEMORY_BY_PATH_ONLY] = {TF_UNIMPLEMENTED, "entries can only be reached by path"},
};

void memory_error_report(memory_error error, TF_Status *status) {
  if (error) TF_SetStatus(status, errors[error].code, errors[error].message);
}

TF_Code memory_error_code(memory_error error) {
  return errors[error].code;
}

const char *memory_error_message(memory_error error) {
  return errors[error].message;
}
