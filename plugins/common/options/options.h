/* The options of a filesystem: their table, their values from the environment, and the configuration
 * operations.
 *
 * Any thread may read while another sets: readers use a set of values that never changes. Secrets are
 * kept apart: in memory that core dumps exclude, wiped when they change, never reported. */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include "../slot/slot.h"

enum { OPTION_SECRET_SIZE = 8192 };

typedef enum option_kind { OPTION_NUMBER, OPTION_TEXT, OPTION_SECRET } option_kind;

typedef struct option_known {
  const char *name;
  const char *description;
  option_kind kind;
  int64_t initial; /* for numbers only, as are the next two */
  int64_t least;
  int64_t most;
  const char *text;    /* initial value of a text; NULL: "" */
  const char *choices; /* the words that a text may be, separated by spaces; NULL: any one line */
  bool (*accepts)(const char *text); /* whether a text is valid; NULL: every one is */
  const char *valid;                 /* what accepts takes, for messages */
  const char *variables; /* of the environment, read in this order after the one with the prefix */
} option_known;

typedef struct option_table {
  const option_known *known;
  int count;
  const char *prefix; /* of variables: MODFS_S3_ */
  const char *manual; /* the file that documents them, for messages */
} option_table;

typedef struct option_value {
  int64_t number;
  char *text;
} option_value;

typedef struct option_values {
  struct option_values *before; /* the replaced set, which a reader may still use */
  option_value items[];
} option_values;

typedef struct option_set {
  const option_table *table;
  _Atomic(option_values *) here;
  char *secrets; /* OPTION_SECRET_SIZE for each option, under a lock */
} option_set;

/* Sets the defaults, then the values from the environment, unless the process is setuid. false: status
 * says why, and the caller still calls options_fini. */
bool options_init(option_set *self, const option_table *table, TF_Status *status);
void options_fini(option_set *self);

/* The current values, indexed like the table. Owns: the options, until options_fini. */
const option_values *options_here(const option_set *self);

/* Copies count secrets from first on, OPTION_SECRET_SIZE bytes each, "" where one is not set, and returns
 * the values of the same state between two changes. Owns: the caller wipes the copy; for the values see
 * options_here. */
const option_values *options_secrets(const option_set *self, int first, int count, char *copy);

/* Slots of filesystems whose state begins with an option_set. */
FS_SLOT(get_filesystem_configuration) options_get_configuration;
FS_SLOT(set_filesystem_configuration) options_set_configuration;

#endif
