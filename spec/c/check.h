/* Checks for test programs in C: each prints one line, "ok 3 - name" or "not ok 3 - name" with what
 * went wrong below it, and the program ends with
 *
 *   return check_end();
 *
 * which prints "1..N" and is 0 when all were well and there was at least one. Names are printf
 * formats. Main thread only; a forked child checks nothing itself, it tells its parent by its exit
 * status. */
#ifndef MODFS_CHECK_H
#define MODFS_CHECK_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int check_count;
static int check_failures;

#define CHECK_PRINTF(format_at, first_at) __attribute__((format(printf, format_at, first_at)))

/* Flushes: what a forked child inherits must be empty. */
static inline bool check_line(bool good, const char *name, va_list args) {
  check_count++;
  check_failures += !good;
  printf("%sok %d - ", good ? "" : "not ", check_count);
  vprintf(name, args);
  putchar('\n');
  fflush(stdout);
  return good;
}

CHECK_PRINTF(1, 2)
static inline void check_note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  printf("#   ");
  vprintf(format, args);
  putchar('\n');
  fflush(stdout);
  va_end(args);
}

CHECK_PRINTF(5, 6)
static inline bool check_true(bool good, const char *file, int line, const char *text,
                              const char *name, ...) {
  va_list args;
  va_start(args, name);
  check_line(good, name, args);
  va_end(args);
  if (!good) check_note("%s:%d: %s", file, line, text);
  return good;
}

CHECK_PRINTF(5, 6)
static inline bool check_int(intmax_t got, intmax_t want, const char *file, int line,
                             const char *name, ...) {
  va_list args;
  va_start(args, name);
  check_line(got == want, name, args);
  va_end(args);
  if (got != want) check_note("%s:%d: got %" PRIdMAX ", not %" PRIdMAX, file, line, got, want);
  return got == want;
}

CHECK_PRINTF(5, 6)
static inline bool check_str(const char *got, const char *want, const char *file, int line,
                             const char *name, ...) {
  bool good = got && want ? strcmp(got, want) == 0 : got == want;
  va_list args;
  va_start(args, name);
  check_line(good, name, args);
  va_end(args);
  if (!good)
    check_note("%s:%d: got \"%s\", not \"%s\"", file, line, got ? got : "(null)",
               want ? want : "(null)");
  return good;
}

/* CHECK(condition, name…), CHECK_INT(got, want, name…), CHECK_STR(got, want, name…): whether it
 * held. */
#define CHECK(condition, ...) check_true((condition), __FILE__, __LINE__, #condition, __VA_ARGS__)
#define CHECK_INT(got, want, ...)                                                                  \
  check_int((intmax_t)(got), (intmax_t)(want), __FILE__, __LINE__, __VA_ARGS__)
#define CHECK_STR(got, want, ...) check_str((got), (want), __FILE__, __LINE__, __VA_ARGS__)

static inline int check_end(void) {
  printf("1..%d\n", check_count);
  fflush(stdout);
  return check_failures > 0 || check_count == 0;
}

#endif
