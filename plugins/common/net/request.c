/* Repeats requests that are safe to repeat, with random pauses, until the deadline. No shared state:
 * a request and its answer belong to the calling thread. */
#include <stdio.h>
#include <sys/random.h>
#include <time.h>

#include "attempt.h"

enum { FIRST_PAUSE_MS = 100, MOST_PAUSE_MS = 5000, LOOK_MS = 10 };

int64_t net_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_worth_repeating(const net_answer *answer) {
  if (answer->error == NET_INTERRUPTED) return false;
  switch (answer->status) {
  case 408:
  case 429:
  case 500:
  case 502:
  case 503:
  case 504:
    return true;
  default:
    return answer->error == NET_UNREACHABLE || answer->error == NET_TIMEOUT ||
           answer->error == NET_BROKEN || answer->error == NET_CUT;
  }
}

/* Full jitter: random up to a limit that doubles. The server's Retry-After is added to it. */
static int64_t pause_after(int attempts, int64_t retry_after) {
  int64_t most = FIRST_PAUSE_MS;
  for (int i = 1; i < attempts && most < MOST_PAUSE_MS; i++)
    most *= 2;
  if (most > MOST_PAUSE_MS) most = MOST_PAUSE_MS;
  uint32_t dice = 0;
  if (getrandom(&dice, sizeof dice, GRND_NONBLOCK) != sizeof dice) dice = (uint32_t)net_now();
  return (int64_t)(dice % (uint32_t)(most + 1)) + retry_after * 1000;
}

bool net_wait_until(const net_client *client, int64_t then) {
  for (int64_t now = net_now(); now < then; now = net_now()) {
    if (net_client_is_interrupted(client)) return false;
    int64_t next = now + LOOK_MS < then ? now + LOOK_MS : then;
    struct timespec time = {.tv_sec = next / 1000, .tv_nsec = next % 1000 * 1000000};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, NULL);
  }
  return true;
}

/* In place of the failure that was to be repeated. */
static void set_interrupted(net_answer *answer) {
  answer->status = 0;
  answer->error = NET_INTERRUPTED;
  snprintf(answer->text, sizeof answer->text, "interrupted");
}

void net_perform(net_client *client, const net_settings *settings, const net_request *request,
                 net_answer *answer) {
  for (answer->attempts = 1;; answer->attempts++) {
    attempt_run(client, settings, request, answer);
    bool again = request->repeatable && !request->once && answer->attempts <= settings->retries;
    if (!again || !is_worth_repeating(answer)) return;
    int64_t now = net_now(), then = now + pause_after(answer->attempts, answer->retry_after);
    answer->too_late = now + answer->retry_after * 1000 >= request->deadline;
    if (then >= request->deadline) return;
    if (!net_wait_until(client, then)) {
      set_interrupted(answer);
      return;
    }
    if (!net_rewind(request->source)) return;
  }
}
