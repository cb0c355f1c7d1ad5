#include "bytes.h"
#include "collect.h"

const modfs_class modfs_region_class = {"modfs.Region", "region", "region", sizeof(bytes_view),
                                        NULL};

static modfs_bytes *open_bytes(const modfs_fs *fs, const char *path, bool whole,
                               TF_Status *status) {
  return whole ? modfs_map(fs, path, status) : modfs_region_open(fs, path, status);
}

int modfs_lua_region_new(lua_State *L, const modfs_fs *fs, const char *path, bool whole) {
  enum { CHARGE = 64 * 1024 };
  TF_Status *status = state_status(L);
  bytes_view *self = object_new(L, &modfs_region_class);
  modfs_bytes *bytes = open_bytes(fs, path, whole, status);
  if (bytes == NULL && collect_for_retry(L, status)) bytes = open_bytes(fs, path, whole, status);
  if (bytes == NULL) return push_failure(L, status);
  bytes_attach(self, bytes);
  collect_charge(L, self->length < CHARGE ? self->length : CHARGE);
  return 1;
}

/* Methods ------------------------------------------------------------------- */

static bytes_view *region_open(lua_State *L) {
  return check_open(L, &modfs_region_class);
}

static int region_length(lua_State *L) {
  return bytes_length(L, region_open(L));
}

static int region_sub(lua_State *L) {
  return bytes_sub(L, region_open(L));
}

static int region_byte(lua_State *L) {
  return bytes_byte(L, region_open(L));
}

static int region_find(lua_State *L) {
  return bytes_find(L, region_open(L));
}

static int region_unpack(lua_State *L) {
  return bytes_unpack(L, region_open(L));
}

static int region_lines(lua_State *L) {
  region_open(L);
  return bytes_lines(L);
}

static int region_slice(lua_State *L) {
  return bytes_slice(L, region_open(L), &modfs_region_class);
}

static int region_pointer(lua_State *L) {
  return bytes_pointer(L, region_open(L));
}

static int region_close(lua_State *L) {
  return bytes_close(L, region_open(L));
}

static int region_collect(lua_State *L) {
  return bytes_collect(L, &modfs_region_class);
}

static int region_tostring(lua_State *L) {
  return bytes_tostring(L, &modfs_region_class);
}

static const luaL_Reg region_methods[] = {
    {"sub", region_sub},         {"byte", region_byte},   {"find", region_find},
    {"unpack", region_unpack},   {"lines", region_lines}, {"slice", region_slice},
    {"pointer", region_pointer}, {"close", region_close}, {NULL, NULL},
};

static const luaL_Reg region_metamethods[] = {
    {"__len", region_length},
    {"__gc", region_collect},
    {"__tostring", region_tostring},
    {NULL, NULL},
};

void modfs_lua_open_region(lua_State *L) {
  class_new(L, &modfs_region_class, region_methods, region_metamethods);
}
