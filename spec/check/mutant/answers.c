/* Answers that break the contract's form, whatever they are about: counts, codes, texts. What the
 * host itself refuses is in spec/fixtures/broken. */
#include "mutant.h"

#include <limits.h>
#include <stdlib.h>

/* Reading and writing ------------------------------------------------------------ */

#define READ(name, ...)                                                                            \
  static int64_t name(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,    \
                      TF_Status *status) {                                                         \
    int64_t got = good_reader.read(file, offset, n, buffer, status);                               \
    (void)got;                                                                                     \
    __VA_ARGS__;                                                                                   \
  }

READ(read_end_minus, return got == 0 && n > 0 ? -1 : got)
READ(read_short, return TF_GetCode(status) == TF_OK && got > 0 ? got - 1 : got)
READ(
    read_end_error, if (TF_GetCode(status) == TF_OUT_OF_RANGE) {
      TF_SetStatus(status, TF_INVALID_ARGUMENT, "beyond the end");
      return -1;
    } return got)
READ(
    read_code, if (TF_GetCode(status) == TF_OUT_OF_RANGE) {
      TF_SetStatus(status, (TF_Code)99, "no such code");
      return -1;
    } return got)
READ(read_pads,
     if (TF_GetCode(status) == TF_OUT_OF_RANGE && got > 0 && (size_t)got < n) buffer[got++] = '\0';
     return got)

/* Says nothing where it should fail. */
static void open_silent(FS, const char *path, TF_WritableFile *file, TF_Status *status) {
  good.new_writable_file(fs, path, file, status);
  if (TF_GetCode(status) != TF_OK) {
    TF_SetStatus(status, TF_OK, "");
    good.new_writable_file(fs, "/silent", file, status);
  }
}

/* Regions ------------------------------------------------------------------------ */

static uint64_t region_empty(const TF_ReadOnlyMemoryRegion *region) {
  (void)region;
  return 0;
}

/* Questions ---------------------------------------------------------------------- */

#define STAT(name, ...)                                                                            \
  static void name(FS, const char *path, TF_FileStatistics *stats, TF_Status *status) {            \
    good.stat(fs, path, stats, status);                                                            \
    __VA_ARGS__;                                                                                   \
  }
STAT(stat_before, stats->mtime_nsec = INT64_MIN)
STAT(stat_after, stats->mtime_nsec = INT64_MAX)

static int64_t size_huge(FS, const char *path, TF_Status *status) {
  int64_t size = good.get_file_size(fs, path, status);
  return size == 0 ? INT64_MAX : size;
}

static bool exist_lie(FS, char **paths, int count, TF_Status **statuses) {
  good.paths_exist(fs, paths, count, statuses);
  return true;
}

/* Texts -------------------------------------------------------------------------- */

#define MISSING(name, ...)                                                                         \
  static void name(FS, const char *path, TF_RandomAccessFile *file, TF_Status *status) {           \
    good.new_random_access_file(fs, path, file, status);                                           \
    if (TF_GetCode(status) == TF_NOT_FOUND) __VA_ARGS__;                                           \
  }
MISSING(message_empty, TF_SetStatus(status, TF_NOT_FOUND, ""))
MISSING(message_escape, TF_SetStatus(status, TF_NOT_FOUND, "\x1b[31mgone\nNOT_FOUND: forged"))
MISSING(message_bytes, TF_SetStatus(status, TF_NOT_FOUND, "gone \xff\xfe"))
MISSING(message_long, {
  size_t size = 1 << 20;
  char *text = malloc(size);
  memset(text, 'x', size);
  text[size - 1] = '\0';
  TF_SetStatus(status, TF_NOT_FOUND, text);
  free(text);
})

/* Lists -------------------------------------------------------------------------- */

#define LIST(name, slot, ...)                                                                      \
  static int name(FS, const char *path, char ***entries, TF_Status *status) {                      \
    int count = good.slot(fs, path, entries, status);                                              \
    if (count == 2) {                                                                              \
      __VA_ARGS__;                                                                                 \
    }                                                                                              \
    return count;                                                                                  \
  }
#define LISTS(slot, prefix)                                                                        \
  LIST(prefix##_empty_entry, slot, (*entries)[1][0] = '\0')                                        \
  LIST(prefix##_code, slot, TF_SetStatus(status, TF_UNAVAILABLE, "later"))

LISTS(get_children, children)
LISTS(get_matching_paths, matching)
LIST(children_up, get_children, strcpy((*entries)[1], ".."))

/* Options ------------------------------------------------------------------------ */

#define OPTIONS(name, ...)                                                                         \
  static void name(FS, TF_Filesystem_Option **options, int *count, TF_Status *status) {            \
    good.get_filesystem_configuration(fs, options, count, status);                                 \
    __VA_ARGS__;                                                                                   \
  }
OPTIONS(options_other_name, (*options)->name[0] = '!')
OPTIONS(options_more, *count = INT_MAX)

static void option_none(FS, const char *key, TF_Filesystem_Option **option, TF_Status *status) {
  (void)fs, (void)key, (void)option, (void)status;
}

static void option_any(FS, const char *key, TF_Filesystem_Option **option, TF_Status *status) {
  int count = 0;
  (void)key;
  good.get_filesystem_configuration(fs, option, &count, status);
}

static void option_ignored(FS, const TF_Filesystem_Option *option, TF_Status *status) {
  (void)fs, (void)option, (void)status;
}

static void options_ignored(FS, const TF_Filesystem_Option *options, int count, TF_Status *status) {
  (void)fs, (void)options, (void)count, (void)status;
}

/* Transactions ------------------------------------------------------------------- */

static int start_minus(FS, TF_TransactionToken **token, TF_Status *status) {
  (void)fs, (void)token, (void)status;
  return -1;
}

static int end_minus(FS, TF_TransactionToken *token, TF_Status *status) {
  good.end_transaction(fs, token, status);
  return -1;
}

static int add_nothing(FS, const char *path, TF_TransactionToken *token, TF_Status *status) {
  (void)fs, (void)path, (void)token, (void)status;
  return 0;
}

static int find_any(FS, const char *path, TF_TransactionToken **token, TF_Status *status) {
  if (good.get_transaction_for_path(fs, path, token, status) == 0) return 0;
  TF_SetStatus(status, TF_INTERNAL, "no such path");
  return -1;
}

bool answer_fault_apply(mutant_tables *t, const char *name) {
  ON("read.end.minus", t->reader->read = read_end_minus)
  ON("read.short", t->reader->read = read_short)
  ON("read.end.error", t->reader->read = read_end_error)
  ON("read.code", t->reader->read = read_code)
  ON("read.pads", t->reader->read = read_pads)
  ON("open.silent", t->fs->new_writable_file = open_silent)
  ON("region.empty", t->region->length = region_empty)
  ON("stat.before", t->fs->stat = stat_before)
  ON("stat.after", t->fs->stat = stat_after)
  ON("size.huge", t->fs->get_file_size = size_huge)
  ON("exist.lie", t->fs->paths_exist = exist_lie)
  ON("message.empty", t->fs->new_random_access_file = message_empty)
  ON("message.escape", t->fs->new_random_access_file = message_escape)
  ON("message.bytes", t->fs->new_random_access_file = message_bytes)
  ON("message.long", t->fs->new_random_access_file = message_long)
  ON("options.other.name", t->fs->get_filesystem_configuration = options_other_name)
  ON("options.more", t->fs->get_filesystem_configuration = options_more)
  ON("option.none", t->fs->get_filesystem_configuration_option = option_none)
  ON("option.any", t->fs->get_filesystem_configuration_option = option_any)
  ON("option.ignored", t->fs->set_filesystem_configuration_option = option_ignored)
  ON("options.ignored", t->fs->set_filesystem_configuration = options_ignored)
  ON("transaction.start", t->fs->start_transaction = start_minus)
  ON("transaction.end", t->fs->end_transaction = end_minus)
  ON("transaction.add", t->fs->add_to_transaction = add_nothing)
  ON("transaction.find", t->fs->get_transaction_for_path = find_any)
  return list_fault_apply(t, name);
}

#define LISTS_ON(slot, prefix)                                                                     \
  ON(#prefix ".empty.entry", t->fs->slot = prefix##_empty_entry)                                   \
  ON(#prefix ".code", t->fs->slot = prefix##_code)

bool list_fault_apply(mutant_tables *t, const char *name) {
  LISTS_ON(get_children, children)
  LISTS_ON(get_matching_paths, matching)
  ON("children.up", t->fs->get_children = children_up)
  return false;
}
