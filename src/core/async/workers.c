/* The engine: the queue of jobs, and the threads that run them.
 *
 * A job is held back by its strand, queued, running, or done, in this order; one that ends before
 * its turn skips what is left. It is in the list of what is not done until it is, in the queue or its
 * strand's list until it runs, and in the list of deadlines until it is done, if it has one.
 *
 * One lock guards all lists, the states, the counts and the strands. It is never held while a job
 * runs, nor while a callback arrives, whose queue has a lock of its own. "finished" is signalled to
 * those who wait for any job, "work" to idle threads, and "time" to the timekeeper, a thread of its own
 * that exists while there are deadlines.
 *
 * A job is kept by its host's reference and by the engine's, which goes on to the callback queue, or
 * is dropped, when the job is done. Whoever drops the last one releases the argument.
 *
 * A thread whose job asks its host (question.c) sleeps on "answered", and does not count meanwhile, so
 * that others run what the answer may depend on: when it goes on there may be a thread too many, which
 * ends with its job.
 *
 * Threads are started when jobs wait and none is idle, up to a limit, and end when they were idle for
 * IDLE nanoseconds. They block all signals. None is ever joined: they are detached, and a job's end
 * is what others wait for.
 *
 * When the process exits with jobs under way, a handler ends them and waits for those that run, LAST
 * nanoseconds at most, before libraries that they use clean up after themselves. Handlers run in the
 * opposite order, and a library has its own since it was first used: so ours is installed again when
 * plugins were loaded meanwhile.
 *
 * In a forked child the first call makes the engine new: lock, conditions and lists are initialized,
 * and the parent's jobs, known by their epoch, are left as they are. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/status.h"
#include "core/registry/registry.h"
#include "job.h"

#define SECOND INT64_C(1000000000)
#define IDLE (2 * SECOND)
#define LAST (SECOND / 4)
#define LOOKING (SECOND / 20000) /* 50 microseconds */
#define MOST_KEPT (UINT64_C(256) << 20)

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work, finished, time, answered;
  job_list queue, unfinished, deadlines;
  size_t queued, limit;
  size_t threads, most_threads;
  size_t idle, woken; /* threads that sleep; those of them that a signal is on its way to */
  size_t looking;     /* threads that have no job, and do not sleep yet */
  size_t asking;      /* threads that wait for an answer */
  size_t waiters, running;
  atomic_uint_fast64_t kept; /* bytes of results that nobody has taken */
  bool has_timekeeper;
  bool exits;                 /* no job begins any more */
  const modfs_plugin *newest; /* of those loaded when the exit handler was last installed */
  unsigned epoch;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER,
            .work = PTHREAD_COND_INITIALIZER,
            .finished = PTHREAD_COND_INITIALIZER,
            .time = PTHREAD_COND_INITIALIZER,
            .answered = PTHREAD_COND_INITIALIZER,
            .limit = 65536,
            .most_threads = 8};

int64_t job_clock(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * SECOND + now.tv_nsec;
}

/* Lists --------------------------------------------------------------------------- */

static void list_insert(job_list *list, int which, modfs_job *before, modfs_job *job) {
  modfs_job *after = before ? before->links[which].after : list->first;
  job->links[which] = (job_link){before, after};
  *(before ? &before->links[which].after : &list->first) = job;
  *(after ? &after->links[which].before : &list->last) = job;
}

static void list_remove(job_list *list, int which, modfs_job *job) {
  job_link *link = &job->links[which];
  *(link->before ? &link->before->links[which].after : &list->first) = link->after;
  *(link->after ? &link->after->links[which].before : &list->last) = link->before;
  *link = (job_link){NULL, NULL};
}

/* The lock ------------------------------------------------------------------------ */

static void leave_parent(void) {
  if (engine.epoch == registry_epoch()) return;
  pthread_mutex_init(&engine.lock, NULL);
  pthread_cond_init(&engine.work, NULL);
  pthread_cond_init(&engine.finished, NULL);
  pthread_cond_init(&engine.time, NULL);
  pthread_cond_init(&engine.answered, NULL);
  engine.queue = engine.unfinished = engine.deadlines = (job_list){NULL, NULL};
  engine.queued = engine.threads = engine.waiters = engine.running = 0;
  engine.kept = 0;
  engine.idle = engine.woken = engine.looking = engine.asking = 0;
  engine.has_timekeeper = false;
  engine.epoch = registry_epoch();
}

void workers_lock(void) {
  leave_parent();
  pthread_mutex_lock(&engine.lock);
}

void workers_unlock(void) {
  pthread_mutex_unlock(&engine.lock);
}

static bool wait_until(pthread_cond_t *condition, int64_t until) {
  if (until == INT64_MAX) return pthread_cond_wait(condition, &engine.lock) == 0;
  struct timespec then = {.tv_sec = until / SECOND, .tv_nsec = until % SECOND};
  return pthread_cond_clockwait(condition, &engine.lock, CLOCK_MONOTONIC, &then) != ETIMEDOUT;
}

modfs_job *workers_unfinished(void) {
  return engine.unfinished.first;
}

/* Threads ------------------------------------------------------------------------- */

static bool start_thread(void *(*body)(void *)) {
  pthread_attr_t detached;
  pthread_t thread;
  sigset_t all, before;
  sigfillset(&all);
  if (pthread_attr_init(&detached) != 0) return false;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  bool started = pthread_create(&thread, &detached, body, NULL) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&detached);
  return started;
}

static void *work(void *nothing);
static void *keep_time(void *nothing);

/* Whether a job waits that may begin. With too much that was not taken, none may, unless the host
 * waits for one, and so takes nothing: then one at a time. */
static bool has_work(void) {
  bool full = engine.kept > MOST_KEPT && (engine.waiters == 0 || engine.running > engine.asking);
  return engine.queue.first && !full && !engine.exits;
}

/* Makes sure that somebody takes what is queued; false when there is nobody. One thread at a time is
 * called, which calls the next when it leaves jobs behind: short ones need only a few. */
static bool call_worker(void) {
  if (engine.looking > 0 || engine.woken > 0) return true;
  if (engine.idle > 0) {
    engine.woken++;
    pthread_cond_signal(&engine.work);
  } else if (engine.threads < engine.most_threads + engine.asking && start_thread(work)) {
    engine.threads++;
  }
  return engine.threads > engine.asking;
}

bool workers_wait(int64_t until) {
  if (engine.waiters++ == 0 && engine.kept > MOST_KEPT) call_worker();
  bool in_time = wait_until(&engine.finished, until);
  engine.waiters--;
  return in_time;
}

/* States -------------------------------------------------------------------------- */

static void enqueue(modfs_job *job) {
  job->state = JOB_QUEUED;
  list_insert(&engine.queue, JOB_LINE, engine.queue.last, job);
  engine.queued++;
}

/* Whether nothing keeps the first of a strand's ordered jobs that have not begun from its turn. */
static bool has_turn(const modfs_strand *strand, const modfs_job *first) {
  return !strand->busy && (!first->exclusive || strand->all == strand->ordered);
}

static void strand_advance(modfs_strand *strand) {
  modfs_job *next = strand->held_back.first;
  if (!next || !has_turn(strand, next)) return;
  strand->busy = true;
  list_remove(&strand->held_back, JOB_LINE, next);
  enqueue(next);
  call_worker();
}

/* Takes a job that does not run out of its line. */
static void leave_line(modfs_job *job) {
  bool queued = job->state == JOB_QUEUED;
  list_remove(queued ? &engine.queue : &job->strand->held_back, JOB_LINE, job);
  if (queued) engine.queued--;
}

/* Takes a job whose status is final out of all lists. Afterwards it is to be announced, without the
 * lock. */
static void settle(modfs_job *job) {
  modfs_strand *strand = job->strand;
  bool had_turn = job->state != JOB_HELD_BACK && !job->shared;
  if (job->state == JOB_HELD_BACK || job->state == JOB_QUEUED) leave_line(job);
  list_remove(&engine.unfinished, JOB_UNFINISHED, job);
  if (job->deadline) list_remove(&engine.deadlines, JOB_DEADLINE, job);
  if (strand) {
    strand->all--;
    strand->ordered -= !job->shared;
    if (had_turn) strand->busy = false;
    strand_advance(strand);
  }
  if (job->arrival.queue) engine.kept += job->context.kept;
  job->state = JOB_DONE;
  if (engine.waiters > 0) pthread_cond_broadcast(&engine.finished);
}

static void announce(modfs_job *job) {
  if (job->arrival.queue)
    callback_arrive(&job->arrival);
  else
    job_drop(job);
}

/* The lock is released meanwhile. */
static void finish(modfs_job *job) {
  settle(job);
  workers_unlock();
  announce(job);
  workers_lock();
}

/* Whoever found too much kept sleeps, or has yet to look under the lock. */
void workers_taken(modfs_job *job) {
  uint64_t kept = job->context.kept;
  if (kept == 0 || job->epoch != registry_epoch()) return;
  if (atomic_fetch_sub(&engine.kept, kept) <= MOST_KEPT) return;
  workers_lock();
  call_worker();
  workers_unlock();
}

static void set_end(modfs_job *job, TF_Code code) {
  if (code == TF_DEADLINE_EXCEEDED)
    modfs_set_status(job->status, code, "not done within %g seconds", job->timeout);
  else
    TF_SetStatus(job->status, code, "cancelled");
  if (job->operation) status_locate(job->status, job->operation, job->path);
}

void workers_end(modfs_job *job, TF_Code code) {
  int none = 0;
  if (job->state == JOB_DONE || !atomic_compare_exchange_strong(&job->context.ends, &none, code))
    return;
  job->ended = job_clock();
  if (job->asking != JOB_SILENT) workers_answered();
  if (job->state == JOB_RUNNING) return;
  set_end(job, code);
  finish(job);
}

/* Working ------------------------------------------------------------------------- */

static void run(modfs_job *job) {
  job_context_enter(&job->context);
  job->run(job->argument, job->status);
  job_context_enter(NULL);
  TF_Code ends = (TF_Code)atomic_load(&job->context.ends);
  if (ends != TF_OK && (job->reads || TF_GetCode(job->status) == TF_CANCELLED)) set_end(job, ends);
}

static bool is_wanted(void) {
  return engine.threads <= engine.most_threads + engine.asking;
}

/* Lets other threads run instead of sleeping, as waking up costs more than most jobs: whoever starts
 * jobs goes on, and has started many before this thread runs again, or starts them on another
 * processor. One thread looks at a time. The lock is released meanwhile. */
static void yield_to_others(void) {
  if (engine.looking > 0) return;
  const int64_t until = job_clock() + LOOKING;
  engine.looking++;
  while (!has_work() && is_wanted() && job_clock() < until) {
    workers_unlock();
    sched_yield();
    workers_lock();
  }
  engine.looking--;
}

/* Waits for a job; false when none came for long, or the thread is one too many. */
static bool await_work(void) {
  yield_to_others();
  int64_t until = job_clock() + IDLE;
  bool in_time = true;
  engine.idle++;
  while (in_time && !has_work() && is_wanted()) {
    in_time = wait_until(&engine.work, until);
    if (engine.woken > 0) engine.woken--;
  }
  engine.idle--;
  return has_work() && is_wanted();
}

/* The next job that may begin, which runs from now on; NULL: there is none, or the thread is one too
 * many. */
static modfs_job *take_job(void) {
  if (!has_work() || !is_wanted()) return NULL;
  modfs_job *job = engine.queue.first;
  leave_line(job);
  job->state = JOB_RUNNING;
  engine.running++;
  if (has_work()) call_worker();
  return job;
}

/* Runs a job and those that wait. Between two of them it takes the lock once: a job is announced when
 * the next one is taken. The lock is released meanwhile. */
static void run_all(modfs_job *job) {
  workers_unlock();
  for (modfs_job *next; job; job = next) {
    run(job);
    workers_lock();
    engine.running--;
    settle(job);
    next = take_job();
    workers_unlock();
    announce(job);
  }
  workers_lock();
}

static void *work(void *nothing) {
  workers_lock();
  while (is_wanted() && (has_work() || await_work()))
    run_all(take_job());
  engine.threads--;
  workers_unlock();
  return nothing;
}

void workers_await_answer(modfs_job *job) {
  engine.asking++;
  if (has_work()) call_worker();
  if (engine.waiters > 0) pthread_cond_broadcast(&engine.finished); /* one may be to answer */
  while (job->asking < JOB_ANSWERED && !job->context.ends)
    wait_until(&engine.answered, INT64_MAX);
  engine.asking--;
}

void workers_answered(void) {
  pthread_cond_broadcast(&engine.answered);
}

/* Time ---------------------------------------------------------------------------- */

static void *keep_time(void *nothing) {
  workers_lock();
  while (engine.deadlines.first) {
    modfs_job *job = engine.deadlines.first;
    if (job_clock() < job->deadline) {
      wait_until(&engine.time, job->deadline);
      continue;
    }
    list_remove(&engine.deadlines, JOB_DEADLINE, job);
    job->deadline = 0;
    workers_end(job, TF_DEADLINE_EXCEEDED);
  }
  engine.has_timekeeper = false;
  workers_unlock();
  return nothing;
}

/* Most jobs have the same timeout, so a new deadline is mostly the last. */
static bool add_deadline(modfs_job *job) {
  modfs_job *before = engine.deadlines.last;
  if (!job->deadline) return true;
  if (!engine.has_timekeeper) engine.has_timekeeper = start_thread(keep_time);
  if (!engine.has_timekeeper) return false;
  while (before && before->deadline > job->deadline)
    before = before->links[JOB_DEADLINE].before;
  list_insert(&engine.deadlines, JOB_DEADLINE, before, job);
  if (!before) pthread_cond_signal(&engine.time);
  return true;
}

/* Exit ---------------------------------------------------------------------------- */

/* The next job that was not told to end. */
static modfs_job *next_to_end(void) {
  modfs_job *job = engine.unfinished.first;
  while (job && job->context.ends)
    job = job->links[JOB_UNFINISHED].after;
  return job;
}

/* A job that exits itself is not waited for, nor is a lock that the exiting thread may hold. */
static void end_at_exit(void) {
  int64_t until = job_clock() + LAST;
  size_t own = job_context_here() ? 1 : 0;
  if (engine.epoch != registry_epoch()) return;
  while (pthread_mutex_trylock(&engine.lock) != 0)
    if (job_clock() >= until || sched_yield() != 0) return;
  engine.exits = true;
  for (modfs_job *job; (job = next_to_end());)
    workers_end(job, TF_CANCELLED);
  bool in_time = true;
  while (engine.running > own && in_time)
    in_time = workers_wait(until);
  pthread_mutex_unlock(&engine.lock);
}

/* Failing is no reason to run no jobs. */
static void expect_exit(void) {
  const modfs_plugin *newest = engine.newest;
  for (const modfs_plugin *next; (next = modfs_plugin_next(newest));)
    newest = next;
  if (newest != engine.newest && atexit(end_at_exit) == 0) engine.newest = newest;
}

/* Adding -------------------------------------------------------------------------- */

static void take_place(modfs_job *job) {
  modfs_strand *strand = job->strand;
  if (strand && strand->epoch != engine.epoch) /* none of the parent's jobs is in its way */
    *strand = (modfs_strand){.epoch = engine.epoch};
  list_insert(&engine.unfinished, JOB_UNFINISHED, engine.unfinished.last, job);
  if (strand) {
    strand->all++;
    strand->ordered += !job->shared;
  }
  if (!strand || job->shared) {
    enqueue(job);
  } else {
    list_insert(&strand->held_back, JOB_LINE, strand->held_back.last, job);
    strand_advance(strand);
  }
}

bool workers_add(modfs_job *job, TF_Status *status) {
  workers_lock();
  bool full = engine.queued >= engine.limit;
  expect_exit();
  bool added = !full && call_worker() && add_deadline(job);
  if (added) take_place(job);
  size_t limit = engine.limit;
  workers_unlock();
  if (full)
    modfs_set_status(status, TF_RESOURCE_EXHAUSTED,
                     "%zu jobs wait already; await some of them first", limit);
  else if (!added)
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "cannot start a thread for a job");
  return added;
}

size_t modfs_job_threads(size_t most) {
  workers_lock();
  if (most > 0) engine.most_threads = most;
  size_t in_force = engine.most_threads;
  if (most > 0) pthread_cond_broadcast(&engine.work);
  workers_unlock();
  return in_force;
}

size_t modfs_job_limit(size_t most) {
  workers_lock();
  if (most > 0) engine.limit = most;
  size_t in_force = engine.limit;
  workers_unlock();
  return in_force;
}
