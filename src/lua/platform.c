#include <limits.h>
#include <string.h>
#include <strings.h>

#include "device.h"

const modfs_platform *find_platform(lua_State *L, const char *name) {
  TF_Status *status = state_status(L);
  const char *templates = push_plugin_path(L);
  const modfs_platform *platform = modfs_platform_search(name, templates, status);
  lua_pop(L, 1);
  if (platform == NULL) {
    push_failure(L, status);
    return NULL;
  }
  warn_once(L, modfs_platform_plugin(platform));
  return platform;
}

static void push_platform(lua_State *L, const modfs_platform *platform) {
  TF_Status *status = state_status(L);
  int count = modfs_platform_device_count(platform, status);
  bool counted = TF_GetCode(status) == TF_OK;
  lua_createtable(L, 0, 5);
  set_text(L, "name", modfs_platform_name(platform));
  set_text(L, "type", modfs_platform_type(platform));
  set_text(L, "api", modfs_platform_api(platform));
  modfs_lua_plugin_push(L, modfs_platform_plugin(platform));
  lua_setfield(L, -2, "plugin");
  if (!counted) return;
  push_integer(L, count);
  lua_setfield(L, -2, "device_count");
}

static int module_platforms(lua_State *L) {
  int count = 0;
  lua_newtable(L);
  for (const modfs_platform *p = modfs_platform_next(NULL); p; p = modfs_platform_next(p)) {
    push_platform(L, p);
    lua_rawseti(L, -2, ++count);
  }
  return 1;
}

static bool is_wanted(const modfs_platform *platform, const char *type_or_name) {
  return type_or_name == NULL || strcasecmp(modfs_platform_name(platform), type_or_name) == 0 ||
         strcasecmp(modfs_platform_type(platform), type_or_name) == 0;
}

/* Appends the platform's devices to the array at the top; false after pushing the failure. */
static bool append_devices(lua_State *L, const modfs_platform *platform, int *length) {
  TF_Status *status = state_status(L);
  int count = modfs_platform_device_count(platform, status);
  if (TF_GetCode(status) != TF_OK) {
    push_failure(L, status);
    return false;
  }
  for (int ordinal = 0; ordinal < count; ordinal++) {
    if (modfs_lua_device_push(L, platform, ordinal) != 1) return false;
    lua_rawseti(L, -2, ++*length);
  }
  return true;
}

static int module_devices(lua_State *L) {
  bool all = lua_isnoneornil(L, 1);
  const char *wanted = all ? NULL : check_path(L, 1, NULL);
  if (!all && wanted == NULL) return 3;
  int length = 0;
  lua_newtable(L);
  for (const modfs_platform *p = modfs_platform_next(NULL); p; p = modfs_platform_next(p))
    if (is_wanted(p, wanted) && !append_devices(L, p, &length)) return 3;
  return 1;
}

/* The ordinal after the colon: digits, in the range of an int. */
static bool parse_ordinal(const char *digits, int *ordinal) {
  int64_t value = 0;
  if (*digits == '\0') return false;
  for (; *digits != '\0'; digits++) {
    if (*digits < '0' || *digits > '9') return false;
    value = 10 * value + (*digits - '0');
    if (value > INT_MAX) return false;
  }
  *ordinal = (int)value;
  return true;
}

static int module_device(lua_State *L) {
  no_options(L, 2);
  const char *name = check_path(L, 1, NULL);
  if (name == NULL) return 3;
  size_t length = strcspn(name, ":");
  int ordinal = 0;
  if (length == 0 || (name[length] == ':' && !parse_ordinal(name + length + 1, &ordinal)))
    return push_failure_code(L, TF_INVALID_ARGUMENT,
                             "device %s: invalid device name; expected NAME or NAME:ordinal", name);
  lua_pushlstring(L, name, length);
  const modfs_platform *platform = find_platform(L, lua_tostring(L, -1));
  return platform != NULL ? modfs_lua_device_push(L, platform, ordinal) : 3;
}

void modfs_lua_open_platform(lua_State *L) {
  set_functions(L, FUNCTIONS({"platforms", module_platforms}, {"devices", module_devices},
                             {"device", module_device}));
}
