/* The frame of the programs short_*_test: every allocation that the core makes in an operation fails once, and
 * then all from that one on. The operation fails with RESOURCE_EXHAUSTED, or does all that it is for;
 * it loses no block, and works again afterwards.
 *
 * Only calls from the program fail, which holds the core: plugins and libraries have tests of their
 * own. strdup, strndup and open_memstream count as allocations of whoever calls them. */
#ifndef SHORT_H
#define SHORT_H

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

/* The next allocation that fails is the k-th from now; 0: none does. */
static atomic_long until_failure;
static atomic_bool fails_on; /* all that follow fail, too */
static atomic_long blocks;   /* how many there are more than at the start */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);
void __libc_free(void *block);
extern char __executable_start, etext;

static inline bool is_ours(const void *caller) {
  return (const char *)caller >= &__executable_start && (const char *)caller < &etext;
}

static inline bool fails_now(const void *caller) {
  if (!is_ours(caller) || atomic_load(&until_failure) == 0) return false;
  if (atomic_fetch_sub(&until_failure, 1) > 1) return false;
  atomic_store(&until_failure, atomic_load(&fails_on) ? 1 : 0);
  errno = ENOMEM;
  return true;
}

static inline void *counted(void *block) {
  if (block) atomic_fetch_add(&blocks, 1);
  return block;
}

#define SEEN __attribute__((visibility("default")))
#define FAILS fails_now(__builtin_return_address(0))

SEEN void *malloc(size_t size) {
  return FAILS ? NULL : counted(__libc_malloc(size));
}

SEEN void *calloc(size_t count, size_t size) {
  return FAILS ? NULL : counted(__libc_calloc(count, size));
}

SEEN void *realloc(void *block, size_t size) {
  if (FAILS) return NULL;
  void *larger = __libc_realloc(block, size);
  return block ? larger : counted(larger);
}

SEEN void free(void *block) {
  if (block) atomic_fetch_sub(&blocks, 1);
  __libc_free(block);
}

static char *copy(const char *text, size_t length) {
  char *block = counted(__libc_malloc(length + 1));
  if (!block) return NULL;
  memcpy(block, text, length);
  block[length] = '\0';
  return block;
}

SEEN char *strdup(const char *text) {
  return FAILS ? NULL : copy(text, strlen(text));
}

SEEN char *strndup(const char *text, size_t most) {
  return FAILS ? NULL : copy(text, strnlen(text, most));
}

SEEN FILE *open_memstream(char **text, size_t *size) {
  static FILE *(*real)(char **, size_t *);
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "open_memstream");
  return FAILS ? NULL : real(text, size);
}
#endif

static inline bool can_fail(void) {
  atomic_store(&until_failure, 1);
  void *volatile block = malloc(1);
  atomic_store(&until_failure, 0);
  free(block);
  return block == NULL;
}

/* What the operations share ---------------------------------------------------- */

static TF_Status *status;
static const modfs_fs *mem, *plain;
static char beside[4200], place[64], path_of[4][128];

/* A text for failures that no status tells: a NULL for a string. */
static inline TF_Code told(char *text, const char *expected) {
  if (!text) return TF_RESOURCE_EXHAUSTED;
  TF_Code code = strcmp(text, expected) == 0 ? TF_OK : TF_INTERNAL;
  free(text);
  return code;
}

static inline const char *at(const char *name) {
  static int turn;
  char *path = path_of[turn++ % 4];
  snprintf(path, sizeof *path_of, "%s/%s", place, name);
  return path;
}

/* What an operation needs beforehand is spared failures: spare() ... spare_no_more(k). */
static inline long spare(void) {
  return atomic_exchange(&until_failure, 0);
}

static inline void spare_no_more(long k) {
  atomic_store(&until_failure, k);
}

static inline void write_file(const char *path, const char *content) {
  long k = spare();
  modfs_writable *file = modfs_writable_open(modfs_fs_of(path), path, MODFS_WRITE_REPLACE, status);
  if (file) modfs_writable_append(file, content, strlen(content), status);
  if (file) modfs_writable_close(file, status);
  spare_no_more(k);
}

static inline void remove_tree(const char *path) {
  uint64_t files, dirs;
  modfs_fs_delete_recursively(modfs_fs_of(path), path, &files, &dirs, status);
}

static inline void plant(const char *root) {
  static const char *const directories[] = {"a", "a/b", "a/b/c", "d"};
  static const char *const files[] = {"a/1", "a/b/2", "a/b/c/3.txt", "d/4.txt", "5.txt"};
  char path[256];
  long k = spare();
  modfs_fs_create_dir(modfs_fs_of(root), root, status);
  for (size_t i = 0; i < sizeof directories / sizeof *directories; i++) {
    snprintf(path, sizeof path, "%s/%s", root, directories[i]);
    modfs_fs_create_dir(modfs_fs_of(root), path, status);
  }
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    snprintf(path, sizeof path, "%s/%s", root, files[i]);
    write_file(path, "content");
  }
  spare_no_more(k);
}

static inline bool is_ok(void) {
  return TF_GetCode(status) == TF_OK;
}

/* Running them --------------------------------------------------------------------------- */

typedef enum operation_kind {
  ALONE,
  THREADED, /* other threads make and free blocks, too */
  ONCE      /* the same, and only its first success does anything */
} operation_kind;

typedef struct operation {
  const char *name;
  TF_Code (*run)(void);
  operation_kind kind;
} operation;

static inline void clear(void) {
  remove_tree("mem://short/copied");
  modfs_fs_delete_file(mem, "mem://short/copied", status);
  remove_tree(at("copied"));
  modfs_fs_delete_file(plain, at("copied"), status);
  remove_tree(at("doomed"));
  modfs_fs_delete_file(plain, at("doomed"), status);
  remove_tree("mem://short/doomed");
  TF_SetStatus(status, TF_OK, "");
}

/* Whether the k-th allocation was reached; then *code is what came of it. */
static inline bool fail(const operation *one, long k, bool all, TF_Code *code) {
  atomic_store(&fails_on, all);
  atomic_store(&until_failure, k);
  *code = one->run();
  long left = atomic_exchange(&until_failure, 0);
  return all ? left == 1 && *code != TF_OK : left == 0;
}

static inline bool test_in(const operation *one, bool all) {
  TF_Code code = TF_OK;
  for (long k = 1; k < 10000; k++) {
    long before = atomic_load(&blocks);
    bool reached = fail(one, k, all, &code);
    bool good = code == TF_OK || (reached && code == TF_RESOURCE_EXHAUSTED);
    if (!good) check_note("allocation %ld: code %d: %s", k, code, TF_Message(status));
    clear();
    long lost = one->kind == ALONE ? atomic_load(&blocks) - before : 0;
    if (good && lost > 0 && k > 1) check_note("allocation %ld: %ld blocks are lost", k, lost);
    if (!good || (lost > 0 && k > 1)) return false;
    if (!reached && code == TF_OK) return true;
  }
  return false;
}

static inline void test(const operation *one) {
  clear();
  TF_Code code = one->kind == ONCE ? TF_OK : one->run();
  clear();
  CHECK_INT(code, TF_OK, "%s with enough memory", one->name);
  CHECK(test_in(one, false), "%s while one allocation fails", one->name);
  CHECK(test_in(one, true), "%s while all fail from one on", one->name);
}

/* Whether what stands here is as all need it. */
static inline bool prepare_places(void) {
  strcpy(place, "/tmp/modfs-short.XXXXXX");
  setenv("HOME", "/home/of/test", 1);
  modfs_start(status);
  if (!is_ok() || !mkdtemp(place)) return false;
  mem = modfs_fs_find("mem", 3);
  plain = modfs_fs_find("", 0);
  snprintf(beside, sizeof beside, "%s/?.so", modfs_plugin_directory());
  modfs_fs_create_dir(mem, "mem://short", status);
  return is_ok();
}

/* Runs a program: prepare() -> whether what stands here is as the tests need it. */
static inline int short_run(bool (*prepare)(void), void (*tests)(void)) {
  status = TF_NewStatus();
  if (!can_fail()) {
    CHECK(true, "memory cannot be made short here # SKIP a checker has an allocator of its own");
    return check_end();
  }
  if (CHECK(prepare_places() && prepare(), "there is something to work on")) tests();
  remove_tree(place);
  return check_end();
}

#endif
