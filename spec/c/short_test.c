/* The core when memory is short: every allocation that the core makes in an operation fails once, and
 * then all from that one on. The operation fails with RESOURCE_EXHAUSTED, or does all that it is for;
 * it loses no block, and works again afterwards.
 *
 * Only calls from this program fail, which holds the core: plugins and libraries have tests of their
 * own. strdup, strndup and open_memstream count as allocations of whoever calls them. */
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include <modfs/async.h>
#include <modfs/device.h>

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

static bool is_ours(const void *caller) {
  return (const char *)caller >= &__executable_start && (const char *)caller < &etext;
}

static bool fails_now(const void *caller) {
  if (!is_ours(caller) || atomic_load(&until_failure) == 0) return false;
  if (atomic_fetch_sub(&until_failure, 1) > 1) return false;
  atomic_store(&until_failure, atomic_load(&fails_on) ? 1 : 0);
  errno = ENOMEM;
  return true;
}

static void *counted(void *block) {
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

static bool can_fail(void) {
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
static TF_Code told(char *text, const char *expected) {
  if (!text) return TF_RESOURCE_EXHAUSTED;
  TF_Code code = strcmp(text, expected) == 0 ? TF_OK : TF_INTERNAL;
  free(text);
  return code;
}

static const char *at(const char *name) {
  static int turn;
  char *path = path_of[turn++ % 4];
  snprintf(path, sizeof *path_of, "%s/%s", place, name);
  return path;
}

/* What an operation needs beforehand is spared failures: spare() ... spare_no_more(k). */
static long spare(void) {
  return atomic_exchange(&until_failure, 0);
}

static void spare_no_more(long k) {
  atomic_store(&until_failure, k);
}

static void write_file(const char *path, const char *content) {
  long k = spare();
  modfs_writable *file = modfs_writable_open(modfs_fs_of(path), path, MODFS_WRITE_REPLACE, status);
  if (file) modfs_writable_append(file, content, strlen(content), status);
  if (file) modfs_writable_close(file, status);
  spare_no_more(k);
}

static void remove_tree(const char *path) {
  uint64_t files, dirs;
  modfs_fs_delete_recursively(modfs_fs_of(path), path, &files, &dirs, status);
}

static void plant(const char *root) {
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

static bool is_ok(void) {
  return TF_GetCode(status) == TF_OK;
}

/* Operations: each returns its code, and TF_INTERNAL where what it did is wrong. ---- */

static TF_Code try_clean(void) {
  return told(modfs_path_clean_uri("mem://h/a/../b"), "mem://h/b");
}

static TF_Code try_join(void) {
  return told(modfs_path_join("a", "b"), "a/b");
}

static TF_Code try_dirname(void) {
  return told(modfs_path_dirname("mem://h/a/b"), "mem://h/a");
}

static TF_Code try_stem(void) {
  return told(modfs_path_stem("a/b.c"), "b");
}

static TF_Code try_extension(void) {
  return told(modfs_path_extension("a/b.c"), "c");
}

static TF_Code try_home(void) {
  return told(modfs_path_expand_user("~/a"), "/home/of/test/a");
}

static TF_Code try_escape(void) {
  return told(modfs_glob_escape("a*"), "a\\*");
}

/* The code of the status, and what a string is where it is OK. */
static TF_Code stated(char *text, const char *expected) {
  bool good = !is_ok() || (text && strcmp(text, expected) == 0);
  free(text);
  return good ? TF_GetCode(status) : TF_INTERNAL;
}

static TF_Code try_relative(void) {
  return stated(modfs_path_relative("/a/b/c", "/a/d", status), "../b/c");
}

static TF_Code try_common(void) {
  char first[] = "/a/b", second[] = "/a/c";
  char *items[] = {first, second};
  return stated(modfs_path_common(&(modfs_string_list){2, items, NULL}, status), "/a");
}

static TF_Code try_absolute(void) {
  char *text = modfs_path_absolute("x", status);
  bool good = !is_ok() || (text && *text == '/');
  free(text);
  return good ? TF_GetCode(status) : TF_INTERNAL;
}

static TF_Code listed(modfs_string_list *names, size_t expected) {
  bool good = !is_ok() || names->count == expected;
  modfs_string_list_fini(names);
  return good ? TF_GetCode(status) : TF_INTERNAL;
}

static TF_Code try_children(void) {
  modfs_string_list names = {0};
  modfs_fs_get_children(plain, at("tree"), &names, status);
  return listed(&names, 3);
}

static TF_Code try_match(void) {
  modfs_string_list names = {0};
  modfs_fs_get_matching_paths(plain, at("tree/*/*.txt"), &names, status);
  return listed(&names, 1);
}

static TF_Code try_glob(void) {
  modfs_string_list names = {0};
  modfs_glob(mem, "mem://short/tree/**/*.txt", &names, status);
  return listed(&names, 3);
}

static TF_Code try_choice(void) {
  static const char patterns[] = "*.txt\n!4.*\n/a/b/\n";
  modfs_string_list names = {0};
  modfs_choice *choice = modfs_choice_new(NULL, status);
  if (choice) modfs_choice_exclude(choice, patterns, sizeof patterns - 1, status);
  if (choice && is_ok()) modfs_choice_include(choice, "*", 1, status);
  if (choice && is_ok()) modfs_glob_chosen(plain, at("tree/**"), choice, &names, status);
  modfs_choice_free(choice);
  return listed(&names, 5);
}

static TF_Code try_exist(void) {
  const char *const paths[] = {"mem://short/tree/a", "mem://short/none"};
  TF_Code codes[2];
  bool all = modfs_fs_paths_exist(mem, paths, 2, codes, status);
  return all || (is_ok() && codes[1] != TF_NOT_FOUND) ? TF_INTERNAL : TF_GetCode(status);
}

static TF_Code try_listing(void) {
  modfs_entry entry;
  int count = 0;
  modfs_listing *listing = modfs_listing_open(mem, "mem://short/tree", status);
  while (listing && modfs_listing_next(listing, &entry, status))
    count++;
  modfs_listing_close(listing);
  return is_ok() && count != 3 ? TF_INTERNAL : TF_GetCode(status);
}

static TF_Code walked(modfs_walk *walk, int expected) {
  int count = 0;
  while (walk && is_ok() && modfs_walk_next(walk, status))
    count++;
  modfs_walk_close(walk);
  return is_ok() && count != expected ? TF_INTERNAL : TF_GetCode(status);
}

static TF_Code try_walk(void) {
  return walked(modfs_walk_open(plain, at("tree"), false, status), 5);
}

static TF_Code try_walk_up(void) {
  return walked(modfs_walk_open(mem, "mem://short/tree", true, status), 5);
}

static TF_Code try_walk_into(void) {
  const char *const names[] = {"a"};
  modfs_walk *walk = modfs_walk_open(plain, at("tree"), false, status);
  if (walk && modfs_walk_next(walk, status)) modfs_walk_into(walk, names, 1, status);
  return walked(walk, 3);
}

/* A failure below the root is recorded. */
static TF_Code grown(modfs_tree *tree, uint64_t files) {
  modfs_tree_event event;
  modfs_tree_error error;
  while (tree && modfs_tree_step(tree, &event, status)) {
  }
  if (!tree || !is_ok()) {
    modfs_tree_close(tree);
    return TF_GetCode(status);
  }
  modfs_tree_counts counts = modfs_tree_result(tree);
  TF_Code code = counts.files == files ? TF_OK : TF_INTERNAL;
  if (counts.lost_errors > 0) code = TF_RESOURCE_EXHAUSTED;
  for (size_t i = 0; modfs_tree_error_at(tree, i, &error); i++)
    code = error.code;
  modfs_tree_close(tree);
  return code;
}

static const modfs_tree_options alone = {.threads = 1, .progress = true};

static TF_Code try_measure(void) {
  return grown(modfs_tree_measure(plain, at("tree"), &alone, status), 5);
}

static TF_Code try_copy_tree(void) {
  return grown(modfs_tree_copy(plain, at("tree"), plain, at("copied"), &alone, status), 5);
}

static TF_Code try_copy_across(void) {
  return grown(modfs_tree_copy(mem, "mem://short/tree", plain, at("copied"), &alone, status), 5);
}

static TF_Code try_copy_links(void) {
  const modfs_tree_options follow = {.threads = 1, .links = MODFS_LINKS_FOLLOW};
  return grown(modfs_tree_copy(plain, at("linked"), mem, "mem://short/copied", &follow, status), 2);
}

static TF_Code try_keep_links(void) {
  const modfs_tree_options keep = {.threads = 1,
                                   .preserve = MODFS_PRESERVE_GIVEN | MODFS_PRESERVE_MTIME |
                                               MODFS_PRESERVE_MODE |
                                               MODFS_PRESERVE_TRY(MODFS_PRESERVE_XATTRS)};
  return grown(modfs_tree_copy(plain, at("linked"), plain, at("copied"), &keep, status), 2);
}

static TF_Code try_sync(void) {
  const modfs_tree_options options = {.threads = 1, .deletes = true, .checksum = true};
  return grown(modfs_tree_sync(plain, at("tree"), mem, "mem://short/copied", &options, status), 5);
}

static TF_Code try_delete(void) {
  plant(at("doomed"));
  return grown(modfs_tree_delete(plain, at("doomed"), &alone, status), 5);
}

static TF_Code try_delete_default(void) {
  uint64_t files, dirs;
  plant("mem://short/doomed");
  modfs_fs_delete_recursively(mem, "mem://short/doomed", &files, &dirs, status);
  return TF_GetCode(status);
}

static TF_Code try_make_dirs(void) {
  modfs_fs_recursively_create_dir(mem, "mem://short/copied/x/y/z", status);
  return TF_GetCode(status);
}

static TF_Code try_read(void) {
  char buffer[16];
  const char *data;
  modfs_file *file = modfs_file_open(mem, "mem://short/tree/5.txt", status);
  modfs_input *input = file ? modfs_input_open(file) : NULL;
  if (file && !input) TF_SetStatus(status, TF_RESOURCE_EXHAUSTED, "");
  size_t peeked = input ? modfs_input_peek(input, &data, status) : 0;
  bool good = !input || (peeked == 7 && modfs_input_read(input, buffer, 7, status) == 7);
  if (input) modfs_input_close(input);
  modfs_file_close(file);
  return good ? TF_GetCode(status) : TF_INTERNAL;
}

static TF_Code mapped(modfs_bytes *bytes, size_t length) {
  bool good = !is_ok() || (bytes && modfs_bytes_length(bytes) == length);
  if (bytes) modfs_bytes_drop(bytes);
  return good ? TF_GetCode(status) : TF_INTERNAL;
}

static TF_Code try_map(void) {
  return mapped(modfs_map(mem, "mem://short/tree/5.txt", status), 7);
}

static TF_Code try_map_empty(void) {
  return mapped(modfs_map(mem, "mem://short/empty", status), 0);
}

static TF_Code try_map_unsized(void) {
  modfs_bytes *bytes = modfs_map(plain, "/proc/self/status", status);
  return mapped(bytes, bytes ? modfs_bytes_length(bytes) : 1);
}

/* What is there afterwards is all of the old content or all of the new one. */
static TF_Code written(modfs_write_mode mode) {
  static char block[100 * 1024];
  const char *path = at("written");
  memset(block, 'x', sizeof block);
  modfs_writable *file = modfs_writable_open(plain, path, mode, status);
  TF_Code code = TF_GetCode(status);
  if (!file) return code;
  modfs_writable_append(file, "new", 3, status);
  if (is_ok()) modfs_writable_append(file, block, sizeof block, status);
  code = TF_GetCode(status);
  if (code == TF_OK)
    modfs_writable_close(file, status);
  else
    modfs_writable_discard(file, status);
  return code == TF_OK ? TF_GetCode(status) : code;
}

static TF_Code try_write(void) {
  return written(MODFS_WRITE_REPLACE);
}

static TF_Code try_append(void) {
  return written(MODFS_WRITE_APPEND);
}

static TF_Code try_atomic(void) {
  return written(MODFS_WRITE_ATOMIC_FAST);
}

static TF_Code try_copy(void) {
  modfs_copy(mem, "mem://short/tree/5.txt", plain, at("copied"), status);
  return TF_GetCode(status);
}

static bool hear(void *context, uint64_t done, uint64_t total) {
  return context == NULL && done <= total;
}

static TF_Code try_copy_with(void) {
  modfs_copy_with(plain, at("tree/5.txt"), mem, "mem://short/copied",
                  &(modfs_copy_progress){hear, NULL}, status);
  return TF_GetCode(status);
}

static TF_Code try_rename(void) {
  write_file(at("doomed"), "content");
  modfs_rename(plain, at("doomed"), mem, "mem://short/copied", status);
  return TF_GetCode(status);
}

static TF_Code try_link(void) {
  modfs_fs_create_link(plain, at("copied"), "anywhere", status);
  return is_ok() ? stated(modfs_fs_read_link(plain, at("copied"), status), "anywhere")
                 : TF_GetCode(status);
}

static TF_Code try_translate(void) {
  return stated(modfs_fs_translate_name(plain, "/a/../b", status), "/b");
}

/* Codecs and records --------------------------------------------------------------- */

static const char *codec_name;

static void encode(modfs_writable *below) {
  const modfs_codec *codec = modfs_codec_find(codec_name);
  modfs_writable *file = modfs_codec_writable(codec, NULL, below, true, status);
  if (!file) {
    TF_Code code = TF_GetCode(status);
    modfs_writable_discard(below, status);
    TF_SetStatus(status, code, "");
    return;
  }
  for (int i = 0; i < 10 && is_ok(); i++)
    modfs_record_append(file, "a record", 8, status);
  TF_Code code = TF_GetCode(status);
  if (code == TF_OK)
    modfs_writable_close(file, status);
  else
    modfs_writable_discard(file, status);
  if (code != TF_OK) TF_SetStatus(status, code, "");
}

static TF_Code try_encode(void) {
  modfs_writable *below =
      modfs_writable_open(mem, "mem://short/copied", MODFS_WRITE_REPLACE, status);
  if (below) encode(below);
  return TF_GetCode(status);
}

static modfs_records *open_records(bool detect) {
  const modfs_codec *codec = detect ? NULL : modfs_codec_find(codec_name);
  modfs_file *below = modfs_file_open(mem, "mem://short/records", status);
  modfs_file *file = below ? modfs_codec_file(codec, below, 0, status) : NULL;
  modfs_records *records = file ? modfs_records_open(file, status) : NULL;
  if (file && !records) modfs_file_close(file);
  modfs_file_close(below);
  return records;
}

static TF_Code counted_records(modfs_records *records) {
  modfs_record record;
  uint64_t offset = 0, count = 0;
  bool again = !atomic_load(&fails_on); /* what failed once goes on where it was */
  while (records && is_ok()) {
    bool there = modfs_records_read(records, offset, &record, status);
    if (there) {
      offset = record.next;
      count++;
    } else if (again && TF_GetCode(status) == TF_RESOURCE_EXHAUSTED) {
      again = false;
      TF_SetStatus(status, TF_OK, "");
    } else {
      break;
    }
  }
  if (records && is_ok() && count != 10) return TF_INTERNAL;
  if (records && is_ok() && modfs_records_count(records, status) != 10 && is_ok())
    return TF_INTERNAL;
  if (records && is_ok() && !modfs_records_find(records, 9, &offset, status) && is_ok())
    return TF_INTERNAL;
  return TF_GetCode(status);
}

static TF_Code try_decode(void) {
  modfs_records *records = open_records(strcmp(codec_name, "gzip") == 0);
  TF_Code code = counted_records(records);
  if (records) modfs_records_close(records);
  return code;
}

static TF_Code try_prefetch(void) {
  modfs_records *records = open_records(false);
  if (records) modfs_records_prefetch(records, status);
  TF_Code code = counted_records(records);
  if (records) modfs_records_close(records);
  return code;
}

static TF_Code try_salvage(void) {
  static modfs_salvage result;
  modfs_records *records = open_records(false);
  modfs_writable *to =
      records ? modfs_writable_open(mem, "mem://short/copied", MODFS_WRITE_REPLACE, status) : NULL;
  if (to) modfs_records_salvage(records, to, &result, status);
  TF_Code code =
      to && is_ok() && result.records != 10 && !result.cut ? TF_INTERNAL : TF_GetCode(status);
  if (to) modfs_writable_close(to, status);
  if (records) modfs_records_close(records);
  return code;
}

/* The rest ---------------------------------------------------------------------------- */

static TF_Code try_transaction(void) {
  modfs_transaction *one = modfs_transaction_start(mem, status);
  if (one) modfs_transaction_add(one, "mem://short/copied", status);
  char *text = one && is_ok() ? modfs_transaction_decode(one, status) : NULL;
  free(text);
  TF_Code code = TF_GetCode(status);
  if (code == TF_OK) {
    modfs_transaction *same = modfs_transaction_get(mem, "mem://short/copied", status);
    code = same == one ? TF_OK : is_ok() ? TF_INTERNAL : TF_GetCode(status);
    modfs_transaction_drop(same);
  }
  if (one) modfs_transaction_abort(one, status);
  modfs_transaction_drop(one);
  return code;
}

static TF_Code try_options(void) {
  modfs_string_list keys = {0};
  modfs_options options = {0};
  const modfs_fs *http = modfs_fs_find("http", 4);
  if (!http) return TF_OK;
  modfs_fs_get_configuration(http, &options, status);
  TF_Code code = is_ok() && options.count == 0 ? TF_INTERNAL : TF_GetCode(status);
  modfs_options_fini(&options);
  if (code != TF_OK) return code;
  modfs_fs_get_configuration_keys(http, &keys, status);
  return listed(&keys, keys.count);
}

static TF_Code try_watch(void) {
  modfs_change change;
  modfs_watch *watch = modfs_watch_open(plain, at("tree"), status);
  if (!watch) return TF_GetCode(status);
  write_file(at("tree/6"), "");
  long k = spare();
  modfs_fs_delete_file(plain, at("tree/6"), status);
  spare_no_more(k);
  if (is_ok() && modfs_watch_next(watch, 1, &change, status) > 0) modfs_change_fini(&change);
  modfs_watch_close(watch);
  return TF_GetCode(status);
}

/* It is not there: the message may be shorter when memory is short. */
static TF_Code try_search(void) {
  modfs_fs_search("mems://a", "/nowhere/?.so", "find", status);
  return TF_GetCode(status) == TF_UNIMPLEMENTED ? TF_OK : TF_GetCode(status);
}

static TF_Code try_search_platform(void) {
  modfs_platform_search("none", "/nowhere/?.so", status);
  return TF_GetCode(status) == TF_NOT_FOUND ? TF_OK : TF_GetCode(status);
}

/* Only the first success loads it. */
static TF_Code try_load(void) {
  modfs_platform_search("null", beside, status);
  return TF_GetCode(status);
}

static void work(void *argument, TF_Status *to) {
  TF_SetStatus(to, TF_OK, argument);
}

static TF_Code try_job(void) {
  char nothing[] = "";
  uint64_t number;
  modfs_callbacks *callbacks = modfs_callbacks_open(status);
  modfs_strand *strand = callbacks ? modfs_strand_open(status) : NULL;
  const modfs_job_options options = {.callbacks = callbacks, .number = 1, .strand = strand};
  modfs_job *job = strand ? modfs_job_start(work, NULL, nothing, &options, status) : NULL;
  if (job) modfs_job_wait(job, -1);
  while (job && !modfs_callbacks_take(callbacks, &number))
    modfs_callbacks_wait(callbacks, 1);
  if (job) modfs_job_result(job, status);
  modfs_job_close(job);
  TF_Code code = TF_GetCode(status);
  if (strand) modfs_strand_close(strand);
  if (callbacks) modfs_callbacks_close(callbacks);
  return code;
}

static modfs_device *device;

static TF_Code try_device(void) {
  modfs_device *one = modfs_device_open(modfs_platform_find("reference"), 0, status);
  if (one) modfs_device_close(one, status);
  return TF_GetCode(status);
}

static TF_Code try_memory(void) {
  modfs_memory *memory = modfs_memory_allocate(device, 100, status);
  if (memory) modfs_memory_fill(memory, 1, status);
  if (memory) modfs_memory_free(memory);
  return TF_GetCode(status);
}

static TF_Code try_host_memory(void) {
  modfs_bytes *bytes = modfs_device_host_allocate(device, 100, status);
  if (bytes) modfs_bytes_drop(bytes);
  return TF_GetCode(status);
}

static void use_stream(modfs_stream *stream, modfs_event *event, modfs_memory *memory) {
  modfs_bytes *bytes = modfs_bytes_new(64, status);
  if (bytes) modfs_stream_write(stream, memory, bytes, modfs_bytes_data(bytes), 64, status);
  if (bytes && is_ok()) modfs_stream_fill(stream, memory, 7, status);
  if (bytes && is_ok())
    modfs_stream_read(stream, bytes, modfs_bytes_data(bytes), memory, 64, status);
  if (bytes && is_ok()) modfs_stream_record(stream, event, status);
  if (bytes && is_ok()) modfs_event_wait(event, status);
  if (bytes && is_ok() && modfs_bytes_data(bytes)[63] != 7) TF_SetStatus(status, TF_INTERNAL, "");
  if (bytes) modfs_bytes_drop(bytes);
}

static TF_Code try_stream(void) {
  modfs_memory *memory = modfs_memory_allocate(device, 64, status);
  modfs_stream *stream = memory ? modfs_stream_open(device, status) : NULL;
  modfs_event *event = stream ? modfs_event_open(device, status) : NULL;
  if (event) use_stream(stream, event, memory);
  TF_Code code = TF_GetCode(status);
  if (event) modfs_event_close(event);
  if (stream) modfs_stream_close(stream);
  if (memory) modfs_memory_free(memory);
  return code;
}

static TF_Code try_timer(void) {
  modfs_stream *stream = modfs_stream_open(device, status);
  modfs_timer *timer = stream ? modfs_timer_open(device, status) : NULL;
  if (timer) modfs_timer_start(timer, stream, status);
  if (timer && is_ok()) modfs_timer_stop(timer, stream, status);
  if (timer && is_ok()) modfs_timer_nanoseconds(timer, status);
  TF_Code code = TF_GetCode(status);
  if (timer) modfs_timer_close(timer);
  if (stream) modfs_stream_close(stream);
  return code;
}

static TF_Code try_device_load(void) {
  double seconds;
  modfs_memory *memory = modfs_device_load(device, mem, "mem://short/tree/5.txt", &seconds, status);
  if (memory) modfs_memory_free(memory);
  return TF_GetCode(status);
}

/* Running them --------------------------------------------------------------------------- */

typedef struct operation {
  const char *name;
  TF_Code (*run)(void);
  bool threads; /* other threads make and free blocks, too */
} operation;

static void clear(void) {
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
static bool fail(const operation *one, long k, bool all, TF_Code *code) {
  atomic_store(&fails_on, all);
  atomic_store(&until_failure, k);
  *code = one->run();
  long left = atomic_exchange(&until_failure, 0);
  return all ? left == 1 && *code != TF_OK : left == 0;
}

static bool test_in(const operation *one, bool all) {
  TF_Code code = TF_OK;
  for (long k = 1; k < 10000; k++) {
    long before = atomic_load(&blocks);
    bool reached = fail(one, k, all, &code);
    bool good = code == TF_OK || (reached && code == TF_RESOURCE_EXHAUSTED);
    if (!good) check_note("allocation %ld: code %d: %s", k, code, TF_Message(status));
    clear();
    long lost = one->threads ? 0 : atomic_load(&blocks) - before;
    if (good && lost > 0 && k > 1) check_note("allocation %ld: %ld blocks are lost", k, lost);
    if (!good || (lost > 0 && k > 1)) return false;
    if (!reached && code == TF_OK) return true;
  }
  return false;
}

static void test(const operation *one) {
  clear();
  TF_Code code = one->run == try_load ? TF_OK : one->run();
  clear();
  CHECK_INT(code, TF_OK, "%s with enough memory", one->name);
  CHECK(test_in(one, false), "%s while one allocation fails", one->name);
  CHECK(test_in(one, true), "%s while all fail from one on", one->name);
}

static void test_codecs(void) {
  for (const modfs_codec *codec = modfs_codec_next(NULL); codec; codec = modfs_codec_next(codec)) {
    char name[64];
    codec_name = modfs_codec_name(codec);
    if (!modfs_codec_available(codec, status)) continue;
    modfs_writable *below =
        modfs_writable_open(mem, "mem://short/records", MODFS_WRITE_REPLACE, status);
    if (below) encode(below);
    snprintf(name, sizeof name, "encoding as %s", codec_name);
    test(&(operation){name, try_encode, false});
    snprintf(name, sizeof name, "decoding %s", codec_name);
    test(&(operation){name, try_decode, false});
    snprintf(name, sizeof name, "reading ahead in %s", codec_name);
    test(&(operation){name, try_prefetch, true});
    snprintf(name, sizeof name, "salvaging %s", codec_name);
    test(&(operation){name, try_salvage, false});
  }
}

static const operation operations[] = {{"cleaning a path", try_clean, false},
                                       {"joining paths", try_join, false},
                                       {"dirname", try_dirname, false},
                                       {"stem", try_stem, false},
                                       {"extension", try_extension, false},
                                       {"a home", try_home, false},
                                       {"an escaped pattern", try_escape, false},
                                       {"a relative path", try_relative, false},
                                       {"a common path", try_common, false},
                                       {"an absolute path", try_absolute, false},
                                       {"the names in a directory", try_children, false},
                                       {"matching paths", try_match, false},
                                       {"a glob with stars", try_glob, false},
                                       {"a glob with a choice", try_choice, false},
                                       {"whether paths exist", try_exist, false},
                                       {"a listing", try_listing, false},
                                       {"a walk", try_walk, false},
                                       {"a walk from below", try_walk_up, false},
                                       {"a walk into named directories", try_walk_into, false},
                                       {"measuring a tree", try_measure, false},
                                       {"copying a tree", try_copy_tree, false},
                                       {"copying a tree across", try_copy_across, false},
                                       {"copying a tree through links", try_copy_links, false},
                                       {"copying a tree with links", try_keep_links, false},
                                       {"syncing a tree", try_sync, false},
                                       {"deleting a tree", try_delete, false},
                                       {"deleting by the plugin", try_delete_default, false},
                                       {"making directories", try_make_dirs, false},
                                       {"reading a file", try_read, false},
                                       {"mapping a file", try_map, false},
                                       {"mapping an empty file", try_map_empty, false},
                                       {"mapping a file of no size", try_map_unsized, false},
                                       {"writing a file", try_write, false},
                                       {"appending to a file", try_append, false},
                                       {"replacing a file", try_atomic, false},
                                       {"copying a file", try_copy, false},
                                       {"copying a file with progress", try_copy_with, false},
                                       {"moving a file", try_rename, false},
                                       {"a link", try_link, false},
                                       {"translating a name", try_translate, false},
                                       {"a transaction", try_transaction, false},
                                       {"options", try_options, false},
                                       {"a watch", try_watch, false},
                                       {"searching for a scheme", try_search, false},
                                       {"searching for a platform", try_search_platform, false},
                                       {"loading a plugin", try_load, true},
                                       {"a job", try_job, true},
                                       {"opening a device", try_device, true},
                                       {"device memory", try_memory, true},
                                       {"host memory", try_host_memory, true},
                                       {"a stream", try_stream, true},
                                       {"a timer", try_timer, true},
                                       {"loading a file into a device", try_device_load, true}};

/* Whether what stands here is as the operations need it. */
static bool prepare(void) {
  strcpy(place, "/tmp/modfs-short.XXXXXX");
  setenv("HOME", "/home/of/test", 1);
  modfs_start(status);
  if (!is_ok() || !mkdtemp(place)) return false;
  mem = modfs_fs_find("mem", 3);
  plain = modfs_fs_find("", 0);
  snprintf(beside, sizeof beside, "%s/?.so", modfs_plugin_directory());
  modfs_fs_search("http://x", beside, "find", status);
  const modfs_platform *platform = modfs_platform_search("reference", beside, status);
  device = platform ? modfs_device_open(platform, 0, status) : NULL;
  modfs_fs_create_dir(mem, "mem://short", status);
  write_file("mem://short/empty", "");
  plant("mem://short/tree");
  plant(at("tree"));
  modfs_fs_create_dir(plain, at("linked"), status);
  write_file(at("linked/file"), "content");
  modfs_fs_create_link(plain, at("linked/link"), "file", status);
  return device && is_ok();
}

int main(void) {
  status = TF_NewStatus();
  if (!can_fail()) {
    CHECK(true, "memory cannot be made short here # SKIP a checker has an allocator of its own");
    return check_end();
  }
  if (CHECK(prepare(), "there is something to work on")) {
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
      test(&operations[i]);
    test_codecs();
  }
  remove_tree(place);
  return check_end();
}
