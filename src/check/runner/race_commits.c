/* Races with transactions.
 *
 * commits: one thread writes the same version number into two files, in one transaction each time; the
 * others read both files, in either order. A commit is visible at once, so the file that is read second
 * never has the older version, and no reader sees a part of a file.
 *
 * transactions: each thread has transactions of its own on a path of its own. Starting one may fail with
 * FAILED_PRECONDITION, for plugins that support one at a time; a commit must show what was written.
 *
 * Only the committing thread changes the pair; its round number is the version. Locks and owners: race.c. */
#include "race.h"

#include <stdio.h>
#include <stdlib.h>

enum { VERSION = 12 };

static bool write_version(race_thread *self, const char *path, long version) {
  char bytes[24]; /* room for any long */
  snprintf(bytes, sizeof bytes, "%012ld", version);
  return race_write_bytes(self, path, bytes, VERSION);
}

static long read_version(race_thread *self, const char *path) {
  char bytes[VERSION + 2] = "";
  int64_t got = race_read(self, path, bytes, VERSION + 1);
  if (!race_expect(self, "reading", CODE(TF_OUT_OF_RANGE))) return -1;
  if (!race_check(self, got == VERSION, "a reader sees part of a file before the commit"))
    return -1;
  return strtol(bytes, NULL, 10);
}

/* Writes one version into both files of the directory. */
static bool put_version(race_thread *self, long version) {
  char one[RACE_PATH], two[RACE_PATH];
  race_path(self->race, one, "pair/f", 1);
  race_path(self->race, two, "pair/f", 2);
  return write_version(self, one, version) && write_version(self, two, version);
}

static void commit(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char directory[RACE_PATH];
  TF_TransactionToken *token = NULL;
  snprintf(directory, sizeof directory, "%s/pair", self->race->root);
  p->ops.start_transaction(&p->fs, &token, race_status(self));
  if (!race_expect(self, "start_transaction", CODE(TF_OK))) return;
  p->ops.add_to_transaction(&p->fs, directory, token, race_status(self));
  race_expect(self, "add_to_transaction", CODE(TF_OK));
  put_version(self, self->rounds + 1);
  p->ops.end_transaction(&p->fs, token, race_status(self));
  race_expect(self, "end_transaction", CODE(TF_OK));
}

/* The file read second is never older: both become visible at once. */
static void look(race_thread *self) {
  char first[RACE_PATH], second[RACE_PATH];
  long swap = (long)race_random(self, 2);
  race_path(self->race, first, "pair/f", 1 + swap);
  race_path(self->race, second, "pair/f", 2 - swap);
  long before = read_version(self, first);
  if (before < 0) return;
  long after = read_version(self, second);
  if (after >= 0)
    race_check(self, after >= before, "one file of a commit is visible before the other");
}

static void commits(runner_race *race) {
  char directory[RACE_PATH];
  const runner_plugin *p = race->plugin;
  race_thread alone = race_alone(race);
  void (*const rounds[RACE_THREADS])(race_thread *) = {commit, look, look, look};
  snprintf(directory, sizeof directory, "%s/pair", race->root);
  if (!p->ops.start_transaction || !p->ops.add_to_transaction || !p->ops.end_transaction) {
    race->missing = "start_transaction";
  } else {
    if (p->ops.create_dir) p->ops.create_dir(&p->fs, directory, race_status(&alone));
    if (put_version(&alone, 0)) race_run(race, rounds);
  }
  TF_DeleteStatus(alone.status);
}

/* One transaction for each thread --------------------------------------------------------- */

/* Both slots that look for a path's transaction find this thread's; its token has a description. */
static void find_own(race_thread *self, const char *path, TF_TransactionToken *token) {
  const runner_plugin *p = self->race->plugin;
  TF_TransactionToken *found = NULL, *again = NULL;
  if (p->ops.get_transaction_for_path) {
    p->ops.get_transaction_for_path(&p->fs, path, &found, race_status(self));
    if (race_expect(self, "get_transaction_for_path", CODE(TF_OK)))
      race_check(self, found == token, "get_transaction_for_path finds another transaction");
  }
  if (p->ops.get_or_start_transaction_for_path) {
    p->ops.get_or_start_transaction_for_path(&p->fs, path, &again, race_status(self));
    if (race_expect(self, "get_or_start_transaction_for_path", CODE(TF_OK)))
      race_check(self, again == token,
                 "get_or_start_transaction_for_path finds another transaction");
  }
  if (p->ops.decode_transaction_token) {
    char *text = p->ops.decode_transaction_token(&p->fs, token);
    race_note(self, "decode_transaction_token");
    race_check(self, text != NULL, "a token has no description");
    p->info.plugin_memory_free(text);
  }
}

static void own_transaction(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char path[RACE_PATH];
  TF_TransactionToken *token = NULL;
  race_path(self->race, path, "own", self->number);
  p->ops.start_transaction(&p->fs, &token, race_status(self));
  if (!race_expect(self, "start_transaction", CODE(TF_OK) | CODE(TF_FAILED_PRECONDITION))) return;
  if (race_code(self) != TF_OK) return;
  p->ops.add_to_transaction(&p->fs, path, token, race_status(self));
  race_expect(self, "add_to_transaction", CODE(TF_OK));
  find_own(self, path, token);
  write_version(self, path, self->rounds);
  p->ops.end_transaction(&p->fs, token, race_status(self));
  race_expect(self, "end_transaction", CODE(TF_OK));
  race_check(self, read_version(self, path) == self->rounds, "a commit did not show what it holds");
}

static void transactions(runner_race *race) {
  const TF_FilesystemOps *ops = &race->plugin->ops;
  if (!ops->start_transaction || !ops->add_to_transaction || !ops->end_transaction)
    race->missing = "start_transaction";
  else
    race_run_all(race, own_transaction);
}

const race_scenario race_commit_scenarios[] = {
    {"commits", commits}, {"transactions", transactions}, {NULL, NULL}};
