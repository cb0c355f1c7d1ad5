/* What stands between a judged plugin and the C library, in children of `modfs check` alone: a
 * library for LD_PRELOAD that knows every block of memory and can make memory and system calls
 * fail. The judge finds its table as a weak symbol, NULL where the library is not preloaded.
 *
 * "Inside" is a thread between enter and leave: the judge has called the plugin. Only what is called
 * inside is counted and made to fail. */
#ifndef MODFS_SHIM_H
#define MODFS_SHIM_H

#include <stdbool.h>
#include <stddef.h>

/* Kinds of system calls, one bit each. */
enum {
  SHIM_OPEN = 1,
  SHIM_READ = 2,
  SHIM_WRITE = 4,
  SHIM_SYNC = 8,
  SHIM_STAT = 16,
  SHIM_CLOSE = 32,
  SHIM_NAME = 64, /* rename, unlink, mkdir, link */
  SHIM_COPY = 128,
  SHIM_MAP = 256,
  SHIM_LIST = 512,
  SHIM_ALL = 1023,
  SHIM_KINDS = 10
};

/* What happens to the calls of some kinds from the first-th on, count of them. */
typedef struct shim_rule {
  unsigned kinds;
  size_t first;
  size_t count;
  int error;      /* not 0: they fail with that errno */
  size_t at_most; /* else reads, writes and copies move no more bytes than this */
} shim_rule;

typedef struct modfs_shim_table {
  void (*enter)(void);
  void (*leave)(void);

  /* How many blocks that were made inside are alive. */
  size_t (*blocks)(void);
  /* The start and size of the living block that an address lies in, or NULL. */
  const void *(*block)(const void *address, size_t *size);
  /* Writes what went wrong first since it was asked last; false: nothing. Thorough: looks at the
   * ends of all living blocks, and at those that were freed. */
  bool (*fault)(bool thorough, char *text, size_t size);
  /* The k-th allocation inside fails, once; 0 ends that. */
  void (*fail_allocation)(size_t k);
  bool (*allocation_failed)(void);

  /* Sets the rule and forgets the counts; NULL: no rule. */
  void (*arm)(const shim_rule *rule);
  size_t (*fired)(void);           /* how many calls it has met */
  size_t (*calls)(unsigned kinds); /* how many there were of these kinds */
  size_t (*loose)(void);           /* descriptors opened without close-on-exec */
  size_t (*synchronous)(void);     /* files opened with O_SYNC or O_DSYNC */
} modfs_shim_table;

__attribute__((weak, visibility("default"))) extern const modfs_shim_table modfs_shim;

#endif
