/* What Lua itself costs: bare methods of userdata around the system's calls, without options,
 * registry or messages. The ceiling for any module. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SCRATCH = 1 << 16, LARGE = 1 << 20 };

static char scratch[SCRATCH];
_Alignas(8) static char large[LARGE];

/* Files --------------------------------------------------------------------- */

/* data: the content of a file in memory, of that size, or what was not written yet. */
typedef struct bare_file {
  int fd;
  size_t size;
  size_t used;
  char *data;
} bare_file;

static bare_file *check_file(lua_State *L) {
  return luaL_checkudata(L, 1, "bare.File");
}

static bare_file *push_file(lua_State *L) {
  bare_file *file = lua_newuserdatauv(L, sizeof *file, 0);
  *file = (bare_file){.fd = -1};
  luaL_setmetatable(L, "bare.File");
  return file;
}

/* Mode "c": with the cheapest call that tells a file from a directory, which open(2) opens, too. */
static bool is_refused(int fd) {
  return copy_file_range(fd, NULL, fd, NULL, 0, 0) >= 0 || errno != EBADF;
}

static int bare_open(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  const char *mode = luaL_optstring(L, 2, "r");
  bool writes = *mode == 'w';
  bare_file *file = push_file(L);
  file->fd = open(path, (writes ? O_WRONLY | O_CREAT | O_TRUNC : O_RDONLY) | O_CLOEXEC, 0666);
  if (file->fd < 0) return luaL_error(L, "%s: cannot open", path);
  if (*mode == 'c' && is_refused(file->fd)) return luaL_error(L, "%s: not a file", path);
  return 1;
}

/* memory(size): a file in memory. */
static int bare_memory(lua_State *L) {
  size_t size = (size_t)luaL_checkinteger(L, 1);
  bare_file *file = push_file(L);
  file->data = malloc(size);
  if (file->data) memset(file->data, 1, size);
  file->size = file->data ? size : 0;
  return 1;
}

static int file_pread(lua_State *L) {
  const bare_file *file = check_file(L);
  off_t offset = (off_t)luaL_checkinteger(L, 2);
  ssize_t got = pread(file->fd, scratch, (size_t)luaL_checkinteger(L, 3), offset);
  lua_pushlstring(L, scratch, got > 0 ? (size_t)got : 0);
  return 1;
}

/* readinto(memory [, offset]): as many bytes as the memory has room for; without an offset the next. */
static int file_readinto(lua_State *L) {
  const bare_file *file = check_file(L);
  const bare_file *memory = luaL_checkudata(L, 2, "bare.File");
  ssize_t got = lua_isnoneornil(L, 3)
                    ? read(file->fd, memory->data, memory->size)
                    : pread(file->fd, memory->data, memory->size, (off_t)luaL_checkinteger(L, 3));
  lua_pushinteger(L, got);
  return 1;
}

static int file_string(lua_State *L) {
  const bare_file *file = check_file(L);
  lua_Integer offset = luaL_checkinteger(L, 2);
  lua_pushlstring(L, file->data + offset, (size_t)luaL_checkinteger(L, 3));
  return 1;
}

/* By way of the block that a plugin is given to fill: Lua makes strings of bytes that are there. */
static int file_copied(lua_State *L) {
  const bare_file *file = check_file(L);
  lua_Integer offset = luaL_checkinteger(L, 2);
  size_t n = (size_t)luaL_checkinteger(L, 3);
  memcpy(scratch, file->data + offset, n);
  lua_pushlstring(L, scratch, n);
  return 1;
}

/* read(n): the next n bytes, of 1 MiB at most. */
static int file_read(lua_State *L) {
  const bare_file *file = check_file(L);
  lua_Integer n = luaL_checkinteger(L, 2);
  ssize_t got = n <= LARGE ? read(file->fd, large, (size_t)n) : -1;
  if (got <= 0) return 0;
  lua_pushlstring(L, large, (size_t)got);
  return 1;
}

static void flush(bare_file *file) {
  if (file->used > 0 && file->fd >= 0 && write(file->fd, file->data, file->used) < 0) abort();
  file->used = 0;
}

static int file_write(lua_State *L) {
  bare_file *file = check_file(L);
  size_t n = 0;
  const char *data = luaL_checklstring(L, 2, &n);
  if (!file->data) file->data = malloc(SCRATCH);
  if (!file->data) return luaL_error(L, "memory");
  if (file->used + n > SCRATCH) flush(file);
  memcpy(file->data + file->used, data, n);
  file->used += n;
  lua_settop(L, 1);
  return 1;
}

static int file_close(lua_State *L) {
  bare_file *file = check_file(L);
  flush(file);
  if (file->fd >= 0) close(file->fd);
  free(file->data);
  *file = (bare_file){.fd = -1};
  return 0;
}

/* Lines: what is unread of the buffer stands at its beginning when it is filled again. Lines are
 * shorter than the buffer. */

typedef struct bare_lines {
  int fd;
  char *next;
  char *end;
  char buffer[SCRATCH];
} bare_lines;

static bool fill_lines(bare_lines *self) {
  size_t left = (size_t)(self->end - self->next);
  memmove(self->buffer, self->next, left);
  ssize_t got = read(self->fd, self->buffer + left, SCRATCH - left);
  self->next = self->buffer;
  self->end = self->buffer + left + (got > 0 ? got : 0);
  return got > 0;
}

static int next_line(lua_State *L) {
  bare_lines *self = lua_touserdata(L, lua_upvalueindex(1));
  char *newline;
  while (!(newline = memchr(self->next, '\n', (size_t)(self->end - self->next)))) {
    if (fill_lines(self)) continue;
    close(self->fd);
    return 0;
  }
  lua_pushlstring(L, self->next, (size_t)(newline - self->next));
  self->next = newline + 1;
  return 1;
}

/* Finds the line, too, but returns no string of it: what each line costs before it is one. */
static int next_newline(lua_State *L) {
  bare_lines *self = lua_touserdata(L, lua_upvalueindex(1));
  char *newline;
  while (!(newline = memchr(self->next, '\n', (size_t)(self->end - self->next)))) {
    if (fill_lines(self)) continue;
    close(self->fd);
    return 0;
  }
  self->next = newline + 1;
  lua_pushboolean(L, 1);
  return 1;
}

static int bare_lines_by(lua_State *L, lua_CFunction next) {
  const char *path = luaL_checkstring(L, 1);
  bare_lines *self = lua_newuserdatauv(L, sizeof *self, 0);
  self->fd = open(path, O_RDONLY | O_CLOEXEC);
  self->next = self->end = self->buffer;
  if (self->fd < 0) return luaL_error(L, "%s: cannot open", path);
  lua_pushcclosure(L, next, 1);
  return 1;
}

static int bare_lines_of(lua_State *L) {
  return bare_lines_by(L, next_line);
}

static int bare_newlines(lua_State *L) {
  return bare_lines_by(L, next_newline);
}

/* A line of that length, which nobody has read or looked for. */
static int next_string(lua_State *L) {
  lua_pushlstring(L, scratch, (size_t)lua_tointeger(L, lua_upvalueindex(1)));
  return 1;
}

/* strings(length): for string in …, without end */
static int bare_strings(lua_State *L) {
  lua_settop(L, 1);
  lua_pushcclosure(L, next_string, 1);
  return 1;
}

/* Functions ----------------------------------------------------------------- */

/* read(path [, "c"]): see open. */
static int bare_read(lua_State *L) {
  int fd = open(luaL_checkstring(L, 1), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return luaL_error(L, "cannot open");
  if (!lua_isnoneornil(L, 2) && is_refused(fd)) return luaL_error(L, "not a file");
  ssize_t got = read(fd, scratch, SCRATCH);
  char end;
  while (got >= 0 && read(fd, &end, 1) > 0)
    got = -1; /* made for 64 KiB */
  close(fd);
  lua_pushlstring(L, scratch, got > 0 ? (size_t)got : 0);
  return 1;
}

static void set_integer(lua_State *L, const char *name, lua_Integer value) {
  lua_pushinteger(L, value);
  lua_setfield(L, -2, name);
}

/* With the fields that modfs.stat has. */
static int bare_stat(lua_State *L) {
  struct stat stats;
  if (stat(luaL_checkstring(L, 1), &stats)) return luaL_error(L, "stat");
  lua_createtable(L, 0, 8);
  set_integer(L, "length", (lua_Integer)stats.st_size);
  set_integer(L, "mtime_nsec", stats.st_mtim.tv_sec * 1000000000 + stats.st_mtim.tv_nsec);
  lua_pushnumber(L, (double)stats.st_mtim.tv_sec + (double)stats.st_mtim.tv_nsec / 1e9);
  lua_setfield(L, -2, "mtime");
  lua_pushboolean(L, S_ISDIR(stats.st_mode));
  lua_setfield(L, -2, "is_directory");
  lua_pushstring(L, S_ISDIR(stats.st_mode) ? "directory" : "file");
  lua_setfield(L, -2, "kind");
  set_integer(L, "mode", stats.st_mode & 07777);
  set_integer(L, "owner", stats.st_uid);
  set_integer(L, "group", stats.st_gid);
  return 1;
}

/* Whether there is an entry; leaves out . and .. */
static bool is_entry(const char *name) {
  return name[0] != '.' || (name[1] && (name[1] != '.' || name[2]));
}

/* Names, one behind the other; the memory stays for the next list. */
static char *names;
static size_t names_room;

static void make_room(lua_State *L, size_t room) {
  if (room <= names_room) return;
  names = realloc(names, room);
  names_room = names ? room : 0;
  if (!names) luaL_error(L, "memory");
}

/* The names of a directory, each with its NUL; their count. */
static lua_Integer take_names(lua_State *L, int fd) {
  lua_Integer count = 0;
  size_t used = 0;
  for (ssize_t got; (got = getdents64(fd, large, LARGE)) > 0;) {
    make_room(L, used + (size_t)got);
    for (ssize_t at = 0; at < got;) {
      const struct dirent64 *entry = (const void *)(large + at);
      at += entry->d_reclen;
      if (!is_entry(entry->d_name)) continue;
      size_t length = strlen(entry->d_name) + 1;
      memcpy(names + used, entry->d_name, length);
      used += length;
      count++;
    }
  }
  return count;
}

/* Unsorted. All names first: strings that are made while the kernel lists cost more. */
static int bare_list(lua_State *L) {
  int fd = open(luaL_checkstring(L, 1), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  lua_Integer count = take_names(L, fd);
  close(fd);
  lua_createtable(L, (int)count, 0);
  const char *name = names;
  for (lua_Integer i = 1; i <= count; i++) {
    size_t length = strlen(name);
    lua_pushlstring(L, name, length);
    lua_rawseti(L, -2, i);
    name += length + 1;
  }
  return 1;
}

/* The least that an iterator with a table for each entry does. */
static int bare_list_tables(lua_State *L) {
  int fd = open(luaL_checkstring(L, 1), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  for (ssize_t got; (got = getdents64(fd, large, LARGE)) > 0;) {
    for (ssize_t at = 0; at < got;) {
      const struct dirent64 *entry = (const void *)(large + at);
      at += entry->d_reclen;
      if (!is_entry(entry->d_name)) continue;
      lua_pushstring(L, entry->d_name);
      lua_createtable(L, 0, 2);
      lua_pushstring(L, entry->d_type == DT_DIR ? "directory" : "file");
      lua_setfield(L, -2, "kind");
      lua_pushboolean(L, entry->d_type == DT_DIR);
      lua_setfield(L, -2, "is_directory");
      lua_settop(L, 1);
    }
  }
  close(fd);
  return 0;
}

/* Pushes the path, and arrays of the names of directories and of others, as a walk gives them, but
 * not sorted. */
static void push_listing(lua_State *L, const char *path, DIR *directory) {
  const struct dirent *entry;
  lua_Integer counts[2] = {0, 0};
  lua_pushstring(L, path);
  lua_newtable(L);
  lua_newtable(L);
  while ((entry = readdir(directory))) {
    if (!is_entry(entry->d_name)) continue;
    bool other = entry->d_type != DT_DIR;
    lua_pushstring(L, entry->d_name);
    lua_rawseti(L, other ? -2 : -3, ++counts[other]);
  }
}

/* The directory is open as fd, which this closes. */
static void walk_below(lua_State *L, const char *path, int fd) {
  DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
  int base = lua_gettop(L);
  if (!directory || !lua_checkstack(L, 8)) luaL_error(L, "%s: cannot list", path);
  push_listing(L, path, directory);
  lua_Integer count = (lua_Integer)lua_rawlen(L, base + 2);
  for (lua_Integer i = 1; i <= count; i++) {
    lua_rawgeti(L, base + 2, i);
    const char *name = lua_tostring(L, -1);
    const char *below = lua_pushfstring(L, "%s/%s", path, name);
    walk_below(L, below, openat(dirfd(directory), name, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    lua_settop(L, base + 3);
  }
  closedir(directory);
}

static int bare_walk(lua_State *L) {
  const char *path = luaL_checkstring(L, 1);
  walk_below(L, path, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return 0;
}

/* Appends the paths below a directory whose names match to the array, which is on the top; the
 * directory is open as fd, which this closes. */
static void glob_below(lua_State *L, int fd, char *path, size_t length, const char *pattern) {
  DIR *directory = fd >= 0 ? fdopendir(fd) : NULL;
  const struct dirent *entry;
  if (!directory) luaL_error(L, "%s: cannot list", path);
  while ((entry = readdir(directory))) {
    if (!is_entry(entry->d_name)) continue;
    size_t end = length + 1 + strlen(entry->d_name);
    if (end >= SCRATCH) luaL_error(L, "%s: too deep", path);
    path[length] = '/';
    strcpy(path + length + 1, entry->d_name);
    if (fnmatch(pattern, entry->d_name, 0) == 0) {
      lua_pushlstring(L, path, end);
      lua_rawseti(L, -2, (lua_Integer)lua_rawlen(L, -2) + 1);
    }
    if (entry->d_type == DT_DIR) {
      int below = openat(dirfd(directory), entry->d_name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      glob_below(L, below, path, end, pattern);
    }
  }
  closedir(directory);
}

/* glob(path, pattern): the paths below it whose names match, not sorted. */
static int bare_glob(lua_State *L) {
  size_t length;
  const char *path = luaL_checklstring(L, 1, &length);
  const char *pattern = luaL_checkstring(L, 2);
  if (length >= SCRATCH) return luaL_error(L, "too long");
  memcpy(scratch, path, length + 1);
  lua_newtable(L);
  glob_below(L, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), scratch, length, pattern);
  return 1;
}

static int bare_exists(lua_State *L) {
  lua_pushboolean(L, faccessat(AT_FDCWD, luaL_checkstring(L, 1), F_OK, AT_EACCESS) == 0);
  return 1;
}

__attribute__((visibility("default"))) int luaopen_bare(lua_State *L);
int luaopen_bare(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"pread", file_pread},   {"readinto", file_readinto}, {"string", file_string},
      {"copied", file_copied}, {"read", file_read},         {"write", file_write},
      {"close", file_close},   {"__gc", file_close},        {NULL, NULL}};
  static const luaL_Reg functions[] = {{"open", bare_open},
                                       {"memory", bare_memory},
                                       {"read", bare_read},
                                       {"stat", bare_stat},
                                       {"list", bare_list},
                                       {"list_tables", bare_list_tables},
                                       {"exists", bare_exists},
                                       {"lines", bare_lines_of},
                                       {"newlines", bare_newlines},
                                       {"strings", bare_strings},
                                       {"walk", bare_walk},
                                       {"glob", bare_glob},
                                       {NULL, NULL}};
  luaL_newmetatable(L, "bare.File");
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
