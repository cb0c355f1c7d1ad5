/* What grows in plain C, too: chains of directories, many open files, and threads that share a tree. */
#include <dirent.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  ENTRIES = 64 * 1024,
  DEPTH = 8,
  NAME = 256,
  MOST = 128,
  THREADS = 64,
  KEPT = 48,
  LONGEST = 1 << 20
};

static int open_directory(int at, const char *name) {
  return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

static bool is_dots(const char *name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static void copy_name(char to[NAME], const struct dirent64 *entry) {
  memcpy(to, entry->d_name, strlen(entry->d_name) + 1);
}

/* Chains ---------------------------------------------------------------------------------- */

/* Lists the whole directory; the name of the last directory in it, or none. */
static bool next_in_chain(int dir, char name[NAME]) {
  _Alignas(8) static char entries[ENTRIES];
  bool found = false;
  for (ssize_t got; (got = getdents64(dir, entries, ENTRIES)) > 0;) {
    for (ssize_t at = 0; at < got;) {
      const struct dirent64 *entry = (const void *)(entries + at);
      at += entry->d_reclen;
      if (entry->d_type != DT_DIR || is_dots(entry->d_name)) continue;
      copy_name(name, entry);
      found = true;
    }
  }
  return found;
}

/* Where the way down led: the last of its directories stay open, by their depth. */
typedef struct way {
  int open[KEPT];
  lua_Integer depth, kept;
} way;

static void go_down(way *self, int dir) {
  int *place = &self->open[self->depth++ % KEPT];
  if (self->kept == KEPT)
    close(*place);
  else
    self->kept++;
  *place = dir;
}

/* Up again, by ".." behind those that are open; each must be a directory still. */
static void go_back(lua_State *L, way *self, int dir) {
  struct stat info;
  for (; self->depth > 0; self->depth--) {
    bool kept = self->kept > 0;
    int above = kept ? self->open[(self->depth - 1) % KEPT] : open_directory(dir, "..");
    self->kept -= kept;
    close(dir);
    dir = above;
    if (!kept && fstat(dir, &info)) luaL_error(L, "cannot go back");
  }
  close(dir);
}

/* chain(path): as a walk gives it, each with its path and arrays of names, one open at a time; how many
 * directories stand in one another. */
static int limit_chain(lua_State *L) {
  static char path[LONGEST];
  char name[NAME];
  size_t length;
  const char *root = luaL_checklstring(L, 1, &length);
  lua_Integer count = 1;
  int dir = open_directory(AT_FDCWD, root);
  if (length < LONGEST) memcpy(path, root, length);
  for (; dir >= 0 && length + NAME < LONGEST && next_in_chain(dir, name); count++) {
    lua_pushlstring(L, path, length);
    lua_createtable(L, 1, 0);
    lua_pushstring(L, name);
    lua_rawseti(L, -2, 1);
    lua_newtable(L);
    lua_settop(L, 1);
    int below = open_directory(dir, name);
    close(dir);
    dir = below;
    path[length++] = '/';
    memcpy(path + length, name, strlen(name));
    length += strlen(name);
  }
  if (dir < 0 || length + NAME >= LONGEST) return luaL_error(L, "cannot list");
  close(dir);
  lua_pushinteger(L, count);
  return 1;
}

/* chain_back(path): without paths, but back again, as for files that come behind. */
static int limit_chain_back(lua_State *L) {
  char name[NAME] = "";
  way walked = {.depth = 0};
  int dir = open_directory(AT_FDCWD, luaL_checkstring(L, 1));
  while (dir >= 0 && next_in_chain(dir, name)) {
    int below = open_directory(dir, name);
    go_down(&walked, dir);
    dir = below;
  }
  if (dir < 0) return luaL_error(L, "cannot list");
  lua_pushinteger(L, walked.depth + 1);
  go_back(L, &walked, dir);
  return 1;
}

/* Handles --------------------------------------------------------------------------------- */

/* open_many(path, n): n descriptors at a time. */
static int limit_open_many(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_checkinteger(L, 2);
  int *all = lua_newuserdatauv(L, (size_t)n * sizeof *all, 0);
  for (lua_Integer i = 0; i < n; i++) {
    all[i] = open(path, O_RDONLY | O_CLOEXEC);
    if (all[i] < 0) return luaL_error(L, "%s: cannot open", path);
  }
  for (lua_Integer i = 0; i < n; i++)
    close(all[i]);
  return 0;
}

/* Threads --------------------------------------------------------------------------------- */

/* Threads take the directories below the root, one after the other, each with all below it. */
typedef struct shared_tree {
  int root;
  int count;
  char names[MOST][NAME];
  atomic_int next;
  atomic_llong bytes;
} shared_tree;

static long long sizes_below(int dir, int depth) {
  _Alignas(8) static _Thread_local char buffers[DEPTH][ENTRIES];
  char *entries = buffers[depth];
  long long bytes = 0;
  for (ssize_t got; (got = getdents64(dir, entries, ENTRIES)) > 0;) {
    for (ssize_t at = 0; at < got;) {
      const struct dirent64 *entry = (const void *)(entries + at);
      struct stat info;
      at += entry->d_reclen;
      if (is_dots(entry->d_name)) continue;
      if (entry->d_type == DT_DIR && depth + 1 < DEPTH)
        bytes += sizes_below(open_directory(dir, entry->d_name), depth + 1);
      else if (fstatat(dir, entry->d_name, &info, AT_SYMLINK_NOFOLLOW) == 0)
        bytes += info.st_size;
    }
  }
  close(dir);
  return bytes;
}

static void *take_directories(void *argument) {
  shared_tree *self = argument;
  for (int i; (i = atomic_fetch_add(&self->next, 1)) < self->count;)
    atomic_fetch_add(&self->bytes, sizes_below(open_directory(self->root, self->names[i]), 0));
  return NULL;
}

static void list_root(lua_State *L, shared_tree *self, const char *path) {
  DIR *directory = opendir(path);
  const struct dirent64 *entry;
  while (directory && (entry = readdir64(directory))) {
    if (is_dots(entry->d_name)) continue;
    if (self->count == MOST) luaL_error(L, "%s: too many directories", path);
    copy_name(self->names[self->count++], entry);
  }
  if (directory) closedir(directory);
}

/* sizes(root, threads): the bytes of all files below the directories of the root. */
static int limit_sizes(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer count = luaL_checkinteger(L, 2);
  pthread_t threads[THREADS];
  shared_tree self = {.root = open_directory(AT_FDCWD, path)};
  if (count < 1 || count > THREADS) return luaL_error(L, "threads out of range");
  list_root(L, &self, path);
  for (lua_Integer i = 1; i < count; i++)
    if (pthread_create(&threads[i], NULL, take_directories, &self)) abort();
  take_directories(&self);
  for (lua_Integer i = 1; i < count; i++)
    pthread_join(threads[i], NULL);
  close(self.root);
  lua_pushinteger(L, atomic_load(&self.bytes));
  return 1;
}

__attribute__((visibility("default"))) int luaopen_growth_limit(lua_State *L) {
  static const luaL_Reg functions[] = {{"chain", limit_chain},
                                       {"chain_back", limit_chain_back},
                                       {"open_many", limit_open_many},
                                       {"sizes", limit_sizes},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
