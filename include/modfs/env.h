/* Services of the runtime library for plugins: log, threads, clocks, temporary
 * files, shared libraries, and files of any scheme.
 *
 * The functions are those of TensorFlow's env.h and logging.h, exported by
 * libtensorflow_framework.so.2 like those of status.h. A plugin that calls them
 * loads in both hosts and uses the services of the host that it runs in: its log
 * and its filesystems.
 *
 * Rules for all functions:
 *   - Threads: any function may be called from any thread, any number at once. A
 *     handle is for one thread at a time.
 *   - Pointers are borrowed for the duration of the call, unless Owns: says
 *     otherwise.
 *   - A function with a status parameter sets it to OK first and discards its
 *     previous content.
 *   - A path may be a URI; its scheme selects the filesystem.
 *   - Errors: lists the codes fixed by contract; other codes are possible for other
 *     errors.
 *   - Sizes are in bytes. */
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
 * Each message is one line on standard error, written in a single write:
 *
 *   2024-05-01 12:00:00.123456: W s3] the message
 *
 * The line consists of the local time, a letter for the level (I, W, E or F), the
 * module and the message. The module is the file name of the caller's shared object
 * or program, up to its first dot. Control characters in the message, except tabs,
 * are escaped (\n, \x1b), so that a message cannot imitate another line. errno is
 * preserved.
 *
 * The environment variables are read once, at the first message:
 *   TF_CPP_MIN_LOG_LEVEL   the lowest TF_LogLevel to write, as a number; TF_FATAL is
 *                          always written
 *   TF_CPP_MAX_VLOG_LEVEL  the highest TF_VLog level to write; 0 by default
 *   TF_CPP_VMODULE         the same for single modules: s3=2,posix=1; the name
 *                          "logging" stands for all modules, as in TensorFlow
 *   TF_CPP_LOG_THREAD_ID   nonzero: the thread id follows the letter
 *   TF_CPP_VLOG_FILENAME   writes all lines to this file, which is truncated first,
 *                          instead of standard error; a set-user-id program
 *                          ignores it */

typedef enum TF_LogLevel {
  TF_INFO = 0,
  TF_WARNING = 1,
  TF_ERROR = 2,
  TF_FATAL = 3 /* aborts the process */
} TF_LogLevel;

#define MODFS_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))

/* Writes a message that is formatted as by printf. TF_FATAL then aborts the process. A message
 * with an invalid level is ignored. */
TF_CAPI_EXPORT extern void TF_Log(TF_LogLevel level, const char *format, ...) MODFS_PRINTF(2, 3);

/* Writes a debug message with the level TF_INFO, if level is enabled by TF_CPP_MAX_VLOG_LEVEL or
 * TF_CPP_VMODULE. */
TF_CAPI_EXPORT extern void TF_VLog(int level, const char *format, ...) MODFS_PRINTF(2, 3);

/* Like TF_VLog, but does nothing if the runtime library was compiled with NDEBUG. */
TF_CAPI_EXPORT extern void TF_DVLog(int level, const char *format, ...) MODFS_PRINTF(2, 3);

/* 2. Threads ---------------------------------------------------------------- */

typedef struct TF_Thread TF_Thread;

typedef struct TF_ThreadOptions {
  size_t stack_size; /* bytes; 0 or less than the system's minimum: its default */
  size_t guard_size; /* bytes; 0: the system's default */
  int numa_node;     /* run on the processors of this node, if it exists; -1: on any */
} TF_ThreadOptions;

/* Sets the defaults: 0, 0 and -1. */
TF_CAPI_EXPORT extern void TF_DefaultThreadOptions(TF_ThreadOptions *options);

/* Starts a thread that runs work(param). options may be NULL for the defaults. name may be NULL;
 * the system keeps its first 15 bytes.
 * Errors: returns NULL and logs the reason.
 * Owns: the caller, who releases the thread with TF_JoinThread. */
TF_CAPI_EXPORT extern TF_Thread *TF_StartThread(const TF_ThreadOptions *options, const char *name,
                                                void (*work)(void *), void *param);

/* Waits until a thread has finished, and frees it; NULL is allowed. */
TF_CAPI_EXPORT extern void TF_JoinThread(TF_Thread *thread);

/* 3. Clocks ----------------------------------------------------------------- */

/* Return the time since 1970-01-01 UTC, in the unit of their name. */

TF_CAPI_EXPORT extern uint64_t TF_NowNanos(void);
TF_CAPI_EXPORT extern uint64_t TF_NowMicros(void);
TF_CAPI_EXPORT extern uint64_t TF_NowSeconds(void);

/* 4. String lists ----------------------------------------------------------- */

typedef struct TF_StringStream TF_StringStream;

/* Stores the next string in *result and returns true. At the end, and if list is NULL, stores NULL
 * and returns false.
 * Owns: the list; the string is valid until TF_StringStreamDone. */
TF_CAPI_EXPORT extern bool TF_StringStreamNext(TF_StringStream *list, const char **result);

/* Frees a list and its strings; NULL is allowed. */
TF_CAPI_EXPORT extern void TF_StringStreamDone(TF_StringStream *list);

/* 5. Temporary files --------------------------------------------------------
 *
 * The directory for them is the first existing one of the environment variables
 * TEST_TMPDIR, TMPDIR and TMP (which a set-user-id program ignores), and /tmp. */

/* Creates an empty file that only its owner can access, and returns its name. The name ends in a
 * dot and extension, unless that is NULL or "".
 * Errors: returns NULL and logs the reason.
 * Owns: the caller, who releases the name with free() and deletes the file. */
TF_CAPI_EXPORT extern char *TF_GetTempFileName(const char *extension);

/* Returns a list with the directory, which ends in a slash; the list is empty if there is none.
 * Errors: returns NULL if memory could not be allocated.
 * Owns: the caller, who releases the list with TF_StringStreamDone. */
TF_CAPI_EXPORT extern TF_StringStream *TF_GetLocalTempDirectories(void);

/* 6. Shared libraries ------------------------------------------------------- */

/* Loads a shared library and its dependencies, as dlopen with RTLD_NOW and RTLD_LOCAL does. file
 * may be NULL for the program itself; a name without a slash is searched for by the dynamic loader.
 * Errors: returns NULL with NOT_FOUND and the message of the loader.
 * Owns: nobody; the library stays loaded for the life of the process. */
TF_CAPI_EXPORT extern void *TF_LoadSharedLibrary(const char *file, TF_Status *status);

/* Returns the address of a symbol of a library or of its dependencies, as dlsym does.
 * Errors: returns NULL with NOT_FOUND. A symbol whose value is NULL is OK. */
TF_CAPI_EXPORT extern void *TF_GetSymbolFromLibrary(void *library, const char *symbol,
                                                    TF_Status *status);

/* 7. Files of any scheme ----------------------------------------------------
 *
 * Errors: FAILED_PRECONDITION if the process has no host (yet); UNIMPLEMENTED if no filesystem
 *   is registered for the scheme; INVALID_ARGUMENT for a NULL path or handle; otherwise those of
 *   the slot in filesystem.h. */

typedef struct TF_WritableFileHandle TF_WritableFileHandle;

/* Creates one directory.
 * Errors: ALREADY_EXISTS if there is an entry of any kind. */
TF_CAPI_EXPORT extern void TF_CreateDir(const char *path, TF_Status *status);

/* Deletes an empty directory. */
TF_CAPI_EXPORT extern void TF_DeleteDir(const char *path, TF_Status *status);

/* Deletes a file. */
TF_CAPI_EXPORT extern void TF_DeleteFile(const char *path, TF_Status *status);

/* Deletes a directory and everything in it, and stores the numbers of files and directories that
 * could not be deleted. If the deletion could not be started, these are 0 files and 1 directory. */
TF_CAPI_EXPORT extern void TF_DeleteRecursively(const char *path, int64_t *undeleted_files,
                                                int64_t *undeleted_dirs, TF_Status *status);

/* Stores the length, type and modification time of a file or directory. On failure stats is
 * unchanged. */
TF_CAPI_EXPORT extern void TF_FileStat(const char *path, TF_FileStatistics *stats,
                                       TF_Status *status);

/* Opens a new, empty file for writing and replaces an existing one. On failure *handle is
 * unchanged.
 * Owns: the caller, who releases the handle with TF_CloseWritableFile. */
TF_CAPI_EXPORT extern void TF_NewWritableFile(const char *path, TF_WritableFileHandle **handle,
                                              TF_Status *status);

/* Closes a file. The handle is freed, even if the call fails. */
TF_CAPI_EXPORT extern void TF_CloseWritableFile(TF_WritableFileHandle *handle, TF_Status *status);

/* Returns once everything written so far is on stable storage. */
TF_CAPI_EXPORT extern void TF_SyncWritableFile(TF_WritableFileHandle *handle, TF_Status *status);

/* Writes buffered bytes to the storage, without waiting until they are durable. */
TF_CAPI_EXPORT extern void TF_FlushWritableFile(TF_WritableFileHandle *handle, TF_Status *status);

/* Appends length bytes; data may be NULL if length is 0. */
TF_CAPI_EXPORT extern void TF_AppendWritableFile(TF_WritableFileHandle *handle, const char *data,
                                                 size_t length, TF_Status *status);

/* Returns the bare names of the entries of a directory, in any order.
 * Errors: returns an empty list, or NULL if memory could not be allocated.
 * Owns: the caller, who releases the list with TF_StringStreamDone. */
TF_CAPI_EXPORT extern TF_StringStream *TF_GetChildren(const char *path, TF_Status *status);

#ifdef __cplusplus
}
#endif

#endif
