#include "runner_fs.h"

#include <stdarg.h>
#include <string.h>

#include "check/shim/shim.h"

static const char *const codes[] = {
    "OK",        "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",   "DEADLINE_EXCEEDED",
    "NOT_FOUND", "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
    "ABORTED",   "OUT_OF_RANGE",   "UNIMPLEMENTED",     "INTERNAL",           "UNAVAILABLE",
    "DATA_LOSS", "UNAUTHENTICATED"};

static char poisoned;
static bool presets; /* statuses hold a failure already when a call begins */

void *poison(void) {
  return &poisoned;
}

runner_plugin *check_plugin(lua_State *L) {
  return *(runner_plugin **)luaL_checkudata(L, 1, PLUGIN_CLASS);
}

runner_handle *check_handle(lua_State *L) {
  return luaL_checkudata(L, 1, HANDLE_CLASS);
}

TF_Status *call_begin(void) {
  TF_Status *status = TF_NewStatus();
  if (presets && status) TF_SetStatus(status, TF_UNAUTHENTICATED, "as the call found it");
  runner_enter();
  return status;
}

int preset_statuses(lua_State *L) {
  presets = lua_toboolean(L, 1);
  return 0;
}

void answer_code(lua_State *L, const char *key, TF_Code code) {
  bool known = code >= 0 && (size_t)code < sizeof codes / sizeof *codes;
  answer_string(L, key, known ? codes[code] : "a number that is no code");
}

int call_end(lua_State *L, TF_Status *status) {
  char fault[256];
  runner_leave();
  lua_createtable(L, 0, 4);
  if (status) {
    answer_code(L, "code", TF_GetCode(status));
    answer_string(L, "message", TF_Message(status));
  }
  TF_DeleteStatus(status);
  if (&modfs_shim && modfs_shim.fault(false, fault, sizeof fault)) answer_fault(L, "%s", fault);
  return 1;
}

void answer_boolean(lua_State *L, const char *key, bool value) {
  lua_pushboolean(L, value);
  lua_setfield(L, -2, key);
}

void answer_fault(lua_State *L, const char *format, ...) {
  char text[256];
  va_list arguments;
  lua_getfield(L, -1, "fault");
  bool known = !lua_isnil(L, -1);
  lua_pop(L, 1);
  if (known) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  answer_string(L, "fault", text);
}

void answer_pointer(lua_State *L, const char *key, const void *value) {
  answer_string(L, key, !value ? "nothing" : value == poison() ? "untouched" : "something");
}

int answer_text(lua_State *L, const runner_plugin *plugin, char *text, const char *what,
                TF_Status *status) {
  bool fine = !status || TF_GetCode(status) == TF_OK;
  call_end(L, status);
  answer_pointer(L, "pointer", text);
  const char *foreign = text && fine ? runner_plugin_foreign(plugin, text) : NULL;
  if (foreign) answer_fault(L, "%s %s", what, foreign);
  if (!text || !fine || foreign) return 1;
  answer_string(L, "value", text);
  give_back(L, plugin, text, what);
  return 1;
}

void give_back(lua_State *L, const runner_plugin *plugin, void *block, const char *what) {
  char fault[256];
  const char *foreign = runner_plugin_foreign(plugin, block);
  if (foreign) {
    answer_fault(L, "%s %s", what, foreign);
    return;
  }
  runner_enter();
  plugin->info.plugin_memory_free(block);
  runner_leave();
  if (&modfs_shim && modfs_shim.fault(false, fault, sizeof fault))
    answer_fault(L, "%s: %s", what, fault);
}
