/* The status functions of the runtime: codes, messages, payloads, errnos. */
#include <modfs/status.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static TF_Status *status;

static void test_codes(void) {
  CHECK_INT(TF_GetCode(status), TF_OK, "a new status is OK");
  CHECK_STR(TF_Message(status), "", "a new status has an empty message");
  for (int code = 1; code <= 16; code++) {
    TF_SetStatus(status, (TF_Code)code, "x");
    CHECK_INT(TF_GetCode(status), code, "code %d is kept", code);
  }
  TF_SetStatus(status, (TF_Code)4711, "foreign");
  CHECK_INT((int)TF_GetCode(status), 4711, "a foreign code is kept unchecked");
}

static void test_messages(void) {
  char text[] = "first";
  TF_SetStatus(status, TF_NOT_FOUND, text);
  text[0] = 'X';
  CHECK_STR(TF_Message(status), "first", "the message is copied");
  const char *before = TF_Message(status);
  CHECK(before == TF_Message(status), "the message stays where it is until the status changes");
  TF_SetStatus(status, TF_OK, "ignored");
  CHECK_INT(TF_GetCode(status), TF_OK, "OK replaces a code");
  CHECK_STR(TF_Message(status), "", "OK has no message");
  TF_SetStatus(status, TF_ABORTED, NULL);
  CHECK_STR(TF_Message(status), "", "a NULL message reads as empty");
  TF_SetStatus(status, TF_OK, NULL);
  CHECK_STR(TF_Message(status), "", "OK takes a NULL message");
}

static void test_own_message(void) {
  TF_SetStatus(status, TF_INTERNAL, "context: reason");
  TF_SetStatus(status, TF_UNKNOWN, TF_Message(status));
  CHECK_STR(TF_Message(status), "context: reason", "a status takes its own message");
  TF_SetStatus(status, TF_UNKNOWN, TF_Message(status) + 9);
  CHECK_STR(TF_Message(status), "reason", "a status takes the end of its own message");
  TF_SetStatusFromIOError(status, ENOENT, TF_Message(status));
  CHECK_STR(TF_Message(status), "reason; No such file or directory",
            "an errno takes the status' own message for context");
}

static void test_long_message(void) {
  size_t length = 1000000;
  char *text = malloc(length + 1);
  if (!CHECK(text != NULL, "memory for a long message")) return;
  memset(text, 'm', length);
  text[length] = '\0';
  TF_SetStatus(status, TF_INTERNAL, text);
  CHECK_STR(TF_Message(status), text, "a message of a million bytes is kept whole");
  TF_SetStatusFromIOError(status, EIO, text);
  CHECK_INT(strlen(TF_Message(status)), length + strlen("; Input/output error"),
            "a context of a million bytes is kept whole");
  TF_SetStatus(status, TF_INTERNAL, "short");
  CHECK_STR(TF_Message(status), "short", "a short message replaces a long one");
  free(text);
}

static void payload_append(const char *key, const char *value, void *capture) {
  char *all = capture;
  size_t used = strlen(all);
  snprintf(all + used, 256 - used, "%s=%s;", key, value);
}

static const char *payloads(void) {
  static char all[256];
  all[0] = '\0';
  TF_ForEachPayload(status, payload_append, all);
  return all;
}

static void test_payloads(void) {
  TF_SetStatus(status, TF_OK, "");
  TF_SetPayload(status, "key", "value");
  CHECK_STR(payloads(), "", "an OK status takes no payload");
  TF_SetStatus(status, TF_INTERNAL, "m");
  CHECK_STR(payloads(), "", "what an OK status refused is not kept");
  char key[] = "b";
  char value[] = "1";
  TF_SetPayload(status, key, value);
  key[0] = value[0] = 'x';
  TF_SetPayload(status, "a", "2");
  TF_SetPayload(status, "c", "3");
  CHECK_STR(payloads(), "b=1;a=2;c=3;", "payloads are copied and keep their order");
  TF_SetPayload(status, "a", "a longer value");
  CHECK_STR(payloads(), "b=1;a=a longer value;c=3;", "a key is overwritten in its place");
  TF_SetPayload(status, "", NULL);
  CHECK_STR(payloads(), "b=1;a=a longer value;c=3;=;", "empty key and NULL value");
  CHECK_STR(TF_Message(status), "m", "payloads leave the message alone");
  CHECK_INT(TF_GetCode(status), TF_INTERNAL, "payloads leave the code alone");
  TF_SetStatus(status, TF_ABORTED, "n");
  CHECK_STR(payloads(), "", "another code drops the payloads");
  TF_SetPayload(status, "k", "v");
  TF_SetStatusFromIOError(status, EIO, "n");
  CHECK_STR(payloads(), "", "an errno drops the payloads");
  TF_SetPayload(status, "k", "v");
  TF_SetStatus(status, TF_OK, "");
  TF_SetStatus(status, TF_ABORTED, "n");
  CHECK_STR(payloads(), "", "OK drops the payloads");
}

/* One row for each errno that TensorFlow names; written out, so as to check the table by another.
 */
#define ROW(name, code)                                                                            \
  { name, #name, code }
static const struct {
  int number;
  const char *name;
  TF_Code code;
} errnos[] = {
    ROW(0, TF_OK),
    ROW(EINVAL, TF_INVALID_ARGUMENT),
    ROW(ENAMETOOLONG, TF_INVALID_ARGUMENT),
    ROW(E2BIG, TF_INVALID_ARGUMENT),
    ROW(EDESTADDRREQ, TF_INVALID_ARGUMENT),
    ROW(EDOM, TF_INVALID_ARGUMENT),
    ROW(EFAULT, TF_INVALID_ARGUMENT),
    ROW(EILSEQ, TF_INVALID_ARGUMENT),
    ROW(ENOPROTOOPT, TF_INVALID_ARGUMENT),
    ROW(ENOSTR, TF_INVALID_ARGUMENT),
    ROW(ENOTSOCK, TF_INVALID_ARGUMENT),
    ROW(ENOTTY, TF_INVALID_ARGUMENT),
    ROW(EPROTOTYPE, TF_INVALID_ARGUMENT),
    ROW(ESPIPE, TF_INVALID_ARGUMENT),
    ROW(ETIMEDOUT, TF_DEADLINE_EXCEEDED),
    ROW(ETIME, TF_DEADLINE_EXCEEDED),
    ROW(ENODEV, TF_NOT_FOUND),
    ROW(ENOENT, TF_NOT_FOUND),
    ROW(ENXIO, TF_NOT_FOUND),
    ROW(ESRCH, TF_NOT_FOUND),
    ROW(EEXIST, TF_ALREADY_EXISTS),
    ROW(EADDRNOTAVAIL, TF_ALREADY_EXISTS),
    ROW(EALREADY, TF_ALREADY_EXISTS),
    ROW(EPERM, TF_PERMISSION_DENIED),
    ROW(EACCES, TF_PERMISSION_DENIED),
    ROW(EROFS, TF_PERMISSION_DENIED),
    ROW(ENOTEMPTY, TF_FAILED_PRECONDITION),
    ROW(EISDIR, TF_FAILED_PRECONDITION),
    ROW(ENOTDIR, TF_FAILED_PRECONDITION),
    ROW(EADDRINUSE, TF_FAILED_PRECONDITION),
    ROW(EBADF, TF_FAILED_PRECONDITION),
    ROW(EBUSY, TF_FAILED_PRECONDITION),
    ROW(ECHILD, TF_FAILED_PRECONDITION),
    ROW(EISCONN, TF_FAILED_PRECONDITION),
    ROW(ENOTBLK, TF_FAILED_PRECONDITION),
    ROW(ENOTCONN, TF_FAILED_PRECONDITION),
    ROW(EPIPE, TF_FAILED_PRECONDITION),
    ROW(ESHUTDOWN, TF_FAILED_PRECONDITION),
    ROW(ETXTBSY, TF_FAILED_PRECONDITION),
    ROW(ENOSPC, TF_RESOURCE_EXHAUSTED),
    ROW(EDQUOT, TF_RESOURCE_EXHAUSTED),
    ROW(EMFILE, TF_RESOURCE_EXHAUSTED),
    ROW(EMLINK, TF_RESOURCE_EXHAUSTED),
    ROW(ENFILE, TF_RESOURCE_EXHAUSTED),
    ROW(ENOBUFS, TF_RESOURCE_EXHAUSTED),
    ROW(ENODATA, TF_RESOURCE_EXHAUSTED),
    ROW(ENOMEM, TF_RESOURCE_EXHAUSTED),
    ROW(ENOSR, TF_RESOURCE_EXHAUSTED),
    ROW(EUSERS, TF_RESOURCE_EXHAUSTED),
    ROW(EFBIG, TF_OUT_OF_RANGE),
    ROW(EOVERFLOW, TF_OUT_OF_RANGE),
    ROW(ERANGE, TF_OUT_OF_RANGE),
    ROW(ENOSYS, TF_UNIMPLEMENTED),
    ROW(ENOTSUP, TF_UNIMPLEMENTED),
    ROW(EOPNOTSUPP, TF_UNIMPLEMENTED),
    ROW(EAFNOSUPPORT, TF_UNIMPLEMENTED),
    ROW(EPFNOSUPPORT, TF_UNIMPLEMENTED),
    ROW(EPROTONOSUPPORT, TF_UNIMPLEMENTED),
    ROW(ESOCKTNOSUPPORT, TF_UNIMPLEMENTED),
    ROW(EXDEV, TF_UNIMPLEMENTED),
    ROW(EAGAIN, TF_UNAVAILABLE),
    ROW(EWOULDBLOCK, TF_UNAVAILABLE),
    ROW(ECONNREFUSED, TF_UNAVAILABLE),
    ROW(ECONNABORTED, TF_UNAVAILABLE),
    ROW(ECONNRESET, TF_UNAVAILABLE),
    ROW(EINTR, TF_UNAVAILABLE),
    ROW(EHOSTDOWN, TF_UNAVAILABLE),
    ROW(EHOSTUNREACH, TF_UNAVAILABLE),
    ROW(ENETDOWN, TF_UNAVAILABLE),
    ROW(ENETRESET, TF_UNAVAILABLE),
    ROW(ENETUNREACH, TF_UNAVAILABLE),
    ROW(ENOLCK, TF_UNAVAILABLE),
    ROW(ENOLINK, TF_UNAVAILABLE),
    ROW(ENONET, TF_UNAVAILABLE),
    ROW(EDEADLK, TF_ABORTED),
    ROW(EDEADLOCK, TF_ABORTED),
    ROW(ESTALE, TF_ABORTED),
    ROW(ECANCELED, TF_CANCELLED),
    ROW(EBADMSG, TF_UNKNOWN),
    ROW(EIDRM, TF_UNKNOWN),
    ROW(EINPROGRESS, TF_UNKNOWN),
    ROW(EIO, TF_UNKNOWN),
    ROW(ELOOP, TF_UNKNOWN),
    ROW(ENOEXEC, TF_UNKNOWN),
    ROW(ENOMSG, TF_UNKNOWN),
    ROW(EPROTO, TF_UNKNOWN),
    ROW(EREMOTE, TF_UNKNOWN),
    ROW(-1, TF_UNKNOWN),
    ROW(100000, TF_UNKNOWN),
    ROW(INT_MIN, TF_UNKNOWN),
};

static void test_errnos(void) {
  size_t rows = sizeof errnos / sizeof *errnos;
  for (size_t i = 0; i < rows; i++) {
    char want[300] = "";
    int number = errnos[i].number;
    if (number != 0) snprintf(want, sizeof want, "here; %s", strerror(number));
    TF_SetStatus(status, TF_INTERNAL, "before");
    TF_SetStatusFromIOError(status, number, "here");
    bool code_fits = CHECK_INT(TF_GetCode(status), errnos[i].code, "%s", errnos[i].name);
    if (code_fits) CHECK_STR(TF_Message(status), want, "the message for %s", errnos[i].name);
  }
  for (int number = 1; number < 200; number++) { /* no other errno has a code of its own */
    bool named = false;
    for (size_t i = 0; i < rows; i++)
      named |= errnos[i].number == number;
    TF_SetStatusFromIOError(status, number, "");
    if (!named && TF_GetCode(status) != TF_UNKNOWN)
      CHECK_INT(TF_GetCode(status), TF_UNKNOWN, "errno %d", number);
  }
  TF_SetStatusFromIOError(status, ENOENT, NULL);
  CHECK_STR(TF_Message(status), "; No such file or directory", "a NULL context reads as empty");
}

static bool memory_is_checked(void) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return true;
#else
  const char *preload = getenv("LD_PRELOAD");
  return preload && strstr(preload, "vgpreload");
#endif
}

/* In a child, with no more memory to get. */
static int starve(char *text, bool starved) {
  struct rlimit none = {0, RLIM_INFINITY};
  if (starved && setrlimit(RLIMIT_AS, &none) != 0) return 2;
  TF_SetStatus(status, TF_DATA_LOSS, text);
  if (TF_GetCode(status) != TF_DATA_LOSS) return 3;
  if (strcmp(TF_Message(status), text) == 0) return 4;
  if (strlen(TF_Message(status)) == 0) return 5;
  TF_SetPayload(status, "k", text);
  TF_SetStatusFromIOError(status, ENOENT, text);
  if (TF_GetCode(status) != TF_NOT_FOUND) return 6;
  return TF_Message(status)[0] ? 0 : 7;
}

static int starve_in_child(char *text, bool starved) {
  int code = -1;
  pid_t child = fork();
  if (child == 0) _exit(starve(text, starved));
  waitpid(child, &code, 0);
  return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

static void test_no_memory(void) {
  if (memory_is_checked()) {
    check_note("skipped: short memory, because a checker owns the allocator");
    return;
  }
  size_t size = 64u << 20;
  char *text = malloc(size);
  if (!CHECK(text != NULL, "memory for the text")) return;
  memset(text, 'x', size);
  text[size - 1] = '\0';
  CHECK_INT(starve_in_child(text, true), 0, "without memory the code stays, with a short message");
  CHECK_INT(starve_in_child(text, false), 4, "control: with memory the message is whole");
  free(text);
}

int main(void) {
  status = TF_NewStatus();
  if (!CHECK(status != NULL, "a new status")) return check_end();
  test_codes();
  test_messages();
  test_own_message();
  test_long_message();
  test_payloads();
  test_errnos();
  TF_DeleteStatus(status);
  status = TF_NewStatus();
  test_no_memory();
  TF_DeleteStatus(status);
  TF_DeleteStatus(NULL);
  CHECK(true, "deleting NULL does nothing");
  return check_end();
}
