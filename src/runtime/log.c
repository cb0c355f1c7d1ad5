/* The log.
 *
 * Each message becomes one line, built in memory of its own and written by one call of write (more
 * only if the kernel takes a part), so lines of threads and of forked processes do not mix. No lock
 * is held and nothing is kept between calls; the settings are read-only (log_config.c). The memory
 * of a line is freed before the function returns. errno is the same after a call as before, as code
 * that logs between a failure and its report relies on that. A forked child writes to the same
 * descriptor. */
#include <modfs/env.h>

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "log_config.h"

enum { MODULE_SIZE = 64, PREFIX_SIZE = 160, ESCAPE_SIZE = 4 };

/* The name of the caller's object file, from the last slash to the next dot. */
static void module_name(const void *caller, char name[MODULE_SIZE]) {
  Dl_info info;
  const char *file = dladdr(caller, &info) && info.dli_fname ? info.dli_fname : "unknown";
  const char *slash = strrchr(file, '/');
  if (slash) file = slash + 1;
  snprintf(name, MODULE_SIZE, "%.*s", (int)strcspn(file, "."), file);
}

static size_t prefix_format(char *out, char severity, bool thread_id, const char *module) {
  char date[32] = "";
  char thread[32] = "";
  struct timespec now;
  struct tm local;
  clock_gettime(CLOCK_REALTIME, &now);
  if (localtime_r(&now.tv_sec, &local)) strftime(date, sizeof date, "%Y-%m-%d %H:%M:%S", &local);
  if (thread_id) snprintf(thread, sizeof thread, " %7d", (int)gettid());
  int size = snprintf(out, PREFIX_SIZE, "%s.%06ld: %c%s %s] ", date, now.tv_nsec / 1000, severity,
                      thread, module);
  return size < 0 ? 0 : (size_t)size;
}

static size_t byte_escape(char *out, char c) {
  bool control = (unsigned char)c < 0x20 || c == 0x7f;
  if (control && c != '\t') {
    if (c == '\n') return (size_t)snprintf(out, ESCAPE_SIZE + 1, "\\n");
    return (size_t)snprintf(out, ESCAPE_SIZE + 1, "\\x%02x", (unsigned)(unsigned char)c);
  }
  *out = c;
  return 1;
}

static void write_all(int fd, const char *text, size_t size) {
  while (size > 0) {
    ssize_t written = write(fd, text, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return; /* there is nowhere else to report this */
    text += written;
    size -= (size_t)written;
  }
}

/* When memory is short, the line is cut to what fits on the stack. */
static void line_write(int fd, const char *prefix, size_t prefix_size, const char *message) {
  char small[1024];
  size_t length = strlen(message);
  while (length > 0 && message[length - 1] == '\n')
    length--;
  size_t capacity = prefix_size + length * ESCAPE_SIZE + 2;
  char *large = capacity > sizeof small ? malloc(capacity) : NULL;
  char *line = large ? large : small;
  if (!large && capacity > sizeof small) capacity = sizeof small;
  memcpy(line, prefix, prefix_size);
  size_t used = prefix_size;
  for (size_t i = 0; i < length && used + ESCAPE_SIZE + 2 <= capacity; i++)
    used += byte_escape(line + used, message[i]);
  line[used++] = '\n';
  write_all(fd, line, used);
  free(large);
}

/* Not vasprintf: that of glibc writes beyond its block where it cannot shrink it. */
static char *format_new(const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int saved = errno; /* for %m */
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  errno = saved;
  if (text) vsnprintf(text, (size_t)length + 1, format, args);
  return text;
}

static void message_write(const modfs_log_config *config, char severity, const char *module,
                          const char *format, va_list args) {
  char prefix[PREFIX_SIZE];
  int saved = errno; /* for %m */
  size_t prefix_size = prefix_format(prefix, severity, config->thread_id, module);
  errno = saved;
  char *message = format_new(format, args);
  line_write(config->fd, prefix, prefix_size, message ? message : format);
  free(message);
}

void TF_Log(TF_LogLevel level, const char *format, ...) {
  static const char severities[] = "IWEF";
  int saved = errno;
  int number = (int)level;
  if (number < TF_INFO || number > TF_FATAL) return;
  const modfs_log_config *config = modfs_log_config_get();
  if (number >= config->min_level || number == TF_FATAL) {
    char module[MODULE_SIZE];
    va_list args;
    module_name(__builtin_return_address(0), module);
    errno = saved;
    va_start(args, format);
    message_write(config, severities[number], module, format, args);
    va_end(args);
  }
  if (number == TF_FATAL) abort();
  errno = saved;
}

static void vlog(const void *caller, int level, const char *format, va_list args) {
  int saved = errno;
  char module[MODULE_SIZE];
  const modfs_log_config *config = modfs_log_config_get();
  if (config->min_level > TF_INFO) return;
  if (level > config->max_vlog && !config->vmodule) return; /* first, as plugins call this often */
  module_name(caller, module);
  errno = saved;
  if (modfs_log_config_allows(config, module, level))
    message_write(config, 'I', module, format, args);
  errno = saved;
}

void TF_VLog(int level, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vlog(__builtin_return_address(0), level, format, args);
  va_end(args);
}

void TF_DVLog(int level, const char *format, ...) {
#ifdef NDEBUG
  (void)level;
  (void)format;
#else
  va_list args;
  va_start(args, format);
  vlog(__builtin_return_address(0), level, format, args);
  va_end(args);
#endif
}
