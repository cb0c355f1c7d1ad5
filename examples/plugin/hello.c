/* hello: a filesystem of a few files that cannot be changed, as a plugin to start from.
 *
 *   cc -std=c11 -fPIC -fvisibility=hidden -shared -Iinclude examples/plugin/hello.c -o hello.so \
 *      -Wl,--no-as-needed build/stub/libtensorflow_framework.so.2
 *
 * Then hello:///english.txt can be read. docs/writing-a-plugin.md says why it is as it is. */
#include <stdlib.h>
#include <string.h>

#include "modfs/extension.h"
#include "modfs/register.h"

typedef struct entry {
  const char *path;
  const char *text; /* NULL: a directory */
} entry;

static const entry entries[] = {{"/", NULL},
                                {"/deutsch.txt", "Hallo, Welt!\n"},
                                {"/english.txt", "Hello, world!\n"},
                                {"/español.txt", "¡Hola, mundo!\n"}};
enum { COUNT = sizeof entries / sizeof *entries };

/* What every operation asks first: an entry, or NULL and the code that the contract wants. */
static const entry *hello_entry_find(const char *path, TF_Status *status) {
  for (int i = 0; i < COUNT; i++) {
    size_t length = strlen(entries[i].path);
    if (strcmp(path, entries[i].path) == 0) {
      TF_SetStatus(status, TF_OK, "");
      return &entries[i];
    }
    if (i > 0 && strncmp(path, entries[i].path, length) == 0 && path[length] == '/') {
      TF_SetStatus(status, TF_FAILED_PRECONDITION, "a file has nothing below it");
      return NULL;
    }
  }
  TF_SetStatus(status, TF_NOT_FOUND, "no such greeting");
  return NULL;
}

/* Files: the handle is the entry, so that there is nothing to free. ------------------ */
static void hello_file_open(const TF_Filesystem *fs, const char *path, TF_RandomAccessFile *file,
                            TF_Status *status) {
  (void)fs;
  const entry *found = hello_entry_find(path, status);
  if (found && !found->text)
    TF_SetStatus(status, TF_FAILED_PRECONDITION, "is a directory");
  else if (found)
    file->plugin_file = (void *)found;
}

static void hello_file_cleanup(TF_RandomAccessFile *file) {
  (void)file;
}

static int64_t hello_file_read(const TF_RandomAccessFile *file, uint64_t offset, size_t n,
                               char *buffer, TF_Status *status) {
  const char *text = ((const entry *)file->plugin_file)->text;
  size_t length = strlen(text), left = offset < length ? length - (size_t)offset : 0;
  size_t got = n < left ? n : left;
  if (got > 0) memcpy(buffer, text + length - left, got);
  TF_SetStatus(status, got < n ? TF_OUT_OF_RANGE : TF_OK, got < n ? "end of file" : "");
  return (int64_t)got;
}

/* Questions -------------------------------------------------------------------------- */
static void hello_stat(const TF_Filesystem *fs, const char *path, TF_FileStatistics *stats,
                       TF_Status *status) {
  (void)fs;
  const entry *found = hello_entry_find(path, status);
  if (!found) return;
  stats->length = found->text ? (int64_t)strlen(found->text) : 0;
  stats->mtime_nsec = 0;
  stats->is_directory = !found->text;
}

static void hello_path_exists(const TF_Filesystem *fs, const char *path, TF_Status *status) {
  (void)fs;
  hello_entry_find(path, status);
}

/* A copy in memory that the host may free; NULL when memory is short. */
static void *copy(const void *bytes, size_t size) {
  void *memory = malloc(size);
  return memory ? memcpy(memory, bytes, size) : NULL;
}

/* The names of the files, bare: without the slash; NULL when memory is short. */
static char **hello_names(void) {
  char **names = calloc(COUNT - 1, sizeof *names);
  int count = 0;
  while (names && count < COUNT - 1) {
    const char *path = entries[count + 1].path;
    names[count] = copy(path + 1, strlen(path));
    if (!names[count++]) goto fail;
  }
  return names;
fail:
  while (count > 0)
    free(names[--count]);
  free(names);
  return NULL;
}

static int hello_get_children(const TF_Filesystem *fs, const char *path, char ***names,
                              TF_Status *status) {
  (void)fs;
  const entry *found = hello_entry_find(path, status);
  if (found && found->text) TF_SetStatus(status, TF_FAILED_PRECONDITION, "is a file");
  if (TF_GetCode(status) != TF_OK) return -1;
  char **list = hello_names();
  if (list)
    *names = list;
  else
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "out of memory");
  return list ? COUNT - 1 : -1;
}

static void hello_init(TF_Filesystem *fs, TF_Status *status) {
  (void)fs, (void)status;
}

static void hello_cleanup(TF_Filesystem *fs) {
  (void)fs;
}

/* Registration: the host copies the tables and frees what is given to it here. ------ */
void TF_InitPlugin(TF_FilesystemPluginInfo *info) {
  static const TF_RandomAccessFileOps file = {.cleanup = hello_file_cleanup,
                                              .read = hello_file_read};
  static const TF_FilesystemOps filesystem = {.init = hello_init,
                                              .cleanup = hello_cleanup,
                                              .new_random_access_file = hello_file_open,
                                              .path_exists = hello_path_exists,
                                              .stat = hello_stat,
                                              .get_children = hello_get_children};
  const modfs_register_tables tables = {.filesystem = &filesystem, .random_access_file = &file};
  modfs_register_start(info, malloc, free);
  modfs_register_scheme(info, "hello", &tables);
}

/* What TensorFlow's tables cannot say; other hosts ignore it. */
const modfs_extension_ops *modfs_extension(const char *scheme) {
  static const modfs_extension_ops extension = {
      .struct_size = sizeof extension, .author = "modfs", .version = "1.0"};
  (void)scheme;
  return &extension;
}
