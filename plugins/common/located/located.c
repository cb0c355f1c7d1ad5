#include "located.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What located_table was given: the same at each registration, and never changed between. */
static struct {
  const TF_FilesystemOps *_Atomic slots;
  located_show *_Atomic show;
} located;

static const TF_FilesystemOps *slots(void) {
  return atomic_load_explicit(&located.slots, memory_order_acquire);
}

static const char *show(const char *path) {
  located_show *shown = atomic_load_explicit(&located.show, memory_order_acquire);
  return shown ? shown(path) : path;
}

/* The length of WORD in a message "WORD of NAME: why" or "WORD NAME: why", where NAME is the path or its
 * part after the scheme; 0: no such message. *why points to the colon. */
static size_t repeating_word(const char *message, const char *shown, const char **why) {
  size_t word = strcspn(message, " :"), length = strlen(shown);
  const char *name = message + word + (message[word] == ' ');
  const char *inner = strstr(shown, "://");
  if (strncmp(name, "of ", 3) == 0) name += 3;
  if (inner && strncmp(name, shown, length) != 0) {
    shown = inner + 3;
    length = strlen(shown);
  }
  *why = name + length;
  return message[word] == ' ' && length > 0 && strncmp(name, shown, length) == 0 && **why == ':'
             ? word
             : 0;
}

static void put(TF_Status *status, const char *shown) {
  const char *message = TF_Message(status), *why = message;
  size_t length = strlen(shown);
  if (length == 0 || (strncmp(message, shown, length) == 0 && message[length] == ':')) return;
  size_t word = repeating_word(message, shown, &why);
  if (word == 0) why = message;
  size_t rest = strlen(why) + 1, size = length + 2 + word + rest;
  char room[1024], *text = size > sizeof room ? malloc(size) : room;
  if (!text) return;
  memcpy(text, shown, length);
  memcpy(text + length, ": ", 2);
  memcpy(text + length + 2, message, word);
  memcpy(text + length + 2 + word, why, rest);
  TF_SetStatus(status, TF_GetCode(status), text);
  if (text != room) free(text);
}

static void forget(const char *shown, const char *path) {
  if (shown != path) free((void *)(size_t)shown);
}

void located_fail(TF_Status *status, const char *path) {
  const char *shown = show(path);
  if (shown) put(status, shown);
  forget(shown, path);
}

/* Names both paths: only the message knows which of them failed. */
static void put_two(TF_Status *status, const char *src, const char *dst) {
  if (TF_GetCode(status) == TF_OK) return;
  const char *from = show(src), *to = show(dst);
  size_t size = from && to ? strlen(from) + strlen(" to ") + strlen(to) + 1 : 0;
  char *both = size > 0 ? malloc(size) : NULL;
  if (both) {
    snprintf(both, size, "%s to %s", from, to);
    put(status, both);
    free(both);
  }
  forget(from, src);
  forget(to, dst);
}

/* Resets the status: a failure that the host left in it is not this call's. */
static void clear(TF_Status *status) {
  if (TF_GetCode(status) != TF_OK) TF_SetStatus(status, TF_OK, "");
}

/* One path -------------------------------------------------------------------------------- */

#define PATH_SLOT(slot)                                                                            \
  static void slot(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {         \
    clear(status);                                                                                 \
    slots()->slot(filesystem, path, status);                                                       \
    located_status(status, path);                                                                  \
  }
PATH_SLOT(create_dir)
PATH_SLOT(recursively_create_dir)
PATH_SLOT(delete_file)
PATH_SLOT(delete_dir)
PATH_SLOT(path_exists)

#define HANDLE_SLOT(slot, handle_type)                                                             \
  static void slot(const TF_Filesystem *filesystem, const char *path, handle_type *handle,         \
                   TF_Status *status) {                                                            \
    clear(status);                                                                                 \
    slots()->slot(filesystem, path, handle, status);                                               \
    located_status(status, path);                                                                  \
  }
HANDLE_SLOT(new_random_access_file, TF_RandomAccessFile)
HANDLE_SLOT(new_writable_file, TF_WritableFile)
HANDLE_SLOT(new_appendable_file, TF_WritableFile)
HANDLE_SLOT(new_read_only_memory_region_from_file, TF_ReadOnlyMemoryRegion)
HANDLE_SLOT(stat, TF_FileStatistics)

static void delete_recursively(const TF_Filesystem *filesystem, const char *path,
                               uint64_t *undeleted_files, uint64_t *undeleted_dirs,
                               TF_Status *status) {
  clear(status);
  slots()->delete_recursively(filesystem, path, undeleted_files, undeleted_dirs, status);
  located_status(status, path);
}

static bool is_directory(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  clear(status);
  bool directory = slots()->is_directory(filesystem, path, status);
  located_status(status, path);
  return directory;
}

static int64_t get_file_size(const TF_Filesystem *filesystem, const char *path, TF_Status *status) {
  clear(status);
  int64_t size = slots()->get_file_size(filesystem, path, status);
  located_status(status, path);
  return size;
}

#define INT_SLOT(slot, result_type)                                                                \
  static int slot(const TF_Filesystem *filesystem, const char *path, result_type *result,          \
                  TF_Status *status) {                                                             \
    clear(status);                                                                                 \
    int number = slots()->slot(filesystem, path, result, status);                                  \
    located_status(status, path);                                                                  \
    return number;                                                                                 \
  }
INT_SLOT(get_children, char **)
INT_SLOT(get_matching_paths, char **)
INT_SLOT(add_to_transaction, TF_TransactionToken)
INT_SLOT(get_transaction_for_path, TF_TransactionToken *)
INT_SLOT(get_or_start_transaction_for_path, TF_TransactionToken *)

/* Several paths ---------------------------------------------------------------------------- */

#define PAIR_SLOT(slot)                                                                            \
  static void slot(const TF_Filesystem *filesystem, const char *src, const char *dst,              \
                   TF_Status *status) {                                                            \
    clear(status);                                                                                 \
    slots()->slot(filesystem, src, dst, status);                                                   \
    put_two(status, src, dst);                                                                     \
  }
PAIR_SLOT(rename_file)
PAIR_SLOT(copy_file)

static bool paths_exist(const TF_Filesystem *filesystem, char **paths, int num_files,
                        TF_Status **statuses) {
  bool all = slots()->paths_exist(filesystem, paths, num_files, statuses);
  for (int i = 0; statuses && i < num_files; i++)
    located_status(statuses[i], paths[i]);
  return all;
}

/* The table -------------------------------------------------------------------------------- */

void located_table(TF_FilesystemOps *ops, const TF_FilesystemOps *inner, located_show *shown) {
  atomic_store_explicit(&located.slots, inner, memory_order_release);
  atomic_store_explicit(&located.show, shown, memory_order_release);
#define TAKE(slot)                                                                                 \
  if (inner->slot) ops->slot = slot
  TAKE(create_dir);
  TAKE(recursively_create_dir);
  TAKE(delete_file);
  TAKE(delete_dir);
  TAKE(path_exists);
  TAKE(new_random_access_file);
  TAKE(new_writable_file);
  TAKE(new_appendable_file);
  TAKE(new_read_only_memory_region_from_file);
  TAKE(stat);
  TAKE(delete_recursively);
  TAKE(is_directory);
  TAKE(get_file_size);
  TAKE(get_children);
  TAKE(get_matching_paths);
  TAKE(rename_file);
  TAKE(copy_file);
  TAKE(paths_exist);
  TAKE(add_to_transaction);
  TAKE(get_transaction_for_path);
  TAKE(get_or_start_transaction_for_path);
}
