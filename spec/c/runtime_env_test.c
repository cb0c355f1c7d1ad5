/* The file functions of the runtime, before and after a host has installed its hooks. */
#include <modfs/env.h>

#include <stdlib.h>

#include "check.h"
#include "runtime/env_hooks.h"

static TF_Status *status;

/* A host that writes down each call and answers with the code and counts it was told to. */
static char calls[256];
static TF_Code answer;
static bool entered_ok; /* the status was OK whenever a hook was called */
static uint64_t answer_files;
static uint64_t answer_dirs;
static int file; /* its address is the open file */

CHECK_PRINTF(2, 3)
static void answer_call(TF_Status *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(calls, sizeof calls, format, args);
  va_end(args);
  entered_ok = entered_ok && TF_GetCode(s) == TF_OK;
  if (answer != TF_OK) TF_SetStatus(s, answer, "told so");
}

static void fake_create_dir(const char *path, TF_Status *s) {
  answer_call(s, "create_dir %s", path);
}

static void fake_delete_dir(const char *path, TF_Status *s) {
  answer_call(s, "delete_dir %s", path);
}

static void fake_delete_file(const char *path, TF_Status *s) {
  answer_call(s, "delete_file %s", path);
}

static void fake_delete_recursively(const char *path, uint64_t *files, uint64_t *dirs,
                                    TF_Status *s) {
  answer_call(s, "delete_recursively %s %d %d", path, (int)*files, (int)*dirs);
  *files = answer_files;
  *dirs = answer_dirs;
}

static void fake_stat(const char *path, TF_FileStatistics *stats, TF_Status *s) {
  answer_call(s, "stat %s", path);
  *stats = (TF_FileStatistics){.length = 12, .mtime_nsec = 34, .is_directory = true};
}

static void *fake_open_writable(const char *path, TF_Status *s) {
  answer_call(s, "open %s", path);
  return answer == TF_OK ? &file : NULL;
}

static void fake_append(void *f, const char *data, size_t size, TF_Status *s) {
  answer_call(s, "append %d %.*s", f == &file, (int)size, data);
}

static void fake_flush(void *f, TF_Status *s) {
  answer_call(s, "flush %d", f == &file);
}

static void fake_sync(void *f, TF_Status *s) {
  answer_call(s, "sync %d", f == &file);
}

static void fake_close(void *f, TF_Status *s) {
  answer_call(s, "close %d", f == &file);
}

static char **fake_list_children(const char *path, TF_Status *s) {
  answer_call(s, "list %s", path);
  if (answer != TF_OK) return NULL;
  char **names = calloc(3, sizeof *names);
  if (!names) abort();
  names[0] = strdup("a");
  names[1] = strdup("b c");
  return names;
}

static const modfs_env_hooks hooks = {
    .struct_size = sizeof hooks,
    .create_dir = fake_create_dir,
    .delete_dir = fake_delete_dir,
    .delete_file = fake_delete_file,
    .delete_recursively = fake_delete_recursively,
    .stat = fake_stat,
    .open_writable = fake_open_writable,
    .append_writable = fake_append,
    .flush_writable = fake_flush,
    .sync_writable = fake_sync,
    .close_writable = fake_close,
    .list_children = fake_list_children,
};

static int64_t files;
static int64_t dirs;
static TF_FileStatistics stats;
static TF_WritableFileHandle *handle;
static TF_StringStream *list;

/* A function for the table below. */
#define CALL(name, call)                                                                           \
  static void name(void) {                                                                         \
    call;                                                                                          \
  }
CALL(call_create_dir, TF_CreateDir("x://d", status))
CALL(call_delete_dir, TF_DeleteDir("x://d", status))
CALL(call_delete_file, TF_DeleteFile("x://f", status))
CALL(call_delete_recursively, TF_DeleteRecursively("x://d", &files, &dirs, status))
CALL(call_stat, TF_FileStat("x://f", &stats, status))
CALL(call_open, TF_NewWritableFile("x://f", &handle, status))
CALL(call_append, TF_AppendWritableFile((TF_WritableFileHandle *)&file, "data!", 4, status))
CALL(call_flush, TF_FlushWritableFile((TF_WritableFileHandle *)&file, status))
CALL(call_sync, TF_SyncWritableFile((TF_WritableFileHandle *)&file, status))
CALL(call_close, TF_CloseWritableFile((TF_WritableFileHandle *)&file, status))

static void call_list(void) {
  TF_StringStreamDone(list);
  list = TF_GetChildren("x://d", status);
}

static const struct {
  void (*call)(void);
  const char *seen; /* by the host */
} functions[] = {
    {call_create_dir, "create_dir x://d"},
    {call_delete_dir, "delete_dir x://d"},
    {call_delete_file, "delete_file x://f"},
    {call_delete_recursively, "delete_recursively x://d 0 0"},
    {call_stat, "stat x://f"},
    {call_open, "open x://f"},
    {call_append, "append 1 data"},
    {call_flush, "flush 1"},
    {call_sync, "sync 1"},
    {call_close, "close 1"},
    {call_list, "list x://d"},
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

static void test_before(void) {
  files = dirs = 77;
  stats = (TF_FileStatistics){.length = 5};
  for (int i = 0; i < FUNCTIONS; i++) {
    TF_SetStatus(status, TF_DATA_LOSS, "before");
    functions[i].call();
    CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "no host: %s", functions[i].seen);
  }
  CHECK_INT(files, 0, "no host: no file is left");
  CHECK_INT(dirs, 1, "no host: one directory is left");
  CHECK_INT(stats.length, 5, "no host: statistics are left alone");
  CHECK(handle == NULL, "no host: no handle");
  const char *name = "x";
  CHECK(list && !TF_StringStreamNext(list, &name) && !name, "no host: an empty list");
}

static void test_install(void) {
  modfs_env_hooks shorter = hooks;
  modfs_env_hooks other = hooks;
  shorter.struct_size--;
  CHECK(!TF_ModfsInstallHooks(NULL), "no table is refused");
  CHECK(!TF_ModfsInstallHooks(&shorter), "a table that is too short is refused");
  call_stat();
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "what is refused is not installed");
  CHECK(TF_ModfsInstallHooks(&hooks), "a table is installed");
  CHECK(TF_ModfsInstallHooks(&hooks), "the same table may come again");
  CHECK(!TF_ModfsInstallHooks(&other), "another table is refused");
}

static void test_calls(TF_Code code) {
  answer = code;
  entered_ok = true;
  for (int i = 0; i < FUNCTIONS; i++) {
    calls[0] = '\0';
    TF_SetStatus(status, TF_DATA_LOSS, "before");
    functions[i].call();
    CHECK_STR(calls, functions[i].seen, "the host sees: %s", functions[i].seen);
    CHECK_INT(TF_GetCode(status), code, "and its code comes back");
    CHECK_STR(TF_Message(status), code == TF_OK ? "" : "told so", "and its message");
  }
  CHECK(entered_ok, "each hook got a status that was OK");
}

static void test_results(void) {
  answer_files = 3;
  answer_dirs = UINT64_MAX;
  test_calls(TF_OK);
  CHECK_INT(files, 3, "undeleted files are counted");
  CHECK_INT(dirs, INT64_MAX, "a count beyond int64_t is cut");
  CHECK_INT(stats.length, 12, "statistics: length");
  CHECK_INT(stats.mtime_nsec, 34, "statistics: time");
  CHECK(stats.is_directory, "statistics: directory");
  CHECK((void *)handle == &file, "the handle is the host's file");
  TF_DeleteRecursively("x://d", NULL, NULL, status);
  CHECK_INT(TF_GetCode(status), TF_OK, "counts that nobody wants");
}

static void test_list(void) {
  const char *name = NULL;
  CHECK(TF_StringStreamNext(list, &name), "a first name");
  CHECK_STR(name, "a", "is the first");
  const char *first = name;
  CHECK(TF_StringStreamNext(list, &name), "a second name");
  CHECK_STR(name, "b c", "is the second");
  CHECK_STR(first, "a", "the first lives on");
  for (int i = 0; i < 3; i++) {
    name = "x";
    CHECK(!TF_StringStreamNext(list, &name), "the end");
    CHECK(name == NULL, "stores NULL");
  }
  CHECK(!TF_StringStreamNext(NULL, &name), "no list has no names");
  TF_StringStreamDone(NULL);
}

static void test_failures(void) {
  TF_WritableFileHandle *unchanged = (TF_WritableFileHandle *)&answer;
  handle = unchanged;
  stats = (TF_FileStatistics){.length = 5};
  test_calls(TF_PERMISSION_DENIED);
  CHECK(handle == unchanged, "a failed open leaves the handle alone");
  CHECK_INT(stats.length, 5, "a failed stat leaves the statistics alone");
  const char *name = "x";
  CHECK(list && !TF_StringStreamNext(list, &name), "a failed listing is an empty list");
  answer = TF_OK;
}

static void test_null(void) {
  calls[0] = '\0';
  TF_CreateDir(NULL, status);
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "a NULL path");
  TF_CloseWritableFile(NULL, status);
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "a NULL handle");
  TF_StringStreamDone(TF_GetChildren(NULL, status));
  CHECK_INT(TF_GetCode(status), TF_INVALID_ARGUMENT, "a NULL directory");
  CHECK_STR(calls, "", "the host saw none of them");
}

int main(void) {
  status = TF_NewStatus();
  if (!CHECK(status != NULL, "a new status")) return check_end();
  test_before();
  test_install();
  test_results();
  test_list();
  test_failures();
  test_null();
  TF_StringStreamDone(list);
  TF_DeleteStatus(status);
  return check_end();
}
