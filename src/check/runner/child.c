/* Child processes with limits.
 *
 * There is no state here. A child is known by its process id, which is also that of its group, from
 * runner_child_start until runner_child_ended has returned true. Until then the system uses neither
 * number again: the child is waited for only after its group was killed.
 *
 * Between fork and exec only system calls are made, since the parent may have threads that hold locks.
 * The kernel kills the child when the thread that started it ends; no signal from the terminal reaches
 * it, as its group is not the terminal's.
 *
 * A program that waits for a processor is not asleep. So three times are told apart: running (the
 * process's CPU clock), waiting for a processor (schedstat of each thread, without those that have
 * ended), and the rest, asleep. Where the kernel keeps no schedstat, waiting is 0. */
#include "child.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* With more room above the limit of CPU time, SIGXCPU comes before SIGKILL. The hard limit of descriptors
 * stays: valgrind refuses to lower it. No limit is raised. */
static bool limit(int resource, uint64_t most) {
  struct rlimit now;
  if (most == 0) return true;
  if (getrlimit((__rlimit_resource_t)resource, &now) != 0) return false;
  if (now.rlim_max < most + (resource == RLIMIT_CPU)) return true;
  if (resource != RLIMIT_NOFILE) now.rlim_max = most + (resource == RLIMIT_CPU);
  now.rlim_cur = most;
  return setrlimit((__rlimit_resource_t)resource, &now) == 0;
}

static bool redirect(int number, const char *path, int flags) {
  int file = open(path, flags, 0600);
  return file >= 0 && (file == number || (dup2(file, number) == number && close(file) == 0));
}

static bool prepare(const runner_child_plan *plan) {
  const struct rlimit none = {0};
  return setpgid(0, 0) == 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
         redirect(STDIN_FILENO, "/dev/null", O_RDONLY) &&
         redirect(STDOUT_FILENO, plan->output, O_WRONLY | O_CREAT | O_TRUNC) &&
         redirect(STDERR_FILENO, plan->errors, O_WRONLY | O_CREAT | O_TRUNC) &&
         chdir(plan->folder) == 0 && setrlimit(RLIMIT_CORE, &none) == 0 &&
         limit(RLIMIT_CPU, plan->cpu_seconds) && limit(RLIMIT_FSIZE, plan->file_size) &&
         limit(RLIMIT_NOFILE, plan->descriptors) && limit(RLIMIT_AS, plan->memory);
}

long runner_child_start(const runner_child_plan *plan) {
  pid_t child = fork();
  if (child == 0) {
    if (prepare(plan)) execvpe(plan->words[0], plan->words, plan->environment);
    _exit(127);
  }
  if (child > 0) setpgid(child, child); /* both do it: either may come first */
  return child;
}

void runner_child_kill(long child) {
  if (child <= 0) return;
  kill(-(pid_t)child, SIGKILL);
  kill((pid_t)child, SIGKILL); /* it may have left its group */
}

bool runner_child_ended(long child, int *status) {
  siginfo_t info = {0};
  int how = 0;
  if (waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0)
    return false;
  kill(-(pid_t)child, SIGKILL);
  while (waitpid((pid_t)child, &how, 0) < 0)
    if (errno != EINTR) {
      *status = 255; /* somebody else has waited for it */
      return true;
    }
  *status = WIFSIGNALED(how) ? 256 + WTERMSIG(how) : WEXITSTATUS(how);
  return true;
}

/* Only the first RUNNER_CHILDREN are looked at, so it does not wait for long if there are more. */
void runner_child_await(const long *children, size_t count, double seconds) {
  struct pollfd polled[RUNNER_CHILDREN];
  nfds_t known = 0;
  double most = count > RUNNER_CHILDREN ? 0.002 : seconds;
  for (size_t i = 0; i < count && i < RUNNER_CHILDREN; i++) {
    int file = (int)syscall(SYS_pidfd_open, (pid_t)children[i], 0);
    if (file >= 0) polled[known++] = (struct pollfd){.fd = file, .events = POLLIN};
  }
  if (known < count && known < RUNNER_CHILDREN) most = 0.002; /* of a kernel before 5.3 */
  poll(polled, known, (int)(most * 1000));
  for (nfds_t i = 0; i < known; i++)
    close(polled[i].fd);
}

/* How long a thread has waited for a processor. */
static double waited(long child, const char *thread) {
  char path[64];
  unsigned long long running = 0, waiting = 0;
  snprintf(path, sizeof path, "/proc/%ld/task/%.20s/schedstat", child, thread);
  FILE *file = fopen(path, "re");
  if (!file) return 0;
  int found = fscanf(file, "%llu %llu", &running, &waiting);
  fclose(file);
  return found == 2 ? (double)waiting / 1e9 : 0;
}

bool runner_child_times(long child, double *running, double *waiting) {
  char path[64];
  clockid_t clock;
  struct timespec used;
  *running = *waiting = 0;
  if (clock_getcpuclockid((pid_t)child, &clock) != 0 || clock_gettime(clock, &used) != 0)
    return false;
  *running = (double)used.tv_sec + (double)used.tv_nsec / 1e9;
  snprintf(path, sizeof path, "/proc/%ld/task", child);
  DIR *threads = opendir(path);
  if (!threads) return true;
  for (const struct dirent *each = readdir(threads); each; each = readdir(threads))
    if (isdigit((unsigned char)each->d_name[0])) *waiting += waited(child, each->d_name);
  closedir(threads);
  return true;
}

int runner_processors(void) {
  cpu_set_t set;
  int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count > 0 ? count : 1;
}
