/* Declarations shared by the files of the binding.
 *
 * Functions. Each C function that Lua sees is a closure with three upvalues: the state block, the
 * methods of its class (nil for module functions) and its own name, for messages. A method has its
 * class as the fourth, so that one function can serve several classes. class_new and set_functions
 * make them so; a closure made by hand (an iterator) copies three with push_upvalues and puts its
 * own from the fourth on.
 *
 * Arguments. check_* raise an error for a mistake in the program. Those that return NULL or false
 * have pushed the failure triple instead, and the caller says `return 3`.
 *
 * Objects. An object's block begins with a modfs_object. It is closed (handle NULL) or open, is
 * born closed and may be closed once. A constructor checks its arguments, calls object_new, which
 * gives it its metatable, and only then acquires the resource, so an error cannot leak it. The
 * object owns its handle: close, __close and __gc are one function, and whichever comes first frees
 * it. Finalizers run wherever Lua allocates and may close any object, so handles are not kept
 * across such a call (handle_of).
 *
 * Memory and threads. No lock and no C memory is held across a call of Lua that may raise, except
 * in a guard or a state copy. A Lua state is for one thread at a time; plugin threads never see it
 * (poll.c). Objects in a forked child are copies, whose handles know by their epoch that they were
 * inherited.
 *
 * The module table (core's own, which modfs/init.lua extends and returns) holds plugin_path. */
#ifndef MODFS_LUA_BINDING_H
#define MODFS_LUA_BINDING_H

#include <modfs/async.h>
#include <modfs/device.h>
#include <modfs/modfs.h>

#include <string.h>

#include "compat.h"

/* State --------------------------------------------------------------------- */

/* The state block: one for each Lua state, as nothing of the binding is static and mutable. */
typedef struct modfs_state {
  TF_Status *status;    /* for calls from Lua; NULL once the state is closing */
  TF_Status *gc_status; /* for finalizers, which may run while status is being read */
  char *scratch_block;
  char *scratch; /* aligned within the block */
  size_t scratch_size;
  struct state_copy *copies;  /* of push_copied; errors may leave some, freed with the block */
  modfs_callbacks *callbacks; /* poll.c; made at the first use */
  int64_t callbacks_number;   /* the last one given out */
  size_t callbacks_waiting;   /* those that have not run yet */
  bool callbacks_running;
  bool callbacks_asked;         /* one of those that have just run was a question */
  int waits;                    /* that are under way within each other, poll.c */
  bool settles;                 /* frees what a signal has ended, interrupt.c */
  struct deferral *deferral;    /* job.c; NULL: calls are performed */
  const char *job_name;         /* of the function whose results job.c pushes */
  struct script_filter *filter; /* choice.c; the innermost that can be called */
} modfs_state;

/* Finds the block, or makes it, and pushes it. */
modfs_state *state_open(lua_State *L);

_Noreturn void raise_closing(lua_State *L);

/* The block of the running function; raises when the Lua state is closing. */
static inline modfs_state *state_here(lua_State *L) {
  modfs_state *state = lua_touserdata(L, lua_upvalueindex(1));
  if (!state->status) raise_closing(L);
  return state;
}

/* Its status for the call. Core functions set it to OK first. */
static inline TF_Status *state_status(lua_State *L) {
  return state_here(L)->status;
}

/* The status for __gc and for closing that must not fail; NULL when the Lua state is closing. */
TF_Status *state_gc_status(lua_State *L);

/* Pushes a value, and returns a buffer of at least size bytes that lives while the value stays on
 * the stack and until the next scratch_take; raises when memory is short. Only core calls may stand
 * between this and the lua_pushlstring that copies from it. */
char *scratch_take(lua_State *L, size_t size);
/* The same for who has the block of the running function. */
char *scratch_take_from(lua_State *L, modfs_state *state, size_t size);
/* Enlarges the buffer and keeps its bytes; replaces the value at the top of the stack. */
char *scratch_grow(lua_State *L, size_t used, size_t size);
/* The same for a full one of *size bytes, which it doubles; but where the buffer is memory of C this raises
 * nothing, and returns NULL when memory is short. */
char *scratch_double(lua_State *L, size_t *size);
/* Frees a large buffer; call it after the copy. */
void scratch_trim(lua_State *L);

/* Reports a failure that no caller can receive: by warn on 5.4, on standard error before. */
void warn_failure(lua_State *L, const TF_Status *status);

/* Pushes bytes that a finalizer may free: where Lua may run finalizers before it copies, this
 * pushes from a copy that the block owns. */
void push_copied(lua_State *L, const char *bytes, size_t length);
void push_text(lua_State *L, const char *text);

/* Guards: C memory that must survive a throw -------------------------------- */

/* Pushes a userdata with a zeroed block of size bytes; end(block) runs when it is collected. */
void *guard_new(lua_State *L, size_t size, void (*end)(void *block));
/* Runs end now, and never again. */
void guard_end(lua_State *L, int index);

modfs_string_list *guard_names(lua_State *L); /* guard_new with modfs_string_list_fini */
char **guard_string(lua_State *L);            /* guard_new with free */

/* Classes ------------------------------------------------------------------- */

/* A function that Lua sees, to declare those of other files. */
typedef int lua_function(lua_State *L);

typedef struct modfs_class modfs_class;

typedef struct modfs_object {
  const modfs_class *class;
  void *handle;         /* NULL: closed */
  modfs_strand *strand; /* of the jobs that use it; NULL: there were none */
} modfs_object;

struct modfs_class {
  const char *name;              /* "modfs.File" */
  const char *type;              /* for modfs.type: "writable file" */
  const char *noun;              /* for "attempt to use a closed file" */
  size_t size;                   /* of the block */
  void (*release)(void *handle); /* NULL: nothing to release, or more than the handle */
};

extern const modfs_class modfs_file_class;          /* file.c */
extern const modfs_class modfs_writable_class;      /* writable.c */
extern const modfs_class modfs_region_class;        /* region.c */
extern const modfs_class modfs_buffer_class;        /* buffer.c */
extern const modfs_class modfs_fs_class;            /* fs.c */
extern const modfs_class modfs_plugin_class;        /* plugin.c */
extern const modfs_class modfs_transaction_class;   /* transaction.c */
extern const modfs_class modfs_directory_class;     /* listing.c */
extern const modfs_class modfs_walk_class;          /* walk.c */
extern const modfs_class modfs_tree_class;          /* tree_object.c */
extern const modfs_class modfs_watch_class;         /* watch.c */
extern const modfs_class modfs_job_class;           /* job.c */
extern const modfs_class modfs_record_reader_class; /* record.c */
extern const modfs_class modfs_record_writer_class;

/* The path of a RecordReader's handle (record.c). */
const char *record_reader_name(const void *handle);

/* A list of functions with their names, for class_new and set_functions. */
#define FUNCTIONS(...) ((const luaL_Reg[]){__VA_ARGS__, {NULL, NULL}})

/* Registers a class, once for each state: a protected metatable with __name and the metamethods,
 * and a separate __index table with the methods. Unless they are listed, __gc calls object_end, and
 * __close, where Lua has it, is __gc. A listed metamethod "__index" replaces that table, which it
 * finds as upvalue 2. */
void class_new(lua_State *L, const modfs_class *class, const luaL_Reg *methods,
               const luaL_Reg *metamethods);

/* Pushes a new, closed object: its block is zeroed. */
void *object_new(lua_State *L, const modfs_class *class);
/* The same with a user value, which is to be set (compat.h). */
void *object_new_with_value(lua_State *L, const modfs_class *class);

/* The block if the value is an object of the class, open or closed; else NULL. */
static inline void *object_test(lua_State *L, int arg, const modfs_class *class) {
  modfs_object *object = lua_touserdata(L, arg);
  if (!object || lua_rawlen(L, arg) != class->size) return NULL;
  return object->class == class ? object : NULL;
}

/* For methods of the class itself: self at arg 1. */
void *test_self(lua_State *L, const modfs_class *class);  /* NULL for another type: for __gc */
void *check_self(lua_State *L, const modfs_class *class); /* open or closed */
void *check_open(lua_State *L, const modfs_class *class); /* raises "attempt to use a closed …" */
/* Cancels the jobs that use the object, and waits for those that run. Call it before its handle is
 * released, unless object_end does that. */
void object_join(modfs_object *object);
/* Takes the handle from the object, and releases it as the class says. */
void object_end(modfs_object *object);
/* The class of the running method, and its self, which must be open. */
const modfs_class *class_here(lua_State *L);
void *self_here(lua_State *L);
/* Methods that any class may list: close, where object_end is all of it, and __tostring, for which
 * an object is open or closed. */
lua_function object_close, object_tostring;
/* For other arguments; raises for another type and for a closed object. */
void *check_object(lua_State *L, int arg, const modfs_class *class);
/* For handle_of: of one that is closed, or that jobs have used. */
void *handle_in_turn(lua_State *L, const modfs_object *object);
/* Waits for the jobs on an object that run in turn: for what is performed at once in a job, too. */
void object_await(const modfs_object *object);
/* The handle of a block, once the jobs that are to use it in turn are done; raises when it is
 * closed. A finalizer may close any object, and empty any
 * table, wherever Lua allocates: take a handle, and whatever belongs to it, after the last such
 * call before its use, and take it again after the next. */
static inline void *handle_of(lua_State *L, const void *block) {
  const modfs_object *object = block;
  return object->handle && !object->strand ? object->handle : handle_in_turn(L, object);
}

/* Adds the functions to the table at the top of the stack. */
void set_functions(lua_State *L, const luaL_Reg *functions);
/* The same for functions that have strings, a list with NULL at its end, as upvalues from the fourth on. */
void set_functions_with(lua_State *L, const luaL_Reg *functions, const char *const *words);
/* Pushes three upvalues for a closure that the running function makes, which has no methods. */
void push_upvalues(lua_State *L);

/* Arguments ----------------------------------------------------------------- */

/* Raises "bad argument #arg to 'name' (…)" with the caller's count of arguments and the function's
 * own name. */
int arg_error(lua_State *L, int arg, const char *format, ...);
int type_error(lua_State *L, int arg, const char *expected);
_Noreturn void raise_no_memory(lua_State *L);

/* The running function's name, as scripts call it. Owns: the state. */
const char *function_name(lua_State *L);

/* A string or a number, as Lua's own functions take them. */
const char *check_string(lua_State *L, int arg, size_t *length);
/* For check_path. */
const char *refuse_nul(lua_State *L, int arg, const char *path);
/* A string without NUL; NULL after pushing INVALID_ARGUMENT. length may be NULL. */
static inline const char *check_path(lua_State *L, int arg, size_t *length) {
  size_t n;
  const char *path = check_string(L, arg, &n);
  if (length) *length = n;
  return strlen(path) == n ? path : refuse_nul(L, arg, path);
}

/* An exact integer, of either sign. */
int64_t check_integer(lua_State *L, int arg);
int64_t opt_integer(lua_State *L, int arg, int64_t otherwise);
/* A time: the nearest number will do where Lua has no 64-bit integers. */
int64_t check_nanoseconds(lua_State *L, int arg);
/* One that is not negative; false after pushing INVALID_ARGUMENT, which calls the argument by name.
 */
bool check_offset(lua_State *L, int arg, const char *name, uint64_t *value);
bool check_count(lua_State *L, int arg, const char *name, size_t *value);
/* Seconds that a call may wait; unchanged when there are none; false after pushing INVALID_ARGUMENT
 * for a negative number (poll.c). */
bool check_seconds(lua_State *L, int arg, double *seconds);

/* Whether there is a table of options (nil and none: no); raises for a key that is not allowed. */
bool check_options(lua_State *L, int arg, const char *const *allowed);
/* For functions without options, whose last parameter is in front of arg: a table there can only be
 * meant as options, none of which is known. */
void refuse_options(lua_State *L, int arg);
static inline void no_options(lua_State *L, int arg) {
  if (lua_gettop(L) >= arg) refuse_options(L, arg);
}
/* Raises, about argument arg, when the table at an index has a key that is not allowed. */
void check_keys(lua_State *L, int table, int arg, const char *what, const char *const *allowed);
/* One option of the table; arg may be nil or none. Raises for another type. A string is pushed, as
 * the table may not keep it. */
bool option_boolean(lua_State *L, int arg, const char *key, bool otherwise);
const char *option_string(lua_State *L, int arg, const char *key, const char *otherwise);
/* Pushes the function and returns true if the option is given; else pushes nothing. */
bool push_option_function(lua_State *L, int arg, const char *key);

/* The filesystem of a path; loads its plugin if necessary. NULL after pushing the failure. */
const modfs_fs *find_fs(lua_State *L, const char *path);
/* The same for a scheme or a path: a text that is a valid scheme is taken for one. */
const modfs_fs *find_scheme(lua_State *L, const char *scheme_or_path);
/* The path at an argument, and its filesystem; NULL after pushing the failure. */
const modfs_fs *check_path_fs(lua_State *L, int arg, const char **path);

/* Two paths and their filesystems. */
typedef struct path_pair {
  const modfs_fs *from, *to;
  const char *src, *dst;
} path_pair;
/* Fills it in from two arguments; false, with `to` NULL, after pushing the failure. */
bool check_path_pair(lua_State *L, int first, path_pair *pair);
/* Shows the plugin's warnings to the user, once in each state. */
void warn_once(lua_State *L, const modfs_plugin *plugin);
/* Pushes the plugin path, and returns it. */
const char *push_plugin_path(lua_State *L);
/* Makes the table at the top of the stack the module, whose plugin_path is read for searches. */
void set_module(lua_State *L);
/* Pushes it, or nil. */
void push_module(lua_State *L);

/* Results ------------------------------------------------------------------- */

/* nil, "CODE: message", "CODE"; returns 3. Raises "interrupted!" for what the user has ended. */
int push_failure(lua_State *L, const TF_Status *status);
/* The same under the name of a function other than the running one. */
int push_failure_as(lua_State *L, const char *name, const TF_Status *status);
int push_failure_code(lua_State *L, TF_Code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Raises "interrupted!", once for each signal (interrupt.c). accept_interruption makes it this
 * caller's affair alone, who has Lua code to call before. */
int raise_interruption(lua_State *L);
void accept_interruption(void);
/* true, or the failure. */
int push_done(lua_State *L, const TF_Status *status);
/* Pushes the exact number, or raises. */
void push_integer(lua_State *L, int64_t value);
void push_count(lua_State *L, uint64_t value);
/* The result of a function that returns a length, or the failure when Lua has no exact number. */
int push_length(lua_State *L, const char *path, int64_t length);
/* Pushes the exact number, or math.huge. */
void push_sum(lua_State *L, uint64_t value);
/* An array. */
void push_names(lua_State *L, const modfs_string_list *names);
int push_stat(lua_State *L, const char *path, const TF_FileStatistics *stats);

/* The name of a modfs_kind; NULL for an unknown one. */
const char *kind_name(int kind);

/* Across files: each pushes the object or the failure, and returns how many values that is. */
int modfs_lua_file_new(lua_State *L, const modfs_fs *fs, const char *path);
int modfs_lua_writable_new(lua_State *L, const modfs_fs *fs, const char *path,
                           modfs_write_mode mode);
/* whole: by modfs_map, where an empty file is an empty region; else by the ABI's own operation. */
int modfs_lua_region_new(lua_State *L, const modfs_fs *fs, const char *path, bool whole);
/* The content of a file (gfile.c). */
int read_path(lua_State *L, const modfs_fs *fs, const char *path);
/* modfs.open: path at 1, mode at 2, the table of options at options (gfile.c). */
int open_path(lua_State *L, int options, const char *const *allowed);
/* Pushes the Plugin or Filesystem object. */
void modfs_lua_plugin_push(lua_State *L, const modfs_plugin *plugin);
void modfs_lua_fs_push(lua_State *L, const modfs_fs *fs);

/* Sets a field of the table at the top of the stack; a NULL is no field. */
void set_text(lua_State *L, const char *key, const char *text);

/* Pushes the registry's table of that key, weak by mode: "k", "v" or "kv"; "": not weak. */
void push_registry_table(lua_State *L, const void *key, const char *mode);
/* Makes the object at the top of the stack keep the value at an index alive, by the table of that key. */
void keep_by_object(lua_State *L, const void *key, int index);

/* push_known_object pushes the object of a class that stands for a core pointer, or nil.
 * remember_object makes the object at the top of the stack stand for it until it is collected or
 * closed. */
void push_known_object(lua_State *L, const modfs_class *class, const void *handle);
void remember_object(lua_State *L, const void *handle);

/* The bytes of a string, number (as io writes it), Buffer or Region at arg; raises for anything
 * else and for closed ones. Valid as long as the argument. */
const char *check_bytes(lua_State *L, int arg, size_t *length); /* bytes.c */

/* Functions of the core with one path. */
typedef void path_call(const modfs_fs *fs, const char *path, TF_Status *status);
typedef void names_call(const modfs_fs *fs, const char *path, modfs_string_list *names,
                        TF_Status *status);

/* Methods of Filesystem that are defined elsewhere than in fs.c. */
const modfs_fs *check_fs(lua_State *L); /* an open Filesystem at arg 1 */
/* transaction.c */
lua_function fs_start_transaction, fs_end_transaction, fs_add_to_transaction;
lua_function fs_get_transaction_for_path, fs_get_or_start_transaction_for_path;
lua_function fs_decode_transaction_token;
/* options.c */
lua_function fs_get_configuration, fs_set_configuration, fs_get_configuration_keys;
lua_function fs_get_configuration_option, fs_set_configuration_option;

/* Registration, called by luaopen_modfs_core in this order with the module table on top of the
 * stack; each registers its classes, adds its functions to the table and leaves the stack as it
 * was. */
void modfs_lua_open_file(lua_State *L);
void modfs_lua_open_writable(lua_State *L);
void modfs_lua_open_region(lua_State *L);
void modfs_lua_open_buffer(lua_State *L); /* adds buffer */
void modfs_lua_open_fs(lua_State *L);
void modfs_lua_open_plugin(lua_State *L);
void modfs_lua_open_transaction(lua_State *L);
void modfs_lua_open_listing(lua_State *L);
void modfs_lua_open_attributes(lua_State *L); /* stat, lstat, chmod, utime */
void modfs_lua_open_link(lua_State *L);       /* symlink, readlink, islink */
void modfs_lua_open_checksum(lua_State *L);
void modfs_lua_open_hash(lua_State *L);
void modfs_lua_open_xattrs(lua_State *L);
void modfs_lua_open_gfile(lua_State *L); /* open, read, write, append, map, exists, stat, … */
/* Adds mkdir, remove, rename, copy, listdir, glob and others. */
void modfs_lua_open_path_operations(lua_State *L);
void modfs_lua_open_walk(lua_State *L);
void modfs_lua_open_tree_object(lua_State *L);
void modfs_lua_open_watch(lua_State *L);
void modfs_lua_open_path(lua_State *L);
void modfs_lua_open_options(lua_State *L);
void modfs_lua_open_codec(lua_State *L);
void modfs_lua_open_record(lua_State *L);
void modfs_lua_open_job(lua_State *L);       /* another module, for modfs.async */
void modfs_lua_open_interrupt(lua_State *L); /* another module, for the command line */
void modfs_lua_open_entry(lua_State *L);     /* and one for the drop-ins */

#endif
