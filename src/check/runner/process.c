/* Functions on the whole process, and on child processes.
 *
 * There is no state here. A child is known by its process id from runner_start until runner_wait has
 * returned, which must be called once for each: only then may the system use the id again. runner_kill
 * comes before that, if at all.
 *
 * Children are started by posix_spawnp, not by fork: no code of this process runs in them, so locks and
 * threads of plugins do not matter. They inherit the environment, and every descriptor without
 * close-on-exec.
 *
 * runner_descriptors and runner_open_files count all threads' descriptors; the counts are exact only if no
 * thread opens or closes any meanwhile. They check the first 65,536 numbers at most. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

size_t runner_descriptors(size_t *loose) {
  size_t count = 0;
  long most = sysconf(_SC_OPEN_MAX);
  if (loose) *loose = 0;
  for (int fd = 0; fd < most && fd < 65536; fd++) {
    int flags = fcntl(fd, F_GETFD);
    if (flags < 0) continue;
    count++;
    if (loose && !(flags & FD_CLOEXEC)) ++*loose;
  }
  return count;
}

size_t runner_open_files(void) {
  size_t count = 0;
  long most = sysconf(_SC_OPEN_MAX);
  for (int fd = 0; fd < most && fd < 65536; fd++) {
    struct stat about;
    if (fstat(fd, &about) < 0) continue;
    mode_t kind = about.st_mode & S_IFMT;
    count += kind == S_IFREG || kind == S_IFDIR || kind == S_IFCHR || kind == S_IFBLK;
  }
  return count;
}

long runner_start(char *const words[]) {
  pid_t process;
  return posix_spawnp(&process, words[0], NULL, NULL, words, environ) == 0 ? process : -1;
}

void runner_kill(long process) {
  if (process > 0) kill((pid_t)process, SIGKILL);
}

int runner_wait(long process) {
  int status = 0;
  while (waitpid((pid_t)process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFSIGNALED(status) ? 256 + WTERMSIG(status) : WEXITSTATUS(status);
}

void runner_rest(double seconds) {
  struct timespec time = {.tv_sec = (time_t)seconds};
  time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
  nanosleep(&time, NULL);
}

bool runner_enter_directory(const char *path) {
  return chdir(path) == 0;
}

bool runner_stretch(const char *path, long long size) {
  return truncate(path, size) == 0;
}
