/* The state that all handles of one scheme share. A plugin's own state begins with it. */
#ifndef OBJECTS_FILESYSTEM_H
#define OBJECTS_FILESYSTEM_H

#include <stdatomic.h>
#include <sys/types.h>

#include "../remote/remote.h"
#include "options.h"
#include "service.h"

enum { OBJECTS_PREFIX_CACHE = 64 };

typedef struct objects_filesystem {
  remote remote;      /* first, for remote_of */
  const char *scheme; /* "s3" */
  /* The protocol of the next request: one table, or one of several as an option says. An upload keeps the one
   * that it began with. */
  const objects_service *(*service)(const TF_Filesystem *filesystem);
  struct store_transaction
      *transactions; /* open ones; with the next two under remote_lock_take_all */
  uint64_t last_transaction;
  pid_t transactions_of;
  _Atomic(uint64_t) prefix_cache[OBJECTS_PREFIX_CACHE]; /* prefix_cache.c */
} objects_filesystem;

static inline objects_filesystem *objects_of(const TF_Filesystem *filesystem) {
  return filesystem->plugin_filesystem;
}

static inline const objects_service *objects_service_of(const TF_Filesystem *filesystem) {
  return objects_of(filesystem)->service(filesystem);
}

/* Parses a path by the service. false with INVALID_ARGUMENT, see objects_name_read. */
bool objects_name_parse(const TF_Filesystem *filesystem, const char *path, objects_name *name,
                        TF_Status *status);

/* The same for a file; FAILED_PRECONDITION where the path means a directory. */
bool objects_name_parse_file(const TF_Filesystem *filesystem, const char *path, objects_name *name,
                             TF_Status *status);

/* Adds the whole URI of a file in front of the failure of its handle. */
void objects_locate(const TF_Filesystem *filesystem, const objects_name *name, TF_Status *status);

/* Logs that a file was dropped without close, and could not be published. */
void objects_log_loss(const TF_Filesystem *filesystem, const objects_name *name,
                      const TF_Status *status);

#endif
