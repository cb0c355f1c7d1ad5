/* What objects with threads tell of themselves while those work, made for ThreadSanitizer: trees
 * between their steps, records that are read ahead, devices and the parts that their plugin's threads
 * work on. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <modfs/device.h>

#include "check.h"

enum { FOLDERS = 6, FILES = 40, ALL = FOLDERS * FILES, ASKS = 20, WORKERS = 8, THREADS = 3 };

static char beside[4200];
static const char *const source = "mem://getters/from";
static const char *const target = "mem://getters/to";
static TF_Status *status;

static void write_file(const char *path, size_t n) {
  static char text[5000];
  memset(text, 'x', sizeof text);
  modfs_writable *file = modfs_writable_open(modfs_fs_of(path), path, MODFS_WRITE_REPLACE, status);
  if (!file) abort();
  for (; n > 0; n -= n < sizeof text ? n : sizeof text)
    modfs_writable_append(file, text, n < sizeof text ? n : sizeof text, status);
  modfs_writable_close(file, status);
}

/* Trees -------------------------------------------------------------------------- */

/* Every other file of the target is a directory, where a file cannot be written. */
static void plant(void) {
  char path[256];
  for (int i = 0; i < ALL; i++) {
    snprintf(path, sizeof path, "%s/%d", source, i % FOLDERS);
    modfs_fs_recursively_create_dir(modfs_fs_of(path), path, status);
    snprintf(path, sizeof path, "%s/%d/%d", source, i % FOLDERS, i);
    write_file(path, 100);
    snprintf(path, sizeof path, "%s/%d/%d", target, i % FOLDERS, i);
    if (i % 2 == 0) modfs_fs_recursively_create_dir(modfs_fs_of(path), path, status);
  }
}

/* Counts never shrink, and a failure stays what it was. */
static bool ask_tree(modfs_tree *tree, modfs_tree_counts *last, size_t *failures) {
  modfs_tree_counts counts = modfs_tree_result(tree);
  modfs_tree_error error;
  size_t n = 0;
  bool good = counts.files >= last->files && counts.bytes >= last->bytes;
  for (; modfs_tree_error_at(tree, n, &error); n++)
    good = good && error.code != TF_OK && strlen(error.path) > 0 && strlen(error.message) > 0;
  good = good && n >= *failures && !modfs_tree_was_cancelled(tree);
  *last = counts;
  *failures = n;
  return good;
}

static void test_tree(const char *name, modfs_tree *tree, size_t failures_expected) {
  modfs_tree_counts counts = {0};
  modfs_tree_event event;
  size_t failures = 0, wrong = 0;
  if (!CHECK(tree != NULL, "%s begins: %s", name, TF_Message(status))) return;
  while (modfs_tree_step(tree, &event, status))
    for (int i = 0; i < ASKS; i++)
      wrong += !ask_tree(tree, &counts, &failures);
  wrong += !ask_tree(tree, &counts, &failures);
  CHECK_INT(wrong, 0, "%s: its counts and failures can be asked for at any time", name);
  CHECK(failures >= failures_expected, "%s: it had %zu failures", name, failures);
  CHECK(counts.files + counts.kept + counts.deleted > 0, "%s: it has done something", name);
  modfs_tree_close(tree);
}

static void test_trees(void) {
  const modfs_tree_options options = {.threads = WORKERS, .progress = true};
  const modfs_tree_options deleting = {.threads = WORKERS, .progress = true, .deletes = true};
  const modfs_fs *fs = modfs_fs_of(source);
  plant();
  test_tree("measure", modfs_tree_measure(fs, source, &options, status), 0);
  test_tree("copy", modfs_tree_copy(fs, source, fs, target, &options, status), ALL / 2);
  test_tree("sync", modfs_tree_sync(fs, source, fs, target, &deleting, status), 0);
  test_tree("delete", modfs_tree_delete(fs, source, &options, status), 0);
  test_tree("delete", modfs_tree_delete(fs, target, &options, status), 0);
}

/* Records ------------------------------------------------------------------------ */

static modfs_file *open_file(const char *path, const modfs_codec *codec) {
  modfs_file *file = modfs_file_open(modfs_fs_of(path), path, status);
  if (!codec) return file;
  modfs_file *decoded = modfs_codec_file(codec, file, 0, status);
  modfs_file_close(file);
  return decoded;
}

static void write_records(const char *path, const modfs_codec *codec, size_t n) {
  char text[4000];
  modfs_writable *file = modfs_writable_open(modfs_fs_of(path), path, MODFS_WRITE_REPLACE, status);
  if (codec) file = modfs_codec_writable(codec, NULL, file, true, status);
  for (size_t i = 0; i < n; i++) {
    memset(text, (int)('a' + i % 26), sizeof text);
    modfs_record_append(file, text, sizeof text, status);
  }
  modfs_writable_close(file, status);
}

static bool ask_records(modfs_records *records, const modfs_file *file, const char *path,
                        const modfs_codec *codec) {
  TF_Status *own = TF_NewStatus();
  bool good = strcmp(modfs_records_name(records), path) == 0 &&
              strcmp(modfs_file_name(file), path) == 0 && modfs_file_codec(file) == codec;
  if (!codec) good = good && modfs_file_size(file, own) > 0;
  TF_DeleteStatus(own);
  return good;
}

static void test_records(const char *path, const modfs_codec *codec) {
  enum { COUNT = 2000 };
  const char *name = codec ? modfs_codec_name(codec) : "plain";
  write_records(path, codec, COUNT);
  modfs_file *file = open_file(path, codec);
  modfs_records *records = modfs_records_open(file, status);
  modfs_record record = {0};
  size_t seen = 0, wrong = 0;
  CHECK(modfs_records_prefetch(records, status), "%s: a thread reads ahead", name);
  while (modfs_records_read(records, record.next, &record, status)) {
    wrong += !ask_records(records, file, path, codec) || record.data[0] != (char)('a' + seen % 26);
    seen++;
  }
  CHECK_INT(seen, COUNT, "%s: all records are read", name);
  CHECK_INT(wrong, 0, "%s: name, codec and size can be asked for meanwhile", name);
  CHECK_INT(modfs_records_count(records, status), COUNT, "%s: and the count", name);
  modfs_records_close(records);
}

/* Devices ------------------------------------------------------------------------ */

typedef struct asker {
  pthread_t thread;
  modfs_device *device;
  modfs_memory *memory;
  atomic_bool *stop;
  size_t wrong;
} asker;

/* Devices and memory may be asked by any thread. */
static void *ask_device(void *argument) {
  asker *self = argument;
  TF_Status *own = TF_NewStatus();
  do {
    SP_AllocatorStats stats = {.struct_size = SP_ALLOCATORSTATS_STRUCT_SIZE};
    int64_t available, all;
    modfs_device_facts facts = modfs_device_describe(self->device);
    modfs_device_allocator_stats(self->device, &stats);
    modfs_device_memory_usage(self->device, &available, &all, own);
    self->wrong += facts.ordinal != 0 || modfs_memory_size(self->memory) != 64 ||
                   modfs_memory_device(self->memory) != self->device;
    self->wrong += modfs_platform_device_count(facts.platform, own) < 1;
  } while (!atomic_load(self->stop));
  TF_DeleteStatus(own);
  return NULL;
}

static void start_asking(asker *askers, modfs_device *device, modfs_memory *memory,
                         atomic_bool *stop) {
  for (int i = 0; i < THREADS; i++) {
    askers[i] = (asker){.device = device, .memory = memory, .stop = stop};
    pthread_create(&askers[i].thread, NULL, ask_device, &askers[i]);
  }
}

static size_t end_asking(asker *askers, atomic_bool *stop) {
  size_t wrong = 0;
  atomic_store(stop, true);
  for (int i = 0; i < THREADS; i++) {
    pthread_join(askers[i].thread, NULL);
    wrong += askers[i].wrong;
  }
  return wrong;
}

typedef struct parts {
  modfs_stream *stream;
  modfs_event *event;
  modfs_timer *timer; /* NULL where the platform has none */
  modfs_memory *memory;
  modfs_bytes *bytes;
  modfs_callbacks *queue;
} parts;

static void enqueue(const parts *all, uint64_t number) {
  if (all->timer) modfs_timer_start(all->timer, all->stream, status);
  modfs_stream_write(all->stream, all->memory, all->bytes, modfs_bytes_data(all->bytes), 64,
                     status);
  modfs_stream_fill(all->stream, all->memory, 7, status);
  modfs_stream_record(all->stream, all->event, status);
  if (all->timer) modfs_timer_stop(all->timer, all->stream, status);
  modfs_stream_callback(all->stream, all->queue, number, status);
}

/* Streams, events, timers and queues are asked by the thread that has them. */
static bool ask_parts(const parts *all) {
  SE_EventStatus event = modfs_event_status(all->event);
  if (all->timer) modfs_timer_nanoseconds(all->timer, status); /* which may not have stopped yet */
  modfs_stream_status(all->stream, status);
  return TF_GetCode(status) == TF_OK && event != SE_EVENT_ERROR &&
         modfs_callbacks_descriptor(all->queue) >= 0 && modfs_bytes_length(all->bytes) == 64 &&
         modfs_stream_device(all->stream) == modfs_memory_device(all->memory);
}

static size_t work(const parts *all) {
  enum { ROUNDS = 300 };
  size_t wrong = 0, came = 0;
  uint64_t number;
  for (uint64_t i = 0; i < ROUNDS; i++) {
    enqueue(all, i);
    wrong += !ask_parts(all);
    while (modfs_callbacks_take(all->queue, &number))
      wrong += number != came++;
  }
  modfs_stream_synchronize(all->stream, status);
  while (modfs_callbacks_take(all->queue, &number))
    wrong += number != came++;
  return wrong + (came != ROUNDS);
}

static void test_device(const char *name) {
  asker askers[THREADS];
  atomic_bool stop = false;
  const modfs_platform *platform = modfs_platform_search(name, beside, status);
  modfs_device *device = platform ? modfs_device_open(platform, 0, status) : NULL;
  if (!CHECK(device != NULL, "%s opens: %s", name, TF_Message(status))) return;
  parts all = {modfs_stream_open(device, status),
               modfs_event_open(device, status),
               modfs_timer_open(device, status),
               modfs_memory_allocate(device, 64, status),
               modfs_device_host_allocate(device, 64, status),
               modfs_callbacks_open(status)};
  start_asking(askers, device, all.memory, &stop);
  CHECK_INT(work(&all), 0, "%s: its parts can be asked while they work", name);
  CHECK_INT(end_asking(askers, &stop), 0, "%s: and the device, by %d threads", name, THREADS);
  modfs_stream_close(all.stream);
  modfs_event_close(all.event);
  modfs_timer_close(all.timer);
  modfs_memory_free(all.memory);
  modfs_bytes_drop(all.bytes);
  modfs_callbacks_close(all.queue);
  modfs_device_close(device, status);
  CHECK_INT(TF_GetCode(status), TF_OK, "%s: nothing is left", name);
}

int main(int argc, char **argv) {
  const char *slash = argc > 0 ? strrchr(argv[0], '/') : NULL;
  snprintf(beside, sizeof beside, "%.*s/plugins/?.so", slash ? (int)(slash - argv[0]) : 1,
           slash ? argv[0] : ".");
  alarm(300);
  status = TF_NewStatus();
  modfs_start(status);
  if (!CHECK_INT(TF_GetCode(status), TF_OK, "the core starts: %s", TF_Message(status)))
    return check_end();
  test_trees();
  test_records("mem://records", NULL);
  for (const modfs_codec *codec = NULL; (codec = modfs_codec_next(codec));)
    if (modfs_codec_available(codec, status)) test_records("mem://records", codec);
  test_device("REFERENCE");
  test_device("NULL");
  TF_DeleteStatus(status);
  return check_end();
}
