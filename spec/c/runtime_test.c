/* The runtime: what it exports, threads, clocks, temporary names and shared libraries. Its status,
 * log and file functions have test programs of their own. */
#include <modfs/env.h>

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static TF_Status *status;

/* Exports */

static const char *const functions[] = {
    "TF_AppendWritableFile",
    "TF_CloseWritableFile",
    "TF_CreateDir",
    "TF_DVLog",
    "TF_DefaultThreadOptions",
    "TF_DeleteDir",
    "TF_DeleteFile",
    "TF_DeleteRecursively",
    "TF_DeleteStatus",
    "TF_FileStat",
    "TF_FlushWritableFile",
    "TF_ForEachPayload",
    "TF_GetChildren",
    "TF_GetCode",
    "TF_GetLocalTempDirectories",
    "TF_GetSymbolFromLibrary",
    "TF_GetTempFileName",
    "TF_JoinThread",
    "TF_LoadSharedLibrary",
    "TF_Log",
    "TF_Message",
    "TF_ModfsInstallHooks",
    "TF_NewStatus",
    "TF_NewWritableFile",
    "TF_NowMicros",
    "TF_NowNanos",
    "TF_NowSeconds",
    "TF_SetPayload",
    "TF_SetStatus",
    "TF_SetStatusFromIOError",
    "TF_StartThread",
    "TF_StringStreamDone",
    "TF_StringStreamNext",
    "TF_SyncWritableFile",
    "TF_VLog",
};

enum { FUNCTIONS = sizeof functions / sizeof *functions };

/* What a command prints, in one static place. */
static const char *shell(const char *format, const char *file) {
  static char text[1 << 16];
  char command[PATH_MAX + 64];
  snprintf(command, sizeof command, format, file);
  FILE *pipe = popen(command, "re");
  size_t size = pipe ? fread(text, 1, sizeof text - 1, pipe) : 0;
  if (pipe) pclose(pipe);
  text[size] = '\0';
  return text;
}

static void test_exports(void) {
  Dl_info info;
  char want[4096] = "";
  void *function = dlsym(RTLD_DEFAULT, "TF_NewStatus");
  if (!CHECK(function && dladdr(function, &info), "the library's file")) return;
  for (int i = 0; i < FUNCTIONS; i++)
    snprintf(want + strlen(want), sizeof want - strlen(want), "%s@@tensorflow\n", functions[i]);
  CHECK_STR(shell("nm -D --defined-only '%s' | awk '$2 != \"A\" { print $3 }' | LC_ALL=C sort",
                  info.dli_fname),
            want, "it exports these functions, versioned, and nothing else");
  CHECK_STR(shell("readelf -dW '%s' | sed -n 's/.*soname: \\[\\(.*\\)\\]/\\1/p'", info.dli_fname),
            "libtensorflow_framework.so.2\n", "its soname is TensorFlow's");
}

/* Temporary names */

static char folders[3][32]; /* for TEST_TMPDIR, TMPDIR and TMP */
static const char *const variables[3] = {"TEST_TMPDIR", "TMPDIR", "TMP"};

static void variables_set(void) {
  for (int i = 0; i < 3; i++) {
    strcpy(folders[i], "/tmp/modfs_test_XXXXXX");
    if (!mkdtemp(folders[i])) abort();
    setenv(variables[i], folders[i], 1);
  }
}

static void check_temp_name(const char *folder, const char *extension, const char *ending) {
  struct stat info;
  char *name = TF_GetTempFileName(extension);
  if (!CHECK(name != NULL, "a temporary name in %s", folder)) return;
  size_t length = strlen(folder);
  CHECK(strncmp(name, folder, length) == 0 && name[length] == '/' && name[length + 1] != '/' &&
            !strchr(name + length + 1, '/'),
        "is in that folder: %s", name);
  size_t end = strlen(ending);
  CHECK_STR(strlen(name) > end ? name + strlen(name) - end : "", ending, "ends as it should");
  CHECK(stat(name, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0, "is an empty file");
  CHECK_INT(info.st_mode & 0777, 0600, "is for its owner alone");
  unlink(name);
  free(name);
}

static void check_temp_folder(const char *want) {
  const char *found = NULL;
  TF_StringStream *list = TF_GetLocalTempDirectories();
  CHECK(TF_StringStreamNext(list, &found), "a folder for temporary files");
  CHECK_STR(found, want, "it ends in one slash");
  CHECK(!TF_StringStreamNext(list, &found), "it is the only one");
  TF_StringStreamDone(list);
}

static void test_temp(void) {
  char want[128];
  variables_set();
  for (int i = 0; i < 3; i++) {
    check_temp_name(folders[i], "txt", ".txt");
    snprintf(want, sizeof want, "%s/", folders[i]);
    setenv(variables[i], want, 1);
    check_temp_folder(want);
    check_temp_name(folders[i], "", "");
    rmdir(folders[i]); /* what is not there is passed over */
  }
  setenv("TEST_TMPDIR", "", 1);
  check_temp_name("/tmp", NULL, "");
  check_temp_folder("/tmp/");
  unsetenv("TMPDIR");
  setenv("TMP", "/etc/passwd", 1);
  check_temp_name("/tmp", "a.b", ".a.b");
}

static void test_temp_descriptors(void) {
  int before = dup(0);
  close(before);
  for (int i = 0; i < 5; i++) {
    char *name = TF_GetTempFileName("x");
    if (name) unlink(name);
    free(name);
  }
  int after = dup(0);
  close(after);
  CHECK_INT(after, before, "no descriptor stays open");
}

static int temp_refused(void) {
  char long_extension[5000];
  memset(long_extension, 'x', sizeof long_extension - 1);
  long_extension[sizeof long_extension - 1] = '\0';
  close(STDERR_FILENO); /* the reasons go to the log */
  return !TF_GetTempFileName(long_extension) && !TF_GetTempFileName("no/such/folder") ? 0 : 1;
}

static void test_temp_failures(void) {
  int code = -1;
  pid_t child = fork();
  if (child == 0) _exit(temp_refused());
  waitpid(child, &code, 0);
  CHECK(WIFEXITED(code) && WEXITSTATUS(code) == 0, "an extension that no file can have: NULL");
}

/* Shared libraries */

static void test_libraries(void) {
  TF_SetStatus(status, TF_DATA_LOSS, "before");
  void *library = TF_LoadSharedLibrary("libm.so.6", status);
  CHECK(library != NULL, "a library loads");
  CHECK_INT(TF_GetCode(status), TF_OK, "and the status is OK");
  TF_SetStatus(status, TF_DATA_LOSS, "before");
  double (*cosine)(double) = NULL;
  *(void **)&cosine = TF_GetSymbolFromLibrary(library, "cos", status);
  CHECK_INT(TF_GetCode(status), TF_OK, "a symbol is found");
  CHECK(cosine && cosine(0) > 0.99, "and is the function");
  CHECK(!TF_GetSymbolFromLibrary(library, "no_such_symbol", status), "a missing symbol is NULL");
  CHECK_INT(TF_GetCode(status), TF_NOT_FOUND, "and NOT_FOUND");
  CHECK(strstr(TF_Message(status), "no_such_symbol"), "and is named: %s", TF_Message(status));
  CHECK(!TF_LoadSharedLibrary("/nonexistent/lib.so", status), "a missing library is NULL");
  CHECK_INT(TF_GetCode(status), TF_NOT_FOUND, "and NOT_FOUND");
  CHECK(strstr(TF_Message(status), "/nonexistent/lib.so"), "and is named");
  library = TF_LoadSharedLibrary(NULL, status);
  CHECK(library && TF_GetCode(status) == TF_OK, "NULL is the program");
}

int main(void) {
  status = TF_NewStatus();
  if (!CHECK(status != NULL, "a new status")) return check_end();
  test_exports();
  test_temp();
  test_temp_descriptors();
  test_temp_failures();
  test_libraries();
  TF_DeleteStatus(status);
  return check_end();
}
