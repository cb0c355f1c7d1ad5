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

/* The errnos that TensorFlow names, by their code; written out, so as to check the table by another.
 * Zero ends a row. */
static const struct {
  TF_Code code;
  int numbers[20];
} errnos[] = {
    {TF_INVALID_ARGUMENT,
     {EINVAL, ENAMETOOLONG, E2BIG, EDESTADDRREQ, EDOM, EFAULT, EILSEQ, ENOPROTOOPT, ENOSTR,
      ENOTSOCK, ENOTTY, EPROTOTYPE, ESPIPE}},
    {TF_DEADLINE_EXCEEDED, {ETIMEDOUT, ETIME}},
    {TF_NOT_FOUND, {ENODEV, ENOENT, ENXIO, ESRCH}},
    {TF_ALREADY_EXISTS, {EEXIST, EADDRNOTAVAIL, EALREADY}},
    {TF_PERMISSION_DENIED, {EPERM, EACCES, EROFS}},
    {TF_FAILED_PRECONDITION,
     {ENOTEMPTY, EISDIR, ENOTDIR, EADDRINUSE, EBADF, EBUSY, ECHILD, EISCONN, ENOTBLK, ENOTCONN,
      EPIPE, ESHUTDOWN, ETXTBSY}},
    {TF_RESOURCE_EXHAUSTED,
     {ENOSPC, EDQUOT, EMFILE, EMLINK, ENFILE, ENOBUFS, ENODATA, ENOMEM, ENOSR, EUSERS}},
    {TF_OUT_OF_RANGE, {EFBIG, EOVERFLOW, ERANGE}},
    {TF_UNIMPLEMENTED,
     {ENOSYS, ENOTSUP, EOPNOTSUPP, EAFNOSUPPORT, EPFNOSUPPORT, EPROTONOSUPPORT, ESOCKTNOSUPPORT,
      EXDEV}},
    {TF_UNAVAILABLE,
     {EAGAIN, EWOULDBLOCK, ECONNREFUSED, ECONNABORTED, ECONNRESET, EINTR, EHOSTDOWN, EHOSTUNREACH,
      ENETDOWN, ENETRESET, ENETUNREACH, ENOLCK, ENOLINK, ENONET}},
    {TF_ABORTED, {EDEADLK, EDEADLOCK, ESTALE}},
    {TF_CANCELLED, {ECANCELED}},
    {TF_UNKNOWN,
     {EBADMSG, EIDRM, EINPROGRESS, EIO, ELOOP, ENOEXEC, ENOMSG, EPROTO, EREMOTE, -1, 100000,
      INT_MIN}},
};

static void test_errno(int number, TF_Code code) {
  char want[300];
  snprintf(want, sizeof want, "here; %s", strerror(number));
  TF_SetStatus(status, TF_INTERNAL, "before");
  TF_SetStatusFromIOError(status, number, "here");
  CHECK_INT(TF_GetCode(status), code, "the code for %d, %s", number, strerror(number));
  CHECK_STR(TF_Message(status), want, "the message for %d", number);
}

static void test_errnos(void) {
  bool named[200] = {true};
  for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++) {
    for (const int *number = errnos[i].numbers; *number != 0; number++) {
      test_errno(*number, errnos[i].code);
      if (*number > 0 && *number < 200) named[*number] = true;
    }
  }
  for (int number = 1; number < 200; number++) { /* no other errno has a code of its own */
    TF_SetStatusFromIOError(status, number, "");
    if (!named[number] && TF_GetCode(status) != TF_UNKNOWN)
      CHECK_INT(TF_GetCode(status), TF_UNKNOWN, "errno %d", number);
  }
  TF_SetStatus(status, TF_INTERNAL, "before");
  TF_SetStatusFromIOError(status, 0, "here");
  CHECK_INT(TF_GetCode(status), TF_OK, "errno 0 is OK");
  CHECK_STR(TF_Message(status), "", "and has no message");
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
