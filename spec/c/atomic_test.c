/* Writers killed at random moments: what stands at the target afterwards is a whole content, the last
 * that was acknowledged or the next, and the next opening leaves nothing beside it. Two controls, one
 * that writes in place and one that forgets the rename, must fail the same test.
 *
 *   ATOMIC_KILLS=2000 atomic_test       more of it (60 in the suite)
 *   ATOMIC_SEED=n atomic_test           the same moments and sizes again */
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <modfs/modfs.h>

#include "check.h"
#include "versions.h"

enum { CHILD_SECONDS = 60, MOST_MICROSECONDS = 8000 };

typedef enum method { ATOMIC, DURABLE, IN_PLACE, WITHOUT_RENAME, METHODS } method;

static const char *const method_names[METHODS] = {"atomic", "durable", "in place",
                                                  "without the rename"};

/* What the child tells: shared memory outlives it. */
typedef struct progress {
  volatile uint32_t begun;
  volatile uint32_t acknowledged;
} progress;

typedef struct tally {
  int torn;   /* neither a whole content nor one that was ever written */
  int lost;   /* whole, but older than what was acknowledged */
  int left;   /* files beside the target after the kill */
  int litter; /* the same after the next opening */
} tally;

static char folder[] = "/tmp/modfs-atomic-XXXXXX";
static char target[64];
static char beside[64];
static const modfs_fs *posix;
static progress *shared;
static unsigned seed;

/* Writing --------------------------------------------------------------------- */

static bool write_version(method how, uint32_t version) {
  switch (how) {
  case ATOMIC:
    return put_version(posix, target, MODFS_WRITE_ATOMIC_FAST, version);
  case DURABLE:
    return put_version(posix, target, MODFS_WRITE_ATOMIC, version);
  case IN_PLACE:
    return put_version(posix, target, MODFS_WRITE_REPLACE, version);
  default:
    return put_version(posix, beside, MODFS_WRITE_REPLACE, version) && unlink(beside) == 0;
  }
}

__attribute__((noreturn)) static void write_until_killed(method how, uint32_t version) {
  alarm(CHILD_SECONDS);
  for (;; version++) {
    shared->begun = version;
    if (!write_version(how, version)) abort();
    shared->acknowledged = version;
  }
}

/* Killing --------------------------------------------------------------------- */

static unsigned draw(unsigned below) {
  seed = seed * 1103515245u + 12345u;
  return (seed >> 8) % below;
}

static void wait_microseconds(unsigned microseconds) {
  nanosleep(&(struct timespec){0, (long)microseconds * 1000}, NULL);
}

/* A child that has begun to write is killed; false when it ended by itself. */
static bool kill_one(method how) {
  uint32_t first = shared->acknowledged + 1;
  shared->begun = 0;
  pid_t child = fork();
  if (child == 0) write_until_killed(how, first);
  while (shared->begun == 0 && waitpid(child, NULL, WNOHANG) == 0)
    wait_microseconds(50);
  wait_microseconds(draw(MOST_MICROSECONDS));
  int status = 0;
  kill(child, SIGKILL);
  return waitpid(child, &status, 0) == child && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
}

static int files_beside(void) {
  int count = -3; /* "." and "..", and the target */
  DIR *directory = opendir(folder);
  while (directory && readdir(directory))
    count++;
  closedir(directory);
  return count;
}

static void assess(tally *found) {
  int64_t version = version_at(target);
  uint32_t acknowledged = shared->acknowledged;
  found->torn += version < 0 || version > (int64_t)acknowledged + 1;
  found->lost += version >= 0 && version < (int64_t)acknowledged;
  found->left += files_beside();
  write_version(ATOMIC, acknowledged);
  found->litter += files_beside();
}

/* Whether a kill has met a write, by what it left of it. */
static bool met(method how, const tally *found) {
  return (how == IN_PLACE ? found->torn : how == WITHOUT_RENAME ? found->lost : found->left) > 0;
}

/* On a busy machine the first kills may all come between two writes: then there are more of them. */
static tally run(method how, int kills) {
  tally found = {0};
  shared->acknowledged = 1;
  write_version(ATOMIC, 1);
  int killed = 0, tries = 0;
  for (; tries < kills || (tries < 20 * kills && !met(how, &found)); tries++) {
    killed += kill_one(how);
    assess(&found);
  }
  unlink(beside);
  CHECK_INT(killed, tries, "%s: every writer wrote until it was killed", method_names[how]);
  check_note("%s: %d kills, %u writes: %d torn, %d lost, %d files left, %d after the next opening",
             method_names[how], tries, shared->acknowledged, found.torn, found.lost, found.left,
             found.litter);
  return found;
}

/* ------------------------------------------------------------------------------ */

static void test_kills(method how, int kills) {
  tally found = run(how, kills);
  CHECK_INT(found.torn, 0, "%s: no content is torn", method_names[how]);
  CHECK_INT(found.lost, 0, "%s: nothing acknowledged is lost", method_names[how]);
  CHECK_INT(found.litter, 0, "%s: the next opening leaves nothing beside", method_names[how]);
  CHECK(met(how, &found), "%s: some kills met a write", method_names[how]);
}

/* The test must see what it looks for. */
static void test_controls(int kills) {
  tally found = run(IN_PLACE, kills);
  CHECK(found.torn > 0, "the control: writing in place tears contents");
  found = run(WITHOUT_RENAME, kills);
  CHECK(found.lost > 0, "the control: without the rename what was acknowledged is lost");
}

static int number_from(const char *name, int otherwise) {
  const char *text = getenv(name);
  return text ? atoi(text) : otherwise;
}

static bool start(void) {
  TF_Status *status = TF_NewStatus();
  modfs_start(status);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool good = TF_GetCode(status) == TF_OK && shared != MAP_FAILED && mkdtemp(folder);
  TF_DeleteStatus(status);
  if (!good) return false;
  posix = modfs_fs_of(folder);
  snprintf(target, sizeof target, "%s/target", folder);
  snprintf(beside, sizeof beside, "%s/beside", folder);
  return posix != NULL;
}

int main(void) {
  if (!CHECK(start(), "start")) return check_end();
  int kills = number_from("ATOMIC_KILLS", 60);
  seed = (unsigned)number_from("ATOMIC_SEED", (int)(time(NULL) & 0xffffff));
  check_note("ATOMIC_SEED=%u", seed);
  test_kills(ATOMIC, kills - kills / 4);
  test_kills(DURABLE, kills / 4);
  test_controls(kills < 200 ? kills : 200);
  unlink(target);
  CHECK_INT(rmdir(folder), 0, "nothing is left in the folder");
  return check_end();
}
