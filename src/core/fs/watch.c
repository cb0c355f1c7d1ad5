/* Watching a file or the entries of a directory, through Linux's inotify.
 *
 * The kernel watches a directory: the one that was named, or the one that contains the file that was
 * named. So a file that is deleted and made anew, or replaced by a rename, is still watched. Events
 * come in the order of the changes; next takes them from the buffer, which is filled by one read
 * when it is empty.
 *
 * A rename inside the directory gives two events with one cookie, the first for the old name. The
 * kernel queues them one after the other but not at once: only when the first is the last one in the
 * buffer, next waits PAIR_NANOSECONDS for the second. Without a second one the entry went elsewhere,
 * and is deleted here.
 *
 * A watch has ended when its directory is no longer at its path: deleted, moved or unmounted.
 *
 * A watch is for one thread at a time, has no lock and owns its memory and descriptor. A forked child
 * shares the queue of events with its parent, so there next fails, and close only closes. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "fs.h"
#include "core/base/status.h"
#include "core/registry/registry.h"

enum { BUFFER = 16 * 1024, PAIR_NANOSECONDS = 10000000, FOR_EVER = 1000000000 };

static const uint32_t watched = IN_CREATE | IN_DELETE | IN_MODIFY | IN_ATTRIB | IN_MOVED_FROM |
                                IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR |
                                IN_EXCL_UNLINK;

struct modfs_watch {
  char *path;      /* as it was given */
  char *directory; /* what precedes the names of entries in results */
  char *name;      /* of the file in the directory; NULL: all entries are watched */
  int descriptor;
  unsigned epoch;
  bool ended;
  size_t used, next; /* bytes in the buffer, and where the next event begins */
  _Alignas(struct inotify_event) char buffer[BUFFER];
};

/* Opening -------------------------------------------------------------------- */

static bool start_watching(const modfs_watch *watch, const char *directory) {
  return inotify_add_watch(watch->descriptor, directory, watched) >= 0;
}

/* Watches the directory of a file; a link counts as what it leads to. */
static bool watch_file(modfs_watch *watch, const char *name) {
  struct stat stat;
  if (lstat(name, &stat) != 0) return false;
  char *real = S_ISLNK(stat.st_mode) ? realpath(name, NULL) : strdup(name);
  char *directory = real ? modfs_path_dirname(real) : NULL;
  modfs_path parts = modfs_path_parse(watch->path, strlen(watch->path));
  size_t front = parts.scheme_length > 0 ? (size_t)(parts.path - watch->path) : 0;
  bool started = false;
  watch->name = real ? modfs_path_basename(real) : NULL;
  watch->directory = directory ? malloc(front + strlen(directory) + 1) : NULL;
  if (watch->name && watch->directory) {
    memcpy(watch->directory, watch->path, front);
    stpcpy(watch->directory + front, directory);
    started = start_watching(watch, *directory ? directory : ".");
  }
  free(directory);
  free(real);
  return started;
}

/* False with errno. */
static bool watch_start(modfs_watch *watch, const char *name) {
  watch->descriptor = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (watch->descriptor < 0) return false;
  if (start_watching(watch, name)) return (watch->directory = strdup(watch->path)) != NULL;
  return errno == ENOTDIR && watch_file(watch, name);
}

static void set_open_failure(TF_Status *status, int error) {
  if (error == ENOSPC)
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED,
                 "the user's inotify watches are used up; raise fs.inotify.max_user_watches");
  else if (error == EMFILE)
    TF_SetStatus(status, TF_RESOURCE_EXHAUSTED,
                 "out of file descriptors or of inotify instances; raise ulimit -n or "
                 "fs.inotify.max_user_instances");
  else
    TF_SetStatusFromIOError(status, error, "cannot watch");
}

/* Whether the names of a filesystem are paths of the system: its plugin is the one for plain paths.
 */
static bool check_local(const modfs_fs *fs, const char *name, TF_Status *status) {
  const modfs_fs *plain = modfs_fs_find("", 0);
  if (!plain || plain->plugin != fs->plugin)
    TF_SetStatus(status, TF_UNIMPLEMENTED, "only paths of the local system can be watched");
  else if (modfs_path_parse(name, strlen(name)).scheme_length > 0)
    TF_SetStatus(status, TF_INVALID_ARGUMENT, "the host in this URI is not this machine");
  return status_ok(status);
}

static modfs_watch *watch_new(const char *path, const char *name, TF_Status *status) {
  modfs_watch *watch = calloc(1, sizeof *watch);
  if (!watch || !(watch->path = strdup(path))) {
    status_no_memory(status);
    free(watch);
    return NULL;
  }
  watch->epoch = registry_epoch();
  if (watch_start(watch, name)) return watch;
  set_open_failure(status, errno);
  modfs_watch_close(watch);
  return NULL;
}

modfs_watch *modfs_watch_open(const modfs_fs *fs, const char *path, TF_Status *status) {
  const char *name = fs_enter(fs, path, status);
  bool local = name && check_local(fs, name, status);
  modfs_watch *watch = local ? watch_new(path, name, status) : NULL;
  fs_leave(fs, name, "watch", path, status);
  return watch;
}

void modfs_watch_close(modfs_watch *watch) {
  if (!watch) return;
  if (watch->descriptor >= 0) close(watch->descriptor);
  free(watch->path);
  free(watch->directory);
  free(watch->name);
  free(watch);
}

const char *modfs_watch_path(const modfs_watch *watch) {
  return watch->path;
}

int modfs_watch_descriptor(const modfs_watch *watch) {
  return watch->descriptor;
}

/* Events --------------------------------------------------------------------- */

/* Reads what is there into the empty buffer; false when there is nothing, or on failure. */
static bool read_events(modfs_watch *watch, TF_Status *status) {
  ssize_t n = read(watch->descriptor, watch->buffer, sizeof watch->buffer);
  watch->next = 0;
  watch->used = n > 0 ? (size_t)n : 0;
  if (n < 0 && errno != EAGAIN && errno != EINTR) TF_SetStatusFromIOError(status, errno, "read");
  return n > 0;
}

/* Waits until there is something to read; false when the time is over, or after a signal. */
static bool await_events(const modfs_watch *watch, const struct timespec *limit) {
  struct pollfd waiting = {watch->descriptor, POLLIN, 0};
  return ppoll(&waiting, 1, limit, NULL) > 0;
}

/* What is left until a deadline; 0 when it has passed. */
static struct timespec time_left(const struct timespec *deadline) {
  struct timespec now, left = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &now);
  int64_t nanoseconds =
      ((int64_t)deadline->tv_sec - now.tv_sec) * 1000000000 + (deadline->tv_nsec - now.tv_nsec);
  if (nanoseconds > 0) {
    left.tv_sec = (time_t)(nanoseconds / 1000000000);
    left.tv_nsec = (long)(nanoseconds % 1000000000);
  }
  return left;
}

static struct timespec deadline_in(double seconds) {
  struct timespec deadline;
  clock_gettime(CLOCK_MONOTONIC, &deadline);
  int64_t nanoseconds = deadline.tv_nsec + (int64_t)(seconds * 1e9);
  deadline.tv_sec += (time_t)(nanoseconds / 1000000000);
  deadline.tv_nsec = (long)(nanoseconds % 1000000000);
  return deadline;
}

/* The next event of the buffer; NULL at its end. */
static struct inotify_event *take_event(modfs_watch *watch) {
  if (watch->next >= watch->used) return NULL;
  struct inotify_event *event = (void *)(watch->buffer + watch->next);
  watch->next += sizeof *event + event->len;
  return event;
}

/* Removes the event with the new name of an entry from the buffer, and returns that name; NULL when
 * there is none. */
static const char *take_new_name(modfs_watch *watch, uint32_t cookie) {
  size_t next = watch->next;
  struct inotify_event *event = take_event(watch);
  while (event && !((event->mask & IN_MOVED_TO) && event->cookie == cookie))
    event = take_event(watch);
  watch->next = next;
  if (!event) return NULL;
  event->mask = 0;
  return event->name;
}

/* Changes -------------------------------------------------------------------- */

void modfs_change_fini(modfs_change *change) {
  free(change->path);
  free(change->from);
  change->path = change->from = NULL;
}

static bool concerns(const modfs_watch *watch, const char *name) {
  return !watch->name || strcmp(watch->name, name) == 0;
}

/* The path of an entry, in the form of the path that was given; NULL when memory is short. */
static char *path_of(const modfs_watch *watch, const char *name) {
  if (*name == '\0' || (watch->name && strcmp(watch->name, name) == 0)) return strdup(watch->path);
  return modfs_path_join(watch->directory, name);
}

/* Fills in the change of an entry; from: its old name, or NULL. False, when memory is short. */
static bool set_change(const modfs_watch *watch, int kind, const char *name, const char *from,
                       modfs_change *change) {
  change->kind = kind;
  change->path = path_of(watch, name);
  change->from = from ? path_of(watch, from) : NULL;
  return change->path && (change->from || !from);
}

typedef enum outcome { NOTHING, REPORTED, NO_MEMORY } outcome;

static outcome report(const modfs_watch *watch, int kind, const char *name, const char *from,
                      modfs_change *change) {
  if (!concerns(watch, name) && !(from && concerns(watch, from))) return NOTHING;
  return set_change(watch, kind, name, from, change) ? REPORTED : NO_MEMORY;
}

/* The event of an old name. Waiting for the new one may fill the buffer anew. */
static outcome report_move(modfs_watch *watch, const struct inotify_event *event,
                           modfs_change *change, TF_Status *status) {
  static const struct timespec limit = {0, PAIR_NANOSECONDS};
  char from[NAME_MAX + 1];
  uint32_t cookie = event->cookie;
  snprintf(from, sizeof from, "%s", event->name);
  if (watch->next >= watch->used && await_events(watch, &limit)) read_events(watch, status);
  const char *to = take_new_name(watch, cookie);
  if (!to) return report(watch, MODFS_CHANGE_DELETED, from, NULL, change);
  return report(watch, MODFS_CHANGE_MOVED, to, from, change);
}

/* The directory is no longer at its path. The deletion of a watched file was reported before that of
 * its directory. */
static outcome report_end(modfs_watch *watch, uint32_t mask, modfs_change *change) {
  watch->ended = true;
  if (watch->name && !(mask & (IN_MOVE_SELF | IN_UNMOUNT))) return NOTHING;
  const char *name = watch->name ? watch->name : "";
  return report(watch, MODFS_CHANGE_DELETED, name, NULL, change);
}

static outcome report_event(modfs_watch *watch, const struct inotify_event *event,
                            modfs_change *change, TF_Status *status) {
  uint32_t mask = event->mask;
  const char *name = event->len > 0 ? event->name : "";
  if (mask & IN_Q_OVERFLOW)
    return set_change(watch, MODFS_CHANGE_OVERFLOW, "", NULL, change) ? REPORTED : NO_MEMORY;
  if (mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED))
    return report_end(watch, mask, change);
  if (mask & IN_MOVED_FROM) return report_move(watch, event, change, status);
  if (mask & (IN_CREATE | IN_MOVED_TO))
    return report(watch, MODFS_CHANGE_CREATED, name, NULL, change);
  if (mask & IN_DELETE) return report(watch, MODFS_CHANGE_DELETED, name, NULL, change);
  return mask == 0 ? NOTHING : report(watch, MODFS_CHANGE_CHANGED, name, NULL, change);
}

/* Takes events until one is a change; false when the buffer is empty, at the end and on failure. */
static bool report_next(modfs_watch *watch, modfs_change *change, TF_Status *status) {
  outcome result = NOTHING;
  while (result == NOTHING && !watch->ended && status_ok(status)) {
    const struct inotify_event *event = take_event(watch);
    if (!event) return false;
    result = report_event(watch, event, change, status);
  }
  if (result == NO_MEMORY) status_no_memory(status);
  return result == REPORTED;
}

static int next_change(modfs_watch *watch, double seconds, modfs_change *change,
                       TF_Status *status) {
  bool limited = seconds <= FOR_EVER;
  struct timespec deadline = deadline_in(limited && seconds > 0 ? seconds : 0), left;
  for (;;) {
    if (report_next(watch, change, status)) return MODFS_WATCH_CHANGE;
    if (watch->ended) return MODFS_WATCH_END;
    left = time_left(&deadline);
    if (!status_ok(status) || !await_events(watch, limited ? &left : NULL)) return MODFS_WATCH_NONE;
    read_events(watch, status);
  }
}

int modfs_watch_next(modfs_watch *watch, double seconds, modfs_change *change, TF_Status *status) {
  modfs_change found = {0, NULL, NULL};
  int result = MODFS_WATCH_NONE;
  status_clear(status);
  if (watch->epoch != registry_epoch())
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the watch belongs to the parent process; open it again after the fork");
  else
    result = next_change(watch, seconds, &found, status);
  status_locate(status, "next", watch->path);
  if (status_ok(status) && result == MODFS_WATCH_CHANGE)
    *change = found;
  else
    modfs_change_fini(&found);
  return status_ok(status) ? result : MODFS_WATCH_NONE;
}
