/* What gzip and records cost in plain C: zlib alone, and sums and copies alone. */
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "core/base/crc32c.h"

enum { PIECE = 256 * 1024, BLOCK = 64 * 1024, HEADER = 12, FOOTER = 4 };

static char input[2 * PIECE], output[2 * PIECE];

static int open_path(lua_State *L, int flags) {
  int fd = open(luaL_checkstring(L, 1), flags | O_CLOEXEC, 0666);
  if (fd < 0) luaL_error(L, "cannot open");
  return fd;
}

/* gunzip(path, n): n blocks of 64 KiB. */
static int limit_gunzip(lua_State *L) {
  int fd = open_path(L, O_RDONLY);
  lua_Integer n = luaL_checkinteger(L, 2);
  z_stream stream = {0};
  if (inflateInit2(&stream, 31) != Z_OK) return luaL_error(L, "zlib");
  while (n-- > 0) {
    stream.next_out = (Bytef *)output;
    stream.avail_out = BLOCK;
    while (stream.avail_out > 0) {
      if (stream.avail_in == 0) {
        ssize_t got = read(fd, input, BLOCK);
        if (got <= 0) break;
        stream.next_in = (Bytef *)input;
        stream.avail_in = (uInt)got;
      }
      if (inflate(&stream, Z_NO_FLUSH) != Z_OK) break;
    }
  }
  inflateEnd(&stream);
  close(fd);
  return 0;
}

/* gzip(path, piece, n): n pieces, level 6. */
static int limit_gzip(lua_State *L) {
  int fd = open_path(L, O_WRONLY | O_CREAT | O_TRUNC);
  size_t length;
  const char *piece = luaL_checklstring(L, 2, &length);
  lua_Integer n = luaL_checkinteger(L, 3);
  z_stream stream = {0};
  if (deflateInit2(&stream, -1, Z_DEFLATED, 31, 9, 0) != Z_OK) return luaL_error(L, "zlib");
  for (int result = Z_OK; result == Z_OK;) {
    if (stream.avail_in == 0 && n > 0) {
      stream.next_in = (z_const Bytef *)(size_t)piece;
      stream.avail_in = (uInt)length;
      n--;
    }
    stream.next_out = (Bytef *)output;
    stream.avail_out = BLOCK;
    result = deflate(&stream, n > 0 ? Z_NO_FLUSH : Z_FINISH);
    if (write(fd, output, BLOCK - stream.avail_out) < 0) break;
  }
  deflateEnd(&stream);
  close(fd);
  return 0;
}

static uint32_t mask(const char *data, size_t n) {
  return crc32c_mask(crc32c_extend(0, data, n));
}

/* The length of a record whose checksums are right; 0 when it is not whole. */
static size_t checked_length(const char *from, size_t left) {
  uint64_t length;
  uint32_t sum;
  if (left < HEADER) return 0;
  memcpy(&length, from, sizeof length);
  memcpy(&sum, from + 8, sizeof sum);
  if (sum != mask(from, 8) || left - HEADER < length + FOOTER) return 0;
  memcpy(&sum, from + HEADER + length, sizeof sum);
  return sum == mask(from + HEADER, length) ? length : 0;
}

/* One record, checked and copied out; what it takes. */
static size_t read_record(const char *from, size_t left) {
  size_t length = checked_length(from, left);
  if (length == 0) return 0;
  char *copy = malloc(length + 1);
  if (copy) memcpy(copy, from + HEADER, length);
  __asm__ volatile("" ::"r"(copy) : "memory"); /* or the compiler drops the copy */
  free(copy);
  return HEADER + length + FOOTER;
}

/* read_records(path, n) */
static int limit_read_records(lua_State *L) {
  int fd = open_path(L, O_RDONLY);
  lua_Integer n = luaL_checkinteger(L, 2);
  size_t start = 0, end = 0;
  while (n > 0) {
    size_t taken = read_record(input + start, end - start);
    start += taken;
    n -= taken > 0;
    if (taken > 0) continue;
    memmove(input, input + start, end - start);
    end -= start;
    start = 0;
    ssize_t got = read(fd, input + end, PIECE);
    if (got <= 0) break;
    end += (size_t)got;
  }
  close(fd);
  return 0;
}

/* What Lua itself costs: the same in an iterator that makes strings, with the offset of each. The
 * window is moved and filled as in read_records. */
typedef struct bare_reader {
  int fd;
  size_t start, end;
  lua_Integer offset;
  char window[2 * PIECE];
} bare_reader;

static bool fill_window(bare_reader *self) {
  size_t left = self->end - self->start;
  memmove(self->window, self->window + self->start, left);
  ssize_t got = read(self->fd, self->window + left, PIECE);
  self->start = 0;
  self->end = left + (got > 0 ? (size_t)got : 0);
  return got > 0;
}

static int push_record(lua_State *L, bare_reader *self) {
  size_t length;
  while (!(length = checked_length(self->window + self->start, self->end - self->start))) {
    if (!fill_window(self)) return 0;
  }
  size_t taken = HEADER + length + FOOTER;
  lua_pushlstring(L, self->window + self->start + HEADER, length);
  lua_pushinteger(L, self->offset);
  self->start += taken;
  self->offset += (lua_Integer)taken;
  return 2;
}

static int next_record(lua_State *L) {
  return push_record(L, lua_touserdata(L, lua_upvalueindex(1)));
}

static int called_record(lua_State *L) {
  return push_record(L, lua_touserdata(L, 1));
}

static int bare_reader_gc(lua_State *L) {
  const bare_reader *self = lua_touserdata(L, 1);
  close(self->fd);
  return 0;
}

static void push_reader(lua_State *L) {
  int fd = open_path(L, O_RDONLY);
  bare_reader *self = lua_newuserdatauv(L, sizeof *self, 0);
  self->fd = fd;
  self->start = self->end = 0;
  self->offset = 0;
  if (luaL_newmetatable(L, "limit.Records")) {
    lua_pushcfunction(L, bare_reader_gc);
    lua_setfield(L, -2, "__gc");
    lua_pushcfunction(L, called_record);
    lua_setfield(L, -2, "__call");
  }
  lua_setmetatable(L, -2);
}

/* bare_records(path): for record, offset in …; no record is empty. */
static int limit_bare_records(lua_State *L) {
  push_reader(L);
  lua_pushcclosure(L, next_record, 1);
  return 1;
}

/* called_records(path): the same for a reader that has methods, too, and so is called as an object. */
static int limit_called_records(lua_State *L) {
  push_reader(L);
  return 1;
}

/* write_records(path, record, n) */
static int limit_write_records(lua_State *L) {
  int fd = open_path(L, O_WRONLY | O_CREAT | O_TRUNC);
  size_t used = 0, size;
  const char *record = luaL_checklstring(L, 2, &size);
  uint64_t length = size;
  for (lua_Integer n = luaL_checkinteger(L, 3); n > 0; n--) {
    if (used + HEADER + length + FOOTER > BLOCK) {
      if (write(fd, output, used) < 0) break;
      used = 0;
    }
    char *to = output + used;
    memcpy(to, &length, 8);
    uint32_t sum = mask(to, 8);
    memcpy(to + 8, &sum, 4);
    memcpy(to + HEADER, record, length);
    sum = mask(record, length);
    memcpy(to + HEADER + length, &sum, 4);
    used += HEADER + length + FOOTER;
  }
  if (write(fd, output, used) < 0) luaL_error(L, "write");
  close(fd);
  return 0;
}

/* sum(piece, n [, portable]) */
static int limit_sum(lua_State *L) {
  size_t length;
  const char *piece = luaL_checklstring(L, 1, &length);
  uint32_t (*sum)(uint32_t, const void *, size_t) =
      lua_toboolean(L, 3) ? crc32c_portable : crc32c_extend;
  uint32_t total = 0;
  for (lua_Integer n = luaL_checkinteger(L, 2); n > 0; n--)
    total = sum(total, piece, length);
  lua_pushinteger(L, total);
  return 1;
}

/* copy(piece, n): memcpy, which no sum needs to beat. */
static int limit_copy(lua_State *L) {
  size_t length;
  const char *piece = luaL_checklstring(L, 1, &length);
  for (lua_Integer n = luaL_checkinteger(L, 2); n > 0; n--) {
    memcpy(output, piece, length);
    __asm__ volatile("" ::"r"(output) : "memory");
  }
  return 0;
}

__attribute__((visibility("default"))) int luaopen_record_limit(lua_State *L) {
  static const luaL_Reg functions[] = {{"gunzip", limit_gunzip},
                                       {"gzip", limit_gzip},
                                       {"read_records", limit_read_records},
                                       {"bare_records", limit_bare_records},
                                       {"called_records", limit_called_records},
                                       {"write_records", limit_write_records},
                                       {"sum", limit_sum},
                                       {"copy", limit_copy},
                                       {NULL, NULL}};
  luaL_newlib(L, functions);
  return 1;
}
