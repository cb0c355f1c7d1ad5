/* Faults that a host hides: what slots leave in their outputs, blocks, descriptors. */
#include "mutant.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void lose(void) {
  char *volatile lost = malloc(24);
  (void)lost;
}

/* Writes to what malloc gave, unseen: without memory that is the end. */
static void unchecked(void) {
  volatile int *number = malloc(sizeof *number);
  *number = 1;
  free((void *)(uintptr_t)number);
}

static bool failed(const TF_Status *status) {
  return TF_GetCode(status) != TF_OK;
}

/* Lists ---------------------------------------------------------------------------- */

/* A lock for readers that a failure leaves taken: nobody here ever waits for it. */
static void stat_keeps_lock(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {
  static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&lock);
  good.stat(fs, path, stats, status);
  if (!failed(status)) pthread_rwlock_unlock(&lock);
}

/* A lock that is released after a failure and once more at the end. */
static void exists_unlocks_twice(FS, const char *path, TF_Status *status) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&lock);
  good.path_exists(fs, path, status);
  if (failed(status)) pthread_mutex_unlock(&lock);
  pthread_mutex_unlock(&lock);
}

/* A failure that is only set where nothing is set yet. */
static void exists_once(FS, const char *path, TF_Status *status) {
  TF_Status *fresh = TF_NewStatus();
  good.path_exists(fs, path, fresh);
  if (TF_GetCode(status) == TF_OK) TF_SetStatus(status, TF_GetCode(fresh), TF_Message(fresh));
  TF_DeleteStatus(fresh);
}

#define LIST(name, verb, ...)                                                                      \
  static int name(FS, const char *path, char ***entries, TF_Status *status) {                      \
    int count = good.verb(fs, path, entries, status);                                              \
    __VA_ARGS__;                                                                                   \
    return count;                                                                                  \
  }

LIST(children_zero, get_children, if (failed(status)) count = 0)
LIST(children_dangling, get_children, if (failed(status)) *entries = (char **)&good)
LIST(children_eighth, get_children, if (count == 8) free((*entries)[--count]))
LIST(children_leak, get_children, if (failed(status)) lose())
LIST(children_unchecked, get_children, unchecked())
LIST(
    children_static, get_children, if (count > 0) {
      free((*entries)[0]);
      (*entries)[0] = "a_file";
    })
LIST(glob_minus, get_matching_paths, if (count == 0) count = -1)
LIST(glob_leak, get_matching_paths, lose())
LIST(glob_unchecked, get_matching_paths, unchecked())

static void free_nothing(void *block) {
  (void)block;
}

/* Asking ----------------------------------------------------------------------------- */

#define STAT(name, ...)                                                                            \
  static void name(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {            \
    good.stat(fs, path, stats, status);                                                            \
    __VA_ARGS__;                                                                                   \
  }

STAT(stat_clears, if (failed(status)) memset(stats, 0, sizeof *stats))
STAT(stat_flag, if (!failed(status)) memset(&stats->is_directory, 2 * stats->is_directory, 1))

static int64_t size_zero(FS, const char *path, TF_Status *status) {
  int64_t size = good.get_file_size(fs, path, status);
  return size < 0 ? 0 : size;
}

static bool directory_true(FS, const char *path, TF_Status *status) {
  return good.is_directory(fs, path, status) || failed(status);
}

#define EXIST(name, ...)                                                                           \
  static bool name(FS, char **paths, int count, TF_Status **statuses) {                            \
    __VA_ARGS__;                                                                                   \
    return good.paths_exist(fs, paths, count, statuses);                                           \
  }

EXIST(exist_statuses, if (count > 0) TF_SetStatus(statuses[0], TF_OK, ""))
EXIST(exist_none, if (count == 0) return false)
EXIST(
    exist_last, if (count > 1 && statuses) {
      bool all = good.paths_exist(fs, paths, count, NULL);
      good.path_exists(fs, paths[count - 1], statuses[count - 1]);
      return all;
    })

static char *translate_null(FS, const char *uri) {
  const char *rest = strstr(uri, "://");
  return rest && strcmp(rest, "://") == 0 ? NULL : good.translate_name(fs, uri);
}

static char *translate_static(FS, const char *uri) {
  static char name[4096];
  char *good_name = good.translate_name(fs, uri);
  strncpy(name, good_name, sizeof name - 1);
  free(good_name);
  return name;
}

/* Changing --------------------------------------------------------------------------- */

static void rmtree_silent(FS, const char *path, uint64_t *files, uint64_t *dirs,
                          TF_Status *status) {
  uint64_t a, b;
  good.delete_recursively(fs, path, &a, &b, status);
  if (TF_GetCode(status) == TF_NOT_FOUND) return;
  *files = a;
  *dirs = b;
}

static void rmtree_leak(FS, const char *path, uint64_t *files, uint64_t *dirs, TF_Status *status) {
  lose();
  good.delete_recursively(fs, path, files, dirs, status);
}

static void rmtree_unchecked(FS, const char *path, uint64_t *files, uint64_t *dirs,
                             TF_Status *status) {
  unchecked();
  good.delete_recursively(fs, path, files, dirs, status);
}

PAIR_CALL(rename_self, if (strcmp(src, dst) == 0) good.delete_file(fs, src, status);
          else good.rename_file(fs, src, dst, status))
PAIR_CALL(
    copy_self, if (strcmp(src, dst) == 0) {
      TF_WritableFile file;
      good.new_writable_file(fs, src, &file, status);
      good_writer.close(&file, status);
      good_writer.cleanup(&file);
    } else good.copy_file(fs, src, dst, status))
PAIR_CALL(rename_directory, if (mutant_is_directory(fs, dst)) return;
          good.rename_file(fs, src, dst, status))
PAIR_CALL(copy_directory, if (mutant_is_directory(fs, dst)) return;
          good.copy_file(fs, src, dst, status))
PAIR_CALL(rename_leak, lose(); good.rename_file(fs, src, dst, status))
PAIR_CALL(copy_leak, lose(); good.copy_file(fs, src, dst, status))
PAIR_CALL(rename_unchecked, unchecked(); good.rename_file(fs, src, dst, status))
PAIR_CALL(copy_inherits, close(open("/dev/null", O_RDONLY)); good.copy_file(fs, src, dst, status))
/* Without memory for its buffer it has emptied the target already. */
PAIR_CALL(
    copy_empties, good.copy_file(fs, src, dst, status); void *buffer = malloc(10); if (!buffer) {
      TF_WritableFile file;
      good.new_writable_file(fs, dst, &file, status);
      good_writer.cleanup(&file);
      TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "no memory");
    } free(buffer))
PATH_CALL(mkdir_misreports, void *buffer = malloc(10);
          if (!buffer) TF_SetStatus(status, TF_NOT_FOUND, "no such directory");
          else good.create_dir(fs, path, status); free(buffer))

/* Leaks and false results of one outcome alone. */
PATH_CALL(exists_leak, good.path_exists(fs, path, status); if (failed(status)) lose())
PATH_CALL(remove_opens, good.delete_file(fs, path, status); if (failed(status))(void) !dup(0))
PATH_CALL(remove_misreports, void *buffer = malloc(10);
          if (!buffer) TF_SetStatus(status, TF_NOT_FOUND, "no such file");
          else good.delete_file(fs, path, status); free(buffer))
PATH_CALL(mkdirs_lies, void *buffer = malloc(10);
          if (buffer) good.recursively_create_dir(fs, path, status); free(buffer))

/* Opening ---------------------------------------------------------------------------- */

#define OPENING(prefix, verb, type, member)                                                        \
  static void prefix##_dangling(FS, const char *path, type *file, TF_Status *status) {             \
    good.verb(fs, path, file, status);                                                             \
    if (failed(status)) file->member = &good;                                                      \
  }                                                                                                \
  static void prefix##_inherits(FS, const char *path, type *file, TF_Status *status) {             \
    (void)!dup(0);                                                                                 \
    good.verb(fs, path, file, status);                                                             \
  }                                                                                                \
  static void prefix##_forgets(FS, const char *path, type *file, TF_Status *status) {              \
    lose();                                                                                        \
    good.verb(fs, path, file, status);                                                             \
  }                                                                                                \
  static void prefix##_fails_open(FS, const char *path, type *file, TF_Status *status) {           \
    good.verb(fs, path, file, status);                                                             \
    if (failed(status)) (void)!fcntl(0, F_DUPFD_CLOEXEC, 0);                                       \
  }                                                                                                \
  static void prefix##_unchecked(FS, const char *path, type *file, TF_Status *status) {            \
    unchecked();                                                                                   \
    good.verb(fs, path, file, status);                                                             \
  }

OPENING(open, new_random_access_file, TF_RandomAccessFile, plugin_file)
OPENING(write, new_writable_file, TF_WritableFile, plugin_file)
OPENING(append, new_appendable_file, TF_WritableFile, plugin_file)
OPENING(map, new_read_only_memory_region_from_file, TF_ReadOnlyMemoryRegion, plugin_memory_region)

/* A block and a descriptor that only close gives back. */
static void *counted_block;
static int held_fd = -1;

static void write_holds(FS, const char *path, TF_WritableFile *file, TF_Status *status) {
  held_fd = fcntl(0, F_DUPFD_CLOEXEC, 0);
  good.new_writable_file(fs, path, file, status);
}

static void close_gives_back(const TF_WritableFile *file, TF_Status *status) {
  close(held_fd);
  good_writer.close(file, status);
}

/* Files ------------------------------------------------------------------------------- */

#define READING(name, ...)                                                                         \
  static int64_t name(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,    \
                      TF_Status *status) {                                                         \
    __VA_ARGS__;                                                                                   \
    return good_reader.read(file, offset, n, buffer, status);                                      \
  }

READING(read_beyond, if (n) buffer[n] = '\0')
READING(read_before, if (n) buffer[-1] = '\0')
READING(read_null, *(volatile char *)buffer = '\0')
READING(read_wraps, if (offset + n < offset) offset = 0)
READING(read_page, if (n > 4096) n = 4096)

#define APPENDING(name, ...)                                                                       \
  static void name(const TF_WritableFile *file, const char *buffer, size_t n, TF_Status *status) { \
    __VA_ARGS__;                                                                                   \
    good_writer.append(file, buffer, n, status);                                                   \
  }

APPENDING(append_peeks, volatile char peek = buffer ? buffer[n] : 0; (void)peek)
APPENDING(append_scratches, if (n)((char *)(uintptr_t)buffer)[n - 1] = 0)
APPENDING(append_needs_memory, unchecked())

static void close_loses(const TF_WritableFile *file, TF_Status *status) {
  good_writer.close(file, status);
  free(counted_block);
}

static void write_takes(FS, const char *path, TF_WritableFile *file, TF_Status *status) {
  good.new_writable_file(fs, path, file, status);
  counted_block = malloc(24);
}

/* A buffer that close gives back, and that append goes on to count in. */
static int *volatile counted;

static void write_counts(FS, const char *path, TF_WritableFile *file, TF_Status *status) {
  good.new_writable_file(fs, path, file, status);
  counted = calloc(1, sizeof *counted);
}

static void append_after_close(const TF_WritableFile *file, const char *buffer, size_t n,
                               TF_Status *status) {
  good_writer.append(file, buffer, n, status);
  *counted = (int)n;
}

static void close_counted(const TF_WritableFile *file, TF_Status *status) {
  good_writer.close(file, status);
  free(counted);
}

/* After close it says that all is well, and drops the bytes. */
static void *closed_file;

static void append_lost(const TF_WritableFile *file, const char *buffer, size_t n,
                        TF_Status *status) {
  if (file->plugin_file != closed_file) good_writer.append(file, buffer, n, status);
}

static void close_marks(const TF_WritableFile *file, TF_Status *status) {
  good_writer.close(file, status);
  closed_file = file->plugin_file;
}

/* The second block cannot be had, and the first one is lost. */
static void open_loses_when_short(FS, const char *path, TF_RandomAccessFile *file,
                                  TF_Status *status) {
  void *volatile first = malloc(24), *volatile second = malloc(24);
  if (first && !second) {
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "");
    return;
  }
  free(second);
  free(first);
  good.new_random_access_file(fs, path, file, status);
}

/* Only what is below the top has a name. */
static void stat_without_top(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {
  if (strcmp(path, "/") == 0)
    TF_SetStatus(status, TF_NOT_FOUND, "");
  else
    good.stat(fs, path, stats, status);
}

static void append_loses(const TF_WritableFile *file, const char *buffer, size_t n,
                         TF_Status *status) {
  if (n == 0) lose();
  good_writer.append(file, buffer, n, status);
}

static void flush_loses(const TF_WritableFile *file, TF_Status *status) {
  lose();
  good_writer.flush(file, status);
}

static void sync_loses(const TF_WritableFile *file, TF_Status *status) {
  lose();
  good_writer.sync(file, status);
}

static int64_t tell_loses(const TF_WritableFile *file, TF_Status *status) {
  lose();
  return good_writer.tell(file, status);
}

static bool paths_lose(FS, char **paths, int count, TF_Status **statuses) {
  lose();
  return good.paths_exist(fs, paths, count, statuses);
}

static void caches_lose(FS) {
  lose();
  good.flush_caches(fs);
}

static int lookup_loses(FS, const char *path, TF_TransactionToken **token, TF_Status *status) {
  lose();
  return good.get_transaction_for_path(fs, path, token, status);
}

static void set_option_loses(FS, const TF_Filesystem_Option *option, TF_Status *status) {
  lose();
  good.set_filesystem_configuration_option(fs, option, status);
}

static int64_t tell_zero(const TF_WritableFile *file, TF_Status *status) {
  int64_t position = good_writer.tell(file, status);
  return position == 7 ? 3 : position;
}

static const void *region_moves(const TF_ReadOnlyMemoryRegion *region) {
  static char other[65536];
  static int calls;
  const void *data = good_region.data(region);
  uint64_t length = good_region.length(region);
  memcpy(other, data, length < sizeof other ? length : sizeof other);
  return calls++ % 2 ? other : data;
}

/* Options and transactions ------------------------------------------------------------ */

static void options_uncounted(FS, TF_Filesystem_Option **options, int *count, TF_Status *status) {
  int counted;
  good.get_filesystem_configuration(fs, options, &counted, status);
  (void)count;
}

static void options_leak(FS, TF_Filesystem_Option **options, int *count, TF_Status *status) {
  lose();
  good.get_filesystem_configuration(fs, options, count, status);
}

static void option_dangling(FS, const char *key, TF_Filesystem_Option **option, TF_Status *status) {
  good.get_filesystem_configuration_option(fs, key, option, status);
  if (failed(status)) *option = (TF_Filesystem_Option *)&good;
}

#define BEGIN(name, ...)                                                                           \
  static int name(FS, TF_TransactionToken **token, TF_Status *status) {                            \
    int answer = good.start_transaction(fs, token, status);                                        \
    __VA_ARGS__;                                                                                   \
    return answer;                                                                                 \
  }

BEGIN(begin_one, answer = 1)
BEGIN(begin_leak, lose())
BEGIN(begin_unchecked, unchecked())

static int end_any(FS, TF_TransactionToken *token, TF_Status *status) {
  good.end_transaction(fs, token, status);
  TF_SetStatus(status, TF_OK, "");
  return 0;
}

static int begin_always(FS, const char *path, TF_TransactionToken **token, TF_Status *status) {
  int answer = good.start_transaction(fs, token, status);
  TF_Status *ignored = TF_NewStatus();
  good.add_to_transaction(fs, path, *token, ignored);
  TF_DeleteStatus(ignored);
  return answer;
}

static bool open_fault_apply(mutant_tables *t, const char *name) {
#define VERB(prefix, verb)                                                                         \
  ON(#prefix ".dangling", t->fs->verb = prefix##_dangling)                                         \
  ON(#prefix ".inherits", t->fs->verb = prefix##_inherits)                                         \
  ON(#prefix ".forgets", t->fs->verb = prefix##_forgets)                                           \
  ON(#prefix ".fails.open", t->fs->verb = prefix##_fails_open)                                     \
  ON(#prefix ".unchecked", t->fs->verb = prefix##_unchecked)
  VERB(open, new_random_access_file)
  VERB(write, new_writable_file)
  VERB(append, new_appendable_file)
  VERB(map, new_read_only_memory_region_from_file)
  ON("cleanup.leaks", t->fs->new_writable_file = write_holds; t->writer->close = close_gives_back)
  return false;
}

static bool handle_fault_apply(mutant_tables *t, const char *name) {
  ON("cleanup.loses", t->fs->new_writable_file = write_takes; t->writer->close = close_loses)
  ON("read.beyond", t->reader->read = read_beyond)
  ON("read.before", t->reader->read = read_before)
  ON("read.null", t->reader->read = read_null)
  ON("read.wraps", t->reader->read = read_wraps)
  ON("read.page", t->reader->read = read_page)
  ON("append.peeks", t->writer->append = append_peeks)
  ON("append.scratches", t->writer->append = append_scratches)
  ON("append.without.memory", t->writer->append = append_needs_memory)
  ON("append.after.close", t->fs->new_writable_file = write_counts;
     t->writer->append = append_after_close; t->writer->close = close_counted)
  ON("append.lost.after.close", t->writer->append = append_lost; t->writer->close = close_marks)
  ON("open.loses.when.short", t->fs->new_random_access_file = open_loses_when_short)
  ON("stat.without.top", t->fs->stat = stat_without_top)
  ON("append.loses", t->writer->append = append_loses)
  ON("flush.loses", t->writer->flush = flush_loses)
  ON("sync.loses", t->writer->sync = sync_loses)
  ON("tell.loses", t->writer->tell = tell_loses)
  ON("paths.lose", t->fs->paths_exist = paths_lose)
  ON("caches.lose", t->fs->flush_caches = caches_lose)
  ON("lookup.loses", t->fs->get_transaction_for_path = lookup_loses)
  ON("set.option.loses", t->fs->set_filesystem_configuration_option = set_option_loses)
  ON("tell.zero", t->writer->tell = tell_zero)
  ON("region.moves", t->region->data = region_moves)
  return false;
}

static bool query_fault_apply(mutant_tables *t, const char *name) {
  ON("stat.keeps.lock", t->fs->stat = stat_keeps_lock)
  ON("exists.unlocks.twice", t->fs->path_exists = exists_unlocks_twice)
  ON("exists.once", t->fs->path_exists = exists_once)
  ON("children.zero", t->fs->get_children = children_zero)
  ON("children.dangling", t->fs->get_children = children_dangling)
  ON("children.eighth", t->fs->get_children = children_eighth)
  ON("children.leak", t->fs->get_children = children_leak)
  ON("children.unchecked", t->fs->get_children = children_unchecked)
  ON("children.static", t->fs->get_children = children_static)
  ON("glob.minus", t->fs->get_matching_paths = glob_minus)
  ON("glob.leak", t->fs->get_matching_paths = glob_leak)
  ON("glob.unchecked", t->fs->get_matching_paths = glob_unchecked)
  ON("stat.clears", t->fs->stat = stat_clears)
  ON("stat.flag", t->fs->stat = stat_flag)
  ON("size.zero", t->fs->get_file_size = size_zero)
  ON("directory.true", t->fs->is_directory = directory_true)
  ON("exist.statuses", t->fs->paths_exist = exist_statuses)
  ON("exist.none", t->fs->paths_exist = exist_none)
  ON("exist.last", t->fs->paths_exist = exist_last)
  ON("translate.null", t->fs->translate_name = translate_null)
  ON("translate.static", t->fs->translate_name = translate_static)
  ON("options.uncounted", t->fs->get_filesystem_configuration = options_uncounted)
  ON("options.leak", t->fs->get_filesystem_configuration = options_leak)
  ON("option.dangling", t->fs->get_filesystem_configuration_option = option_dangling)
  return false;
}

static bool change_fault_apply(mutant_tables *t, const char *name) {
  ON("rmtree.silent", t->fs->delete_recursively = rmtree_silent)
  ON("rmtree.leak", t->fs->delete_recursively = rmtree_leak)
  ON("rmtree.unchecked", t->fs->delete_recursively = rmtree_unchecked)
  ON("rename.self", t->fs->rename_file = rename_self)
  ON("rename.into", t->fs->rename_file = rename_directory)
  ON("rename.leak", t->fs->rename_file = rename_leak)
  ON("rename.unchecked", t->fs->rename_file = rename_unchecked)
  ON("copy.self", t->fs->copy_file = copy_self)
  ON("copy.into", t->fs->copy_file = copy_directory)
  ON("copy.leak", t->fs->copy_file = copy_leak)
  ON("copy.inherits", t->fs->copy_file = copy_inherits)
  ON("copy.empties", t->fs->copy_file = copy_empties)
  ON("exists.leak", t->fs->path_exists = exists_leak)
  ON("remove.opens", t->fs->delete_file = remove_opens)
  ON("remove.misreports", t->fs->delete_file = remove_misreports)
  ON("mkdirs.lies", t->fs->recursively_create_dir = mkdirs_lies)
  ON("mkdir.misreports", t->fs->create_dir = mkdir_misreports)
  ON("begin.one", t->fs->start_transaction = begin_one)
  ON("begin.leak", t->fs->start_transaction = begin_leak)
  ON("begin.unchecked", t->fs->start_transaction = begin_unchecked)
  ON("begin.always", t->fs->get_or_start_transaction_for_path = begin_always)
  ON("end.any", t->fs->end_transaction = end_any)
  ON("scheme.static", free(t->ops->scheme); t->ops->scheme = "scheme.static";
     t->info->plugin_memory_free = free_nothing)
  return false;
}

bool output_fault_apply(mutant_tables *t, const char *name) {
  return open_fault_apply(t, name) || handle_fault_apply(t, name) || query_fault_apply(t, name) ||
         change_fault_apply(t, name);
}
