/* The fault shim: a library for LD_PRELOAD, used only in children of `modfs check`. It interposes
 * between the checked plugin and the C library, records every block of memory, and can make
 * allocations and system calls fail. The conformance runner finds its table as a weak symbol, NULL
 * where the library is not preloaded.
 *
 * A thread is "inside" between enter and leave, that is, while the runner calls the plugin on it.
 * Only calls inside are counted and made to fail. */
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
  SHIM_NAME = 64, /* rename, unlink, mkdir, link, symlink */
  SHIM_COPY = 128,
  SHIM_MAP = 256,
  SHIM_LIST = 512,
  SHIM_ATTRIBUTE = 1024, /* chmod, chown, utimens, extended attributes */
  SHIM_CONTROL =
      2048, /* fcntl and dup, where they make a descriptor or set flags, flock, lseek, ftruncate */
  SHIM_ALL = 4095,
  SHIM_KINDS = 12
};

/* A call that succeeded while calls are noted: "create" (an open that may make a file), "write", "sync",
 * "rename" (also link: of the file that gets the name), "mkdir" or "unlink" (of nothing: inode 0). */
typedef struct shim_event {
  const char *name;
  unsigned long long inode;
  unsigned mode; /* st_mode afterwards */
} shim_event;

/* Applies to `count` calls of these kinds, from number `first` on. */
typedef struct shim_rule {
  unsigned kinds;
  size_t first;
  size_t count;
  bool kills;     /* the process is killed in the place of such a call */
  int error;      /* not 0: they fail with that errno */
  size_t at_most; /* else reads, writes and copies move no more bytes than this */
  size_t
      second; /* not 0: the call of that number after the first that failed fails, too, by then */
  int then;

  /* For the records: the kinds in words, and what happens to a call. They live until another rule is
   * set; NULL: nothing is recorded. */
  const char *words, *effect;
} shim_rule;

typedef struct modfs_shim_table {
  void (*enter)(void);
  void (*leave)(void);

  /* The number of living blocks that were made inside. */
  size_t (*blocks)(void);
  /* The start and size of the living block that contains an address; NULL: none. */
  const void *(*block)(const void *address, size_t *size);
  /* Describes the first fault since the last query; false: none. Thorough: also checks the ends of
   * all living blocks, and the freed blocks that are kept. */
  bool (*fault)(bool thorough, char *text, size_t size);
  /* Makes the k-th allocation inside fail, once; 0 cancels that. */
  void (*fail_allocation)(size_t k);
  bool (*allocation_failed)(void);

  /* Sets the rule and resets the counts; NULL: no rule. */
  void (*arm)(const shim_rule *rule);
  /* Sets a second rule beside that one, for calls to which the first one does not apply. */
  void (*arm_also)(const shim_rule *rule);
  size_t (*fired)(void);           /* number of calls that the rule applied to */
  size_t (*calls)(unsigned kinds); /* number of calls of these kinds */
  const char *(*failed)(void);     /* the function that failed last; NULL: none */
  size_t (*loose)(void);           /* descriptors opened without close-on-exec */
  size_t (*synchronous)(void);     /* files opened with O_SYNC or O_DSYNC */

  /* Begins to note calls, or ends that; in both cases what was noted stays until it begins again. */
  void (*note)(bool on);
  /* Copies the event of an index from 0 on; false: there are no more. */
  bool (*noted)(size_t index, shim_event *event);

  /* Holds the calling thread at the k-th point of its calls inside (an allocation, a system call, a
   * lock): hold(context) runs there, once. 0 cancels that. */
  void (*stop)(size_t k, void (*hold)(void *context), void *context);
  /* The number of threads inside that wait for a lock which another thread has. */
  size_t (*waiting)(void);

  /* The file to which "injected TEXT" is appended when a call is first made to fail, and "injected "
   * when another rule is set after that. */
  void (*injected_to)(const char *path);
} modfs_shim_table;

__attribute__((weak, visibility("default"))) extern const modfs_shim_table modfs_shim;

#endif
