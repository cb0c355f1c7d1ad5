/* Decoded files and forks: a child reads an inherited one by itself, but not one that another thread
 * was reading at the fork: that read must fail. An alarm ends a child that hangs. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"

enum { PIECE = 1 << 20, PIECES = 64, TRIES = 40, CHILD_SECONDS = 20, TEST_SECONDS = 250 };

static const modfs_fs *memory;
static TF_Status *status;
static volatile int *result;

static bool is(TF_Code code) {
  return TF_GetCode(status) == code;
}

static void write_large(void) {
  char *zeros = calloc(1, PIECE);
  modfs_writable *file = modfs_writable_open(memory, "mem://large", MODFS_WRITE_REPLACE, status);
  file = modfs_codec_writable(modfs_codec_find("gzip"), NULL, file, true, status);
  for (int i = 0; i < PIECES; i++)
    modfs_writable_append(file, zeros, PIECE, status);
  modfs_writable_close(file, status);
  CHECK(is(TF_OK), "%d MiB are written: %s", PIECES, TF_Message(status));
  free(zeros);
}

static modfs_file *open_large(void) {
  modfs_file *source = modfs_file_open(memory, "mem://large", status);
  modfs_file *file = modfs_codec_file(modfs_codec_find("gzip"), source, 0, status);
  modfs_file_close(source);
  return file;
}

/* A child tells its result in shared memory and is killed: leak checkers take its exit for the end
 * of the program. 128 + the signal that ended it before. */
static int in_child(int (*work)(modfs_file *file), modfs_file *file) {
  int ended = 0;
  *result = -1;
  pid_t child = fork();
  if (child == 0) {
    alarm(CHILD_SECONDS);
    *result = work(file);
    raise(SIGKILL);
  }
  if (waitpid(child, &ended, 0) != child || !WIFSIGNALED(ended)) return -1;
  return WTERMSIG(ended) == SIGKILL ? *result : 128 + WTERMSIG(ended);
}

/* The code of a read of the first bytes, of the size, and what closing leaves: 0, 9 or worse. */
static int use(modfs_file *file) {
  char bytes[8] = "";
  int64_t got = modfs_file_read(file, 0, sizeof bytes, bytes, status);
  int code = (int)TF_GetCode(status);
  if (got != (is(TF_OK) ? 8 : -1)) return 100;
  if (code == TF_FAILED_PRECONDITION) {
    if (modfs_file_size(file, status) >= 0 || !is(TF_FAILED_PRECONDITION)) return 101;
    modfs_file *other = open_large();
    if (!other || modfs_file_read(other, 0, sizeof bytes, bytes, status) != 8) return 102;
    modfs_file_close(other);
  }
  modfs_file_close(file);
  return code;
}

static void test_quiet(void) {
  char bytes[8];
  modfs_file *file = open_large();
  CHECK_INT(modfs_file_read(file, 5, 8, bytes, status), 8, "the parent reads");
  CHECK_INT(in_child(use, file), TF_OK, "a child reads on by itself");
  CHECK_INT(modfs_file_read(file, 13, 8, bytes, status), 8, "the parent reads on");
  modfs_file_close(file);
}

static pthread_barrier_t begun;

static void *measure(void *file) {
  TF_Status *own = TF_NewStatus();
  pthread_barrier_wait(&begun);
  int64_t size = modfs_file_size(file, own);
  TF_DeleteStatus(own);
  return size == (int64_t)PIECES * PIECE ? file : NULL;
}

static void test_busy(void) {
  int refused = 0, wrong = 0, unmeasured = 0;
  pthread_barrier_init(&begun, NULL, 2);
  for (int i = 0; i < TRIES && refused < 3 && wrong == 0; i++) {
    pthread_t thread;
    void *measured = NULL;
    modfs_file *file = open_large();
    pthread_create(&thread, NULL, measure, file);
    pthread_barrier_wait(&begun);
    usleep(2000);
    int code = in_child(use, file);
    refused += code == TF_FAILED_PRECONDITION;
    if (code != TF_OK && code != TF_FAILED_PRECONDITION) wrong = code;
    pthread_join(thread, &measured);
    unmeasured += !measured;
    modfs_file_close(file);
  }
  pthread_barrier_destroy(&begun);
  CHECK_INT(wrong, 0, "no child hangs that was forked during a read");
  CHECK(refused > 0, "its reads are refused");
  CHECK_INT(unmeasured, 0, "the parent's reads go on");
}

int main(void) {
  status = TF_NewStatus();
  alarm(TEST_SECONDS);
  modfs_start(status);
  memory = modfs_fs_of("mem://large");
  result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!CHECK(memory && result != MAP_FAILED, "start: %s", TF_Message(status))) return check_end();
  if (!modfs_codec_available(modfs_codec_find("gzip"), status)) {
    CHECK(true, "decoded files # SKIP %s", TF_Message(status));
    return check_end();
  }
  write_large();
  test_quiet();
  test_busy();
  TF_DeleteStatus(status);
  return check_end();
}
