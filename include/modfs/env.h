/* What the runtime library does for a plugin besides the status: log, threads,
 * clocks, temporary names, shared libraries, and files of any scheme.
 *
 * These are the functions of TensorFlow's env.h and logging.h. A plugin that
 * calls them loads in both hosts, and reaches there what is the host's own: its
 * log, its filesystems. They live in libtensorflow_framework.so.2, as those of
 * status.h do.
 *
 * For all functions:
 *   - They may be called from any thread, any at once; a handle is for one thread
 *     at a time.
 *   - Pointers are borrowed for the call, unless Owns: says otherwise.
 *   - A function with a status sets it to OK first: what it held before is gone.
 *   - A path may be a URI: the scheme picks the filesystem.
 *   - Errors: names the codes that are fixed; others are free for other errors. */
#ifndef MODFS_ENV_H
#define MODFS_ENV_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "filesystem.h"
#include "status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* 1. Log --------------------------------------------------------------------
 *
 * One message is one line on standard error, written in one piece:
 *
 *   2024-05-01 12:00:00.123456: W s3] the message
 *
 * with the local time, a letter for the level (I, W, E or F) and the module: the
 * name of the caller's file up to its first dot. Control characters in a message
 * are escaped (\n, \x1b), so no text can pass for another line. errno is kept.
 *
 * The environment is read once, at the first message:
 *   TF_CPP_MIN_LOG_LEVEL   the lowest level that is written, by number; FATAL always is
 *   TF_CPP_MAX_VLOG_LEVEL  the highest TF_VLog level that is written; 0 by default
 *   TF_CPP_VMODULE         the same for single modules: s3=2,posix=1; the name
 *                          "logging" stands for all, as it does in TensorFlow
 *   TF_CPP_LOG_THREAD_ID   not 0: the thread's number follows the letter
 *   TF_CPP_VLOG_FILENAME   all lines go to this file, made anew, instead; a
 *                          set-user-id program ignores it */

typedef enum TF_LogLevel {
  TF_INFO = 0,
  TF_WARNING = 1,
  TF_ERROR = 2,
  TF_FATAL = 3 /* ends the process */
} TF_LogLevel;

#define MODFS_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))

/* Writes a message; TF_FATAL aborts the process after it. A level out of range is ignored. */
TF_CAPI_EXPORT extern void TF_Log(TF_LogLevel level, const char *format, ...) MODFS_PRINTF(2, 3);

/* Writes a message for those who debug: as TF_INFO, when the environment asks for this level. */
TF_CAPI_EXPORT extern void TF_VLog(int level, const char *format, ...) MODFS_PRINTF(2, 3);

/* As TF_VLog; does nothing where the runtime is compiled with NDEBUG. */
TF_CAPI_EXPORT extern void TF_DVLog(int level, const char *format, ...) MODFS_PRINTF(2, 3);

/* 2. Threads ---------------------------------------------------------------- */

typedef struct TF_Thread TF_Thread;

typedef struct TF_ThreadOptions {
  size_t stack_size; /* bytes; 0: the system's default, as for what is too small */
  size_t guard_size; /* bytes; 0: the system's default */
  int numa_node;     /* run on the processors of this node where there is one; -1: on any */
} TF_ThreadOptions;

/* Writes 0, 0 and -1. */
TF_CAPI_EXPORT extern void TF_DefaultThreadOptions(TF_ThreadOptions *options);

/* Runs work(param) on a new thread. options NULL: the defaults. The system shows the first 15 bytes
 *   of name, which may be NULL.
 * Errors: NULL, and a line in the log.
 * Owns: the caller ends the thread with TF_JoinThread. */
TF_CAPI_EXPORT extern TF_Thread *TF_StartThread(const TF_ThreadOptions *options, const char *name,
                                                void (*work)(void *), void *param);

/* Waits for a thread to end, and frees it; NULL is allowed. */
TF_CAPI_EXPORT extern void TF_JoinThread(TF_Thread *thread);

/* 3. Clocks: time since 1970-01-01 UTC -------------------------------------- */

TF_CAPI_EXPORT extern uint64_t TF_NowNanos(void);
TF_CAPI_EXPORT extern uint64_t TF_NowMicros(void);
TF_CAPI_EXPORT extern uint64_t TF_NowSeconds(void);

/* 4. Lists of strings ------------------------------------------------------- */

typedef struct TF_StringStream TF_StringStream;

/* Stores the next string and returns true; at the end, and for a NULL list, stores NULL and returns
 *   false.
 * Owns: the list keeps the string until TF_StringStreamDone. */
TF_CAPI_EXPORT extern bool TF_StringStreamNext(TF_StringStream *list, const char **result);

/* Frees a list; NULL is allowed. */
TF_CAPI_EXPORT extern void TF_StringStreamDone(TF_StringStream *list);

/* 5. Temporary names --------------------------------------------------------
 *
 * The directory is the first that is there of TEST_TMPDIR, TMPDIR and TMP from the
 * environment, and /tmp. */

/* Makes an empty file, for its owner alone, and returns its name; an extension, unless NULL or "",
 *   follows a dot at its end.
 * Errors: NULL, and a line in the log.
 * Owns: the caller frees the name with free, and deletes the file. */
TF_CAPI_EXPORT extern char *TF_GetTempFileName(const char *extension);

/* Lists the directory, ending in a slash; nothing when there is none.
 * Errors: NULL when memory is short.
 * Owns: the caller ends the list with TF_StringStreamDone. */
TF_CAPI_EXPORT extern TF_StringStream *TF_GetLocalTempDirectories(void);

/* 6. Shared libraries ------------------------------------------------------- */

/* Loads a library with all it needs, its symbols for itself; NULL names the program. A bare name is
 *   searched for as the system's loader does.
 * Errors: NULL with NOT_FOUND and the loader's reason.
 * Owns: nobody; it stays for as long as the process. */
TF_CAPI_EXPORT extern void *TF_LoadSharedLibrary(const char *file, TF_Status *status);

/* Finds a symbol in a library, or in what that one needs.
 * Errors: NULL with NOT_FOUND. A symbol whose value is NULL is OK. */
TF_CAPI_EXPORT extern void *TF_GetSymbolFromLibrary(void *library, const char *symbol,
                                                    TF_Status *status);

/* 7. Files of any scheme ----------------------------------------------------
 *
 * Errors: FAILED_PRECONDITION as long as the process has no host; UNIMPLEMENTED for a scheme that
 * nobody serves; INVALID_ARGUMENT for a NULL path or handle; else those of the operation in
 * filesystem.h. */

typedef struct TF_WritableFileHandle TF_WritableFileHandle;

/* Makes one directory. Errors: ALREADY_EXISTS when anything is there. */
TF_CAPI_EXPORT extern void TF_CreateDir(const char *path, TF_Status *status);

/* Deletes an empty directory. */
TF_CAPI_EXPORT extern void TF_DeleteDir(const char *path, TF_Status *status);

/* Deletes a file. */
TF_CAPI_EXPORT extern void TF_DeleteFile(const char *path, TF_Status *status);

/* Deletes a directory with all that is in it, and counts what it could not delete; when it could
 *   not start these are 0 files and 1 directory. */
TF_CAPI_EXPORT extern void TF_DeleteRecursively(const char *path, int64_t *undeleted_files,
                                                int64_t *undeleted_dirs, TF_Status *status);

/* Fills stats; leaves it alone on failure. */
TF_CAPI_EXPORT extern void TF_FileStat(const char *path, TF_FileStatistics *stats,
                                       TF_Status *status);

/* Opens a new, empty file for writing; leaves handle alone on failure.
 * Owns: the caller ends the handle with TF_CloseWritableFile. */
TF_CAPI_EXPORT extern void TF_NewWritableFile(const char *path, TF_WritableFileHandle **handle,
                                              TF_Status *status);

/* Closes a file; the handle is gone afterwards, on failure, too. */
TF_CAPI_EXPORT extern void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status);

/* Returns when everything written so far is durable. */
TF_CAPI_EXPORT extern void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status);

/* Hands what is still buffered to the storage. */
TF_CAPI_EXPORT extern void TF_FlushWritableFile(TF_WritableFileHandle *handle, TF_Status *status);

/* Writes length bytes at the end; data may be NULL when there are none. */
TF_CAPI_EXPORT extern void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data,
                                                 size_t length, TF_Status *status);

/* Lists the names in a directory, without the path, in any order.
 * Errors: an empty list; NULL when memory is short.
 * Owns: the caller ends the list with TF_StringStreamDone. */
TF_CAPI_EXPORT extern TF_StringStream *TF_GetChildren(const char *path, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
