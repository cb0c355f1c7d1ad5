/* The real-time clock, as TensorFlow's: it may go back. There is no state. */
#include <modfs/env.h>

#include <time.h>

uint64_t TF_NowNanos(void) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t TF_NowMicros(void) {
  return TF_NowNanos() / 1000u;
}

uint64_t TF_NowSeconds(void) {
  return TF_NowNanos() / 1000000000u;
}
