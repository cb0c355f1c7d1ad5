/* What trees cost in plain C: relative to open directories, without a stat where the kernel tells. */
#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <lauxlib.h>
#include <lua.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENTRIES = 64 * 1024, DEPTH = 8 };

typedef struct visit {
  const char *pattern; /* NULL: all */
  bool sizes, removes, keeps;
  int target;           /* a directory that gets a copy; -1: none */
  unsigned part, parts; /* of the directories at the second level; 0 parts: all */
  lua_Integer count;
} visit;

static bool is_dots(const char *name) {
  return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* What keeping time and mode costs at least: the umask may have taken bits of the mode. */
static void keep(int out, const struct stat *from) {
  const struct timespec times[] = {{.tv_nsec = UTIME_OMIT}, from->st_mtim};
  struct stat info;
  futimens(out, times);
  if (fstat(out, &info) == 0 && info.st_mode != from->st_mode) fchmod(out, from->st_mode & 07777);
}

static void copy_file(int from, int to, const char *name, bool keeps) {
  int in = openat(from, name, O_RDONLY | O_CLOEXEC);
  struct stat info;
  fstat(in, &info);
  int out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, info.st_mode & 0777);
  while (copy_file_range(in, NULL, out, NULL, (size_t)info.st_size, 0) > 0) {
  }
  if (keeps) keep(out, &info);
  close(out);
  close(in);
}

static void visit_file(visit *self, int dir, const char *name, int target) {
  struct stat info;
  if (self->sizes && fstatat(dir, name, &info, AT_SYMLINK_NOFOLLOW) == 0)
    self->count += info.st_size;
  else if (!self->pattern || fnmatch(self->pattern, name, 0) == 0)
    self->count++;
  if (self->removes) unlinkat(dir, name, 0);
  if (target >= 0) copy_file(dir, target, name, self->keeps);
}

static void visit_all(visit *self, int parent, const char *name, int into, int depth) {
  static _Thread_local char buffers[DEPTH][ENTRIES];
  unsigned directories = 0;
  int dir = openat(parent, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC), target = -1;
  if (into >= 0) {
    mkdirat(into, depth ? name : "copy", 0777);
    target = openat(into, depth ? name : "copy", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  }
  for (ssize_t got; depth < DEPTH && (got = getdents64(dir, buffers[depth], ENTRIES)) > 0;) {
    for (ssize_t at = 0; at < got;) {
      const struct dirent64 *entry = (const void *)(buffers[depth] + at);
      at += entry->d_reclen;
      if (is_dots(entry->d_name)) continue;
      if (entry->d_type == DT_DIR && depth == 0 && self->parts > 0 &&
          directories++ % self->parts != self->part)
        continue;
      if (entry->d_type == DT_DIR)
        visit_all(self, dir, entry->d_name, target, depth + 1);
      else
        visit_file(self, dir, entry->d_name, target);
    }
  }
  close(dir);
  if (target >= 0) close(target);
  if (self->removes) unlinkat(parent, name, AT_REMOVEDIR);
}

/* walk(path [, pattern]), sizes(path), remove(path): all of them count. */
static int limit_walk(lua_State *L) {
  visit self = {.pattern = luaL_optstring(L, 2, NULL), .target = -1};
  visit_all(&self, AT_FDCWD, luaL_checkstring(L, 1), -1, 0);
  lua_pushinteger(L, self.count);
  return 1;
}

static int limit_sizes(lua_State *L) {
  visit self = {.sizes = true, .target = -1};
  visit_all(&self, AT_FDCWD, luaL_checkstring(L, 1), -1, 0);
  lua_pushinteger(L, self.count);
  return 1;
}

static int limit_remove(lua_State *L) {
  visit self = {.removes = true, .target = -1};
  visit_all(&self, AT_FDCWD, luaL_checkstring(L, 1), -1, 0);
  lua_pushinteger(L, self.count);
  return 1;
}

typedef struct copier {
  visit self;
  const char *path;
  int into;
  pthread_t thread;
} copier;

static void *copy_part(void *argument) {
  copier *one = argument;
  visit_all(&one->self, AT_FDCWD, one->path, one->into, 0);
  return NULL;
}

/* copy(path, folder, keeps [, threads]): the tree becomes folder/copy; keeps: files have time and mode of
 * their sources. Each thread has directories of its own, so none waits for another. */
static int limit_copy(lua_State *L) {
  enum { MOST = 8 };
  copier all[MOST];
  const char *path = luaL_checkstring(L, 1);
  int into = open(luaL_checkstring(L, 2), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  unsigned threads = (unsigned)luaL_optinteger(L, 4, 1) % (MOST + 1);
  lua_Integer count = 0;
  for (unsigned i = 0; i < threads; i++) {
    all[i] = (copier){.path = path, .into = into};
    all[i].self = (visit){.keeps = lua_toboolean(L, 3), .part = i, .parts = threads};
    if (i > 0 && pthread_create(&all[i].thread, NULL, copy_part, &all[i]) != 0)
      return luaL_error(L, "no thread");
  }
  if (threads > 0) copy_part(&all[0]);
  for (unsigned i = 0; i < threads; i++) {
    if (i > 0) pthread_join(all[i].thread, NULL);
    count += all[i].self.count;
  }
  close(into);
  lua_pushinteger(L, count);
  return 1;
}

/* chain(path): lists a directory, the one in it, and so on, each below the one before; counts them. */
static int limit_chain(lua_State *L) {
  static char buffer[ENTRIES];
  char name[256] = "";
  lua_Integer count = 0;
  int dir = open(luaL_checkstring(L, 1), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  while (dir >= 0) {
    bool found = false;
    count++;
    for (ssize_t got; (got = getdents64(dir, buffer, sizeof buffer)) > 0;) {
      for (ssize_t at = 0; at < got;) {
        const struct dirent64 *entry = (const void *)(buffer + at);
        at += entry->d_reclen;
        if (entry->d_type != DT_DIR || is_dots(entry->d_name)) continue;
        strcpy(name, entry->d_name);
        found = true;
      }
    }
    int below = found ? openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC) : -1;
    close(dir);
    dir = below;
  }
  lua_pushinteger(L, count);
  return 1;
}

static double seconds(const struct timeval *t) {
  return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/* CPU time of this process and of the children it waited for. */
static int limit_cpu(lua_State *L) {
  struct rusage own, children;
  getrusage(RUSAGE_SELF, &own);
  getrusage(RUSAGE_CHILDREN, &children);
  lua_pushnumber(L, seconds(&own.ru_utime) + seconds(&own.ru_stime) + seconds(&children.ru_utime) +
                        seconds(&children.ru_stime));
  return 1;
}

/* Bytes of the heap that are in use, Lua's among them. */
static int limit_heap(lua_State *L) {
  struct mallinfo2 heap = mallinfo2();
  lua_pushinteger(L, (lua_Integer)(heap.uordblks + heap.hblkhd));
  return 1;
}

/* How many descriptors the process may have; raised as far as that goes. */
static int limit_descriptors(lua_State *L) {
  struct rlimit most;
  if (getrlimit(RLIMIT_NOFILE, &most) == 0) {
    most.rlim_cur = most.rlim_max;
    setrlimit(RLIMIT_NOFILE, &most);
    getrlimit(RLIMIT_NOFILE, &most);
  }
  lua_pushinteger(L, (lua_Integer)most.rlim_cur);
  return 1;
}

__attribute__((visibility("default"))) int luaopen_tree_limit(lua_State *L) {
  static const luaL_Reg functions[] = {
      {"walk", limit_walk}, {"sizes", limit_sizes}, {"remove", limit_remove},
      {"copy", limit_copy}, {"cpu", limit_cpu},     {"descriptors", limit_descriptors},
      {"heap", limit_heap}, {"chain", limit_chain}, {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
