/* Functions of the module about processes. */
#include "runner_fs.h"

#include "check/runner/process.h"

#include <sys/stat.h>
#include <unistd.h>

/* descriptors() -> how many are open, how many of them survive exec. */
static int descriptors(lua_State *L) {
  size_t loose;
  lua_pushinteger(L, (lua_Integer)runner_descriptors(&loose));
  lua_pushinteger(L, (lua_Integer)loose);
  return 2;
}

/* open_files() -> how many descriptors of files, directories and devices are open. */
static int open_files(lua_State *L) {
  lua_pushinteger(L, (lua_Integer)runner_open_files());
  return 1;
}

/* environment() -> every NAME=value of this process. */
static int environment(lua_State *L) {
  lua_newtable(L);
  for (int i = 0; environ && environ[i]; i++) {
    lua_pushstring(L, environ[i]);
    lua_rawseti(L, -2, i + 1);
  }
  return 1;
}

enum { MOST_WORDS = 16 };

/* start{ program, word, … } -> its number, or nil. */
static int start(lua_State *L) {
  char *words[MOST_WORDS + 1] = {NULL};
  luaL_checktype(L, 1, LUA_TTABLE);
  for (int i = 0; i < MOST_WORDS; i++) {
    lua_rawgeti(L, 1, i + 1);
    words[i] = (char *)(uintptr_t)lua_tostring(L, -1); /* the table keeps it */
    lua_pop(L, 1);
    if (!words[i]) break;
  }
  long process = words[0] ? runner_start(words) : -1;
  if (process < 0) return 0;
  lua_pushinteger(L, process);
  return 1;
}

static int end_process(lua_State *L) {
  runner_kill((long)luaL_checkinteger(L, 1));
  return 0;
}

static int wait(lua_State *L) {
  lua_pushinteger(L, runner_wait((long)luaL_checkinteger(L, 1)));
  return 1;
}

static int rest(lua_State *L) {
  runner_rest(luaL_checknumber(L, 1));
  return 0;
}

static int stretch(lua_State *L) {
  lua_pushboolean(L, runner_stretch(luaL_checkstring(L, 1), (long long)luaL_checknumber(L, 2)));
  return 1;
}

/* enter(path) -> whether it is the working directory now. */
static int enter(lua_State *L) {
  lua_pushboolean(L, runner_enter_directory(luaL_checkstring(L, 1)));
  return 1;
}

static int64_t nanoseconds(struct timespec time) {
  return (int64_t)((uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec);
}

/* look(path, follows) -> what the system tells of a local file; nil: nothing. */
static int look(lua_State *L) {
  struct stat info;
  const char *path = luaL_checkstring(L, 1);
  if ((lua_toboolean(L, 2) ? stat(path, &info) : lstat(path, &info)) != 0) return 0;
  lua_createtable(L, 0, 9);
  answer_integer(L, "mode", info.st_mode & 07777u);
  answer_integer(L, "owner", info.st_uid);
  answer_integer(L, "group", info.st_gid);
  answer_integer(L, "inode", (int64_t)info.st_ino);
  answer_integer(L, "links", (int64_t)info.st_nlink);
  answer_integer(L, "length", info.st_size);
  answer_integer(L, "mtime_nsec", nanoseconds(info.st_mtim));
  answer_integer(L, "atime_nsec", nanoseconds(info.st_atim));
  answer_integer(L, "kind",
                 S_ISREG(info.st_mode)   ? MODFS_KIND_FILE
                 : S_ISDIR(info.st_mode) ? MODFS_KIND_DIRECTORY
                 : S_ISLNK(info.st_mode) ? MODFS_KIND_LINK
                                         : MODFS_KIND_OTHER);
  return 1;
}

const luaL_Reg runner_process_functions[] = {{"descriptors", descriptors},
                                             {"open_files", open_files},
                                             {"environment", environment},
                                             {"start", start},
                                             {"kill", end_process},
                                             {"wait", wait},
                                             {"rest", rest},
                                             {"enter", enter},
                                             {"look", look},
                                             {"stretch", stretch},
                                             {NULL, NULL}};
