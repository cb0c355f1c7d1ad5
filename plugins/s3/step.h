/* The steps that a commit performs, one after the other. A list belongs to one transaction, under its
 * lock, until `detach` takes it out; then to the thread that commits or aborts. */
#ifndef S3_STEP_H
#define S3_STEP_H

#include "filesystem.h"
#include "name.h"

struct s3_upload;

typedef enum s3_verb {
  S3_PUBLISH, /* an upload that has sent all its parts */
  S3_DELETE,  /* an object */
  S3_RENAME,  /* an object that an earlier step creates, to `other` */
  S3_MAKE,    /* a directory */
  S3_DELETE_DIR,
  S3_DELETE_TREE
} s3_verb;

typedef struct s3_step {
  struct s3_step *next;
  s3_verb verb;
  s3_name name;
  s3_name other;
  struct s3_upload *upload;
} s3_step;

/* Starts zeroed. */
typedef struct s3_steps {
  s3_step *first;
  s3_step *last;
} s3_steps;

/* The state of a path after the steps. */
typedef enum s3_staged {
  S3_UNTOUCHED,
  S3_STAGED_FILE,
  S3_STAGED_DIRECTORY,
  S3_STAGED_MISSING
} s3_staged;

/* NULL without memory. */
s3_step *s3_step_new(s3_verb verb, const s3_name *name);

/* Frees a step and aborts its upload. NULL is allowed. */
void s3_step_free(s3_step *step);

void s3_steps_add(s3_steps *steps, s3_step *step);
s3_staged s3_steps_look(const s3_steps *steps, const s3_name *name);

/* Performs all steps. The first failure drops the remaining ones; the status says how many were done. */
void s3_steps_run(const TF_Filesystem *filesystem, s3_steps *steps, TF_Status *status);

/* Frees all steps, aborting their uploads. */
void s3_steps_end(s3_steps *steps);

#endif
