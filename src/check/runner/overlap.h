/* Two calls of a plugin, one held in its middle while the other one runs. */
#ifndef MODFS_RUNNER_OVERLAP_H
#define MODFS_RUNNER_OVERLAP_H

#include "plugin.h"

typedef struct overlap_call {
  const char *slot;         /* one of the slots that runner_overlap_has knows */
  const char *path, *other; /* other: the target of rename_file and copy_file */
  TF_Code code;             /* its result */
  enum { OVERLAP_NO_FILE, OVERLAP_READING, OVERLAP_WRITING, OVERLAP_CLOSED } state;
  TF_RandomAccessFile file;
  TF_WritableFile writable;
} overlap_call;

/* Whether the plugin has the slot; false also for one that cannot be overlapped. */
bool runner_overlap_has(const runner_plugin *plugin, const char *slot);

/* Runs first; at the k-th point inside of it, runs second on another thread until it ends, or waits for
 * what first has; then first goes on. k = 0: second runs after first. append and close are about a file
 * that new_appendable_file opens beforehand, close after an append. Files that are open are closed after
 * both, in that order. Returns whether first came to point k; if not, second has not run. Needs the
 * shim if k > 0. */
bool runner_overlap_run(const runner_plugin *plugin, size_t k, overlap_call *first,
                        overlap_call *second);

#endif
