/* Failures that name the path. A host may add it (modfs does, and knows a message that begins with it) or not
 * (TensorFlow), so each message of these plugins begins with "path: ", or "source to target: ".
 *
 * A plugin that is linked with located.c defines located_inner, the slots as it wrote them, and located_shown,
 * and registers what located_table makes of a copy. Slots of the extension stay as they are: no host calls
 * them that does not add the path. What fails on an open handle is located where it is read or written. */
#ifndef LOCATED_H
#define LOCATED_H

#include <modfs/filesystem.h>

extern const TF_FilesystemOps located_inner;

/* The path as users write it, with nothing in it that logs must not have: path itself, or memory that the
 * caller frees; NULL: memory is short. */
const char *located_shown(const char *path);

/* Puts the slots that tell the path in the place of those of located_inner; where that has none, none. */
void located_table(TF_FilesystemOps *ops);

/* Puts the path before the message of a failure, unless it is there. Where memory is short the message stays. */
void located_fail(TF_Status *status, const char *path);

/* The same where there may be no failure. */
static inline void located_status(TF_Status *status, const char *path) {
  if (TF_GetCode(status) != TF_OK) located_fail(status, path);
}

#endif
