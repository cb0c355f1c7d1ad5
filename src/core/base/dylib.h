/* Shared objects: the only file that calls the dynamic loader. */
#ifndef MODFS_CORE_DYLIB_H
#define MODFS_CORE_DYLIB_H

#include <modfs/modfs.h>

/* Fails for a file that is not a complete ELF object for this machine, on which the dynamic loader
 * could fail or crash. Reads through descriptor, whose position does not matter. */
void dylib_check(int descriptor, TF_Status *status);

/* Opens a canonical path or a soname, never to be closed (NOW, LOCAL, NODELETE). NULL and NOT_FOUND
 * with the loader's reason: a missing dependency or symbol. */
void *dylib_open(const char *path, TF_Status *status);

/* A function that the object itself defines, not one of its dependencies; NULL when there is none.
 */
void *dylib_symbol(void *library, const char *name);

/* The same into a pointer to a function; false when there is none. */
bool dylib_function(void *library, const char *name, void *function);

/* Whether an address is within a loaded object, as code must be. */
bool dylib_owns(const void *address);

/* The file that this code was loaded from, canonical; NULL when memory was short. Owns: the process. */
const char *dylib_self(void);

/* A symbol of the runtime library that core and plugins share; NULL when it does not exist. */
void *dylib_runtime_symbol(const char *name);

#endif
