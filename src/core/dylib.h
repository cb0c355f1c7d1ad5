/* Shared objects: the one place that knows the dynamic loader. */
#ifndef MODFS_CORE_DYLIB_H
#define MODFS_CORE_DYLIB_H

#include <modfs/modfs.h>

/* Fails for a file that is no complete ELF object of this machine, which the dynamic loader would
 * trip over or die of. Reads through descriptor; its position does not matter. */
void dylib_check(int descriptor, TF_Status *status);

/* Opens a canonical path for ever (NOW, LOCAL, NODELETE). NULL and NOT_FOUND with the loader's own
 * reason: a dependency or a symbol that is missing. */
void *dylib_open(const char *path, TF_Status *status);

/* A function that the object itself defines, not one of its dependencies; NULL when it has none. */
void *dylib_symbol(void *library, const char *name);

/* Whether an address lies in some loaded object, as code has to. */
bool dylib_owns(const void *address);

/* The file that this code was loaded from, canonical; NULL when memory is short. Owns: free(). */
char *dylib_self(void);

/* A symbol of the runtime library that core and plugins share, or NULL where it has none. */
void *dylib_runtime_symbol(const char *name);

#endif
