/* Answers that break the contract's form, whatever they are about: counts, pointers, codes, texts. */
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

READ(read_huge, return TF_GetCode(status) == TF_OK ? INT64_MAX : got)
READ(read_minus, return TF_GetCode(status) == TF_OK ? -2 : got)
READ(read_none, return TF_GetCode(status) == TF_OK ? -1 : got)
READ(read_end_minus, return got == 0 && n > 0 ? -1 : got)
READ(read_short, return TF_GetCode(status) == TF_OK && got > 0 ? got - 1 : got)
READ(read_end_full,
     if (TF_GetCode(status) == TF_OK && n > 0) TF_SetStatus(status, TF_OUT_OF_RANGE, "end of file");
     return got)
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

static int64_t tell_minus(const TF_WritableFile *file, TF_Status *status) {
  int64_t position = good_writer.tell(file, status);
  return position > 0 ? -1 : position;
}

static void append_code(const TF_WritableFile *file, const char *buffer, size_t n,
                        TF_Status *status) {
  good_writer.append(file, buffer, n, status);
  if (n == 1) TF_SetStatus(status, (TF_Code)-5, "no such code");
}

/* Says nothing where it should fail. */
static void open_silent(FS, const char *path, TF_WritableFile *file, TF_Status *status) {
  good.new_writable_file(fs, path, file, status);
  if (TF_GetCode(status) != TF_OK) {
    TF_SetStatus(status, TF_OK, "");
    good.new_writable_file(fs, "/silent", file, status);
  }
}

/* Regions ------------------------------------------------------------------------ */

static const void *region_null(const TF_ReadOnlyMemoryRegion *region) {
  (void)region;
  return NULL;
}

static const void *region_wild(const TF_ReadOnlyMemoryRegion *region) {
  (void)region;
  return (const void *)0x10;
}

static uint64_t region_absurd(const TF_ReadOnlyMemoryRegion *region) {
  return UINT64_MAX - good_region.length(region);
}

static uint64_t region_beyond(const TF_ReadOnlyMemoryRegion *region) {
  return good_region.length(region) + ((uint64_t)1 << 47);
}

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
STAT(stat_negative, if (!stats->is_directory) stats->length = -7)
STAT(stat_before, stats->mtime_nsec = INT64_MIN)
STAT(stat_after, stats->mtime_nsec = INT64_MAX)

static int64_t size_minus(FS, const char *path, TF_Status *status) {
  int64_t size = good.get_file_size(fs, path, status);
  return size == 0 ? -1 : size;
}

static int64_t size_huge(FS, const char *path, TF_Status *status) {
  int64_t size = good.get_file_size(fs, path, status);
  return size == 0 ? INT64_MAX : size;
}

static bool exist_lie(FS, char **paths, int count, TF_Status **statuses) {
  good.paths_exist(fs, paths, count, statuses);
  return true;
}

static bool exist_code(FS, char **paths, int count, TF_Status **statuses) {
  bool all = good.paths_exist(fs, paths, count, statuses);
  for (int i = 0; statuses && i < count; i++)
    if (TF_GetCode(statuses[i]) == TF_NOT_FOUND) TF_SetStatus(statuses[i], (TF_Code)99, "");
  return all;
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
  LIST(prefix##_negative, slot, return -1)                                                         \
  LIST(prefix##_null, slot, *entries = NULL)                                                       \
  LIST(prefix##_null_entry, slot, (*entries)[1] = NULL)                                            \
  LIST(prefix##_wild, slot, *entries = (char **)0x10)                                              \
  LIST(prefix##_wild_entry, slot, (*entries)[1] = (char *)0x10)                                    \
  LIST(prefix##_huge, slot, return INT_MAX)                                                        \
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
OPTIONS(options_negative, *count = -4)
OPTIONS(options_null, *options = NULL)
OPTIONS(options_tag, (*options)->value->type_tag = 77)
OPTIONS(options_name, (*options)->name = NULL)
OPTIONS(options_other_name, (*options)->name[0] = '!')
OPTIONS(options_value, (*options)->value = NULL)
OPTIONS(options_values, (*options)->value->num_values = -3)
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
  ON("read.huge", t->reader->read = read_huge)
  ON("read.minus", t->reader->read = read_minus)
  ON("read.none", t->reader->read = read_none)
  ON("read.end.minus", t->reader->read = read_end_minus)
  ON("read.short", t->reader->read = read_short)
  ON("read.end.full", t->reader->read = read_end_full)
  ON("read.end.error", t->reader->read = read_end_error)
  ON("read.code", t->reader->read = read_code)
  ON("read.pads", t->reader->read = read_pads)
  ON("tell.minus", t->writer->tell = tell_minus)
  ON("append.code", t->writer->append = append_code)
  ON("open.silent", t->fs->new_writable_file = open_silent)
  ON("region.null", t->region->data = region_null)
  ON("region.wild", t->region->data = region_wild)
  ON("region.absurd", t->region->length = region_absurd)
  ON("region.beyond", t->region->length = region_beyond)
  ON("region.empty", t->region->length = region_empty)
  ON("stat.negative", t->fs->stat = stat_negative)
  ON("stat.before", t->fs->stat = stat_before)
  ON("stat.after", t->fs->stat = stat_after)
  ON("size.minus", t->fs->get_file_size = size_minus)
  ON("size.huge", t->fs->get_file_size = size_huge)
  ON("exist.lie", t->fs->paths_exist = exist_lie)
  ON("exist.code", t->fs->paths_exist = exist_code)
  ON("message.empty", t->fs->new_random_access_file = message_empty)
  ON("message.escape", t->fs->new_random_access_file = message_escape)
  ON("message.bytes", t->fs->new_random_access_file = message_bytes)
  ON("message.long", t->fs->new_random_access_file = message_long)
  ON("options.negative", t->fs->get_filesystem_configuration = options_negative)
  ON("options.null", t->fs->get_filesystem_configuration = options_null)
  ON("options.tag", t->fs->get_filesystem_configuration = options_tag)
  ON("options.name", t->fs->get_filesystem_configuration = options_name)
  ON("options.other.name", t->fs->get_filesystem_configuration = options_other_name)
  ON("options.value", t->fs->get_filesystem_configuration = options_value)
  ON("options.values", t->fs->get_filesystem_configuration = options_values)
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
  ON(#prefix ".negative", t->fs->slot = prefix##_negative)                                         \
  ON(#prefix ".null", t->fs->slot = prefix##_null)                                                 \
  ON(#prefix ".null.entry", t->fs->slot = prefix##_null_entry)                                     \
  ON(#prefix ".wild", t->fs->slot = prefix##_wild)                                                 \
  ON(#prefix ".wild.entry", t->fs->slot = prefix##_wild_entry)                                     \
  ON(#prefix ".huge", t->fs->slot = prefix##_huge)                                                 \
  ON(#prefix ".empty.entry", t->fs->slot = prefix##_empty_entry)                                   \
  ON(#prefix ".code", t->fs->slot = prefix##_code)

bool list_fault_apply(mutant_tables *t, const char *name) {
  LISTS_ON(get_children, children)
  LISTS_ON(get_matching_paths, matching)
  ON("children.up", t->fs->get_children = children_up)
  return false;
}
