/* Races of content: threads read, write and map files.
 *
 * one_file, one_region: all threads use one open handle on a constant pattern, so each knows every byte
 * that it must see. apart: each thread has its own names and letter, and finds nothing of another's.
 * by_rename, by_replace: one thread replaces a file by whole contents of one letter each; a reader must
 * see one letter alone and the full length.
 *
 * race->file and race->region are opened before the threads start and closed after they are joined.
 * Locks and owners: race.c. */
#include "race.h"

#include <stdlib.h>
#include <string.h>

enum { FILE_SIZE = 100000, CHUNK = 5000, WHOLE = 65536 };

static char byte_at(size_t offset) {
  return (char)('a' + offset * 7 % 26);
}

/* The letter that all bytes have; 0: they differ. */
static char letter_of(const char *bytes, int64_t n) {
  for (int64_t i = 1; i < n; i++)
    if (bytes[i] != bytes[0]) return 0;
  return bytes[0];
}

bool race_append(race_thread *self, const TF_WritableFile *file, const char *bytes, size_t n) {
  const TF_WritableFileOps *ops = &self->race->plugin->writable;
  ops->append(file, bytes, n, race_status(self));
  return race_expect(self, "append", CODE(TF_OK));
}

/* Calls cleanup after close, also when close failed. */
bool race_end_writing(race_thread *self, TF_WritableFile *file) {
  const TF_WritableFileOps *ops = &self->race->plugin->writable;
  if (ops->close) ops->close(file, race_status(self));
  bool closed = race_expect(self, "close", CODE(TF_OK));
  ops->cleanup(file);
  return closed;
}

bool race_write_open(race_thread *self, TF_WritableFile *file, const char *bytes, size_t n) {
  bool written = race_append(self, file, bytes, n);
  return race_end_writing(self, file) && written;
}

bool race_write_bytes(race_thread *self, const char *path, const char *bytes, size_t n) {
  const runner_plugin *p = self->race->plugin;
  TF_WritableFile file = {NULL};
  p->ops.new_writable_file(&p->fs, path, &file, race_status(self));
  return race_expect(self, "new_writable_file", CODE(TF_OK)) &&
         race_write_open(self, &file, bytes, n);
}

bool race_write(race_thread *self, const char *path, char letter, size_t n) {
  char *bytes = malloc(n);
  memset(bytes, letter, n);
  bool written = race_write_bytes(self, path, bytes, n);
  free(bytes);
  return written;
}

int64_t race_read(race_thread *self, const char *path, char *bytes, size_t n) {
  const runner_plugin *p = self->race->plugin;
  TF_RandomAccessFile file = {NULL};
  p->ops.new_random_access_file(&p->fs, path, &file, race_status(self));
  if (race_code(self) != TF_OK) return -1;
  int64_t got = p->file.read(&file, 0, n, bytes, race_status(self));
  p->file.cleanup(&file);
  return got;
}

/* One file, one region ---------------------------------------------------------------- */

static bool make_pattern(runner_race *race, char path[RACE_PATH]) {
  race_thread alone = race_alone(race);
  char *bytes = malloc(FILE_SIZE);
  for (size_t i = 0; i < FILE_SIZE; i++)
    bytes[i] = byte_at(i);
  race_path(race, path, "pattern", 0);
  bool made = race_write_bytes(&alone, path, bytes, FILE_SIZE);
  free(bytes);
  TF_DeleteStatus(alone.status);
  return made;
}

static bool is_pattern(const char *bytes, size_t offset, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (bytes[i] != byte_at(offset + i)) return false;
  return true;
}

static void read_somewhere(race_thread *self) {
  char bytes[CHUNK];
  runner_race *race = self->race;
  size_t offset = race_random(self, FILE_SIZE), n = race_random(self, CHUNK) + 1;
  size_t left = FILE_SIZE - offset < n ? FILE_SIZE - offset : n;
  int64_t got = race->plugin->file.read(&race->file, offset, n, bytes, race_status(self));
  if (!race_expect(self, "read", left == n ? CODE(TF_OK) : CODE(TF_OUT_OF_RANGE))) return;
  if (race_check(self, got == (int64_t)left, "read gives another count on many threads"))
    race_check(self, is_pattern(bytes, offset, left), "read gives other bytes on many threads");
}

static void one_file(runner_race *race) {
  char path[RACE_PATH];
  const runner_plugin *p = race->plugin;
  race_thread alone = race_alone(race);
  if (!make_pattern(race, path)) return;
  p->ops.new_random_access_file(&p->fs, path, &race->file, race_status(&alone));
  if (race_expect(&alone, "new_random_access_file", CODE(TF_OK))) {
    race_run_all(race, read_somewhere);
    p->file.cleanup(&race->file);
  }
  TF_DeleteStatus(alone.status);
}

static void look_at_region(race_thread *self) {
  runner_race *race = self->race;
  const TF_ReadOnlyMemoryRegionOps *ops = &race->plugin->region;
  const char *data = ops->data(&race->region);
  uint64_t length = ops->length(&race->region);
  size_t offset = race_random(self, FILE_SIZE - CHUNK);
  race_note(self, "length");
  if (race_check(self, data && length == FILE_SIZE, "a region answers otherwise on many threads"))
    race_check(self, is_pattern(data + offset, offset, CHUNK),
               "a region holds other bytes on many threads");
}

static void one_region(runner_race *race) {
  char path[RACE_PATH];
  const runner_plugin *p = race->plugin;
  race_thread alone = race_alone(race);
  if (race_has(race, p->ops.new_read_only_memory_region_from_file,
               "new_read_only_memory_region_from_file") &&
      make_pattern(race, path)) {
    p->ops.new_read_only_memory_region_from_file(&p->fs, path, &race->region, race_status(&alone));
    if (race_expect(&alone, "new_read_only_memory_region_from_file", CODE(TF_OK))) {
      race_run_all(race, look_at_region);
      p->region.cleanup(&race->region);
    }
  }
  TF_DeleteStatus(alone.status);
}

/* Separate names ------------------------------------------------------------------------ */

static void work_apart(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char path[RACE_PATH], other[RACE_PATH], bytes[256];
  char letter = (char)('a' + self->number);
  race_path(self->race, path, "own", self->number);
  race_path(self->race, other, "moved", self->number);
  if (!race_write(self, path, letter, 200)) return;
  p->ops.rename_file(&p->fs, path, other, race_status(self));
  if (!race_expect(self, "rename_file", CODE(TF_OK))) return;
  int64_t got = race_read(self, other, bytes, sizeof bytes);
  if (!race_expect(self, "read", CODE(TF_OUT_OF_RANGE))) return;
  race_check(self, got == 200 && letter_of(bytes, got) == letter,
             "a file of one thread holds what another wrote");
  p->ops.path_exists(&p->fs, path, race_status(self));
  race_expect(self, "path_exists", CODE(TF_NOT_FOUND));
  p->ops.delete_file(&p->fs, other, race_status(self));
  race_expect(self, "delete_file", CODE(TF_OK));
}

static void apart(runner_race *race) {
  if (race_has(race, race->plugin->ops.rename_file, "rename_file")) race_run_all(race, work_apart);
}

/* Replacing ------------------------------------------------------------------------------ */

static void rename_over(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char fresh[RACE_PATH], path[RACE_PATH];
  race_path(self->race, path, "replaced", 0);
  race_path(self->race, fresh, "fresh", self->number);
  if (!race_write(self, fresh, (char)('a' + self->rounds % 26), WHOLE)) return;
  p->ops.rename_file(&p->fs, fresh, path, race_status(self));
  race_expect(self, "replacing", CODE(TF_OK));
}

static void replace_over(race_thread *self) {
  const runner_plugin *p = self->race->plugin;
  char path[RACE_PATH];
  char *bytes = malloc(WHOLE);
  TF_WritableFile file = {NULL};
  memset(bytes, 'a' + (int)(self->rounds % 26), WHOLE);
  race_path(self->race, path, "replaced", 0);
  p->extension.open_writer(&p->fs, NULL, path, MODFS_OPEN_ATOMIC, &file, race_status(self));
  if (race_expect(self, "open_writer", CODE(TF_OK))) race_write_open(self, &file, bytes, WHOLE);
  free(bytes);
}

static void read_replaced(race_thread *self) {
  char path[RACE_PATH];
  char *bytes = malloc(WHOLE + 1);
  race_path(self->race, path, "replaced", 0);
  int64_t got = race_read(self, path, bytes, WHOLE + 1);
  if (race_expect(self, "reading a file that is being replaced", CODE(TF_OUT_OF_RANGE)))
    race_check(self, got == WHOLE && letter_of(bytes, got) != 0,
               "a reader sees a mix, or part, of the old and the new content");
  free(bytes);
}

static void replacing(runner_race *race, void (*round)(race_thread *self)) {
  char path[RACE_PATH];
  race_thread alone = race_alone(race);
  void (*const rounds[RACE_THREADS])(race_thread *) = {round, read_replaced, read_replaced,
                                                       read_replaced};
  race_path(race, path, "replaced", 0);
  if (race_write(&alone, path, 'z', WHOLE)) race_run(race, rounds);
  TF_DeleteStatus(alone.status);
}

static void by_rename(runner_race *race) {
  if (race_has(race, race->plugin->ops.rename_file, "rename_file")) replacing(race, rename_over);
}

static void by_replace(runner_race *race) {
  if (race_has(race, race->plugin->extension.open_writer, "open_writer"))
    replacing(race, replace_over);
}

const race_scenario race_file_scenarios[] = {{"one_file", one_file},     {"one_region", one_region},
                                             {"apart", apart},           {"by_rename", by_rename},
                                             {"by_replace", by_replace}, {NULL, NULL}};
