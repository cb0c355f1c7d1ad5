/* Counting system calls, and deciding which of them fail.
 *
 * The rules are constant while a plugin is called: they are set before, on one thread, with all counts at 0.
 * Counts are atomics, because a plugin calls from any of its threads; but only threads that are inside
 * are counted. Events are written by any such thread, each at an index of its own, and read when the
 * plugin has returned. No locks, nothing to free. Fork: a child continues with copies. */
#include "system_calls.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "injected.h"
#include "memory.h"
#include "stops.h"

/* Set from one thread, before the plugin is called. */
enum { RULES = 2 };
static shim_rule rules[RULES];
static atomic_size_t met[RULES];
static atomic_size_t fired, loose, synchronous, counts[SHIM_KINDS];
static const char *_Atomic failed;

void calls_arm(const shim_rule *rule_now) {
  rules[0] = rule_now ? *rule_now : (shim_rule){0};
  rules[1] = (shim_rule){0};
  if (rule_now) injected_clear();
  for (int i = 0; i < RULES; i++)
    met[i] = 0;
  fired = 0;
  failed = NULL;
  loose = 0;
  synchronous = 0;
  for (int i = 0; i < SHIM_KINDS; i++)
    counts[i] = 0;
}

void calls_arm_also(const shim_rule *rule_now) {
  rules[1] = *rule_now;
}

size_t calls_fired(void) {
  return fired;
}

const char *calls_failed(void) {
  return failed;
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

/* The number of a call among those of a rule's kinds if the rule applies to it, or 0. */
static size_t meet(int index, unsigned kind) {
  const shim_rule *rule = &rules[index];
  if (!(rule->kinds & kind)) return 0;
  size_t number = atomic_fetch_add(&met[index], 1) + 1;
  bool second = rule->second != 0 && number == rule->first + rule->second;
  return second || (number >= rule->first && number - rule->first < rule->count) ? number : 0;
}

static call_fate apply(const shim_rule *rule, size_t number, const char *name, size_t *bytes) {
  if (fired++ == 0 && rule->effect)
    injected_tell("%s (call %zu of: %s) %s", name, number, rule->words, rule->effect);
  if (rule->kills) kill(getpid(), SIGKILL);
  if (rule->error) {
    failed = name;
    errno = rule->second != 0 && number != rule->first ? rule->then : rule->error;
    return (call_fate){false, -1};
  }
  if (!bytes) return (call_fate){true, 0};
  if (*bytes > rule->at_most) *bytes = rule->at_most;
  return (call_fate){*bytes > 0, 0};
}

call_fate calls_meet(unsigned kind, const char *name, size_t *bytes) {
  if (!shim_is_inside()) return (call_fate){true, 0};
  stops_meet();
  counts[__builtin_ctz(kind)]++;
  for (int i = 0; i < RULES; i++) {
    size_t number = meet(i, kind);
    if (number) return apply(&rules[i], number, name, bytes);
  }
  return (call_fate){true, 0};
}

void calls_opened(int flags) {
  if (!shim_is_inside()) return;
  if (!(flags & O_CLOEXEC)) loose++;
  if (flags & O_DSYNC) synchronous++;
}

/* Notes ------------------------------------------------------------------------------ */

enum { MOST_EVENTS = 512 };

static atomic_bool noting;
static atomic_size_t events_used;
static shim_event events[MOST_EVENTS];

static void add_event(const char *name, const struct stat *info) {
  size_t index = atomic_fetch_add(&events_used, 1);
  if (index < MOST_EVENTS) events[index] = (shim_event){name, info->st_ino, info->st_mode};
}

void calls_note_name(const char *name, int dir, const char *path) {
  struct stat info = {0};
  int error = errno;
  if (!noting || !shim_is_inside()) return;
#if defined(__LP64__)
  syscall(SYS_newfstatat, dir, path, &info, AT_EMPTY_PATH | AT_SYMLINK_NOFOLLOW);
#endif
  add_event(name, &info);
  errno = error;
}

void calls_note(const char *name, int fd) {
  calls_note_name(name, fd, "");
}

void calls_notes(bool on) {
  if (on) events_used = 0;
  noting = on;
}

bool calls_noted(size_t index, shim_event *event) {
  if (index >= events_used || index >= MOST_EVENTS) return false;
  *event = events[index];
  return true;
}
