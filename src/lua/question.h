/* What the operation of a job asks a function of the script: question.c tells how. */
#ifndef MODFS_LUA_QUESTION_H
#define MODFS_LUA_QUESTION_H

#include "job.h"

/* The error for a call from such a function, or a filter, that would wait for its own operation. */
#define MODFS_OWN_OPERATION "a filter cannot continue the operation that it belongs to"

/* The first member of a block from malloc, which the state's thread reads. */
typedef struct question {
  int (*push)(lua_State *L, const struct question *self); /* the arguments; returns how many */
} question;

typedef enum question_answer {
  ANSWER_NONE = -1, /* the job is to end, or cannot ask: see the status */
  ANSWER_NIL,
  ANSWER_FALSE,
  ANSWER_TRUE,
  ANSWER_ERROR /* the function has raised one: the status is CANCELLED */
} question_answer;

/* Whether the running thread works for a job, and so must not call Lua. */
bool question_is_needed(void);
/* Asks from there, and waits. Owns: the question. */
question_answer question_ask(question *self, TF_Status *status);

/* Answers the Job at an index, whose number has arrived before it is done; or begins to. */
void question_serve(lua_State *L, int job);

/* Adds to the module modfs.jobs, at the top of the stack: asked(fn) sets what is called with the Job,
 * its function and the arguments; answer(job, fine, value) is what that comes to, at once or later. */
void modfs_lua_open_question(lua_State *L);

#endif
