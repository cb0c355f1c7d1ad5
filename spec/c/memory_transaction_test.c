/* The memory plugin: transactions. */
#include <unistd.h>

#include "filesystem_ops.h"

static void change_much(void) {
  CHECK_INT(make("mem://t/d/new"), TF_OK, "transaction: a directory");
  CHECK_INT(put("mem://t/d/new/f", "f"), TF_OK, "transaction: a file in it");
  CHECK_INT(put_end("mem://t/d/new/f", "g"), TF_OK, "transaction: more of it");
  CHECK_INT(make("mem://t/d/new"), TF_ALREADY_EXISTS, "transaction: changes see the changes");
  CHECK_INT(put_end("mem://t/d/old", "+"), TF_OK, "transaction: more of an old file");
  CHECK_INT(on_two(fs.rename_file, "mem://t/d/old", "mem://t/d/moved"), TF_OK,
            "transaction: a rename");
  CHECK_INT(try_delete("mem://t/d/old"), TF_NOT_FOUND, "transaction: which took the name away");
  CHECK_INT(on_two(fs.copy_file, "mem://t/out", "mem://t/d/copy"), TF_OK, "transaction: a copy");
  CHECK_INT(try_delete_dir("mem://t/d/sub"), TF_FAILED_PRECONDITION, "transaction: not empty");
  CHECK_INT(try_delete("mem://t/d/sub/x"), TF_OK, "transaction: a file deleted");
  CHECK_INT(try_delete_dir("mem://t/d/sub"), TF_OK, "transaction: empty now");
  CHECK_INT(try_make_all("mem://t/d/1/2/3"), TF_OK, "transaction: a path of directories");
}

static void test_commit(void) {
  start_tree();
  TF_TransactionToken *token = begin();
  CHECK_INT(add(token, "mem://t/d"), TF_OK, "puts a directory under a transaction");
  CHECK_INT(add(token, "mem://t/d/sub"), TF_OK, "what is below it is there already");
  change_much();
  CHECK_STR(tree("mem://t"), START_DUMP, "readers see nothing of it");
  CHECK_STR(glob("mem://t/d/*"), "mem://t/d/old mem://t/d/sub", "nor do patterns");
  CHECK_INT(try_region("mem://t/d/moved"), TF_NOT_FOUND, "nor do regions");
  CHECK_INT(commit(token), TF_OK, "commits");
  CHECK_STR(tree("mem://t"), "d(1(2(3()))copy=out;moved=old+;new(f=fg;))out=out;",
            "readers see all of it then");
  CHECK_INT(commit(token), TF_NOT_FOUND, "a token is gone after its end");
  CHECK_INT(abort_of(token), TF_NOT_FOUND, "for an abort, too");
  CHECK(!holder("mem://t/d/x"), "and so is its hold on the path");
  CHECK_INT(put("mem://t/d/now", "now"), TF_OK, "the path is free again");
  CHECK_STR(get("mem://t/d/now"), "now", "and shows changes at once");
}

static TF_WritableFile open_atomic(void) {
  TF_WritableFile file = {NULL};
  CHECK_INT(open_by("mem://t/d/old", MODFS_OPEN_ATOMIC, &file), TF_OK, "an atomic file opens");
  append(&file, "new");
  return file;
}

/* An atomic file is part of the transaction that holds its path when it is closed. */
static void test_atomic(void) {
  start_tree();
  TF_TransactionToken *token = begin();
  add(token, "mem://t/d");
  TF_WritableFile file = open_atomic();
  CHECK_INT(finish(&file), TF_OK, "closes within a transaction");
  CHECK_STR(tree("mem://t"), START_DUMP, "readers see nothing of it");
  file = open_atomic();
  append(&file, "er");
  writable_ops.cleanup(&file);
  CHECK_INT(commit(token), TF_OK, "commits");
  CHECK_STR(get("mem://t/d/old"), "new", "what was closed, not what was given up");
  start_tree();
  token = begin();
  add(token, "mem://t/d");
  file = open_atomic();
  commit(token);
  CHECK_STR(tree("mem://t"), START_DUMP, "a commit without the close brings nothing");
  CHECK_INT(finish(&file), TF_OK, "closes after the commit");
  CHECK_STR(get("mem://t/d/old"), "new", "and is there at once");
  start_tree();
  file = open_atomic();
  token = begin();
  add(token, "mem://t/d");
  CHECK_INT(finish(&file), TF_OK, "closes in a transaction that came after it was opened");
  CHECK_STR(tree("mem://t"), START_DUMP, "and joins it");
  file = open_atomic();
  CHECK_INT(abort_of(token), TF_OK, "aborts");
  CHECK_INT(finish(&file), TF_ABORTED, "a file of an aborted transaction is not closed");
  CHECK_STR(tree("mem://t"), START_DUMP, "and leaves no trace");
  file = open_atomic();
  try_delete("mem://t/d/old");
  make("mem://t/d/old");
  CHECK_INT(finish(&file), TF_FAILED_PRECONDITION, "nor where a directory came meanwhile");
}

static void test_abort(void) {
  start_tree();
  int64_t dir_time = mtime_of("mem://t/d"), file_time = mtime_of("mem://t/d/old");
  TF_TransactionToken *token = begin();
  TF_WritableFile file;
  TF_ReadOnlyMemoryRegion region;
  add(token, "mem://t/d");
  change_much();
  open_writable("mem://t/d/held", 'w', &file);
  append(&file, "held");
  CHECK_INT(abort_of(token), TF_OK, "aborts");
  CHECK_STR(tree("mem://t"), START_DUMP, "without a trace");
  CHECK(mtime_of("mem://t/d") == dir_time && mtime_of("mem://t/d/old") == file_time,
        "in the times neither");
  CHECK_INT(append(&file, "more"), TF_ABORTED, "an open file of it takes no more");
  writable_ops.sync(&file, fresh());
  CHECK_INT(TF_GetCode(status), TF_ABORTED, "and syncs nothing");
  writable_ops.cleanup(&file);
  open_region("mem://t/d/old", &region);
  CHECK_STR(region_ops.data(&region), "old", "nothing of it is behind a region");
  region_ops.cleanup(&region);
  CHECK_INT(abort_of(NULL), TF_NOT_FOUND, "no token");
  CHECK_INT(abort_of((TF_TransactionToken *)(uintptr_t)64), TF_NOT_FOUND, "a wild token");
  CHECK_INT(add((TF_TransactionToken *)(uintptr_t)64, "mem://t"), TF_NOT_FOUND, "to add to, too");
}

static void test_open_writers(void) {
  TF_WritableFile before, inside;
  start_tree();
  TF_TransactionToken *token = begin();
  open_writable("mem://t/d/old", 'a', &before);
  add(token, "mem://t/d/old");
  append(&before, "-outside");
  CHECK_STR(get("mem://t/d/old"), "old-outside", "a writer from before is no part of it");
  open_writable("mem://t/d/old", 'a', &inside);
  append(&inside, "-inside");
  CHECK_INT(writable_ops.tell(&inside, fresh()), 18, "a writer of it starts from what is there");
  append(&before, "!");
  CHECK_STR(get("mem://t/d/old"), "old-outside!", "the two do not meet");
  commit(token);
  CHECK_STR(get("mem://t/d/old"), "old-outside-inside", "the version of the transaction stays");
  append(&inside, "-later");
  CHECK_STR(get("mem://t/d/old"), "old-outside-inside-later", "its writer goes on");
  writable_ops.cleanup(&before);
  writable_ops.cleanup(&inside);
}

static void test_borders(void) {
  start_tree();
  TF_TransactionToken *one = begin(), *two = begin();
  CHECK(one && two && one != two, "several at once");
  CHECK_INT(add(one, "mem://t/d"), TF_OK, "one holds a directory");
  CHECK_INT(add(two, "mem://t/d"), TF_FAILED_PRECONDITION, "nobody else gets it");
  CHECK_INT(add(two, "mem://t/d/sub/y"), TF_FAILED_PRECONDITION, "nor what is below");
  CHECK_INT(add(two, "mem://t"), TF_FAILED_PRECONDITION, "nor what is above");
  CHECK_INT(add(two, "mem://t/d2"), TF_OK, "but what is beside it");
  CHECK(holder("mem://t/d/any/thing") == one && holder("mem://t/d2") == two, "finds who holds it");
  CHECK(!holder("mem://t") && TF_GetCode(status) == TF_NOT_FOUND, "and that nobody does");
  CHECK_INT(on_two(fs.rename_file, "mem://t/d/old", "mem://t/moved"), TF_FAILED_PRECONDITION,
            "no rename out of it");
  CHECK_INT(on_two(fs.rename_file, "mem://t/out", "mem://t/d/moved"), TF_FAILED_PRECONDITION,
            "nor into it");
  CHECK_INT(on_two(fs.rename_file, "mem://t/d/old", "mem://t/d2"), TF_FAILED_PRECONDITION,
            "nor between two");
  CHECK_INT(try_delete_tree("mem://t"), TF_FAILED_PRECONDITION, "nothing above it is deleted");
  CHECK_INT(try_delete_tree("mem://"), TF_FAILED_PRECONDITION, "not even the root");
  CHECK_STR(tree("mem://t"), START_DUMP, "all is as it was");
  char *text = fs.decode_transaction_token(&here, one),
       *other = fs.decode_transaction_token(&here, two);
  CHECK(text && other && strcmp(text, other), "tokens tell who they are: %s", text);
  free(text);
  free(other);
  CHECK_INT(put("mem://t/d2", "2"), TF_OK, "the other one writes");
  CHECK_INT(commit(two), TF_OK, "and ends first");
  CHECK_STR(tree("mem://t"), "d(old=old;sub(x=x;))d2=2;out=out;", "which shows its own alone");
  commit(one);
}

/* Names that begin alike, with bytes before and behind the slash. */
static void test_neighbours(void) {
  static const char *const uris[] = {"mem://t/d",   "mem://t/d!", "mem://t/d-1",
                                     "mem://t/d/x", "mem://t/d0", "mem://t/c"};
  TF_TransactionToken *tokens[MEMBERS(uris)];
  char below[32];
  start_tree();
  for (size_t i = 0; i < MEMBERS(uris); i++) {
    tokens[i] = begin();
    CHECK_INT(add(tokens[i], uris[i]), i == 3 ? TF_FAILED_PRECONDITION : TF_OK, "adds %s", uris[i]);
  }
  for (size_t i = 0; i < MEMBERS(uris); i++) {
    snprintf(below, sizeof below, "%s/below", uris[i]);
    CHECK(holder(below) == tokens[i == 3 ? 0 : i], "%s has its own", below);
  }
  for (size_t i = 0; i < MEMBERS(uris); i++)
    commit(tokens[i]);
}

static void test_commit_time(void) {
  start_tree();
  int64_t top = mtime_of("mem://t"), dir = mtime_of("mem://t/d"), sub = mtime_of("mem://t/d/sub");
  TF_TransactionToken *token = begin();
  add(token, "mem://t/d");
  usleep(2000);
  commit(token);
  CHECK_INT(mtime_of("mem://t"), top, "a commit of nothing is no change");
  token = begin();
  add(token, "mem://t/new");
  add(token, "mem://t/d");
  put("mem://t/new", "new");
  put("mem://t/d/sub/y", "y");
  usleep(2000);
  commit(token);
  CHECK_STR(tree("mem://t"), "d(old=old;sub(x=x;y=y;))new=new;out=out;", "a commit of two paths");
  CHECK(mtime_of("mem://t") > top && mtime_of("mem://t/d/sub") > sub, "changes directories");
  CHECK_INT(mtime_of("mem://t/d"), dir, "and not one whose names stay the same");
}

static void test_several_paths(void) {
  start_tree();
  TF_TransactionToken *token = begin();
  add(token, "mem://t/a");
  add(token, "mem://t/d/sub");
  CHECK_INT(put("mem://t/a", "A"), TF_OK, "a path that was not there");
  CHECK_INT(on_two(fs.rename_file, "mem://t/a", "mem://t/d/sub/b"), TF_OK, "between its paths");
  CHECK_INT(put("mem://t/a", "B"), TF_OK, "and once more");
  CHECK_INT(make("mem://t/d/x"), TF_OK, "what is beside them");
  CHECK_STR(tree("mem://t"), "d(old=old;sub(x=x;)x())out=out;", "shows at once");
  CHECK_INT(add(token, "mem://t"), TF_OK, "a path above them takes them in");
  CHECK_INT(put("mem://t/d/sub/c", "C"), TF_OK, "with what they have");
  CHECK_INT(make("mem://t/d/y"), TF_OK, "and hides from then on");
  CHECK_STR(tree("mem://t"), "d(old=old;sub(x=x;)x())out=out;", "what changes");
  commit(token);
  CHECK_STR(tree("mem://t"), "a=B;d(old=old;sub(b=A;c=C;x=x;)x()y())out=out;", "until the end");
  token = begin();
  add(token, "mem://t/d");
  try_delete_tree("mem://t/d");
  CHECK_INT(add(token, "mem://t"), TF_OK, "a path above something deleted");
  commit(token);
  CHECK_STR(tree("mem://t"), "a=B;out=out;", "deletes it");
}

static void test_missing_parents(void) {
  start_tree();
  TF_TransactionToken *token = begin();
  CHECK_INT(add(token, "mem://t/p/q"), TF_OK, "a path whose parent is not there");
  CHECK_INT(put("mem://t/p/q", "q"), TF_NOT_FOUND, "cannot be written");
  CHECK_INT(put("mem://t/p/q/r", "q"), TF_NOT_FOUND, "nor anything below it");
  CHECK_INT(try_make_all("mem://t/p/q/r"), TF_OK, "unless its parents are made");
  CHECK_STR(tree("mem://t"), "d(old=old;sub(x=x;))out=out;p()", "which are no part of it");
  CHECK_INT(try_delete_dir("mem://t/p"), TF_FAILED_PRECONDITION, "and stay");
  CHECK_INT(add(token, "mem://t/out/x"), TF_OK, "a path below a file");
  CHECK_INT(put("mem://t/out/x", "q"), TF_FAILED_PRECONDITION, "cannot be written");
  CHECK_INT(try_make_all("mem://t/out/x"), TF_FAILED_PRECONDITION, "nor made");
  CHECK_INT(commit(token), TF_OK, "the rest is committed");
  CHECK_STR(tree("mem://t"), "d(old=old;sub(x=x;))out=out;p(q(r()))", "as it is");
}

static void test_whole_tree(void) {
  uint64_t files, dirs;
  start_tree();
  TF_TransactionToken *token = begin();
  CHECK_INT(add(token, "mem://"), TF_OK, "the whole tree under a transaction");
  put("mem://t/out", "changed");
  CHECK_INT(delete_tree("mem://", &files, &dirs), TF_OK, "emptied");
  put("mem://only", "1");
  CHECK_STR(tree("mem://t"), START_DUMP, "hidden");
  CHECK_INT(try_delete_dir("mem://"), TF_FAILED_PRECONDITION, "its root is a root");
  commit(token);
  CHECK_STR(tree("mem://"), "only=1;", "committed");
  token = NULL;
  fs.get_or_start_transaction_for_path(&here, "/only", &token, fresh());
  CHECK(token && holder("mem://only") == token, "gets or starts one");
  TF_TransactionToken *same = NULL;
  fs.get_or_start_transaction_for_path(&here, "/only/x", &same, fresh());
  CHECK(same == token, "gets it the second time");
  same = NULL;
  CHECK_INT(fs.get_or_start_transaction_for_path(&here, "/", &same, fresh()), -1, "not above it");
  CHECK_INT(TF_GetCode(status), TF_FAILED_PRECONDITION, "because of the overlap");
  abort_of(token);
}

static void test_limit_staged(void) {
  clear();
  set_option("limit_bytes", 0, 10);
  TF_TransactionToken *token = begin();
  add(token, "mem://f");
  CHECK_INT(put("mem://f", "01234567"), TF_OK, "what is staged fits");
  CHECK_INT(put("mem://g", "012"), TF_RESOURCE_EXHAUSTED, "and counts");
  abort_of(token);
  CHECK_INT(put("mem://g", "0123456789"), TF_OK, "until it is aborted");
  set_option("limit_bytes", 0, 0);
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv, 1, "mem")) return check_end();
  test_commit();
  test_atomic();
  test_abort();
  test_open_writers();
  test_borders();
  test_neighbours();
  test_commit_time();
  test_several_paths();
  test_missing_parents();
  test_whole_tree();
  test_limit_staged();
  CHECK(begin(), "one may be open at the end");
  return host_close();
}
