#include "pace.h"

#include <errno.h>
#include <time.h>

#include "configuration.h"

/* How late a sleep may return; this last part of a wait is spent spinning. */
enum { SLACK = 100000, SECOND = 1000000000 };

uint64_t reference_pace_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * SECOND + (uint64_t)now.tv_nsec;
}

uint64_t reference_pace_begin(void) {
  const reference_configuration *options = reference_configuration_get();
  return options->latency || options->bandwidth ? reference_pace_now() : 0;
}

static void sleep_until(uint64_t time) {
  const struct timespec at = {.tv_sec = (time_t)(time / SECOND), .tv_nsec = (long)(time % SECOND)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
    continue;
}

/* Limited to thirty years: more would overflow the clock. */
static uint64_t transfer_time(uint64_t bytes, uint64_t bandwidth) {
  if (bandwidth == 0) return 0;
  double time = (double)bytes * SECOND / (double)bandwidth;
  return time < 1e18 ? (uint64_t)time : (uint64_t)1e18;
}

void reference_pace_end(uint64_t begun, uint64_t bytes) {
  const reference_configuration *options = reference_configuration_get();
  if (begun == 0) return;
  uint64_t end = begun + options->latency + transfer_time(bytes, options->bandwidth);
  if (reference_pace_now() + SLACK < end) sleep_until(end - SLACK);
  while (reference_pace_now() < end)
    continue;
}
