/* Calls with paths: each pushes what the core returns, or the failure, and returns how many values
 * that is; or starts it as a job. */
#ifndef MODFS_LUA_CALLS_H
#define MODFS_LUA_CALLS_H

#include "operation.h"

int call_path(lua_State *L, path_call *call, const modfs_fs *fs, const char *path);
/* sorts: without duplicates, too. */
int call_names(lua_State *L, names_call *call, const modfs_fs *fs, const char *path, bool sorts);
int call_file_size(lua_State *L, const modfs_fs *fs, const char *path);
int call_text(lua_State *L, text_call *call, const modfs_fs *fs, const char *path);
int call_pair(lua_State *L, pair_call *call, const path_pair *pair);

/* Whether all paths of the table at arg exist, and the code of each. fs: of all paths; NULL: each has
 * its own. */
int call_exist(lua_State *L, int arg, const modfs_fs *fs);

/* The arguments of modfs.open: path at 1, mode at 2, a table of options. Sets fs, path and mode of the
 * operation; false after pushing the failure (gfile.c). */
enum { OPEN_READ = -1 }; /* else a modfs_write_mode */
bool check_open_path(lua_State *L, int options, const char *const *allowed, operation *call);

/* Defines a module function of one path: its results, made of L, fs and path. */
#define PATH_FUNCTION(name, results)                                                               \
  static int name(lua_State *L) {                                                                  \
    no_options(L, 2);                                                                              \
    const char *path;                                                                              \
    const modfs_fs *fs = check_path_fs(L, 1, &path);                                               \
    return fs ? results : 3;                                                                       \
  }

/* modfs_fs_delete_recursively: pushes true, 0, 0, or the failure and both counts. */
int delete_recursively(lua_State *L, const modfs_fs *fs, const char *path);
/* Pushes both counts behind a failure that preceded any attempt to delete. */
int push_undeleted(lua_State *L);

#endif
