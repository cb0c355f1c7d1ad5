#include "server_clock.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { MOST_SKEW = 240 /* seconds that every service allows */, MINUTE = 60, DAY = 24 * 60 * 60 };

/* By how many seconds the server's clock is ahead of ours; 0: it does not tell. */
static int64_t read_skew(const net_answer *answer) {
  char date[64];
  int64_t theirs = net_answer_header(answer, "Date", date, sizeof date) ? net_time(date) : 0;
  return theirs == 0 ? 0 : theirs - time(NULL);
}

bool objects_correct_clock(_Atomic(int64_t) *clock, const net_answer *answer) {
  int64_t ahead = answer->status == 403 ? read_skew(answer) : 0, off = ahead - atomic_load(clock);
  if (ahead == 0 || (off < MOST_SKEW && off > -MOST_SKEW)) return false;
  atomic_store(clock, ahead);
  return true;
}

const char *objects_clock_advice(const net_answer *answer, char text[OBJECTS_CLOCK_SIZE]) {
  int64_t ahead = read_skew(answer), off = ahead < 0 ? -ahead : ahead;
  bool by_days = off >= 2 * DAY;
  *text = '\0';
  if (off >= MOST_SKEW)
    snprintf(text, OBJECTS_CLOCK_SIZE,
             "; the clock of this machine is %" PRId64 " %s %s the server's: set it",
             off / (by_days ? DAY : MINUTE), by_days ? "days" : "minutes",
             ahead < 0 ? "ahead of" : "behind");
  return text;
}
