/* The steps that a commit performs, one after the other. A list belongs to one transaction, under its
 * lock, until `detach` takes it out; then to the thread that commits or aborts. */
#ifndef STORE_STEP_H
#define STORE_STEP_H

#include "../objects/filesystem.h"

struct store_upload;

typedef enum store_verb {
  STORE_PUBLISH, /* an upload that has sent all its parts */
  STORE_COPY,    /* an object `other` with this tag, to the name */
  STORE_DELETE,  /* an object */
  STORE_RENAME,  /* an object that an earlier step creates, to `other` */
  STORE_MAKE,    /* a directory */
  STORE_DELETE_DIR,
  STORE_DELETE_TREE
} store_verb;

typedef struct store_step {
  struct store_step *next;
  store_verb verb;
  objects_name name;
  objects_name other;
  char tag[OBJECTS_TAG_SIZE];
  struct store_upload *upload;
} store_step;

/* Starts zeroed. */
typedef struct store_steps {
  store_step *first;
  store_step *last;
} store_steps;

/* The state of a path after the steps. */
typedef enum store_staged {
  STORE_UNTOUCHED,
  STORE_STAGED_FILE,
  STORE_STAGED_DIRECTORY,
  STORE_STAGED_MISSING
} store_staged;

/* NULL without memory. */
store_step *store_step_new(store_verb verb, const objects_name *name);

/* Frees a step and aborts its upload. NULL is allowed. */
void store_step_free(store_step *step);

void store_steps_add(store_steps *steps, store_step *step);

/* Takes out the last step, if it publishes this name and no later one reads it; NULL: there is none. */
store_step *store_steps_take_replaced(store_steps *steps, const objects_name *name);
store_staged store_steps_look(const store_steps *steps, const objects_name *name);

/* Performs all steps. The first failure drops the remaining ones; the status says how many were done. */
void store_steps_run(const TF_Filesystem *filesystem, store_steps *steps, TF_Status *status);

/* Frees all steps, aborting their uploads. */
void store_steps_end(store_steps *steps);

#endif
