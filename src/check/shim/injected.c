/* The records of injected faults.
 *
 * A line is in the file before the plugin sees the failure, as the plugin may end the process by that.
 * The file is opened for each line: a descriptor that stayed open would be one of the plugin's process,
 * which counts them.
 *
 * `path` is set once, before any fault. `told` is an atomic, since a plugin may fail in any of its threads.
 * No locks, and nothing here allocates: injected_tell is called under the lock of blocks.c. */
#include "injected.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static char path[4096];
static atomic_bool told;

void injected_to(const char *path_now) {
  bool fits = path_now && strlen(path_now) < sizeof path;
  snprintf(path, sizeof path, "%s", fits ? path_now : "");
}

/* Not by the C library's functions, which are interposed. */
static void append(const char *line) {
  if (!path[0]) return;
  long file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file < 0) return;
  syscall(SYS_write, file, line, strlen(line));
  syscall(SYS_close, file);
}

void injected_tell(const char *format, ...) {
  char line[512] = "injected ";
  size_t used = strlen(line);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line + used, sizeof line - used - 1, format, arguments);
  va_end(arguments);
  line[strlen(line)] = '\n'; /* the last byte of all stays 0 */
  append(line);
  told = true;
}

void injected_clear(void) {
  if (atomic_exchange(&told, false)) append("injected \n");
}
