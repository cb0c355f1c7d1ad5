/* The engine of jobs, without Lua: order, cancelling, deadlines, limits and forks. */
#include <modfs/async.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "core/base/interruption.h"

static TF_Status *status;

/* A job that notes its turn, or waits until it is to end. */
typedef struct errand {
  atomic_int *turn;
  int had;
  bool waits;
  uint64_t keeps;    /* bytes, it says */
  atomic_bool *gate; /* waits until it is open; NULL: does not */
} errand;

static void nap(void) {
  nanosleep(&(struct timespec){0, 1000000}, NULL);
}

static void errand_run(void *argument, TF_Status *outcome) {
  errand *self = argument;
  while (self->gate && !atomic_load(self->gate))
    nap();
  if (self->turn) self->had = atomic_fetch_add(self->turn, 1);
  modfs_job_keeps(self->keeps);
  while (self->waits && !interruption_ends(outcome))
    nap();
}

static modfs_job *start(errand *argument, modfs_job_options options) {
  modfs_job *job = modfs_job_start(errand_run, NULL, argument, &options, status);
  if (!job) check_note("%s", TF_Message(status));
  return job;
}

static TF_Code end_of(modfs_job *job) {
  modfs_job_wait(job, -1);
  modfs_job_result(job, status);
  modfs_job_close(job);
  return TF_GetCode(status);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void check_cancelling(void) {
  errand endless = {.waits = true};
  modfs_job *job = start(&endless, (modfs_job_options){.operation = "wait", .path = "here"});
  CHECK(!modfs_job_wait(job, 0.01), "a job that waits is not done");
  double begun = seconds();
  modfs_job_cancel(job);
  CHECK(end_of(job) == TF_CANCELLED && seconds() - begun < 0.1, "it ends within 100 ms of cancel");
  CHECK(strcmp(TF_Message(status), "wait here: cancelled") == 0, "its message names the operation");
  job = start(&endless, (modfs_job_options){.timeout = 0.05});
  CHECK(end_of(job) == TF_DEADLINE_EXCEEDED, "a job ends when its time is over");
}

static void check_stuck(void) {
  atomic_bool gate = false;
  errand deaf = {.gate = &gate};
  modfs_job *job = start(&deaf, (modfs_job_options){.reads = true});
  while (modfs_job_get_progress(job).state == MODFS_JOB_QUEUED)
    nap();
  modfs_job_cancel(job);
  CHECK(modfs_job_get_progress(job).state == MODFS_JOB_RUNNING, "a job has 100 ms to end");
  CHECK(!modfs_job_wait(job, 0.12), "one that cannot goes on");
  CHECK(modfs_job_get_progress(job).state == MODFS_JOB_STUCK, "and is stuck");
  atomic_store(&gate, true);
  CHECK(end_of(job) == TF_CANCELLED, "until it is done");
}

static void check_queued(void) {
  atomic_bool gate = false;
  errand first = {.gate = &gate}, second = {0};
  atomic_int turn = 0;
  second.turn = &turn;
  size_t threads = modfs_job_threads(0);
  modfs_job_threads(1);
  modfs_job *running = start(&first, (modfs_job_options){0});
  modfs_job *queued = start(&second, (modfs_job_options){0});
  modfs_job *late = start(&second, (modfs_job_options){.timeout = 0.02});
  modfs_job_cancel(queued);
  CHECK(modfs_job_is_done(queued) && end_of(queued) == TF_CANCELLED, "a queued job vanishes");
  CHECK(end_of(late) == TF_DEADLINE_EXCEEDED, "a queued job ends at its deadline");
  atomic_store(&gate, true);
  CHECK(end_of(running) == TF_OK && turn == 0, "neither has run");
  modfs_job_threads(threads);
}

static void check_strands(void) {
  enum { COUNT = 200 };
  static errand errands[COUNT];
  static modfs_job *jobs[COUNT];
  atomic_int turn = 0;
  modfs_strand *strand = modfs_strand_open(status);
  for (int i = 0; i < COUNT; i++) {
    errands[i] = (errand){.turn = &turn};
    jobs[i] = start(&errands[i], (modfs_job_options){.strand = strand});
  }
  bool ordered = true;
  for (int i = 0; i < COUNT; i++)
    ordered = end_of(jobs[i]) == TF_OK && errands[i].had == i && ordered;
  CHECK(ordered, "jobs of a strand run in their order");

  atomic_bool gate = false;
  errand reader = {.gate = &gate, .turn = &turn}, closer = {.turn = &turn}, other = {0};
  modfs_job *shared = start(&reader, (modfs_job_options){.strand = strand, .shared = true});
  modfs_job *ordinary = start(&other, (modfs_job_options){.strand = strand});
  modfs_job *last = start(&closer, (modfs_job_options){.strand = strand, .exclusive = true});
  CHECK(end_of(ordinary) == TF_OK, "an ordered job runs beside a shared one");
  CHECK(!modfs_job_wait(last, 0.02), "an exclusive one does not");
  atomic_store(&gate, true);
  CHECK(end_of(last) == TF_OK && end_of(shared) == TF_OK && closer.had == reader.had + 1,
        "it comes after the shared one");

  errand endless = {.waits = true};
  modfs_job *cancelled = start(&endless, (modfs_job_options){.strand = strand});
  modfs_strand_close(strand);
  CHECK(modfs_job_is_done(cancelled) && end_of(cancelled) == TF_CANCELLED,
        "closing a strand ends its jobs");
}

static void check_queue(void) {
  errand endless = {.waits = true}, brief = {0};
  modfs_callbacks *queue = modfs_callbacks_open(status);
  modfs_job *job = start(&brief, (modfs_job_options){.callbacks = queue, .number = 7});
  struct pollfd readable = {modfs_callbacks_descriptor(queue), POLLIN, 0};
  uint64_t number = 0;
  CHECK(poll(&readable, 1, 10000) == 1, "the descriptor says that a job is done");
  CHECK(modfs_callbacks_take(queue, &number) && number == 7, "its number is in the queue");
  CHECK(end_of(job) == TF_OK, "its result is there");
  job = start(&endless, (modfs_job_options){.callbacks = queue});
  modfs_callbacks_close(queue);
  CHECK(modfs_job_is_done(job) && end_of(job) == TF_CANCELLED, "closing a queue ends its jobs");
}

static bool is_readable(modfs_callbacks *queue) {
  struct pollfd descriptor = {modfs_callbacks_descriptor(queue), POLLIN, 0};
  return poll(&descriptor, 1, 0) == 1;
}

/* What is done before anybody knows the descriptor, or sleeps, does not touch it. */
static void check_descriptor(void) {
  enum { COUNT = 3 };
  errand brief = {0};
  modfs_job *jobs[COUNT];
  uint64_t number, sum = 0;
  modfs_callbacks *queue = modfs_callbacks_open(status);
  for (int i = 0; i < COUNT; i++) {
    jobs[i] = start(&brief, (modfs_job_options){.callbacks = queue, .number = 1u << i});
    modfs_job_wait(jobs[i], 10);
  }
  CHECK(modfs_callbacks_wait(queue, 10) && is_readable(queue), "told late, it is readable at once");
  while (sum < (1u << COUNT) - 1 && modfs_callbacks_wait(queue, 10)) {
    CHECK(is_readable(queue), "and while any number is left");
    if (modfs_callbacks_take(queue, &number)) sum += number;
  }
  CHECK(!is_readable(queue) && !modfs_callbacks_wait(queue, 0), "but not afterwards");
  CHECK(end_of(start(&brief, (modfs_job_options){.callbacks = queue})) == TF_OK &&
            modfs_callbacks_wait(queue, 10) && is_readable(queue),
        "the next number makes it readable again");
  for (int i = 0; i < COUNT; i++)
    modfs_job_close(jobs[i]);
  modfs_callbacks_close(queue);
}

static void check_limit(void) {
  atomic_bool gate = false;
  errand held = {.gate = &gate};
  size_t limit = modfs_job_limit(0), threads = modfs_job_threads(0);
  modfs_job_limit(1);
  modfs_job_threads(1);
  modfs_job *running = start(&held, (modfs_job_options){0}), *queued = NULL, *refused = NULL;
  while (!queued) /* until a thread has taken the first */
    queued = modfs_job_start(errand_run, NULL, &held, NULL, status);
  refused = modfs_job_start(errand_run, NULL, &held, NULL, status);
  CHECK(!refused && TF_GetCode(status) == TF_RESOURCE_EXHAUSTED, "too many jobs are refused");
  atomic_store(&gate, true);
  CHECK(end_of(running) == TF_OK && end_of(queued) == TF_OK, "the others run");
  modfs_job_limit(limit);
  modfs_job_threads(threads);
}

static int count_done(modfs_job *const *jobs, int count) {
  int done = 0;
  for (int i = 0; i < count; i++)
    done += modfs_job_is_done(jobs[i]);
  return done;
}

/* 100 MiB each, and 256 are the most that may wait to be taken. */
static void check_kept(void) {
  enum { COUNT = 6, FIRST = 3 };
  errand large = {.keeps = UINT64_C(100) << 20};
  modfs_job *jobs[COUNT];
  uint64_t number;
  size_t threads = modfs_job_threads(0);
  modfs_callbacks *queue = modfs_callbacks_open(status);
  modfs_job_threads(1);
  for (int i = 0; i < COUNT; i++)
    jobs[i] = start(&large, (modfs_job_options){.callbacks = queue});
  for (int i = 0; i < 1000 && count_done(jobs, COUNT) < FIRST; i++)
    nap();
  for (int i = 0; i < 50; i++)
    nap();
  CHECK_INT(count_done(jobs, COUNT), FIRST, "jobs that keep much wait until others are taken");
  CHECK(modfs_job_wait(jobs[FIRST], 10), "unless the host waits for them");
  while (count_done(jobs, COUNT) < COUNT || modfs_callbacks_wait(queue, 0))
    if (!modfs_callbacks_take(queue, &number)) nap();
  for (int i = 0; i < COUNT; i++)
    modfs_job_close(jobs[i]);
  modfs_callbacks_close(queue);
  modfs_job_threads(threads);
}

/* Jobs of which each waits for all: a thread that runs them one after the other would never end. */
typedef struct meeting {
  atomic_int *there;
  int wanted;
  bool met;
} meeting;

static void meeting_run(void *argument, TF_Status *outcome) {
  meeting *self = argument;
  const double until = seconds() + 20;
  atomic_fetch_add(self->there, 1);
  while (atomic_load(self->there) < self->wanted && seconds() < until)
    nap();
  self->met = atomic_load(self->there) >= self->wanted;
  (void)outcome;
}

/* Behind short ones, whose thread takes the first of them. */
static bool meet(size_t most, double *took) {
  enum { ALL = 8, SHORT = 500 };
  atomic_int there = 0;
  errand brief = {0};
  meeting meetings[ALL];
  modfs_job *jobs[ALL], *shorts[SHORT];
  bool met = true;
  modfs_job_threads(most);
  const double begun = seconds();
  for (int i = 0; i < SHORT; i++)
    shorts[i] = start(&brief, (modfs_job_options){0});
  for (int i = 0; i < ALL; i++) {
    meetings[i] = (meeting){.there = &there, .wanted = ALL};
    jobs[i] = modfs_job_start(meeting_run, NULL, &meetings[i], NULL, status);
  }
  for (int i = 0; i < SHORT; i++)
    end_of(shorts[i]);
  for (int i = 0; i < ALL; i++)
    met = end_of(jobs[i]) == TF_OK && meetings[i].met && met;
  *took = seconds() - begun;
  return met;
}

static void check_meeting(void) {
  double took;
  size_t before = modfs_job_threads(0);
  int met = 0;
  while (met < 20 && meet(8, &took) && took < 5)
    met++;
  CHECK(met == 20, "%d of 20 times, jobs that wait for each other behind short ones run together",
        met);
  modfs_job_threads(before);
}

#ifdef __SANITIZE_THREAD__
static void check_fork(void) {
  check_note("skipped: forks, after which ThreadSanitizer has no threads");
}
#else
static int in_child(modfs_job *parents, modfs_strand *strand) {
  errand brief = {0};
  modfs_job_result(parents, status);
  bool failed = modfs_job_is_done(parents) && TF_GetCode(status) == TF_FAILED_PRECONDITION;
  modfs_job_close(parents);
  bool runs = failed && end_of(start(&brief, (modfs_job_options){.strand = strand})) == TF_OK;
  modfs_strand_close(strand);
  return runs ? 0 : 1;
}

static void check_fork(void) {
  atomic_bool gate = false;
  errand held = {.gate = &gate};
  modfs_strand *strand = modfs_strand_open(status);
  modfs_job *job = start(&held, (modfs_job_options){.strand = strand});
  pid_t child = fork();
  if (child == 0) {
    alarm(30);
    _exit(in_child(job, strand));
  }
  int outcome = -1;
  waitpid(child, &outcome, 0);
  CHECK(outcome == 0, "a child runs jobs of its own, and finds the parent's failed");
  atomic_store(&gate, true);
  CHECK(end_of(job) == TF_OK, "the parent's job goes on");
  modfs_strand_close(strand);
}
#endif

int main(void) {
  status = TF_NewStatus();
  modfs_start(status);
  check_cancelling();
  check_stuck();
  check_queued();
  check_strands();
  check_queue();
  check_descriptor();
  check_limit();
  check_kept();
  check_meeting();
  check_fork();
  TF_DeleteStatus(status);
  return check_end();
}
