/* Power cuts: an ext4 filesystem on a loop device is shut down, without a last word to its journal, while
 * a writer works on it; then it is mounted again. After a durable atomic write that was acknowledged
 * its content, or a later one, stands there whole. The control, which syncs nothing, must fail.
 *
 *   power_cut [cuts]        as root; exit status 77 where that or a loop device is missing
 *
 * A second writer syncs another file all the time: else nothing would reach the journal, and the
 * test would see nothing. noauto_da_alloc: ext4 helps nobody who does not sync. */
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "versions.h"

enum { CHILD_SECONDS = 60, MOST_MILLISECONDS = 40, SKIPPED = 77 };

#define EXT4_SHUTDOWN _IOR('X', 125, uint32_t)
enum { WITHOUT_LOG_FLUSH = 2 };

typedef struct progress {
  volatile uint32_t begun;
  volatile uint32_t acknowledged;
} progress;

typedef struct tally {
  int torn;
  int lost;
  int litter;
  uint32_t writes;
} tally;

static char folder[] = "/tmp/modfs-power-XXXXXX";
static char mounted[64];
static char target[128];
static const modfs_fs *posix;
static progress *shared;

__attribute__((format(printf, 1, 2))) static bool shell(const char *format, ...) {
  char command[512];
  va_list args;
  va_start(args, format);
  vsnprintf(command, sizeof command, format, args);
  va_end(args);
  return system(command) == 0;
}

static bool mount_image(void) {
  return shell("mount -o loop,noauto_da_alloc %s/image %s 2>/dev/null", folder, mounted);
}

static bool make_image(void) {
  const char *place = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
  return shell("i=$(mktemp %s/modfs-power.XXXXXX) && ln -s $i %s/image && truncate -s 64M $i && "
               "mkfs.ext4 -q -F $i 2>/dev/null",
               place, folder) &&
         shell("mkdir %s", mounted) && mount_image();
}

static void remove_image(void) {
  shell("umount %s 2>/dev/null", mounted);
  shell("rm -rf $(readlink %s/image) %s", folder, folder);
}

/* The children: they go on after the cut, and see nothing but failures. */

__attribute__((noreturn)) static void sync_for_ever(void) {
  char path[128];
  snprintf(path, sizeof path, "%s/other", mounted);
  alarm(CHILD_SECONDS);
  int fd = open(path, O_WRONLY | O_CREAT, 0600);
  for (;;)
    if (pwrite(fd, path, sizeof path, 0) < 0 || fsync(fd) != 0) usleep(1000);
}

__attribute__((noreturn)) static void write_for_ever(modfs_write_mode mode, uint32_t version) {
  alarm(CHILD_SECONDS);
  for (;; version++) {
    shared->begun = version;
    if (!put_version(posix, target, mode, version)) pause();
    shared->acknowledged = version;
  }
}

static void end_child(pid_t child) {
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

/* Returns what was acknowledged before the cut: after it nobody can tell. */
static uint32_t cut_power(modfs_write_mode mode, uint32_t version) {
  pid_t syncer = fork();
  if (syncer == 0) sync_for_ever();
  pid_t writer = fork();
  if (writer == 0) write_for_ever(mode, version);
  usleep((useconds_t)(rand() % (MOST_MILLISECONDS * 1000)));
  int fd = open(mounted, O_RDONLY | O_DIRECTORY);
  uint32_t flags = WITHOUT_LOG_FLUSH, acknowledged = shared->acknowledged;
  if (ioctl(fd, EXT4_SHUTDOWN, &flags) != 0) perror("shutdown");
  close(fd);
  end_child(writer);
  end_child(syncer);
  return acknowledged;
}

/* Before the next opening: everything but the target, the other file and lost+found. */
static bool is_littered(void) {
  return !shell("test \"$(ls -A %s | grep -vxF -e target -e other -e lost+found)\" = ''", mounted);
}

static bool assess(uint32_t acknowledged, tally *found) {
  if (!shell("umount %s", mounted) || !mount_image()) return false;
  int64_t version = version_at(target);
  found->torn += version < 0 || version > shared->begun;
  found->lost += version >= 0 && version < (int64_t)acknowledged;
  shared->begun++;
  shared->acknowledged = shared->begun;
  put_version(posix, target, MODFS_WRITE_ATOMIC, shared->begun);
  found->litter += is_littered();
  return true;
}

static tally run(modfs_write_mode mode, const char *name, int cuts) {
  tally found = {0};
  shared->begun = shared->acknowledged = 1;
  put_version(posix, target, MODFS_WRITE_ATOMIC, 1);
  int done = 0;
  while (done < cuts && assess(cut_power(mode, shared->begun + 1), &found))
    done++;
  CHECK_INT(done, cuts, "%s: mounted again after every cut", name);
  check_note("%s: %d cuts, %u writes: %d torn, %d lost, %d with litter after the next opening",
             name, done, shared->begun, found.torn, found.lost, found.litter);
  return found;
}

static bool start(void) {
  TF_Status *status = TF_NewStatus();
  modfs_start(status);
  shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool good = TF_GetCode(status) == TF_OK && shared != MAP_FAILED && mkdtemp(folder);
  TF_DeleteStatus(status);
  snprintf(mounted, sizeof mounted, "%s/mounted", folder);
  snprintf(target, sizeof target, "%s/target", mounted);
  posix = good ? modfs_fs_of(target) : NULL;
  return posix != NULL;
}

int main(int argc, char **argv) {
  int cuts = argc > 1 ? atoi(argv[1]) : 200;
  unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : (unsigned)time(NULL);
  srand(seed);
  if (!CHECK(start(), "start")) return check_end();
  if (geteuid() != 0 || !make_image()) {
    printf("power cuts skipped: they need root, loop devices and mkfs.ext4\n");
    remove_image();
    return SKIPPED;
  }
  check_note("seed %u", seed);
  tally found = run(MODFS_WRITE_ATOMIC, "durable", cuts);
  CHECK_INT(found.torn, 0, "durable: no content is torn");
  CHECK_INT(found.lost, 0, "durable: nothing acknowledged is lost");
  CHECK_INT(found.litter, 0, "durable: the next opening leaves nothing beside");
  found = run(MODFS_WRITE_ATOMIC_FAST, "the control", cuts < 60 ? cuts : 60);
  CHECK(found.torn + found.lost > 0, "the control: what is not synced is torn or lost");
  remove_image();
  return check_end();
}
