/* The options of a filesystem: what there are, from the environment and by the configuration operations.
 *
 * Any thread may read while another sets: readers hold a set of values that never changes. Secrets are
 * apart: in memory that core dumps leave out, wiped when they change, never told to anyone who asks. */
#ifndef OPTIONS_OPTIONS_H
#define OPTIONS_OPTIONS_H

#include <modfs/filesystem.h>

enum { OPTION_SECRET_SIZE = 8192 };

typedef enum option_kind { OPTION_NUMBER, OPTION_TEXT, OPTION_SECRET } option_kind;

typedef struct option_known {
  const char *name;
  const char *description;
  option_kind kind;
  int64_t initial; /* of a number, as are the next two */
  int64_t least;
  int64_t most;
  const char *text;      /* initial, of a text; NULL: "" */
  const char *choices;   /* the words that a text may be; NULL: any one line */
  const char *variables; /* of the environment, asked in this order after the one with the prefix */
} option_known;

typedef struct option_table {
  const option_known *known;
  int count;
  const char *prefix; /* of variables: MODFS_S3_ */
  const char *manual; /* the file that explains them */
} option_table;

typedef struct option_value {
  int64_t number;
  char *text;
} option_value;

typedef struct option_values {
  struct option_values *before; /* kept, for a reader may still look at it */
  option_value items[];
} option_values;

typedef struct option_set {
  const option_table *table;
  _Atomic(option_values *) here;
  char *secrets; /* OPTION_SECRET_SIZE for each option, under a lock */
} option_set;

/* The defaults, with what the environment says, unless the process is setuid. false: status says why, and
 * options_fini is still due. */
bool options_init(option_set *self, const option_table *table, TF_Status *status);
void options_fini(option_set *self);

/* The present values, indexed as the table is. Owns: the options, until their end. */
const option_values *options_here(const option_set *self);

/* Copies count secrets from first on, "" those that are not set, OPTION_SECRET_SIZE bytes for each, as one
 * change left them. The copy is the caller's to wipe. */
void options_secrets(const option_set *self, int first, int count, char *copy);

/* The two operations of the ABI. */
void options_get(const option_set *self, TF_Filesystem_Option **list, int *count,
                 TF_Status *status);
void options_set(option_set *self, const TF_Filesystem_Option *list, int count, TF_Status *status);

#endif
