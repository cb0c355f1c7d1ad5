/* The log of the runtime. It reads the environment once in a process, so each case is a child of
 * its own with its own environment, whose standard error comes back here. */
#include <modfs/env.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <regex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

/* What the last child wrote, and how it ended. */
static char output[1 << 20];
static int ended;

static const char *const knobs[] = {"TF_CPP_MIN_LOG_LEVEL", "TF_CPP_MAX_VLOG_LEVEL",
                                    "TF_CPP_VMODULE", "TF_CPP_LOG_THREAD_ID",
                                    "TF_CPP_VLOG_FILENAME"};

static void child_run(int fd, void (*work)(void)) {
  struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  dup2(fd, STDERR_FILENO);
  work();
  _exit(0);
}

static void output_read(int fd) {
  size_t used = 0;
  ssize_t got;
  while ((got = read(fd, output + used, sizeof output - 1 - used)) > 0)
    used += (size_t)got;
  output[used] = '\0';
}

static void environment_set(const char *pair) {
  char name[64];
  const char *value = strchr(pair, '=') + 1;
  snprintf(name, sizeof name, "%.*s", (int)(value - pair - 1), pair);
  setenv(name, value, 1);
}

/* Runs work in a child with "NAME=value" pairs, up to a NULL, in its environment. */
static void capture(void (*work)(void), const char *const *environment) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) abort();
  pid_t child = fork();
  if (child < 0) abort();
  if (child == 0) {
    for (; environment && *environment; environment++)
      environment_set(*environment);
    child_run(ends[1], work);
  }
  close(ends[1]);
  output_read(ends[0]);
  close(ends[0]);
  waitpid(child, &ended, 0);
}

#define CAPTURE(work, ...) capture((work), (const char *const[]){__VA_ARGS__, NULL})

static bool output_is(const char *pattern) {
  regex_t expression;
  if (regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0) return false;
  bool found = regexec(&expression, output, 0, NULL, 0) == 0;
  regfree(&expression);
  if (!found) check_note("got \"%s\", not %s", output, pattern);
  return found;
}

#define TIME "[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}"
#define MODULE "runtime_log_test"
#define LINE(severity, text) TIME ": " severity " " MODULE "\\] " text "\n"

static void write_levels(void) {
  TF_Log(TF_INFO, "info %d", 1);
  TF_Log(TF_WARNING, "warning %s", "two");
  TF_Log(TF_ERROR, "error");
}

static void test_levels(void) {
  capture(write_levels, NULL);
  CHECK(output_is("^" LINE("I", "info 1") LINE("W", "warning two") LINE("E", "error") "$"),
        "three levels, one line each");
  CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "the process goes on");
  CAPTURE(write_levels, "TF_CPP_MIN_LOG_LEVEL=1");
  CHECK(output_is("^" LINE("W", "warning two") LINE("E", "error") "$"), "MIN_LOG_LEVEL 1");
  CAPTURE(write_levels, "TF_CPP_MIN_LOG_LEVEL=2");
  CHECK(output_is("^" LINE("E", "error") "$"), "MIN_LOG_LEVEL 2");
  CAPTURE(write_levels, "TF_CPP_MIN_LOG_LEVEL=3");
  CHECK_STR(output, "", "MIN_LOG_LEVEL 3");
  CAPTURE(write_levels, "TF_CPP_MIN_LOG_LEVEL=2x");
  CHECK(output_is("^" LINE("I", "info 1")), "what is no number counts as 0");
  CAPTURE(write_levels, "TF_CPP_MIN_LOG_LEVEL=99999999999999999999");
  CHECK(output_is("^" LINE("I", "info 1")), "a number too large counts as 0");
}

static void write_out_of_range(void) {
  TF_Log((TF_LogLevel)-1, "below");
  TF_Log((TF_LogLevel)4, "above");
  TF_Log((TF_LogLevel)1000, "far above");
}

static void write_fatal(void) {
  TF_Log(TF_FATAL, "the end %d", 7);
}

static void test_ends(void) {
  capture(write_out_of_range, NULL);
  CHECK_STR(output, "", "a level out of range writes nothing");
  CHECK(WIFEXITED(ended), "a level out of range ends nothing");
  capture(write_fatal, NULL);
  CHECK(output_is("^" LINE("F", "the end 7") "$"), "FATAL is written");
  CHECK(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGABRT, "FATAL aborts");
  CAPTURE(write_fatal, "TF_CPP_MIN_LOG_LEVEL=4");
  CHECK(output_is("^" LINE("F", "the end 7") "$"), "FATAL is written whatever the lowest level");
  CHECK(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGABRT, "FATAL aborts whatever the lowest level");
}

static void write_verbose(void) {
  for (int level = 0; level <= 3; level++)
    TF_VLog(level, "v%d", level);
}

#define V(n) LINE("I", "v" #n)

static void test_verbose(void) {
  capture(write_verbose, NULL);
  CHECK(output_is("^" V(0) "$"), "VLog is 0 by default");
  CAPTURE(write_verbose, "TF_CPP_MAX_VLOG_LEVEL=2");
  CHECK(output_is("^" V(0) V(1) V(2) "$"), "MAX_VLOG_LEVEL 2");
  CAPTURE(write_verbose, "TF_CPP_MAX_VLOG_LEVEL=-1");
  CHECK_STR(output, "", "MAX_VLOG_LEVEL -1");
  CAPTURE(write_verbose, "TF_CPP_MAX_VLOG_LEVEL=2", "TF_CPP_MIN_LOG_LEVEL=1");
  CHECK_STR(output, "", "VLog is of the level INFO");
  CAPTURE(write_verbose, "TF_CPP_VMODULE=" MODULE "=1");
  CHECK(output_is("^" V(0) V(1) "$"), "VMODULE names this module");
  CAPTURE(write_verbose, "TF_CPP_VMODULE=s3=3," MODULE "=2,posix=1");
  CHECK(output_is("^" V(0) V(1) V(2) "$"), "VMODULE is a list");
  CAPTURE(write_verbose, "TF_CPP_VMODULE=logging=1");
  CHECK(output_is("^" V(0) V(1) "$"), "VMODULE knows TensorFlow's name");
  CAPTURE(write_verbose, "TF_CPP_VMODULE=s3=3,runtime_log=3," MODULE "_x=3," MODULE);
  CHECK(output_is("^" V(0) "$"), "VMODULE of other modules changes nothing");
  CAPTURE(write_verbose, "TF_CPP_VMODULE=" MODULE "=0", "TF_CPP_MAX_VLOG_LEVEL=1");
  CHECK(output_is("^" V(0) V(1) "$"), "VMODULE never lowers a level");
}

static void write_debug(void) {
  TF_DVLog(0, "d%d", 0);
  TF_DVLog(1, "d%d", 1);
}

static void test_debug(void) {
  capture(write_debug, NULL);
#ifdef NDEBUG
  CHECK_STR(output, "", "DVLog writes nothing in a build with NDEBUG");
#else
  CHECK(output_is("^" LINE("I", "d0") "$"), "DVLog is VLog");
#endif
}

static void write_two_then_set(void) {
  TF_VLog(1, "before");
  setenv("TF_CPP_MAX_VLOG_LEVEL", "1", 1);
  TF_VLog(1, "after");
}

static void test_thread_id(void) {
  CAPTURE(write_levels, "TF_CPP_LOG_THREAD_ID=1", "TF_CPP_MIN_LOG_LEVEL=2");
  CHECK(output_is("^" LINE("E +[0-9]+", "error") "$"), "LOG_THREAD_ID adds a number");
  CAPTURE(write_levels, "TF_CPP_LOG_THREAD_ID=0", "TF_CPP_MIN_LOG_LEVEL=2");
  CHECK(output_is("^" LINE("E", "error") "$"), "LOG_THREAD_ID 0 adds none");
  capture(write_two_then_set, NULL);
  CHECK_STR(output, "", "the environment is read once");
}

static void write_controls(void) {
  TF_Log(TF_INFO, "%s", "a\nb\tc\rd\x1b[31m\x7f\xc3\xa4\n\n");
  TF_Log(TF_INFO, "%s", "");
}

/* Onto a full device, so that writing sets another errno. */
static void write_errno(void) {
  dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDERR_FILENO);
  errno = ENOENT;
  TF_Log(TF_INFO, "x");
  bool kept = errno == ENOENT;
  TF_VLog(0, "x");
  kept = kept && errno == ENOENT;
  TF_VLog(9, "x");
  _exit(kept && errno == ENOENT ? 0 : 1);
}

static void test_text(void) {
  capture(write_controls, NULL);
  CHECK(
      output_is("^" LINE("I", "a\\\\nb\tc\\\\x0dd\\\\x1b\\[31m\\\\x7f\xc3\xa4") LINE("I", "") "$"),
      "control characters are escaped, newlines at the end dropped, UTF-8 and tabs kept");
  capture(write_errno, NULL);
  CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "errno is kept");
}

enum { LONG = 100000 };

static void write_long(void) {
  TF_Log(TF_INFO, "%*s", LONG, "end");
}

static void test_long(void) {
  capture(write_long, NULL);
  size_t length = strlen(output);
  CHECK(length > LONG && length < LONG + 100, "a long message is written whole");
  CHECK_STR(length > 4 ? output + length - 4 : "", "end\n", "to its end");
}

enum { THREADS = 8, LINES = 200 };

static void *write_many(void *argument) {
  for (int i = 0; i < LINES; i++)
    TF_Log(TF_INFO, "<%0*d>", 200, *(int *)argument);
  return NULL;
}

static void write_from_threads(void) {
  pthread_t threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    if (pthread_create(&threads[i], NULL, write_many, &numbers[i]) != 0) _exit(1);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
}

static void test_threads(void) {
  int whole = 0;
  regex_t line;
  capture(write_from_threads, NULL);
  if (regcomp(&line, "^" TIME ": I " MODULE "\\] <[0-9]{200}>$", REG_EXTENDED | REG_NOSUB)) abort();
  char *rest = output;
  for (char *text = strsep(&rest, "\n"); text && *text; text = strsep(&rest, "\n"))
    whole += regexec(&line, text, 0, NULL, 0) == 0;
  regfree(&line);
  CHECK_INT(whole, THREADS * LINES, "lines of %d threads stay whole", THREADS);
}

static void file_load(const char *name) {
  int fd = open(name, O_RDONLY | O_CLOEXEC);
  output[0] = '\0';
  if (fd < 0) return;
  output_read(fd);
  close(fd);
}

static void test_file(void) {
  char name[] = "/tmp/modfs_log_XXXXXX";
  char setting[64];
  int fd = mkstemp(name);
  if (!CHECK(fd >= 0, "a file for the log")) return;
  if (write(fd, "old\n", 4) != 4) abort();
  close(fd);
  snprintf(setting, sizeof setting, "TF_CPP_VLOG_FILENAME=%s", name);
  CAPTURE(write_levels, setting);
  CHECK_STR(output, "", "VLOG_FILENAME: nothing on standard error");
  file_load(name);
  CHECK(output_is("^" LINE("I", "info 1") LINE("W", "warning two") LINE("E", "error") "$"),
        "VLOG_FILENAME: all lines in a new file");
  unlink(name);
  CAPTURE(write_fatal, "TF_CPP_VLOG_FILENAME=/nonexistent/log");
  CHECK(output_is("^" LINE("F", "the end 7") "$"), "a file that cannot be made: standard error");
  CAPTURE(write_fatal, "TF_CPP_VLOG_FILENAME=");
  CHECK(output_is("^" LINE("F", "the end 7") "$"), "an empty file name: standard error");
}

static void write_to_full(void) {
  int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  dup2(full, STDERR_FILENO);
  write_levels();
  close(STDERR_FILENO);
  write_levels();
}

static void test_unwritable(void) {
  capture(write_to_full, NULL);
  CHECK(WIFEXITED(ended) && WEXITSTATUS(ended) == 0, "a log that cannot be written is no failure");
}

int main(void) {
  for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++)
    unsetenv(knobs[i]);
  test_levels();
  test_ends();
  test_verbose();
  test_debug();
  test_thread_id();
  test_text();
  test_long();
  test_threads();
  test_file();
  test_unwritable();
  return check_end();
}
