/* Adds the path to messages of failures. Some hosts add it themselves (modfs, which recognizes a message
 * that begins with it), others do not (TensorFlow). So each message of these plugins begins with "path: " or
 * "source to target: ".
 *
 * A plugin registers a copy of its table that located_table has changed. Slots of the extension are not wrapped: every host that
 * calls them adds the path. Failures on an open handle get their path where the handle is read or written. */
#ifndef LOCATED_H
#define LOCATED_H

#include <modfs/filesystem.h>

/* The path as users write it, without secrets. Owns: it is `path` itself, or memory that the caller frees;
 * NULL without memory. */
typedef const char *located_show(const char *path);

/* Replaces each slot that inner has with one that calls it and adds the path. Owns: inner is kept, and must
 * live as long as the plugin; one plugin has one inner table, whatever the number of its schemes. shown NULL:
 * paths are shown as they are. */
void located_table(TF_FilesystemOps *ops, const TF_FilesystemOps *inner, located_show *shown);

/* Adds the path in front of a failure's message, unless it is there. Without memory the message stays. */
void located_fail(TF_Status *status, const char *path);

/* The same, but does nothing unless the status is a failure. */
static inline void located_status(TF_Status *status, const char *path) {
  if (TF_GetCode(status) != TF_OK) located_fail(status, path);
}

#endif
