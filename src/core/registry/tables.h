/* A plugin's tables for one scheme: copied from its memory and checked. */
#ifndef MODFS_CORE_TABLES_H
#define MODFS_CORE_TABLES_H

#include <modfs/extension.h>
#include <modfs/modfs.h>

enum { SCHEME_MAX = 64 };

typedef void *(*memory_allocate)(size_t size);
typedef void (*memory_free)(void *block);

typedef struct tables {
  char scheme[SCHEME_MAX];
  modfs_version versions[MODFS_TABLES];
  bool present[MODFS_TABLES]; /* the plugin gave a table at all */
  bool unreadable;            /* a pointer was invalid: nothing of the plugin's can be freed */
  TF_FilesystemOps fs;
  TF_RandomAccessFileOps file;
  TF_WritableFileOps writable;
  TF_ReadOnlyMemoryRegionOps region;
} tables;

/* Copies one entry, trusting neither its pointers nor its sizes, and applies every rule of the
 * contract to the copy. Slots stay NULL where the plugin has none. */
void tables_copy(tables *copy, const TF_FilesystemPluginOps *entry, TF_Status *status);

/* Copies the extension's table, as far as the plugin declares it and it can be read. with: the
 * tables for files that its slots open. */
void tables_copy_extension(modfs_extension_ops *copy, const modfs_extension_ops *source,
                           const tables *with, TF_Status *status);

/* The extension's slots in order: the address of one, and its name. */
#define TABLES_EXTENSION_INDEX(slot)                                                               \
  ((offsetof(modfs_extension_ops, slot) - offsetof(modfs_extension_ops, open_directory)) /         \
   sizeof(void (*)(void)))
const char *tables_extension_name(size_t index);

/* One line for each table whose API number differs from ours; NULL when there is none or memory is
 * short. Owns: free(). */
char *tables_warning(const tables *copy);

/* The name of a slot of TF_FilesystemOps, as the contract writes it. */
const char *tables_slot_name(size_t index);

#endif
