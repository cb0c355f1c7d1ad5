/* What a fork leaves behind: a writer belongs to the process that opened it, and no lock stays held
 * in the child, however busy the parent's other threads were. An alarm ends a process that hangs. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"

enum { FORKS = 500, HAMMERS = 2, FORK_SECONDS = 40, CHILD_SECONDS = 20, TEST_SECONDS = 120 };

static char folder[] = "/tmp/modfs-fork.XXXXXX";

static bool is(const TF_Status *status, TF_Code code) {
  return TF_GetCode(status) == code;
}

static const modfs_fs *fs_of_path(const char *path) {
  const modfs_fs *fs = modfs_fs_of(path);
  if (!fs) abort();
  return fs;
}

static void path_in_folder(char *path, size_t size, const char *name) {
  snprintf(path, size, "%s/%s", folder, name);
}

/* Content of a file of the operating system, cut to size - 1 bytes. */
static const char *content(const char *name, char *buffer, size_t size) {
  char path[256];
  path_in_folder(path, sizeof path, name);
  FILE *file = fopen(path, "rb");
  size_t got = file ? fread(buffer, 1, size - 1, file) : 0;
  buffer[got] = '\0';
  if (file) fclose(file);
  return file ? buffer : NULL;
}

/* A child tells its result in shared memory and is killed: leak checkers take its exit for the end
 * of the program, where it would have to own what is its parent's. */
static volatile int *result;

__attribute__((noreturn)) static void end_child(int answer) {
  *result = answer;
  raise(SIGKILL);
  abort();
}

/* What a child told, or 128 + the signal that ended it before. */
static int wait_for(pid_t child) {
  int status;
  if (waitpid(child, &status, 0) != child || !WIFSIGNALED(status)) return -1;
  return WTERMSIG(status) == SIGKILL ? *result : 128 + WTERMSIG(status);
}

static pid_t start_child(unsigned seconds) {
  *result = -1;
  pid_t child = fork();
  if (child == 0) alarm(seconds);
  return child;
}

/* Writers of the parent ---------------------------------------------------------- */

/* In the child: every use is refused; the bit of the first wrong answer tells which. */
static int use_in_child(modfs_writable *writable, bool abort_it) {
  TF_Status *status = TF_NewStatus();
  int wrong = 0;
  modfs_writable_append(writable, "child ", 6, status);
  if (!is(status, TF_FAILED_PRECONDITION)) wrong |= 1;
  modfs_writable_tell(writable, status);
  if (!is(status, TF_FAILED_PRECONDITION)) wrong |= 2;
  modfs_writable_flush(writable, status);
  if (!is(status, TF_FAILED_PRECONDITION)) wrong |= 4;
  modfs_writable_sync(writable, status);
  if (!is(status, TF_FAILED_PRECONDITION)) wrong |= 8;
  if (abort_it)
    modfs_writable_abort(writable, status);
  else
    modfs_writable_close(writable, status);
  if (!abort_it && !is(status, TF_FAILED_PRECONDITION)) wrong |= 16;
  TF_DeleteStatus(status);
  return wrong;
}

static void append(modfs_writable *writable, const char *text, TF_Status *status) {
  modfs_writable_append(writable, text, strlen(text), status);
}

/* Opens, writes, lets a child end the handle in its way, writes on, and closes. */
static void test_writer(const char *name, modfs_write_mode mode, bool flushed, bool abort_it) {
  TF_Status *status = TF_NewStatus();
  char path[256], buffer[256];
  path_in_folder(path, sizeof path, name);
  modfs_writable *writable = modfs_writable_open(fs_of_path(path), path, mode, status);
  if (!CHECK(is(status, TF_OK), "%s: opened in the parent", name)) return;
  append(writable, "parent ", status);
  if (flushed) modfs_writable_flush(writable, status);
  pid_t child = start_child(CHILD_SECONDS);
  if (child == 0) end_child(use_in_child(writable, abort_it));
  CHECK_INT(wait_for(child), 0, "%s: the child is refused each use", name);
  append(writable, "data", status);
  CHECK(is(status, TF_OK), "%s: the parent writes on", name);
  modfs_writable_close(writable, status);
  CHECK(is(status, TF_OK), "%s: and closes", name);
  CHECK_STR(content(name, buffer, sizeof buffer), "parent data", "%s: has the parent's data", name);
  TF_DeleteStatus(status);
}

/* A file of the parent may be read in the child, and the child has files of its own. */
static int read_and_write_in_child(modfs_file *file) {
  TF_Status *status = TF_NewStatus();
  char bytes[7] = "", path[256];
  int wrong = 0;
  if (modfs_file_read(file, 0, 6, bytes, status) != 6 || strcmp(bytes, "parent") != 0) wrong |= 1;
  modfs_file_close(file);
  path_in_folder(path, sizeof path, "by_child");
  modfs_writable *writable =
      modfs_writable_open(fs_of_path(path), path, MODFS_WRITE_REPLACE, status);
  if (writable) {
    append(writable, "child", status);
    modfs_writable_close(writable, status);
  }
  if (!writable || !is(status, TF_OK)) wrong |= 2;
  TF_DeleteStatus(status);
  return wrong;
}

static void test_reader(void) {
  TF_Status *status = TF_NewStatus();
  char path[256], buffer[256], bytes[12] = "";
  path_in_folder(path, sizeof path, "replaced");
  modfs_file *file = modfs_file_open(fs_of_path(path), path, status);
  CHECK(is(status, TF_OK), "a reader: opened in the parent");
  pid_t child = start_child(CHILD_SECONDS);
  if (child == 0) end_child(read_and_write_in_child(file));
  CHECK_INT(wait_for(child), 0, "a reader: the child reads, and writes a file of its own");
  CHECK_INT(modfs_file_read(file, 0, 11, bytes, status), 11, "a reader: the parent reads on");
  CHECK_STR(bytes, "parent data", "a reader: and reads what is there");
  CHECK_STR(content("by_child", buffer, sizeof buffer), "child", "a writer of the child works");
  modfs_file_close(file);
  TF_DeleteStatus(status);
}

/* The same harness must see a second write: a stream of the C library is written twice. */
static void test_control(void) {
  char path[256], buffer[256];
  path_in_folder(path, sizeof path, "control");
  FILE *file = fopen(path, "wb");
  if (!CHECK(file != NULL, "the control: opened")) return;
  fputs("twice ", file);
  pid_t child = start_child(CHILD_SECONDS);
  if (child == 0) end_child(fclose(file));
  CHECK_INT(wait_for(child), 0, "the control: the child closes what it inherited");
  fclose(file);
  CHECK_STR(content("control", buffer, sizeof buffer), "twice twice ",
            "the control: what is not guarded is written twice");
}

static void test_traces(void) {
  TF_Status *status = TF_NewStatus();
  modfs_string_list names = {0};
  modfs_fs_get_children(fs_of_path(folder), folder, &names, status);
  CHECK_INT(names.count, 8, "no temporary file is left");
  modfs_string_list_fini(&names);
  TF_DeleteStatus(status);
}

/* Many forks while other threads are in every lock ----------------------------------- */

static atomic_bool stop;
static atomic_int hammered;

static void write_and_read(const char *path, TF_Status *status) {
  const modfs_fs *fs = fs_of_path(path);
  modfs_writable *writable = modfs_writable_open(fs, path, MODFS_WRITE_REPLACE, status);
  if (!writable) return;
  append(writable, "some text", status);
  modfs_writable_close(writable, status);
  modfs_file *file = modfs_file_open(fs, path, status);
  char bytes[9];
  if (file) modfs_file_read(file, 0, sizeof bytes, bytes, status);
  modfs_file_close(file);
}

/* What takes locks: claims of the registry, the plugins' trees, statuses, transactions. */
static void touch_everything(int id, TF_Status *status) {
  char path[64];
  snprintf(path, sizeof path, "%s/mem.so", modfs_plugin_directory());
  modfs_plugin_load(path, NULL, false, status);
#ifndef __SANITIZE_THREAD__ /* its own dlopen keeps a lock across fork */
  modfs_plugin_load(path, "No_InitPlugin", false, status);
#endif
  modfs_fs_search("nosuch://x", "/nowhere/?.so", "open", status);
  snprintf(path, sizeof path, "mem://hammer%d", id);
  write_and_read(path, status);
  const modfs_fs *mem = fs_of_path(path);
  modfs_transaction *transaction = modfs_transaction_start(mem, status);
  if (transaction) modfs_transaction_abort(transaction, status);
  modfs_transaction_drop(transaction);
  modfs_fs_flush_caches(mem);
}

static void *hammer(void *argument) {
  TF_Status *status = TF_NewStatus();
  int id = *(int *)argument;
  while (!atomic_load(&stop)) {
    touch_everything(id, status);
    atomic_fetch_add(&hammered, 1);
  }
  TF_DeleteStatus(status);
  return NULL;
}

static int work_in_child(void) {
  TF_Status *status = TF_NewStatus();
  touch_everything(100, status);
  write_and_read("mem://of_child", status);
  bool good = is(status, TF_OK);
  TF_DeleteStatus(status);
  return good ? 0 : 1;
}

/* The harness must see a child that hangs: a lock that nobody releases for it. */
static pthread_mutex_t unguarded = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *argument) {
  pthread_barrier_t *held = argument;
  pthread_mutex_lock(&unguarded);
  pthread_barrier_wait(held);
  pthread_barrier_wait(held);
  pthread_mutex_unlock(&unguarded);
  return NULL;
}

static void test_hanging_control(void) {
  pthread_barrier_t held;
  pthread_t holder;
  pthread_barrier_init(&held, NULL, 2);
  pthread_create(&holder, NULL, hold, &held);
  pthread_barrier_wait(&held);
  pid_t child = start_child(1);
  if (child == 0) end_child(pthread_mutex_lock(&unguarded));
  CHECK_INT(wait_for(child), 128 + SIGALRM, "the control: an unguarded lock hangs the child");
  pthread_barrier_wait(&held);
  pthread_join(holder, NULL);
  pthread_barrier_destroy(&held);
}

static void test_many_forks(void) {
#ifdef __SANITIZE_ADDRESS__
  check_note("skipped: AddressSanitizer's own allocator keeps locks across fork");
  return;
#endif
  pthread_t threads[HAMMERS];
  int ids[HAMMERS], bad = 0, forks = 0;
  for (int i = 0; i < HAMMERS; i++) {
    ids[i] = i;
    pthread_create(&threads[i], NULL, hammer, &ids[i]);
  }
  while (atomic_load(&hammered) < HAMMERS)
    usleep(1000);
  time_t end = time(NULL) + FORK_SECONDS;
  for (int i = 0; i < FORKS && bad < 3 && time(NULL) < end; i++) {
    pid_t child = start_child(CHILD_SECONDS);
    if (child == 0) end_child(work_in_child());
    int ended = wait_for(child);
    if (ended != 0) check_note("child %d ended with %d", i, ended);
    bad += ended != 0;
    forks++;
  }
  atomic_store(&stop, true);
  for (int i = 0; i < HAMMERS; i++)
    pthread_join(threads[i], NULL);
  CHECK_INT(bad, 0, "%d children work while %d threads hammer", forks, HAMMERS);
  CHECK(forks >= 50 && atomic_load(&hammered) >= 50, "both happened often");
}

/* The queue of a watch -------------------------------------------------------------- */

static int watch_in_child(modfs_watch *watch) {
  TF_Status *status = TF_NewStatus();
  modfs_change change;
  bool refused = modfs_watch_next(watch, 0, &change, status) == MODFS_WATCH_NONE &&
                 is(status, TF_FAILED_PRECONDITION);
  modfs_watch_close(watch);
  TF_DeleteStatus(status);
  return refused ? 0 : 1;
}

static void test_watch(void) {
  TF_Status *status = TF_NewStatus();
  modfs_change change = {0, NULL, NULL};
  char path[256];
  path_in_folder(path, sizeof path, "watched");
  modfs_watch *watch = modfs_watch_open(fs_of_path(folder), folder, status);
  FILE *file = fopen(path, "wb");
  if (!CHECK(watch && file, "a directory is watched%s", TF_Message(status))) return;
  fclose(file);
  pid_t child = start_child(CHILD_SECONDS);
  if (child == 0) end_child(watch_in_child(watch));
  CHECK_INT(wait_for(child), 0, "a child may not read its parent's changes");
  CHECK_INT(modfs_watch_next(watch, 10, &change, status), MODFS_WATCH_CHANGE, "the parent may");
  CHECK(change.kind == MODFS_CHANGE_CREATED && change.path && strcmp(change.path, path) == 0,
        "it gets what was there before the fork");
  modfs_change_fini(&change);
  modfs_watch_close(watch);
  remove(path);
  TF_DeleteStatus(status);
}

static void remove_folder(void) {
  char command[256];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) check_note("%s is left", folder);
}

int main(void) {
  TF_Status *status = TF_NewStatus();
  alarm(TEST_SECONDS);
  modfs_start(status);
  result = mmap(NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!CHECK(is(status, TF_OK) && result != MAP_FAILED && mkdtemp(folder), "start: %s",
             TF_Message(status)))
    return check_end();
  test_control();
  test_writer("replaced", MODFS_WRITE_REPLACE, false, false);
  test_writer("replaced_aborted", MODFS_WRITE_REPLACE, false, true);
  test_writer("flushed", MODFS_WRITE_REPLACE, true, false);
  test_writer("appended", MODFS_WRITE_APPEND, false, false);
  test_writer("atomic", MODFS_WRITE_ATOMIC, false, false);
  test_writer("atomic_aborted", MODFS_WRITE_ATOMIC, true, true);
  test_reader();
  test_watch();
  test_traces();
  test_hanging_control();
  test_many_forks();
  TF_DeleteStatus(status);
  remove_folder();
  return check_end();
}
