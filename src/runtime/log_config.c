/* The log's settings.
 *
 * They are unread or read. The first message of the process reads them under pthread_once, and they
 * do not change afterwards, so all threads read them without a lock. The file of
 * TF_CPP_VLOG_FILENAME stays open and the copy of the module list stays allocated until the process
 * ends. A forked child inherits all of it; the file is opened for appending, so both processes may
 * write. A fork while another thread reads the settings for the first time is the C library's to
 * handle (pthread_once). */
#include "log_config.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static modfs_log_config config;
static pthread_once_t config_once = PTHREAD_ONCE_INIT;

/* The number that the text up to end is; 0 when it is none, as in TensorFlow. */
static int level_parse(const char *text, char end) {
  char *rest;
  if (!text) return 0;
  errno = 0;
  long level = strtol(text, &rest, 10);
  if (rest == text || (*rest != '\0' && *rest != end)) return 0;
  if (errno || level < INT_MIN || level > INT_MAX) return 0;
  return (int)level;
}

static int level_from_env(const char *name) {
  return level_parse(getenv(name), '\0');
}

static void config_read(void) {
  const char *vmodule = getenv("TF_CPP_VMODULE");
  config.min_level = level_from_env("TF_CPP_MIN_LOG_LEVEL");
  config.max_vlog = level_from_env("TF_CPP_MAX_VLOG_LEVEL");
  config.thread_id = level_from_env("TF_CPP_LOG_THREAD_ID") != 0;
  const char *name = secure_getenv("TF_CPP_VLOG_FILENAME");
  int fd = -1;
  if (name && *name) fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666);
  config.fd = fd < 0 ? STDERR_FILENO : fd;
  config.vmodule = vmodule ? strdup(vmodule) : NULL; /* the environment may change */
}

const modfs_log_config *modfs_log_config_get(void) {
  pthread_once(&config_once, config_read);
  return &config;
}

/* Whether the name of an entry "name=level" is the module's or "logging", which is every module's.
 */
static bool item_names(const char *item, size_t length, const char *module) {
  if (length == strlen("logging") && memcmp(item, "logging", length) == 0) return true;
  return length == strlen(module) && memcmp(item, module, length) == 0;
}

bool modfs_log_config_allows(const modfs_log_config *c, const char *module, int level) {
  if (level <= c->max_vlog) return true;
  const char *list = c->vmodule;
  while (list && *list) {
    size_t length = strcspn(list, "=,");
    bool has_level = list[length] == '=';
    if (has_level && item_names(list, length, module) &&
        level <= level_parse(list + length + 1, ','))
      return true;
    list = strchr(list, ',');
    if (list) list++;
  }
  return false;
}
