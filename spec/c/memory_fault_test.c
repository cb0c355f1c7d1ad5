/* The memory plugin when memory is short: every allocation of every operation fails once, and all
 * that follow it. The operation must say RESOURCE_EXHAUSTED and leave the tree as it was. */
#include "filesystem_ops.h"

/* From the k-th allocation of this thread on, all fail; 0: none does. */
static _Thread_local volatile long until_failure;

static void fail_allocation(long k) {
  until_failure = k;
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *block, size_t size);

static bool fails_now(void) {
  if (until_failure > 1) {
    until_failure--;
    return false;
  }
  return until_failure == 1;
}

__attribute__((visibility("default"))) void *malloc(size_t size) {
  return fails_now() ? NULL : __libc_malloc(size);
}

__attribute__((visibility("default"))) void *calloc(size_t count, size_t size) {
  return fails_now() ? NULL : __libc_calloc(count, size);
}

__attribute__((visibility("default"))) void *realloc(void *block, size_t size) {
  return fails_now() ? NULL : __libc_realloc(block, size);
}
#endif

/* Whether a failure can be made here at all: checkers bring allocators of their own. */
static bool control(void) {
  fail_allocation(1);
  void *volatile block = malloc(1);
  fail_allocation(0);
  free(block);
  return block == NULL;
}

/* translate_name cannot report a failure, and so is spared them. */
static char *(*real_translate)(const TF_Filesystem *, const char *);

static char *spared_translate(const TF_Filesystem *filesystem, const char *uri) {
  long k = until_failure;
  until_failure = 0;
  char *path = real_translate(filesystem, uri);
  until_failure = k;
  return path;
}

/* An operation for the table below. */
#define SHORT(name, call)                                                                          \
  static TF_Code name(void) {                                                                      \
    return call;                                                                                   \
  }
SHORT(short_open_writer, put("mem://t/d/sub/new", "new content"))
SHORT(short_append,
      put_end("mem://t/d/old",
              "01234567890123456789012345678901234567890123456789012345678901234567890123456789"))
SHORT(short_make, try_make_all("mem://t/d/a/b/c/d"))
SHORT(short_rename, on_two(fs.rename_file, "mem://t/d/old", "mem://t/d/sub/moved"))
SHORT(short_copy, on_two(fs.copy_file, "mem://t/out", "mem://t/d/copy"))
SHORT(short_atomic, write_by("mem://t/d/old", MODFS_OPEN_ATOMIC, "new"))
SHORT(short_list, try_list("mem://t/d"))
SHORT(short_region, try_region("mem://t/d/old"))
SHORT(short_read, try_read("mem://t/d/old"))
SHORT(short_iterate, try_iterate("mem://t/d"))
SHORT(short_empty, try_delete_tree("mem://"))
SHORT(short_link, make_link("mem://t/d/link", "a target that is longer than a block of no bytes"))

/* The link is made, outside of what is compared, before the failures begin. */
static void make_way(void) {
  long k = until_failure;
  until_failure = 0;
  make_link("mem://way", "t/d");
  until_failure = k;
}

static TF_Code short_way(void) {
  make_way();
  return put("mem://way/sub/new", "new content");
}

static TF_Code short_way_to_replace(void) {
  make_way();
  return write_by("mem://way/old", MODFS_OPEN_ATOMIC, "new");
}

static TF_Code short_way_to_match(void) {
  make_way();
  const char *found = glob("mem://wa*/*");
  return *found == '!' ? (TF_Code)atoi(found + 1) : TF_OK;
}

static TF_Code short_way_to_make(void) {
  make_way();
  return try_make_all("mem://way/a/b/c");
}

static TF_Code short_target(void) {
  make_way();
  const char *target = target_of("mem://way");
  return *target == '!' ? (TF_Code)atoi(target + 1) : TF_OK;
}

static TF_Code short_match(void) {
  const char *found = glob("mem://t/*/*");
  return *found == '!' ? (TF_Code)atoi(found + 1) : TF_OK;
}

static TF_Code short_transaction(void) {
  TF_TransactionToken *token = begin();
  TF_Code code = TF_GetCode(status);
  if (code) return code;
  code = add(token, "mem://t/d/sub");
  if (!code) code = put("mem://t/d/sub/x", "changed");
  if (!code) code = add(token, "mem://t");
  if (!code) code = put("mem://t/more", "more");
  if (code) {
    abort_of(token);
    return code;
  }
  return commit(token);
}

static TF_Code short_options(void) {
  int count = 0;
  list_options(&count);
  return TF_GetCode(status);
}

/* Opening a writer makes the file before the append fails. */
static bool is_as_before(TF_Code (*run)(void)) {
  const char *left = tree("mem://t");
  bool opens = run == short_open_writer || run == short_way;
  if (opens && !strcmp(left, "d(old=old;sub(new=;x=x;))out=out;")) return true;
  return !strcmp(left, START_DUMP);
}

/* Fails later and later until the operation succeeds; gives how often it failed, or -1. */
static int failures_survived(TF_Code (*run)(void)) {
  for (int k = 1; k < 200; k++) {
    start_tree();
    fail_allocation(k);
    TF_Code code = run();
    fail_allocation(0);
    if (code == TF_OK) return k - 1;
    if (code != TF_RESOURCE_EXHAUSTED || !is_as_before(run)) break;
  }
  return -1;
}

static void test_short_memory(void) {
  static const struct {
    const char *name;
    TF_Code (*run)(void);
  } rows[] = {
      {"a new file", short_open_writer},
      {"an append", short_append},
      {"a path of directories", short_make},
      {"a rename", short_rename},
      {"a copy", short_copy},
      {"an atomic file", short_atomic},
      {"a listing", short_list},
      {"a pattern", short_match},
      {"a region", short_region},
      {"an open", short_read},
      {"an iteration", short_iterate},
      {"emptying the root", short_empty},
      {"a transaction", short_transaction},
      {"reading the options", short_options},
      {"a new link", short_link},
      {"a file behind a link", short_way},
      {"an atomic file behind a link", short_way_to_replace},
      {"a pattern behind a link", short_way_to_match},
      {"directories behind a link", short_way_to_make},
      {"the target of a link", short_target},
  };
  real_translate = fs.translate_name;
  fs.translate_name = spared_translate;
  for (size_t i = 0; i < MEMBERS(rows); i++) {
    int survived = failures_survived(rows[i].run);
    CHECK(survived > 0, "%s survives short memory, at each of %d allocations", rows[i].name,
          survived);
  }
  fs.translate_name = real_translate;
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv, 1, "mem")) return check_end();
  if (control())
    test_short_memory();
  else
    CHECK(true, "short memory # SKIP this checker has an allocator of its own");
  return host_close();
}
