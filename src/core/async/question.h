/* What a running job asks its host: a question goes through the job's callback queue to the thread that
 * owns that, and the job's thread sleeps until the answer comes, or the job is to end. */
#ifndef MODFS_CORE_QUESTION_H
#define MODFS_CORE_QUESTION_H

#include <modfs/async.h>

/* Asks, for the job that the running thread runs; its number arrives in the queue once more. Returns
 * the answer, or -1 with a failure: CANCELLED when the job is to end. Owns: the question, from malloc. */
int job_ask(void *question, TF_Status *status);

/* For the owner of the queue, when the number of a job has arrived that is not done: returns its
 * question, which has to be answered and freed; NULL: it asks none, or ends. */
void *job_hear(modfs_job *job);
/* Does nothing when no question of the job was heard, or the job ends. answer: not negative. */
void job_answer(modfs_job *job, int answer);

typedef enum strand_state {
  STRAND_IDLE,
  STRAND_BUSY, /* not returned */
  STRAND_ASKS, /* a job waits for an answer, which only the owner of its queue can give */
  STRAND_HEARD /* that has its question, but has not answered yet */
} strand_state;

/* As modfs_strand_wait for the ordered jobs, but returns as soon as one of them asks. */
strand_state strand_wait(modfs_strand *strand);

#endif
