/* Threads that call one plugin at once, each checking its results. */
#ifndef MODFS_RUNNER_RACE_H
#define MODFS_RUNNER_RACE_H

#include <pthread.h>
#include <stdatomic.h>

#include "plugin.h"

enum { RACE_THREADS = 4, RACE_CALLED = 32 };

/* Names of slots, each once; those that do not fit are left out. */
typedef struct race_called {
  const char *names[RACE_CALLED];
  size_t count;
} race_called;

typedef struct runner_race {
  const runner_plugin *plugin;
  const char *root;    /* a directory in the plugin's own form, or an existing file or directory */
  const char *content; /* of that file, as far as it was read before the race */
  size_t length;
  int entries; /* of that directory; sum: over their names */
  unsigned long sum;
  double seconds;
  TF_RandomAccessFile file;
  TF_ReadOnlyMemoryRegion region;
  modfs_directory directory;
  pthread_barrier_t barrier;
  atomic_bool over;
  atomic_long checks, won;
  const char *missing; /* an operation that the scenario needs and the plugin lacks */
  pthread_mutex_t lock;
  bool started; /* all threads could be created */
  char failure[320];
  race_called called; /* what the threads have called with success; complete after race_run */
} runner_race;

typedef struct race_thread {
  runner_race *race;
  void (*round)(struct race_thread *self);
  TF_Status *status;
  int number;
  unsigned seed;
  atomic_long rounds;
  race_called called;
} race_thread;

/* Repeats each thread's round until the time is up or a check fails. */
void race_run(runner_race *race, void (*const rounds[RACE_THREADS])(race_thread *self));
/* The same round on all threads. */
void race_run_all(runner_race *race, void (*round)(race_thread *self));

/* Ends the race with a failure; only the first one is kept. */
void race_fail(runner_race *race, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Whether the plugin has an operation that the scenario needs, to ask before it runs; if not, `missing` says so. */
bool race_has(runner_race *race, bool has, const char *operation);
/* Ends the race because the plugin lacks an operation. */
void race_miss(runner_race *race, const char *operation);
/* Counts a check; if the condition does not hold, ends the race with that message. */
bool race_check(race_thread *self, bool holds, const char *words);

/* Bits of the codes that a call may return. */
#define CODE(code) (1u << (code))
/* The status for the next call of this thread. */
TF_Status *race_status(race_thread *self);
/* Whether the last call returned one of the codes; if not, ends the race. The operation is a string of
 * the program, as for race_note. */
bool race_expect(race_thread *self, const char *operation, unsigned codes);
/* Notes that this thread has called a slot; race_expect does so where a slot has a status. */
void race_note(race_thread *self, const char *slot);
TF_Code race_code(const race_thread *self);

unsigned race_random(race_thread *self, unsigned below);
enum { RACE_PATH = 4096 };
/* Formats root, a slash, name and number. */
void race_path(const runner_race *race, char path[RACE_PATH], const char *name, long number);

/* The three steps of writing; each is false when a call failed. race_end_writing closes the file and
 * cleans it up, race_write_open does so after appending, and race_write_bytes opens it, too. */
bool race_append(race_thread *self, const TF_WritableFile *file, const char *bytes, size_t n);
bool race_end_writing(race_thread *self, TF_WritableFile *file);
bool race_write_open(race_thread *self, TF_WritableFile *file, const char *bytes, size_t n);
bool race_write_bytes(race_thread *self, const char *path, const char *bytes, size_t n);
/* Writes a file of n equal letters; false when a call failed. */
bool race_write(race_thread *self, const char *path, char letter, size_t n);
/* Reads a file, at most n bytes; -1 when it cannot be opened or read (see race_code). */
int64_t race_read(race_thread *self, const char *path, char *bytes, size_t n);
/* A race_thread for the calling thread, to prepare and finish a race. Owns: the caller its status. */
race_thread race_alone(runner_race *race);

/* Runs the scenario of that name; false: there is none. */
bool runner_race_run(runner_race *race, const char *name);

typedef struct race_scenario {
  const char *name;
  void (*run)(runner_race *race);
} race_scenario;
extern const race_scenario race_file_scenarios[], race_name_scenarios[], race_list_scenarios[],
    race_commit_scenarios[], race_existing_scenarios[], race_question_scenarios[],
    race_entry_scenarios[], race_setting_scenarios[];

#endif
