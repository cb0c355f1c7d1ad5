/* Counting system calls, and deciding which of them fail.
 *
 * The rule is constant while a plugin is called: it is set before, on one thread, with all counts at 0.
 * Counts are atomics, because a plugin calls from any of its threads; but only threads that are inside
 * are counted. No locks, nothing to free. Fork: a child continues with copies. */
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "injected.h"
#include "memory.h"
#include "stops.h"

/* Set from one thread, before the plugin is called. */
static shim_rule rule;
static atomic_size_t met, fired, loose, synchronous, counts[SHIM_KINDS];

void calls_arm(const shim_rule *rule_now) {
  rule = rule_now ? *rule_now : (shim_rule){0};
  if (rule_now) injected_clear();
  met = 0;
  fired = 0;
  loose = 0;
  synchronous = 0;
  for (int i = 0; i < SHIM_KINDS; i++)
    counts[i] = 0;
}

size_t calls_fired(void) {
  return fired;
}

size_t calls_loose(void) {
  return loose;
}

size_t calls_synchronous(void) {
  return synchronous;
}

size_t calls_count(unsigned kinds) {
  size_t sum = 0;
  for (int i = 0; i < SHIM_KINDS; i++)
    if (kinds & 1u << i) sum += counts[i];
  return sum;
}

/* The number of a call among those of the rule's kinds if the rule applies to it, or 0. */
static size_t meet(unsigned kind) {
  if (!(rule.kinds & kind)) return 0;
  size_t number = atomic_fetch_add(&met, 1) + 1;
  return number >= rule.first && number - rule.first < rule.count ? number : 0;
}

call_fate calls_meet(unsigned kind, const char *name, size_t *bytes) {
  const call_fate on = {true, 0};
  if (!shim_is_inside()) return on;
  stops_meet();
  counts[__builtin_ctz(kind)]++;
  size_t number = meet(kind);
  if (!number) return on;
  if (fired++ == 0 && rule.effect)
    injected_tell("%s (call %zu of: %s) %s", name, number, rule.words, rule.effect);
  if (rule.kills) kill(getpid(), SIGKILL);
  if (rule.error) {
    errno = rule.error;
    return (call_fate){false, -1};
  }
  if (!bytes) return on;
  if (*bytes > rule.at_most) *bytes = rule.at_most;
  return (call_fate){*bytes > 0, 0};
}

void calls_opened(int flags) {
  if (!shim_is_inside()) return;
  if (!(flags & O_CLOEXEC)) loose++;
  if (flags & O_DSYNC) synchronous++;
}
