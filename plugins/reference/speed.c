#include "speed.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "pace.h"

enum { BYTES = 4 << 20, LANES = 8, STEPS = 100000, TRIES = 3 };

static pthread_once_t once = PTHREAD_ONCE_INIT;
static uint64_t copy_time, sum_time;
static volatile double sink;

static uint64_t time_sum(void) {
  double lanes[LANES] = {1, 2, 3, 4, 5, 6, 7, 8};
  uint64_t begun = reference_pace_now();
  for (int i = 0; i < STEPS; i++)
    for (int k = 0; k < LANES; k++)
      lanes[k] = lanes[k] * 0.999 + 0.001;
  for (int k = 0; k < LANES; k++)
    sink = lanes[k];
  return reference_pace_now() - begun;
}

static void keep_least(uint64_t *least, uint64_t time) {
  if (*least == 0 || time < *least) *least = time;
}

static void measure(void) {
  char *from = malloc(BYTES), *to = malloc(BYTES);
  if (from && to) {
    memset(from, 1, BYTES);
    memset(to, 2, BYTES);
    for (int i = 0; i < TRIES; i++) {
      uint64_t begun = reference_pace_now();
      memcpy(to, from, BYTES);
      sink = to[BYTES - 1];
      keep_least(&copy_time, reference_pace_now() - begun);
    }
  }
  for (int i = 0; i < TRIES; i++)
    keep_least(&sum_time, time_sum());
  free(from);
  free(to);
}

int64_t reference_speed_bandwidth(void) {
  pthread_once(&once, measure);
  return copy_time ? (int64_t)(BYTES * 1e9 / (double)copy_time) : -1;
}

double reference_speed_gflops(void) {
  pthread_once(&once, measure);
  return sum_time ? 2.0 * LANES * STEPS / (double)sum_time : -1;
}
