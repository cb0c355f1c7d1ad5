/* Running a program for credentials. Its output has secrets: it is read into the stack and wiped. What it
 * prints to its error output is dropped, for nobody knows what is in it. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../common/objects/flat.h"
#include "../common/objects/form.h"
#include "issued.h"

enum { MOST_WAIT_MS = 60000, PIPE_READ = 0, PIPE_WRITE = 1 };

/* The threads that send parts block all signals; the program must not inherit that. */
static bool start(const char *command, int writes, pid_t *pid) {
  char shell[] = "sh", flag[] = "-c";
  char *const words[] = {shell, flag, (char *)(uintptr_t)command, NULL};
  sigset_t none;
  posix_spawnattr_t settings;
  posix_spawn_file_actions_t actions;
  sigemptyset(&none);
  if (posix_spawnattr_init(&settings) != 0) return false;
  if (posix_spawn_file_actions_init(&actions) != 0) {
    posix_spawnattr_destroy(&settings);
    return false;
  }
  bool good =
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0) == 0 &&
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
      posix_spawn_file_actions_adddup2(&actions, writes, STDOUT_FILENO) == 0 &&
      posix_spawnattr_setsigmask(&settings, &none) == 0 &&
      posix_spawnattr_setflags(&settings, POSIX_SPAWN_SETSIGMASK) == 0 &&
      posix_spawn(pid, "/bin/sh", &actions, &settings, words, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&settings);
  return good;
}

/* Reads to the end; false when that takes too long, or too much comes. */
static bool read_all(int fd, objects_reply *out) {
  int64_t deadline = net_now() + MOST_WAIT_MS;
  for (;;) {
    int64_t left = deadline - net_now();
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (left <= 0 || out->length == sizeof out->text - 1) return false;
    int found = poll(&ready, 1, (int)left);
    if (found < 0 && errno != EINTR) return false;
    if (found <= 0) continue;
    ssize_t n = read(fd, out->text + out->length, sizeof out->text - 1 - out->length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return n == 0;
    out->length += (size_t)n;
  }
}

/* Why there are no credentials; NULL when the output is whole. */
static const char *run(const char *command, objects_reply *out) {
  int ends[2], ended = 0;
  pid_t pid = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) return "no pipe could be made";
  bool started = start(command, ends[PIPE_WRITE], &pid);
  close(ends[PIPE_WRITE]);
  bool good = started && read_all(ends[PIPE_READ], out);
  close(ends[PIPE_READ]);
  if (!started) return "it could not be started";
  if (!good) kill(pid, SIGKILL);
  /* Where the host ignores SIGCHLD, its output alone has to tell. */
  while (waitpid(pid, &ended, 0) < 0 && errno == EINTR)
    ;
  if (!good) return "it printed too much, or did not end within a minute";
  return ended == 0 ? NULL : "it failed";
}

static bool read_output(const char *json, s3_credentials *credentials) {
  char version[8];
  bool good = objects_flat_find(json, "Version", version, sizeof version);
  bool has_token = s3_issued_read_json(json, "SessionToken", credentials);
  if (!has_token) credentials->token[0] = '\0';
  return good && strcmp(version, "1") == 0 && *credentials->key_id && *credentials->secret;
}

bool s3_process_take(const TF_Filesystem *filesystem, const char *command,
                     s3_credentials *credentials, TF_Status *status) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  char expiration[40], text[160];
  objects_reply out = {.length = 0};
  if (s3_issued_take(self, command, credentials)) return true;
  s3_credentials_wipe(credentials);
  const char *problem = run(command, &out);
  out.text[out.length] = '\0';
  if (!problem && !read_output(out.text, credentials))
    problem = "it printed no JSON object with Version 1, AccessKeyId and SecretAccessKey";
  if (!problem) /* without an expiration they hold for as long as the process runs */
    s3_issued_keep(self, command, credentials,
                   objects_flat_find(out.text, "Expiration", expiration, sizeof expiration)
                       ? s3_issued_end(expiration)
                       : INT64_MAX);
  explicit_bzero(&out, sizeof out);
  if (!problem) return true;
  snprintf(text, sizeof text, "no credentials from credential_process of the profile: %s", problem);
  TF_SetStatus(status, TF_UNAUTHENTICATED, text);
  return false;
}
