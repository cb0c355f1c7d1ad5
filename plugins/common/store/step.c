/* The steps of a transaction, in the order in which they were added.
 *
 * Before the commit a list of steps is only read: store_steps_look runs over all of it, and the last step
 * that decides about a name wins. It is guarded by the lock of the transactions (transaction.c). The
 * commit takes the list out of its transaction and runs the steps without a lock, one after the other,
 * until one fails. It cannot undo: the message says how many were made.
 *
 * Who frees: a step owns its upload. store_steps_end frees all steps, also those that did not run; freeing
 * an upload that was not published aborts it at the server. In a child of a fork it only frees memory.
 */
#include "step.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy.h"
#include "delete.h"
#include "directory.h"
#include "../objects/error.h"
#include "upload.h"

store_step *store_step_new(store_verb verb, const objects_name *name) {
  store_step *step = calloc(1, sizeof *step);
  if (!step) return NULL;
  step->verb = verb;
  step->name = *name;
  return step;
}

void store_step_free(store_step *step) {
  if (!step) return;
  store_upload_free(step->upload);
  free(step);
}

void store_steps_add(store_steps *steps, store_step *step) {
  *(steps->last ? &steps->last->next : &steps->first) = step;
  steps->last = step;
}

/* Whether a step needs what earlier ones made of the name. */
static bool uses(const store_step *step, const objects_name *name) {
  return step->verb != STORE_PUBLISH && step->verb != STORE_MAKE &&
         (objects_name_covers(&step->name, name) || objects_name_covers(name, &step->name) ||
          objects_name_is_same(&step->other, name));
}

store_step *store_steps_take_replaced(store_steps *steps, const objects_name *name) {
  store_step **found = NULL, *before = NULL, *last = NULL;
  for (store_step **at = &steps->first; *at; last = *at, at = &(*at)->next) {
    bool publishes = (*at)->verb == STORE_PUBLISH && objects_name_is_same(&(*at)->name, name);
    if (publishes) before = last;
    if (publishes)
      found = at;
    else if (uses(*at, name))
      found = NULL;
  }
  if (!found) return NULL;
  store_step *taken = *found;
  *found = taken->next;
  if (steps->last == taken) steps->last = before;
  return taken;
}

void store_steps_end(store_steps *steps) {
  while (steps->first) {
    store_step *next = steps->first->next;
    store_step_free(steps->first);
    steps->first = next;
  }
  steps->last = NULL;
}

/* The state after the steps ------------------------------------------------------------------ */

static store_staged look(const store_step *step, const objects_name *name) {
  bool same = objects_name_is_same(&step->name, name);
  switch (step->verb) {
  case STORE_PUBLISH:
  case STORE_COPY:
    return same ? STORE_STAGED_FILE : STORE_UNTOUCHED;
  case STORE_RENAME:
    if (objects_name_is_same(&step->other, name)) return STORE_STAGED_FILE;
    return same ? STORE_STAGED_MISSING : STORE_UNTOUCHED;
  case STORE_MAKE:
    return objects_name_covers(name, &step->name) ? STORE_STAGED_DIRECTORY : STORE_UNTOUCHED;
  case STORE_DELETE_TREE:
    return objects_name_covers(&step->name, name) ? STORE_STAGED_MISSING : STORE_UNTOUCHED;
  default:
    return same ? STORE_STAGED_MISSING : STORE_UNTOUCHED;
  }
}

store_staged store_steps_look(const store_steps *steps, const objects_name *name) {
  store_staged found = STORE_UNTOUCHED;
  for (const store_step *step = steps->first; step; step = step->next) {
    store_staged made = look(step, name);
    if (made != STORE_UNTOUCHED) found = made;
  }
  return found;
}

/* The commit --------------------------------------------------------------------------------- */

static void copy(const TF_Filesystem *filesystem, const store_step *step, TF_Status *status) {
  const objects_copying copying = {.from = &step->other, .to = &step->name, .match = step->tag};
  objects_service_of(filesystem)->copy(filesystem, &copying, status);
}

static void run(const TF_Filesystem *filesystem, store_step *step, TF_Status *status) {
  uint64_t files = 0, directories = 0; /* left; nobody is told */
  switch (step->verb) {
  case STORE_PUBLISH:
    store_upload_publish(step->upload, status);
    break;
  case STORE_COPY:
    copy(filesystem, step, status);
    break;
  case STORE_DELETE:
    store_delete_object(filesystem, &step->name, status);
    break;
  case STORE_RENAME:
    if (store_copy(filesystem, &step->name, &step->other, status))
      store_delete_object(filesystem, &step->name, status);
    break;
  case STORE_MAKE:
    store_directory_make(filesystem, &step->name, status);
    break;
  case STORE_DELETE_DIR:
    store_delete_empty(filesystem, &step->name, status);
    break;
  case STORE_DELETE_TREE:
    store_delete_tree(filesystem, &step->name, &files, &directories, status);
    break;
  }
}

static int length_of(const store_steps *steps) {
  int count = 0;
  for (const store_step *step = steps->first; step; step = step->next)
    count++;
  return count;
}

static void tell_how_far(int done, int all, TF_Status *status) {
  char text[1400];
  snprintf(text, sizeof text, "%d of %d changes were made before a failure: %.1300s", done, all,
           TF_Message(status));
  TF_SetStatus(status, TF_GetCode(status), text);
}

void store_steps_run(const TF_Filesystem *filesystem, store_steps *steps, TF_Status *status) {
  int all = length_of(steps), done = 0;
  for (store_step *step = steps->first; step && TF_GetCode(status) == TF_OK; step = step->next) {
    run(filesystem, step, status);
    done += TF_GetCode(status) == TF_OK;
  }
  if (TF_GetCode(status) != TF_OK) tell_how_far(done, all, status);
  store_steps_end(steps);
}
