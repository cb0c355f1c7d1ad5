/* The posix or the memory plugin under its own file's name as scheme, with the one fault put in that
 * the file is called after: faults that show when system calls fail, threads meet or files grow. A
 * file whose name begins with "good" has none. */
#ifndef FAULTY_H
#define FAULTY_H

#include "modfs/extension.h"

#include <string.h>

extern TF_FilesystemOps good;
extern TF_RandomAccessFileOps good_reader;
extern TF_WritableFileOps good_writer;
extern TF_ReadOnlyMemoryRegionOps good_region;
extern modfs_extension_ops good_extension;

typedef struct faulty_tables {
  TF_FilesystemOps *fs;
  TF_RandomAccessFileOps *reader;
  TF_WritableFileOps *writer;
  TF_ReadOnlyMemoryRegionOps *region;
  modfs_extension_ops *extension;
} faulty_tables;

/* Each puts the fault called name in; false when it has none of that name. */
bool call_fault_apply(faulty_tables *tables, const char *name);
bool thread_fault_apply(faulty_tables *tables, const char *name);
bool storage_fault_apply(faulty_tables *tables, const char *name);
bool entry_fault_apply(faulty_tables *tables, const char *name);

/* The posix plugin's descriptors. */
int reader_fd(const TF_RandomAccessFile *file);
int writer_fd(const TF_WritableFile *file);

#define ON(fault, change)                                                                          \
  if (strcmp(name, fault) == 0) {                                                                  \
    change;                                                                                        \
    return true;                                                                                   \
  }
#define FS const TF_Filesystem *fs
#define PAIR(called) static void called(FS, const char *src, const char *dst, TF_Status *status)
#define READ(called)                                                                               \
  static int64_t called(const TF_RandomAccessFile *file, uint64_t offset, size_t n, char *buffer,  \
                        TF_Status *status)
#define APPEND(called)                                                                             \
  static void called(const TF_WritableFile *file, const char *buffer, size_t n, TF_Status *status)
#define WRITER(called) static void called(const TF_WritableFile *file, TF_Status *status)

#endif
