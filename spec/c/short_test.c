/* Paths, lists, trees and files when memory is short (short.h). */
#include <modfs/async.h>

#include "short.h"

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

static const operation operations[] = {{"cleaning a path", try_clean, ALONE},
                                       {"joining paths", try_join, ALONE},
                                       {"dirname", try_dirname, ALONE},
                                       {"stem", try_stem, ALONE},
                                       {"extension", try_extension, ALONE},
                                       {"a home", try_home, ALONE},
                                       {"an escaped pattern", try_escape, ALONE},
                                       {"a relative path", try_relative, ALONE},
                                       {"a common path", try_common, ALONE},
                                       {"an absolute path", try_absolute, ALONE},
                                       {"the names in a directory", try_children, ALONE},
                                       {"matching paths", try_match, ALONE},
                                       {"a glob with stars", try_glob, ALONE},
                                       {"a glob with a choice", try_choice, ALONE},
                                       {"whether paths exist", try_exist, ALONE},
                                       {"a listing", try_listing, ALONE},
                                       {"a walk", try_walk, ALONE},
                                       {"a walk from below", try_walk_up, ALONE},
                                       {"a walk into named directories", try_walk_into, ALONE},
                                       {"measuring a tree", try_measure, ALONE},
                                       {"copying a tree", try_copy_tree, ALONE},
                                       {"copying a tree across", try_copy_across, ALONE},
                                       {"copying a tree through links", try_copy_links, ALONE},
                                       {"copying a tree with links", try_keep_links, ALONE},
                                       {"syncing a tree", try_sync, ALONE},
                                       {"deleting a tree", try_delete, ALONE},
                                       {"deleting by the plugin", try_delete_default, ALONE},
                                       {"making directories", try_make_dirs, ALONE},
                                       {"reading a file", try_read, ALONE},
                                       {"mapping a file", try_map, ALONE},
                                       {"mapping an empty file", try_map_empty, ALONE},
                                       {"mapping a file of no size", try_map_unsized, ALONE},
                                       {"writing a file", try_write, ALONE},
                                       {"appending to a file", try_append, ALONE},
                                       {"replacing a file", try_atomic, ALONE},
                                       {"copying a file", try_copy, ALONE},
                                       {"copying a file with progress", try_copy_with, ALONE},
                                       {"moving a file", try_rename, ALONE},
                                       {"a link", try_link, ALONE},
                                       {"translating a name", try_translate, ALONE},
                                       {"a transaction", try_transaction, ALONE},
                                       {"options", try_options, ALONE},
                                       {"a watch", try_watch, ALONE}};

static bool prepare(void) {
  modfs_fs_search("http://x", beside, "find", status);
  TF_SetStatus(status, TF_OK, "");
  write_file("mem://short/empty", "");
  plant("mem://short/tree");
  plant(at("tree"));
  modfs_fs_create_dir(plain, at("linked"), status);
  write_file(at("linked/file"), "content");
  modfs_fs_create_link(plain, at("linked/link"), "file", status);
  return is_ok();
}

static void tests(void) {
  for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
    test(&operations[i]);
}

int main(void) {
  return short_run(prepare, tests);
}
