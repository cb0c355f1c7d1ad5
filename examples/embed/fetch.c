/* A program in C without Lua, whose loop waits in poll(2): it reads files in jobs of modfs, and goes on
 * with its other work meanwhile. README.md says how to build it.
 *
 *   fetch SECONDS URI...
 *
 * prints the length of each file when it has arrived. A file that takes longer than SECONDS fails; a
 * line on standard input cancels all that are under way. At the end it prints how late its clock,
 * which ticks each 10 ms, has been at most. */
#define _POSIX_C_SOURCE 200809L
#include <modfs/async.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST_FILES = 64, BLOCK = 64 * 1024, TICK = 10 /* ms */ };

typedef struct fetch {
  const char *uri;
  const modfs_fs *fs;
  uint64_t length; /* the job's, until it is done */
  modfs_job *job;
} fetch;

typedef struct program {
  fetch files[MOST_FILES];
  int count, done;
  int failed;
  modfs_callbacks *queue;
  int input;     /* a descriptor; -1: at its end */
  int64_t tick;  /* when the clock ticks next, in ms */
  int64_t worst; /* by how many ms it was late at most */
  TF_Status *status;
} program;

/* On a thread of modfs: reads a file to its end. */
static void read_file(void *argument, TF_Status *status) {
  fetch *file = argument;
  static _Thread_local char block[BLOCK];
  modfs_file *open = modfs_file_open(file->fs, file->uri, status);
  int64_t n = open ? BLOCK : -1;
  while (n == BLOCK) {
    n = modfs_file_read(open, file->length, BLOCK, block, status);
    if (n > 0) file->length += (uint64_t)n;
    modfs_job_report(file->length, 0, 0, 0);
  }
  modfs_file_close(open);
}

/* A file without a job has failed. */
static void start(program *self, int number, double seconds) {
  modfs_job_options options = {.callbacks = self->queue,
                               .number = (uint64_t)number,
                               .reads = true,
                               .timeout = seconds,
                               .operation = "fetch",
                               .path = self->files[number].uri};
  fetch *file = &self->files[number];
  const char *plugins = getenv("MODFS_PLUGIN_PATH");
  file->fs = modfs_fs_search(file->uri, plugins ? plugins : "", "fetch", self->status);
  if (file->fs) file->job = modfs_job_start(read_file, NULL, file, &options, self->status);
  if (file->job) return;
  fprintf(stderr, "%s\n", TF_Message(self->status));
  self->done++;
  self->failed = 1;
}

/* Takes what is done. */
static void take(program *self) {
  uint64_t number;
  while (modfs_callbacks_take(self->queue, &number)) {
    fetch *file = &self->files[number];
    modfs_job_result(file->job, self->status);
    modfs_job_close(file->job);
    file->job = NULL;
    self->done++;
    if (TF_GetCode(self->status) == TF_OK) {
      printf("%s: %llu bytes\n", file->uri, (unsigned long long)file->length);
    } else {
      printf("%s\n", TF_Message(self->status));
      self->failed = 1;
    }
    fflush(stdout);
  }
}

static void cancel(program *self) {
  char line[256];
  ssize_t n = read(self->input, line, sizeof line);
  if (n <= 0) self->input = -1;
  for (int i = 0; n > 0 && i < self->count; i++)
    if (self->files[i].job) modfs_job_cancel(self->files[i].job);
}

static int64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

/* What else the program does. */
static void tick(program *self) {
  int64_t late = now() - self->tick;
  if (late < 0) return;
  if (late > self->worst) self->worst = late;
  self->tick = now() + TICK;
}

static void loop(program *self) {
  self->tick = now() + TICK;
  while (self->done < self->count) {
    struct pollfd ready[] = {{modfs_callbacks_descriptor(self->queue), POLLIN, 0},
                             {self->input, POLLIN, 0}};
    int64_t left = self->tick - now();
    poll(ready, 2, left > 0 ? (int)left : 0);
    tick(self);
    if (ready[1].revents) cancel(self);
    if (ready[0].revents) take(self);
  }
}

int main(int argc, char **argv) {
  program self = {.count = argc - 2, .input = STDIN_FILENO, .status = TF_NewStatus()};
  double seconds = argc > 1 ? strtod(argv[1], NULL) : 0;
  if (self.count < 1 || self.count > MOST_FILES || !(seconds > 0)) {
    fprintf(stderr, "usage: fetch SECONDS URI...\n");
    return 2;
  }
  modfs_start(self.status);
  if (TF_GetCode(self.status) == TF_OK) self.queue = modfs_callbacks_open(self.status);
  if (!self.queue) {
    fprintf(stderr, "%s\n", TF_Message(self.status));
    return 1;
  }
  for (int i = 0; i < self.count; i++)
    self.files[i].uri = argv[i + 2];
  for (int i = 0; i < self.count; i++)
    start(&self, i, seconds);
  loop(&self);
  modfs_callbacks_close(self.queue);
  TF_DeleteStatus(self.status);
  printf("the clock was at most %lld ms late\n", (long long)self.worst);
  return self.failed;
}
