/* Shared by the files of the conformance runner's binding: one Plugin, handles of its files,
 * answers.
 *
 * Each method calls one slot and returns a table: code and message of the status, fault (what the
 * shim saw), and the slot's unchanged results. It returns nothing when the slot is NULL. */
#ifndef MODFS_LUA_RUNNER_FS_H
#define MODFS_LUA_RUNNER_FS_H

#include "runner.h"
#include "check/runner/plugin.h"

#define PLUGIN_CLASS "modfs.runner.Plugin"
#define HANDLE_CLASS "modfs.runner.Handle"
#define DIRECTORY_CLASS "modfs.runner.Directory"

/* A file, writable file or region: the methods called decide which table is used. */
typedef struct runner_handle {
  const runner_plugin *plugin;
  union {
    TF_RandomAccessFile file;
    TF_WritableFile writable;
    TF_ReadOnlyMemoryRegion region;
    void *pointer;
  } as;
} runner_handle;

/* An open directory. */
typedef struct runner_directory {
  const runner_plugin *plugin;
  modfs_directory handle;
} runner_directory;

runner_plugin *check_plugin(lua_State *L);
runner_handle *check_handle(lua_State *L);
runner_directory *check_directory(lua_State *L, int arg);

/* To be called before and after one call of a slot. Nothing in between may raise. */
TF_Status *call_begin(void);
/* Pushes the answer; further fields are set on it. */
int call_end(lua_State *L, TF_Status *status);

void answer_boolean(lua_State *L, const char *key, bool value);
/* Sets field key to the name of a code. */
void answer_code(lua_State *L, const char *key, TF_Code code);
/* Records a fault that the runner itself sees, unless there is one already. */
void answer_fault(lua_State *L, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Sets field key: "nothing" for NULL, "untouched" for the value of poison(), else "something". */
void answer_pointer(lua_State *L, const char *key, const void *value);

/* Pushes a handle whose pointer is poison(). */
runner_handle *handle_new(lua_State *L, const runner_plugin *plugin);
/* As call_end, with value. */
int answer_value(lua_State *L, TF_Status *status, int64_t value);
/* As call_end, with pointer and value, for a string of the plugin's, which is freed; `what` names it. status NULL:
 * the slot has none. */
int answer_text(lua_State *L, const runner_plugin *plugin, char *text, const char *what,
                TF_Status *status);
/* As call_end, with pointer; if the status is OK also handle, the object below the answer. */
int answer_handle(lua_State *L, TF_Status *status, const void *pointer);

/* The flags of open_writer that an argument names: "atomic", "durable", "new", in any number. */
uint32_t check_open_flags(lua_State *L, int arg);

/* preset(on): whether statuses hold a failure when a call begins, against the contract. */
int preset_statuses(lua_State *L);

/* interrupt(n): see interruption.c. */
int runner_interrupt(lua_State *L);

/* The value of outputs before a call. */
void *poison(void);
enum { POISON_NUMBER = -77 };

/* Frees a string or array if it can be freed; if not, records a fault that names it. */
void give_back(lua_State *L, const runner_plugin *plugin, void *block, const char *what);

extern const luaL_Reg runner_fs_methods[];
extern const luaL_Reg runner_listing_methods[];
extern const luaL_Reg runner_option_methods[];
extern const luaL_Reg runner_transaction_methods[];
extern const luaL_Reg runner_handle_methods[];
extern const luaL_Reg runner_race_methods[];
extern const luaL_Reg runner_overlap_methods[];
extern const luaL_Reg runner_extension_methods[];
extern const luaL_Reg runner_directory_methods[];
extern const luaL_Reg runner_link_methods[];
extern const luaL_Reg runner_interruption_methods[];
extern const luaL_Reg runner_directory_link_methods[];
extern const luaL_Reg runner_xattr_methods[];
extern const luaL_Reg runner_directory_xattr_methods[];
extern const luaL_Reg runner_process_functions[];
extern const luaL_Reg runner_child_functions[];
extern const luaL_Reg runner_shim_functions[];

#endif
