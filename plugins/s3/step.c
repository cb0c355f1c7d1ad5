/* The steps of a transaction, in the order in which they were added.
 *
 * Before the commit a list of steps is only read: s3_steps_look runs over all of it, and the last step
 * that decides about a name wins. It is guarded by the lock of the transactions (transaction.c). The
 * commit takes the list out of its transaction and runs the steps without a lock, one after the other,
 * until one fails. It cannot undo: the message says how many were made.
 *
 * Who frees: a step owns its upload. s3_steps_end frees all steps, also those that did not run; freeing
 * an upload that was not published aborts it at the server. In a child of a fork it only frees memory.
 */
#include "step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "delete.h"
#include "directory.h"
#include "error.h"
#include "object.h"
#include "upload.h"

s3_step *s3_step_new(s3_verb verb, const s3_name *name) {
  s3_step *step = calloc(1, sizeof *step);
  if (!step) return NULL;
  step->verb = verb;
  step->name = *name;
  return step;
}

void s3_step_free(s3_step *step) {
  if (!step) return;
  s3_upload_free(step->upload);
  free(step);
}

void s3_steps_add(s3_steps *steps, s3_step *step) {
  *(steps->last ? &steps->last->next : &steps->first) = step;
  steps->last = step;
}

void s3_steps_end(s3_steps *steps) {
  while (steps->first) {
    s3_step *next = steps->first->next;
    s3_step_free(steps->first);
    steps->first = next;
  }
  steps->last = NULL;
}

/* The state after the steps ------------------------------------------------------------------ */

static s3_staged look(const s3_step *step, const s3_name *name) {
  bool same = s3_name_is_same(&step->name, name);
  switch (step->verb) {
  case S3_PUBLISH:
    return same ? S3_STAGED_FILE : S3_UNTOUCHED;
  case S3_RENAME:
    if (s3_name_is_same(&step->other, name)) return S3_STAGED_FILE;
    return same ? S3_STAGED_MISSING : S3_UNTOUCHED;
  case S3_MAKE:
    return s3_name_covers(name, &step->name) ? S3_STAGED_DIRECTORY : S3_UNTOUCHED;
  case S3_DELETE_TREE:
    return s3_name_covers(&step->name, name) ? S3_STAGED_MISSING : S3_UNTOUCHED;
  default:
    return same ? S3_STAGED_MISSING : S3_UNTOUCHED;
  }
}

s3_staged s3_steps_look(const s3_steps *steps, const s3_name *name) {
  s3_staged found = S3_UNTOUCHED;
  for (const s3_step *step = steps->first; step; step = step->next) {
    s3_staged made = look(step, name);
    if (made != S3_UNTOUCHED) found = made;
  }
  return found;
}

/* The commit --------------------------------------------------------------------------------- */

static void run(const TF_Filesystem *filesystem, s3_step *step, TF_Status *status) {
  uint64_t files = 0, directories = 0; /* left; nobody is told */
  switch (step->verb) {
  case S3_PUBLISH:
    s3_upload_publish(step->upload, status);
    break;
  case S3_DELETE:
    s3_object_delete(filesystem, &step->name, status);
    break;
  case S3_RENAME:
    if (s3_copy(filesystem, &step->name, &step->other, status))
      s3_object_delete(filesystem, &step->name, status);
    break;
  case S3_MAKE:
    s3_directory_make(filesystem, &step->name, status);
    break;
  case S3_DELETE_DIR:
    s3_delete_empty(filesystem, &step->name, status);
    break;
  case S3_DELETE_TREE:
    s3_delete_tree(filesystem, &step->name, &files, &directories, status);
    break;
  }
}

static int length_of(const s3_steps *steps) {
  int count = 0;
  for (const s3_step *step = steps->first; step; step = step->next)
    count++;
  return count;
}

static void tell_how_far(int done, int all, TF_Status *status) {
  char text[1400];
  snprintf(text, sizeof text, "%d of %d changes were made before a failure: %.1300s", done, all,
           TF_Message(status));
  TF_SetStatus(status, TF_GetCode(status), text);
}

void s3_steps_run(const TF_Filesystem *filesystem, s3_steps *steps, TF_Status *status) {
  int all = length_of(steps), done = 0;
  for (s3_step *step = steps->first; step && TF_GetCode(status) == TF_OK; step = step->next) {
    run(filesystem, step, status);
    done += TF_GetCode(status) == TF_OK;
  }
  if (TF_GetCode(status) != TF_OK) tell_how_far(done, all, status);
  s3_steps_end(steps);
}
