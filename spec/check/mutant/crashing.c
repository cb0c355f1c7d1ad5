/* What ends a process, holds it up, or changes what belongs to all of it. */
#include "mutant.h"

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int nowhere;

static void crash(void) {
  *(volatile int *)8 = 1;
}

static void loop(void) {
  for (;;)
    nowhere++;
}

static int overflow(int depth) {
  if (depth < 0) return 0;
  volatile char frame[4096];
  frame[0] = (char)depth;
  return overflow(depth + 1) + frame[0];
}

static void fill(volatile char *memory, size_t size) {
  for (size_t i = 0; i < size; i += 4096)
    memory[i] = 1;
}

static void hoard(void) {
  fill(malloc((size_t)8 << 30), (size_t)8 << 30);
}

static void hoard_slowly(void) {
  for (;;)
    fill(malloc(1 << 24), 1 << 24);
}

static void jump(void) {
  static jmp_buf nowhere_to;
  memset(&nowhere_to, 0x5a, sizeof nowhere_to);
  longjmp(nowhere_to, 1);
}

/* The grandchildren keep everything open that they were given, and do not end by themselves. */
static void breed(void) {
  for (int i = 0; i < 8; i++)
    if (fork() == 0)
      for (;;)
        pause();
  _exit(0);
}

static void lock_twice(void) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
}

/* Each child has two, down to some hundred in all. */
static void bomb(void) {
  for (int i = 0; i < 7; i++)
    (void)!fork();
  for (;;)
    pause();
}

/* A grandchild that belongs to no group or session of ours any more. */
static void detach(void) {
  pid_t first = fork();
  if (first != 0) {
    waitpid(first, NULL, 0);
    return;
  }
  setsid();
  if (fork() != 0) _exit(0);
  for (int i = 0; i < 64; i++)
    close(i);
  for (;;)
    pause();
}

static void smash(void) {
  volatile char frame[16];
  volatile size_t far = sizeof frame + (1 << 23);
  for (size_t i = 0; i < far; i++)
    frame[i] = 0x5a;
}

static void store_wildly(void) {
  *(volatile int *)(uintptr_t)0x0000700000000000 = 1;
}

static void shout(void) {
  static char block[1 << 16];
  for (;;)
    if (write(1, block, sizeof block) < 0) abort();
}

static void close_standard(void) {
  for (int i = 0; i < 3; i++)
    close(i);
}

static void close_host(void) {
  for (int i = 3; i < 64; i++)
    close(i);
}

static void throw_alarm(void) {
  ualarm(50000, 0);
  for (;;)
    pause();
}

static void fill_disk(void) {
  static char block[1 << 16];
  for (;;)
    if (write(2, block, sizeof block) < 0) abort();
}

static void close_all(void) {
  for (int i = 0; i < 256; i++)
    close(i);
}

static void *sleep_for_ever(void *unused) {
  for (;;)
    pause();
  return unused;
}

static void leave_threads(void) {
  for (int i = 0; i < 8; i++) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, sleep_for_ever, NULL) == 0) pthread_detach(thread);
  }
}

static void ignored_signal(int number) {
  (void)number;
}

typedef struct deed {
  const char *name;
  void (*run)(void);
} deed;

static void exit_well(void) {
  exit(0);
}
static void exit_badly(void) {
  exit(3);
}
static void exit_at_once(void) {
  _exit(0);
}
static void kill_self(void) {
  raise(SIGKILL);
}
static void stop_self(void) {
  raise(SIGSTOP);
}
static void kill_group(void) {
  kill(0, SIGTERM);
}
static void overflow_stack(void) {
  nowhere = overflow(0);
}
static void wait_for_ever(void) {
  for (;;)
    pause();
}
static void trap(void) {
  __builtin_trap();
}
static void change_umask(void) {
  umask(0);
}
static void change_folder(void) {
  if (chdir("/")) abort();
}
static void change_locale(void) {
  if (!setlocale(LC_ALL, "C.UTF-8")) abort();
}
static void change_rounding(void) {
  fesetround(FE_UPWARD);
}
static void change_handler(void) {
  signal(SIGUSR1, ignored_signal);
}
static void change_ignored(void) {
  signal(SIGPIPE, SIG_IGN);
}
static void change_mask(void) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, NULL);
}
static void change_environment(void) {
  setenv("TZ", "Mars/Olympus", 1);
}

static const deed deeds[] = {
    {"crash", crash},
    {"loop", loop},
    {"overflow", overflow_stack},
    {"hoard", hoard},
    {"hoard.slowly", hoard_slowly},
    {"jump", jump},
    {"breed", breed},
    {"deadlock", lock_twice},
    {"fill", fill_disk},
    {"bomb", bomb},
    {"detach", detach},
    {"smash", smash},
    {"wild", store_wildly},
    {"shout", shout},
    {"close.standard", close_standard},
    {"close.host", close_host},
    {"alarm", throw_alarm},
    {"close.all", close_all},
    {"abort", abort},
    {"exit", exit_well},
    {"exit.3", exit_badly},
    {"exit.now", exit_at_once},
    {"kill", kill_self},
    {"stop", stop_self},
    {"kill.group", kill_group},
    {"wait", wait_for_ever},
    {"trap", trap},
    {"threads", leave_threads},
    {"umask", change_umask},
    {"folder", change_folder},
    {"locale", change_locale},
    {"rounding", change_rounding},
    {"handler", change_handler},
    {"ignored", change_ignored},
    {"mask", change_mask},
    {"environment", change_environment},
};

static void (*chosen)(void);

static void choose(const char *name) {
  for (size_t i = 0; i < sizeof deeds / sizeof *deeds; i++)
    if (strcmp(deeds[i].name, name) == 0) chosen = deeds[i].run;
}

static void kill_init(TF_Filesystem *fs, TF_Status *status) {
  chosen();
  good.init(fs, status);
}

PATH_CALL(kill_create_dir, if (strstr(path, "a_dir")) chosen(); good.create_dir(fs, path, status))
PATH_CALL(kill_each_create_dir, chosen(); good.create_dir(fs, path, status))
PATH_CALL(kill_path_exists, chosen(); good.path_exists(fs, path, status))
PATH_CALL(kill_delete_file, chosen(); good.delete_file(fs, path, status))
PAIR_CALL(kill_copy_file, chosen(); good.copy_file(fs, src, dst, status))
PAIR_CALL(kill_rename_file, chosen(); good.rename_file(fs, src, dst, status))

static void kill_stat(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {
  chosen();
  good.stat(fs, path, stats, status);
}

static int kill_get_children(FS, const char *path, char ***entries, TF_Status *status) {
  chosen();
  return good.get_children(fs, path, entries, status);
}

static int64_t kill_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,
                         TF_Status *status) {
  chosen();
  return good_reader.read(file, offset, n, buffer, status);
}

static void kill_append(const TF_WritableFile *file, const char *buffer, size_t n,
                        TF_Status *status) {
  chosen();
  good_writer.append(file, buffer, n, status);
}

static void kill_cleanup(TF_RandomAccessFile *file) {
  chosen();
  good_reader.cleanup(file);
}

static void kill_writer_cleanup(TF_WritableFile *file) {
  chosen();
  good_writer.cleanup(file);
}

static void kill_region_cleanup(TF_ReadOnlyMemoryRegion *region) {
  chosen();
  good_region.cleanup(region);
}

static bool put(mutant_tables *t, const char *name) {
  ON("init", t->fs->init = kill_init)
  ON("create.dir", t->fs->create_dir = kill_create_dir)
  ON("each.create.dir", t->fs->create_dir = kill_each_create_dir)
  ON("path.exists", t->fs->path_exists = kill_path_exists)
  ON("delete.file", t->fs->delete_file = kill_delete_file)
  ON("copy.file", t->fs->copy_file = kill_copy_file)
  ON("rename.file", t->fs->rename_file = kill_rename_file)
  ON("stat", t->fs->stat = kill_stat)
  ON("get.children", t->fs->get_children = kill_get_children)
  ON("read", t->reader->read = kill_read)
  ON("append", t->writer->append = kill_append)
  ON("cleanup", t->reader->cleanup = kill_cleanup)
  ON("writer.cleanup", t->writer->cleanup = kill_writer_cleanup)
  ON("region.cleanup", t->region->cleanup = kill_region_cleanup)
  mutant_slot *place = mutant_slot_find(t, name);
  if (place) *place = chosen; /* deeds that never come back take whatever is passed */
  return place;
}

/* "DEED.in.PLACE", or "constructor.DEED" before there are any tables. */
bool crash_apply(mutant_tables *t, const char *name) {
  if (!t) {
    choose(name + strlen("constructor."));
    if (chosen) chosen();
    return chosen;
  }
  const char *in = strstr(name, ".in.");
  char deed_name[64] = "";
  if (!in || (size_t)(in - name) >= sizeof deed_name) return false;
  memcpy(deed_name, name, (size_t)(in - name));
  choose(deed_name);
  return chosen && put(t, in + 4);
}
