/* What the machine itself costs: the same work in plain C, without safety or choice. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRATCH = 1 << 16 };

static char scratch[SCRATCH];

static int check_open(lua_State *L, const char *path, int flags) {
  int fd = open(path, flags | O_CLOEXEC, 0666);
  if (fd < 0) luaL_error(L, "%s: cannot open", path);
  return fd;
}

/* pread(path, size, offsets, n): offsets are used in turn. */
static int limit_pread(lua_State *L) {
  int fd = check_open(L, luaL_checkstring(L, 1), O_RDONLY);
  size_t size = (size_t)luaL_checkinteger(L, 2);
  off_t offsets[1024];
  for (int i = 0; i < 1024; i++) {
    lua_rawgeti(L, 3, i + 1);
    offsets[i] = (off_t)lua_tointeger(L, -1);
    lua_pop(L, 1);
  }
  lua_Integer n = luaL_checkinteger(L, 4);
  for (lua_Integer i = 0; i < n; i++) {
    if (pread(fd, scratch, size, offsets[i & 1023]) < 0) break;
  }
  close(fd);
  return 0;
}

/* read_file(path, n): the whole content into fresh memory. */
static int limit_read_file(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_checkinteger(L, 2);
  for (lua_Integer i = 0; i < n; i++) {
    int fd = check_open(L, path, O_RDONLY);
    struct stat stats;
    if (fstat(fd, &stats)) luaL_error(L, "fstat");
    size_t size = (size_t)stats.st_size;
    char *content = malloc(size);
    size_t got = 0;
    ssize_t step = 0;
    while (content && got < size && (step = read(fd, content + got, size - got)) > 0)
      got += (size_t)step;
    free(content);
    close(fd);
  }
  return 0;
}

/* lines(path, n): the newlines of the first n lines, found by memchr in blocks. */
static int limit_lines(lua_State *L) {
  int fd = check_open(L, luaL_checkstring(L, 1), O_RDONLY);
  lua_Integer n = luaL_checkinteger(L, 2);
  ssize_t got = 0;
  while (n > 0 && (got = read(fd, scratch, SCRATCH)) > 0) {
    const char *at = scratch, *end = scratch + got;
    while (n > 0 && at < end && (at = memchr(at, '\n', (size_t)(end - at)))) {
      at++;
      n--;
    }
  }
  close(fd);
  return 0;
}

/* sequential(path, size, n): n blocks in order. */
static int limit_sequential(lua_State *L) {
  int fd = check_open(L, luaL_checkstring(L, 1), O_RDONLY);
  size_t size = (size_t)luaL_checkinteger(L, 2);
  lua_Integer n = luaL_checkinteger(L, 3);
  char *block = malloc(size);
  while (block && n-- > 0)
    if (read(fd, block, size) <= 0) break;
  free(block);
  close(fd);
  return 0;
}

static size_t write_all(int fd, const char *data, size_t n) {
  ssize_t step = 0;
  size_t done = 0;
  while (done < n && (step = write(fd, data + done, n - done)) > 0)
    done += (size_t)step;
  return done;
}

/* append(path, data, n): gathered into blocks of 64 KiB. */
static int limit_append(lua_State *L) {
  int fd = check_open(L, luaL_checkstring(L, 1), O_WRONLY | O_CREAT | O_TRUNC);
  size_t size = 0;
  const char *data = luaL_checklstring(L, 2, &size);
  lua_Integer n = luaL_checkinteger(L, 3);
  size_t used = 0;
  for (lua_Integer i = 0; i < n; i++) {
    if (used + size > SCRATCH) {
      write_all(fd, scratch, used);
      used = 0;
    }
    memcpy(scratch + used, data, size);
    used += size;
  }
  write_all(fd, scratch, used);
  close(fd);
  return 0;
}

static int limit_stat(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_checkinteger(L, 2);
  struct stat stats;
  for (lua_Integer i = 0; i < n; i++) {
    if (stat(path, &stats)) luaL_error(L, "%s: stat", path);
  }
  return 0;
}

static int limit_access(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_checkinteger(L, 2);
  for (lua_Integer i = 0; i < n; i++) {
    if (faccessat(AT_FDCWD, path, F_OK, AT_EACCESS)) luaL_error(L, "%s: access", path);
  }
  return 0;
}

/* map(path, n, touch): touch: both ends are read, which costs their page tables. */
static int limit_map(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_checkinteger(L, 2);
  int touch = lua_toboolean(L, 3);
  for (lua_Integer i = 0; i < n; i++) {
    struct stat stats;
    int fd = check_open(L, path, O_RDONLY);
    int known = fstat(fd, &stats);
    size_t size = known == 0 ? (size_t)stats.st_size : 0;
    char *data = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
    close(fd);
    if (data == MAP_FAILED) luaL_error(L, "%s: cannot map", path);
    if (touch && *(volatile char *)data + *(volatile char *)(data + size - 1) < -256) abort();
    munmap(data, size);
  }
  return 0;
}

/* open_close(path, n, check): check: with the cheapest call that tells a file from a directory,
 * which open(2) opens as well. */
static int limit_open_close(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_checkinteger(L, 2);
  int check = lua_toboolean(L, 3);
  for (lua_Integer i = 0; i < n; i++) {
    int fd = check_open(L, path, O_RDONLY);
    if (check && (copy_file_range(fd, NULL, fd, NULL, 0, 0) >= 0 || errno != EBADF))
      luaL_error(L, "%s: not a file", path);
    close(fd);
  }
  return 0;
}

static int limit_list(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  lua_Integer n = luaL_checkinteger(L, 2);
  lua_Integer seen = 0;
  for (lua_Integer i = 0; i < n; i++) {
    DIR *directory = opendir(path);
    while (directory && readdir(directory))
      seen++;
    if (directory) closedir(directory);
  }
  lua_pushinteger(L, seen);
  return 1;
}

/* Present when malloc_count.so was preloaded. */
extern void malloc_count(size_t *calls, size_t *bytes) __attribute__((weak));

/* allocations() -> calls and bytes so far; nothing without malloc_count.so */
static int limit_allocations(lua_State *L) {
  if (!malloc_count) return 0;
  size_t calls = 0;
  size_t bytes = 0;
  malloc_count(&calls, &bytes);
  lua_pushinteger(L, (lua_Integer)calls);
  lua_pushinteger(L, (lua_Integer)bytes);
  return 2;
}

/* counted(run, n): calls run(n). callgrind counts what happens below this function, by its name. */
__attribute__((noinline)) static int limit_counted(lua_State *L) {
  lua_settop(L, 2);
  lua_call(L, 1, 0);
  return 0;
}

__attribute__((visibility("default"))) int luaopen_limit(lua_State *L);
int luaopen_limit(lua_State *L) {
  static const luaL_Reg functions[] = {{"pread", limit_pread},
                                       {"read_file", limit_read_file},
                                       {"lines", limit_lines},
                                       {"sequential", limit_sequential},
                                       {"append", limit_append},
                                       {"stat", limit_stat},
                                       {"access", limit_access},
                                       {"map", limit_map},
                                       {"open_close", limit_open_close},
                                       {"list", limit_list},
                                       {"allocations", limit_allocations},
                                       {"counted", limit_counted},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
