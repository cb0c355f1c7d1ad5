/* What files on servers that are opened for reading keep alike. A plugin's own state begins with a remote_file. */
#ifndef REMOTE_FILE_H
#define REMOTE_FILE_H

#include "../blocks/reader.h"
#include "../slot/slot.h"

/* Starts zeroed. */
typedef struct remote_file {
  const TF_Filesystem *filesystem;
  char *path; /* as given at open */
  blocks_reader reader;
  void (*end)(
      struct remote_file *self); /* frees what else the plugin's state owns; NULL: nothing */
} remote_file;

/* Frees the path, the reader's key and content, and the state that begins with self; NULL is allowed. */
void remote_file_free(remote_file *self);

extern const TF_RandomAccessFileOps remote_file_ops;

/* The whole content, read at once from a file that `open` opens. */
void remote_file_map(const TF_Filesystem *filesystem, const char *path,
                     FS_SLOT(new_random_access_file) * open, TF_ReadOnlyMemoryRegion *region,
                     TF_Status *status);

#endif
