/* The memory plugin under its own file's name as scheme, with one fault put in: the one that the
 * file is called after ("size.directory.so"); "good" has none, and "good.…" is another form. */
#ifndef MUTANT_H
#define MUTANT_H

#include "modfs/filesystem.h"

#include <string.h>

/* The memory plugin's own slots. */
extern TF_FilesystemOps good;
extern TF_RandomAccessFileOps good_reader;
extern TF_WritableFileOps good_writer;
extern TF_ReadOnlyMemoryRegionOps good_region;

/* The slots that are registered. */
typedef struct mutant_tables {
  TF_FilesystemOps *fs;
  TF_RandomAccessFileOps *reader;
  TF_WritableFileOps *writer;
  TF_ReadOnlyMemoryRegionOps *region;
  TF_FilesystemPluginOps *ops;
  TF_FilesystemPluginInfo *info;
} mutant_tables;

/* What the plugin itself says of a path. */
bool mutant_is_directory(const TF_Filesystem *fs, const char *path);
bool mutant_is_file(const TF_Filesystem *fs, const char *path);

/* A slot by its name with dots for underscores; NULL: none of that name. */
typedef void (*mutant_slot)(void);
mutant_slot *mutant_slot_find(mutant_tables *tables, const char *name);

/* Each puts the fault called name in; false when it has none of that name. */
bool file_fault_apply(mutant_tables *tables, const char *name);
bool tree_fault_apply(mutant_tables *tables, const char *name);
bool output_fault_apply(mutant_tables *tables, const char *name);
bool answer_fault_apply(mutant_tables *tables, const char *name);
bool list_fault_apply(mutant_tables *tables, const char *name);
bool form_apply(mutant_tables *tables, const char *name);
bool crash_apply(mutant_tables *tables, const char *name);

#define ON(fault, change)                                                                          \
  if (strcmp(name, fault) == 0) {                                                                  \
    change;                                                                                        \
    return true;                                                                                   \
  }

#define FS const TF_Filesystem *fs
#define PATH_CALL(called, ...)                                                                     \
  static void called(FS, const char *path, TF_Status *status) {                                    \
    (void)fs, (void)path, (void)status;                                                            \
    __VA_ARGS__;                                                                                   \
  }
#define PAIR_CALL(called, ...)                                                                     \
  static void called(FS, const char *src, const char *dst, TF_Status *status) {                    \
    (void)fs, (void)src, (void)dst, (void)status;                                                  \
    __VA_ARGS__;                                                                                   \
  }

#endif
