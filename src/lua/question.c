/* Functions of the script that the operation of a job asks: filters, and the progress of a copy.
 *
 * The job's thread puts the arguments into a block and sleeps (core/async/question.h). The Job's number
 * arrives in the queue of the state, whose thread finds that the Job is not done, reads the block, and
 * passes the function to Lua code (lua/modfs/loops/own.lua), which runs it in a coroutine of its own and
 * says what it returned, later if the coroutine awaits something. What comes after the job's end is
 * ignored. An error is kept in the Job's table of values, and raised by the Job in the place of its
 * results, as the plain call raises it. */
#include "question.h"

#include <stdlib.h>

#include "core/async/question.h"
#include "core/base/job_context.h"

static const char asked_key = 0; /* of the function that calls those that are asked */

/* The job's thread ------------------------------------------------------------------ */

bool question_is_needed(void) {
  return job_context_here() != NULL;
}

question_answer question_ask(question *self, TF_Status *status) {
  question_answer answer = (question_answer)job_ask(self, status);
  if (answer == ANSWER_ERROR)
    TF_SetStatus(status, TF_CANCELLED, "a function of the caller raised an error");
  return answer;
}

/* The state's thread ---------------------------------------------------------------- */

static void question_end(void *block) {
  free(*(question **)block);
}

void question_serve(lua_State *L, int job) {
  job_object *self = lua_touserdata(L, job);
  question **held = guard_new(L, sizeof(question *), question_end);
  int guard = lua_gettop(L);
  if (job_has_engine(self))
    *held = job_hear(self->object.handle); /* a finalizer may have ended it */
  if (!*held) return;
  lua_rawgetp(L, LUA_REGISTRYINDEX, &asked_key);
  lua_pushvalue(L, job);
  job_push_value(L, job, "function");
  int count = (*held)->push(L, *held);
  guard_end(L, guard);
  self->answering++;
  int failed = lua_pcall(L, 2 + count, 0, 0);
  self->answering--;
  if (failed) lua_error(L);
}

static question_answer answer_at(lua_State *L, int index) {
  if (lua_toboolean(L, index)) return ANSWER_TRUE;
  return lua_isboolean(L, index) ? ANSWER_FALSE : ANSWER_NIL;
}

static int jobs_answer(lua_State *L) {
  job_object *self = job_check(L);
  question_answer answer = lua_toboolean(L, 2) ? answer_at(L, 3) : ANSWER_ERROR;
  lua_settop(L, 3);
  if (!job_has_engine(self)) return 0;
  if (answer == ANSWER_ERROR) {
    job_set_value(L, 1, "error");
    self->asked_in_vain = true;
  }
  job_answer(self->object.handle, answer);
  return 0;
}

static int jobs_asked(lua_State *L) {
  lua_settop(L, 1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &asked_key);
  return 0;
}

void modfs_lua_open_question(lua_State *L) {
  set_functions(L, FUNCTIONS({"asked", jobs_asked}, {"answer", jobs_answer}));
}
