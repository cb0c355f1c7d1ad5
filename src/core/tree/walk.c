/* Walking a tree.
 *
 * The walk is a stack of frames, one for each level from the root to the current directory. A frame
 * holds the sorted names of one directory, which was listed to its end before the frame was used:
 * memory is that of the lists on the way down. A frame has been reported ("told") or not; "next" is the directory to enter from it. Top
 * down, a frame is reported first, and its files are freed when the walk goes on; bottom up, it is
 * reported once all below it is done, and then dropped.
 *
 * "path" holds the path of the deepest directory tried; the first "length" bytes of it are the path
 * of the frame with that length. The name of a directory is text in its parent's frame and is
 * copied to "path" before the parent can change. modfs_walk_into replaces the directories of the
 * top frame only, before any of them was entered.
 *
 * Where the plugin has handles of directories, a frame keeps its own "open" while it has directories
 * left to enter, which are opened below it: so no path is resolved anew for each of them, and depth
 * costs nothing. There are KEPT of these at most; of more, those next to the root are closed, and all
 * of them when descriptors run out. What is below a closed one, and what modfs_walk_into names, is
 * opened by its path, as is all where directories are paths.
 *
 * With a choice, a frame has only names that it takes; while one is checked, it stands in "path"
 * behind the frame's. The filter may close the walk, which is then freed when the step ends.
 *
 * A walk is for one thread at a time, has no lock and owns all its memory, so a forked child may go
 * on with its copy. */
#include <stdlib.h>
#include <string.h>

#include "core/fs/choice.h"
#include "core/base/string_list.h"
#include "core/base/path.h"
#include "core/base/status.h"

/* Names in one block of text; items points to each. */
typedef struct walk_names {
  char *text;
  size_t used, room, count, item_room;
  char **items;
} walk_names;

enum { KEPT = 16 };

typedef struct walk_frame {
  fs_directory directory; /* while open */
  bool open;
  size_t length; /* of its path in the walk's */
  walk_names directories, files;
  size_t next; /* index of the directory to enter */
  bool told;
  bool included; /* choice_includes */
} walk_frame;

struct modfs_walk {
  const modfs_fs *fs;
  modfs_choice *choice; /* NULL: all entries are chosen */
  bool bottomup;
  bool ended;               /* the filter has failed */
  bool stepping, abandoned; /* it was closed in a step */
  char *path;
  size_t room;
  walk_frame *frames;
  size_t depth, capacity;
  size_t kept;      /* open frames */
  walk_names spare; /* no names: memory for the files of the next frame */
};

/* Names ------------------------------------------------------------------------------ */

static void names_fini(walk_names *names) {
  free(names->text);
  free(names->items);
  *names = (walk_names){0};
}

static bool names_grow(walk_names *names, size_t size) {
  size_t room = 2 * (names->used + size) + 240;
  char *text = malloc(room);
  if (!text) return false;
  if (names->used > 0) memcpy(text, names->text, names->used);
  for (size_t i = 0; i < names->count; i++)
    names->items[i] = text + (names->items[i] - names->text);
  free(names->text);
  names->text = text;
  names->room = room;
  return true;
}

static bool names_grow_items(walk_names *names) {
  size_t room = 2 * names->item_room + 6;
  char **items = realloc(names->items, room * sizeof *items);
  if (!items) return false;
  names->items = items;
  names->item_room = room;
  return true;
}

static bool names_push(walk_names *names, const char *name) {
  size_t size = strlen(name) + 1;
  if (size > names->room - names->used && !names_grow(names, size)) return false;
  if (names->count == names->item_room && !names_grow_items(names)) return false;
  names->items[names->count++] = memcpy(names->text + names->used, name, size);
  names->used += size;
  return true;
}

static const char *names_get(const walk_names *names, size_t index) {
  return index < names->count ? names->items[index] : NULL;
}

/* Drops the names; their memory is kept for others, unless it is large. */
static void drop(modfs_walk *walk, walk_names *names) {
  enum { MOST = 64 * 1024 };
  if (names->room > walk->spare.room && names->room <= MOST) {
    walk_names other = walk->spare;
    walk->spare = *names;
    walk->spare.used = walk->spare.count = 0;
    *names = other;
  }
  names_fini(names);
}

/* Frames ----------------------------------------------------------------------------- */

static walk_frame *top(const modfs_walk *walk) {
  return &walk->frames[walk->depth - 1];
}

static void close_frame(modfs_walk *walk, walk_frame *frame) {
  if (!frame->open) return;
  frame->open = false;
  walk->kept--;
  directory_close(&frame->directory);
}

/* Closes frames, from the root on, until a number of them is left. */
static void close_frames(modfs_walk *walk, size_t left) {
  for (size_t i = 0; walk->kept > left; i++)
    close_frame(walk, &walk->frames[i]);
}

/* The top frame takes the directory over if it has something to enter; else closes it. */
static void keep(modfs_walk *walk, fs_directory *self) {
  walk_frame *frame = top(walk);
  if (frame->directories.count == 0 || directory_is_path(walk->fs)) {
    directory_close(self);
    return;
  }
  close_frames(walk, KEPT - 1);
  frame->directory = *self;
  frame->open = true;
  walk->kept++;
}

static void pop(modfs_walk *walk) {
  walk_frame *frame = top(walk);
  close_frame(walk, frame);
  names_fini(&frame->directories);
  drop(walk, &frame->files);
  walk->depth--;
}

static void no_memory(const modfs_walk *walk, TF_Status *status) {
  status_no_memory(status);
  status_locate(status, "walk", walk->path);
}

static bool append(modfs_walk *walk, size_t length, const char *name) {
  size_t size = strlen(name) + 1, needed = length + 1 + size;
  if (needed > walk->room) {
    char *path = realloc(walk->path, 2 * needed);
    if (!path) return false;
    walk->path = path;
    walk->room = 2 * needed;
  }
  if (path_wants_slash(walk->path, length)) walk->path[length++] = '/';
  memcpy(walk->path + length, name, size);
  return true;
}

/* What of the walk's path is below the root. */
static const char *path_below(const modfs_walk *walk) {
  size_t root = walk->frames[0].length;
  return walk->path + root + path_wants_slash(walk->path, root);
}

/* Whether an entry of the top frame's directory is chosen; no, too, after a failure. */
static bool is_chosen(modfs_walk *walk, const fs_directory *self, const char *name, int kind,
                      TF_Status *status) {
  size_t length = top(walk)->length;
  if (!walk->choice) return true;
  if (walk->abandoned) return false;
  if (!append(walk, length, name)) {
    status_no_memory(status);
    return false;
  }
  choice_entry entry = {path_below(walk), walk->depth, kind, top(walk)->included};
  choice_answer answer = choice_takes(walk->choice, &entry, self, status);
  walk->ended = answer == CHOICE_END;
  walk->path[length] = '\0';
  return answer == CHOICE_YES;
}

static int kind_of(const fs_directory *self, const modfs_entry *entry, TF_Status *status) {
  if (entry->kind != MODFS_KIND_UNKNOWN) return entry->kind;
  int kind = directory_kind(self, entry->name, status);
  status_clear(status);
  return kind;
}

static void read_all(modfs_walk *walk, fs_directory *self, TF_Status *status) {
  walk_frame *frame = top(walk);
  modfs_entry entry;
  if (!choice_reaches(walk->choice, walk->depth - 1)) return;
  frame->files = walk->spare;
  walk->spare = (walk_names){0};
  directory_start(self, status);
  bool fine = status_ok(status);
  while (fine && directory_next(self, &entry, status)) {
    int kind = kind_of(self, &entry, status);
    bool directory = kind == MODFS_KIND_DIRECTORY;
    if (!is_chosen(walk, self, entry.name, kind, status)) {
      fine = status_ok(status);
    } else if (!names_push(directory ? &frame->directories : &frame->files, entry.name)) {
      status_no_memory(status);
      fine = false;
    }
  }
}

static bool push_frame(modfs_walk *walk) {
  bool included =
      walk->depth > 0 && choice_includes(walk->choice, path_below(walk), top(walk)->included);
  if (walk->depth == walk->capacity) {
    size_t capacity = walk->capacity ? 2 * walk->capacity : 16;
    walk_frame *frames = realloc(walk->frames, capacity * sizeof *frames);
    if (!frames) return false;
    walk->frames = frames;
    walk->capacity = capacity;
  }
  walk->frames[walk->depth++] = (walk_frame){.length = strlen(walk->path), .included = included};
  return true;
}

/* Ends the walk with a failure of its root: a directory nests too deep. */
static void give_up(modfs_walk *walk, TF_Status *status) {
  if (walk->depth > 0) walk->path[walk->frames[0].length] = '\0';
  status_locate(status, "walk", walk->path);
  while (walk->depth > 0)
    pop(walk);
}

/* Opens the directory at the walk's path, the entry "name" of the top frame's; NULL: the root. */
static void open_next(modfs_walk *walk, const char *name, fs_directory *self, TF_Status *status) {
  const walk_frame *above = name ? top(walk) : NULL;
  if (above && above->open) {
    directory_open_below(&above->directory, name, self, status);
    if (TF_GetCode(status) != TF_RESOURCE_EXHAUSTED) return;
    close_frames(walk, 0);
  }
  directory_open(walk->fs, walk->path, self, status);
}

/* Lists the directory into a new frame. */
static bool list(modfs_walk *walk, fs_directory *self, TF_Status *status) {
  if (!push_frame(walk)) {
    status_no_memory(status);
    directory_close(self);
    return false;
  }
  read_all(walk, self, status);
  if (status_ok(status))
    keep(walk, self);
  else
    directory_close(self);
  return true;
}

/* Lists the directory at the walk's path, see open_next, into a new frame; no frame remains when that
 * fails. */
static void enter(modfs_walk *walk, const char *name, TF_Status *status) {
  fs_directory self;
  if (!fs_check_depth(walk->fs, walk->depth, strlen(walk->path), status)) {
    give_up(walk, status);
    return;
  }
  open_next(walk, name, &self, status);
  bool pushed = status_ok(status) && list(walk, &self, status);
  status_locate(status, "walk", walk->path);
  if (pushed && !status_ok(status)) {
    pop(walk);
    while (walk->ended && walk->depth > 0)
      pop(walk);
  } else if (pushed) {
    string_list_order(top(walk)->directories.items, top(walk)->directories.count);
    string_list_order(top(walk)->files.items, top(walk)->files.count);
  }
}

/* Enters the next directory of the top frame. */
static void enter_next(modfs_walk *walk, const char *name, TF_Status *status) {
  size_t at = walk->depth - 1;
  walk->frames[at].next++;
  if (append(walk, walk->frames[at].length, name))
    enter(walk, name, status);
  else
    no_memory(walk, status);
  if (at < walk->depth && !names_get(&walk->frames[at].directories, walk->frames[at].next))
    close_frame(walk, &walk->frames[at]);
}

/* The walk ---------------------------------------------------------------------------- */

/* Reports the directory of the top frame. */
static bool tell(modfs_walk *walk) {
  walk_frame *frame = top(walk);
  frame->told = true;
  walk->path[frame->length] = '\0';
  return true;
}

static bool go_on(modfs_walk *walk, TF_Status *status) {
  status_clear(status);
  while (walk->depth > 0) {
    walk_frame *frame = top(walk);
    if (!frame->told && !walk->bottomup) return tell(walk);
    if (!walk->bottomup) drop(walk, &frame->files);
    bool done = walk->bottomup && frame->told;
    const char *name = done ? NULL : names_get(&frame->directories, frame->next);
    if (name) {
      enter_next(walk, name, status);
      if (!status_ok(status)) return false;
    } else if (walk->bottomup && !done) {
      return tell(walk);
    } else {
      pop(walk);
    }
  }
  return false;
}

bool modfs_walk_next(modfs_walk *walk, TF_Status *status) {
  walk->stepping = true;
  bool more = go_on(walk, status);
  walk->stepping = false;
  if (!walk->abandoned) return more;
  walk->abandoned = false;
  modfs_walk_close(walk);
  return false;
}

modfs_walk *modfs_walk_open(const modfs_fs *fs, const char *path, bool bottomup,
                            TF_Status *status) {
  return modfs_walk_open_chosen(fs, path, bottomup, NULL, status);
}

modfs_walk *modfs_walk_open_chosen(const modfs_fs *fs, const char *path, bool bottomup,
                                   modfs_choice *choice, TF_Status *status) {
  if (!status_takes(status, "the path", path)) {
    status_locate(status, "walk", NULL);
    return NULL;
  }
  modfs_walk *walk = calloc(1, sizeof *walk);
  if (walk) {
    walk->fs = fs;
    walk->choice = choice_retain(choice);
    walk->bottomup = bottomup;
    walk->path = strdup(path);
    walk->room = strlen(path) + 1;
  }
  if (walk && walk->path)
    enter(walk, NULL, status);
  else
    status_no_memory(status);
  if (status_ok(status)) return walk;
  modfs_walk_close(walk);
  return NULL;
}

const char *modfs_walk_path(const modfs_walk *walk) {
  return walk->path;
}

size_t modfs_walk_directory_count(const modfs_walk *walk) {
  return walk->depth > 0 ? top(walk)->directories.count : 0;
}

const char *modfs_walk_directory(const modfs_walk *walk, size_t index) {
  return walk->depth > 0 ? names_get(&top(walk)->directories, index) : NULL;
}

size_t modfs_walk_file_count(const modfs_walk *walk) {
  return walk->depth > 0 ? top(walk)->files.count : 0;
}

const char *modfs_walk_file(const modfs_walk *walk, size_t index) {
  return walk->depth > 0 ? names_get(&top(walk)->files, index) : NULL;
}

static bool takes_names(const char *const *names, size_t count, TF_Status *status) {
  bool given = count == 0 || status_takes(status, "the list of names", names);
  for (size_t i = 0; i < count && given; i++)
    given = status_takes(status, "a name", names[i]);
  return given;
}

void modfs_walk_into(modfs_walk *walk, const char *const *names, size_t count, TF_Status *status) {
  status_clear(status);
  bool given = takes_names(names, count, status);
  status_locate(status, "walk", walk->path);
  if (!given || walk->depth == 0 || walk->bottomup) return;
  walk_names *directories = &top(walk)->directories;
  close_frame(walk, top(walk));
  names_fini(directories);
  top(walk)->next = 0;
  for (size_t i = 0; i < count && status_ok(status); i++) /* "" would be the directory itself */
    if (*names[i] && !names_push(directories, names[i])) no_memory(walk, status);
}

void modfs_walk_close(modfs_walk *walk) {
  if (!walk) return;
  if (walk->stepping) {
    walk->abandoned = true;
    return;
  }
  while (walk->depth > 0)
    pop(walk);
  modfs_choice_free(walk->choice);
  names_fini(&walk->spare);
  free(walk->frames);
  free(walk->path);
  free(walk);
}
