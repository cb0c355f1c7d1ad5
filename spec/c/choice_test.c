/* Choices as a C host has them: one for several operations, filters that fail, and that close what
 * they work for. */
#include <stdlib.h>

#include <modfs/modfs.h>

#include "check.h"

static TF_Status *status;
static const modfs_fs *mem;
static const char *const root = "mem://chosen";

static void write_file(const char *path) {
  modfs_writable *file = modfs_writable_open(mem, path, MODFS_WRITE_REPLACE, status);
  if (!CHECK(file != NULL, "%s opens", path)) return;
  modfs_writable_append(file, path, strlen(path), status);
  modfs_writable_close(file, status);
}

static void plant(void) {
  char path[80];
  for (int i = 0; i < 20; i++) {
    snprintf(path, sizeof path, "%s/%d/sub", root, i);
    modfs_fs_recursively_create_dir(mem, path, status);
    snprintf(path, sizeof path, "%s/%d/sub/file.c", root, i);
    write_file(path);
    snprintf(path, sizeof path, "%s/%d/file.o", root, i);
    write_file(path);
  }
}

static modfs_choice *choose(const modfs_choice_limits *limits, const char *exclude) {
  modfs_choice *choice = modfs_choice_new(limits, status);
  if (choice && exclude) modfs_choice_exclude(choice, exclude, strlen(exclude), status);
  CHECK_INT(TF_GetCode(status), TF_OK, "a choice is made");
  return choice;
}

static modfs_tree *measure(modfs_choice *choice) {
  const modfs_tree_options options = {.threads = 4, .choice = choice};
  return modfs_tree_measure(mem, root, &options, status);
}

static void run(modfs_tree *tree) {
  modfs_tree_event event;
  while (modfs_tree_step(tree, &event, status)) {
  }
}

/* Freed while two operations keep it. */
static void test_shared(void) {
  modfs_choice *choice = choose(NULL, "*.o\n/1?/\n");
  modfs_tree *one = measure(choice), *two = measure(choice);
  modfs_choice_free(choice);
  run(one);
  run(two);
  CHECK_INT(modfs_tree_result(one).files, 10, "one chooses");
  CHECK_INT(modfs_tree_result(two).files, 10, "the other, too");
  CHECK_INT(modfs_tree_result(two).dirs, 21, "directories are chosen");
  modfs_tree_close(one);
  modfs_tree_close(two);
  modfs_choice_free(NULL);
}

typedef struct filtering {
  size_t calls, most;
  modfs_tree *tree;
  modfs_walk *walk;
} filtering;

/* After most calls it closes what it works for, or fails. */
static bool filter(void *context, const modfs_candidate *entry, TF_Status *reason) {
  filtering *self = context;
  if (++self->calls < self->most) return entry->kind == MODFS_KIND_DIRECTORY || entry->length > 0;
  if (self->tree)
    modfs_tree_close(self->tree);
  else if (self->walk)
    modfs_walk_close(self->walk);
  else
    TF_SetStatus(reason, TF_ABORTED, "no more");
  return true;
}

static modfs_choice *filtered(filtering *self, size_t most) {
  modfs_choice_limits limits = MODFS_NO_LIMITS;
  *self = (filtering){.most = most};
  limits.filter = filter;
  limits.context = self;
  return choose(&limits, NULL);
}

static void test_failures(size_t most) {
  filtering self;
  modfs_tree_error error = {.code = TF_OK};
  modfs_string_list names = {0};
  modfs_choice *choice = filtered(&self, most);
  modfs_tree *tree = measure(choice);
  run(tree);
  CHECK(modfs_tree_error_at(tree, 0, &error) && error.code == TF_ABORTED,
        "after %zu calls the tree reports the failure", most);
  CHECK(!modfs_tree_error_at(tree, 1, &error), "once");
  CHECK_INT(self.calls, most, "and the filter is not called again");
  modfs_tree_close(tree);
  modfs_choice_free(choice);

  choice = filtered(&self, most);
  modfs_walk *walk = modfs_walk_open_chosen(mem, root, most / 12 % 2 == 0, choice, status);
  while (walk && modfs_walk_next(walk, status)) {
  }
  CHECK_INT(TF_GetCode(status), TF_ABORTED, "the walk fails");
  CHECK(!walk || (!modfs_walk_next(walk, status) && TF_GetCode(status) == TF_OK), "and ends");
  CHECK_INT(self.calls, most, "and does not call again");
  modfs_walk_close(walk);
  modfs_choice_free(choice);

  choice = filtered(&self, most);
  modfs_glob_chosen(mem, "mem://chosen/**", choice, &names, status);
  CHECK_INT(TF_GetCode(status), TF_ABORTED, "the search fails");
  CHECK_INT(self.calls, most, "and does not call again");
  CHECK_INT(names.count, 0, "and finds nothing");
  modfs_choice_free(choice);
}

static void test_closing(size_t most) {
  filtering self;
  modfs_tree_event event;
  modfs_choice *choice = filtered(&self, most);
  self.tree = measure(choice);
  modfs_choice_free(choice);
  CHECK(!modfs_tree_step(self.tree, &event, status), "a tree ends when its filter closes it");
  CHECK_INT(self.calls, most, "and calls no more");

  choice = filtered(&self, 1000);
  modfs_walk *walk = modfs_walk_open_chosen(mem, root, false, choice, status);
  modfs_choice_free(choice);
  self.walk = walk;
  self.most = self.calls + most;
  while (self.calls < self.most && modfs_walk_next(walk, status)) {
  }
  CHECK_INT(self.calls, self.most, "so does a walk");
}

int main(void) {
  status = TF_NewStatus();
  modfs_start(status);
  if (!CHECK_INT(TF_GetCode(status), TF_OK, "the core starts: %s", TF_Message(status)))
    return check_end();
  mem = modfs_fs_of("mem://");
  plant();
  test_shared();
  for (size_t most = 1; most < 50; most += 12) {
    test_failures(most);
    test_closing(most);
  }
  TF_DeleteStatus(status);
  return check_end();
}
