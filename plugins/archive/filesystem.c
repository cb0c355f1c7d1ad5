/* The archives that a scheme keeps open.
 *
 * An archive is loaded by one thread, and is then immutable; it lives until its last reference is
 * released: the list's, and one for each call and handle that uses it. The list holds as many as
 * the option allows; the one that was used longest ago goes first. Two threads that load one
 * version at once both load it, and the second drops its own.
 *
 * One lock guards the lists of all schemes, and checked_ms. It is a leaf: nothing is read, freed or
 * called while it is held. Fork: it is taken around a fork, so a child finds the lists whole.
 *
 * A version is what the storage tells of the archive's file: length, time, and inode where there is
 * one. Where there is none a question may be a request to a server, and an answer holds for
 * fresh_ms. The file of an archive stays open, so members come from the version that its directory
 * describes. When a read finds another version there, the next call loads the archive anew, even if
 * the storage tells nothing new of it. */
#include "filesystem.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "error.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void take(void) {
  pthread_mutex_lock(&lock);
}

static void give(void) {
  pthread_mutex_unlock(&lock);
}

static void watch_forks(void) {
  pthread_atfork(take, give, give);
}

/* Archives ---------------------------------------------------------------------------------- */

void archive_release(archive *self) {
  if (!self || atomic_fetch_sub(&self->references, 1) > 1) return;
  base_close(self->file);
  har_fini(self);
  index_fini(&self->index);
  free(self);
}

static int64_t now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool is_same_version(const base_version *a, const base_version *b) {
  return a->device == b->device && a->inode == b->inode && a->length == b->length &&
         a->mtime_nsec == b->mtime_nsec;
}

/* Takes the archive out of the list. The lock is held. */
static archive *unlink_archive(archive_fs *fs, const char *path) {
  archive **link = &fs->archives;
  while (*link && strcmp((*link)->path, path) != 0)
    link = &(*link)->next;
  archive *found = *link;
  if (found) *link = found->next;
  return found;
}

/* The cached archive with a reference for the caller, now the first of the list; NULL: none. */
static archive *recall(archive_fs *fs, const char *path, bool *is_fresh) {
  take();
  archive *found = unlink_archive(fs, path);
  if (found) {
    int64_t fresh_ms = options_here(&fs->options)->items[ARCHIVE_FRESH_MS].number;
    *is_fresh =
        !found->version.device && !found->version.inode && now_ms() - found->checked_ms < fresh_ms;
    found->next = fs->archives;
    fs->archives = found;
    atomic_fetch_add(&found->references, 1);
  }
  give();
  return found;
}

/* Puts the archive first, with a reference of the list's own, and frees those that are too many. */
static void keep(archive_fs *fs, archive *made) {
  int64_t most = options_here(&fs->options)->items[ARCHIVE_ARCHIVES].number;
  take();
  archive *old = unlink_archive(fs, made->path), *rest = NULL;
  if (old) old->next = NULL;
  atomic_fetch_add(&made->references, 1);
  made->checked_ms = now_ms();
  made->next = fs->archives;
  fs->archives = made;
  archive *last = made;
  for (int64_t i = 1; last->next && i < most; i++)
    last = last->next;
  rest = last->next;
  last->next = NULL;
  give();
  archive_release(old);
  while (rest) {
    archive *next = rest->next;
    archive_release(rest);
    rest = next;
  }
}

static bool load(archive *made, const archive_fs *fs, TF_Status *status) {
  const option_values *options = options_here(&fs->options);
  const index_limits limits = {
      .entries = (uint64_t)options->items[ARCHIVE_ENTRIES].number,
      .bytes = (uint64_t)options->items[ARCHIVE_INDEX_BYTES].number,
      .skips_unsafe = strcmp(options->items[ARCHIVE_UNSAFE_NAMES].text, "skip") == 0,
  };
  char *list = archive_directory_file(made->format, made->path);
  made->file = list ? base_open(fs->host, list, status) : NULL;
  if (!list) fail_no_memory(status);
  free(list);
  if (!made->file) return false;
  made->length = (uint64_t)made->version.length;
  if (!index_init(&made->index, &limits, status)) return false;
  if (made->format == ARCHIVE_TAR) return tar_load(made, options, status);
  if (made->format == ARCHIVE_PACKAGE) return package_load(made, status);
  if (made->format == ARCHIVE_HAR) return har_load(made, fs->host, status);
  return zip_load(made, status);
}

static bool look(const archive_fs *fs, const char *path, base_version *version, TF_Status *status) {
  char *list = archive_directory_file(fs->format, path);
  bool there = list ? base_look(fs->host, list, version, status) : fail_no_memory(status);
  free(list);
  return there;
}

archive *archive_get(archive_fs *fs, const char *path, TF_Status *status) {
  bool is_fresh = false;
  archive *found = recall(fs, path, &is_fresh);
  base_version version;
  bool replaced = found && archive_is_replaced(found);
  if (found && is_fresh && !replaced) return found;
  bool there = look(fs, path, &version, status);
  if (found && there && !replaced && is_same_version(&version, &found->version)) {
    take();
    found->checked_ms = now_ms();
    give();
    return found;
  }
  archive_release(found);
  if (!there) return NULL;
  size_t size = strlen(path) + 1;
  archive *made = fail_or_allocate(sizeof *made + size, status);
  if (!made) return NULL;
  atomic_init(&made->references, 1);
  made->format = fs->format;
  made->version = version;
  memcpy(made->path, path, size);
  if (load(made, fs, status)) {
    keep(fs, made);
    return made;
  }
  archive_release(made);
  return NULL;
}

/* Slots ------------------------------------------------------------------------------------- */

static void init(TF_Filesystem *filesystem, archive_format format, TF_Status *status) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  archive_fs *fs = calloc(1, sizeof *fs);
  pthread_once(&once, watch_forks);
  filesystem->plugin_filesystem = fs;
  if (!fs) {
    fail_no_memory(status);
    return;
  }
  fs->format = format;
  if (!options_init(&fs->options, &archive_options, status)) archive_cleanup(filesystem);
}

void archive_init_zip(TF_Filesystem *filesystem, TF_Status *status) {
  init(filesystem, ARCHIVE_ZIP, status);
}

void archive_init_tar(TF_Filesystem *filesystem, TF_Status *status) {
  init(filesystem, ARCHIVE_TAR, status);
}

void archive_init_package(TF_Filesystem *filesystem, TF_Status *status) {
  init(filesystem, ARCHIVE_PACKAGE, status);
}

void archive_init_har(TF_Filesystem *filesystem, TF_Status *status) {
  init(filesystem, ARCHIVE_HAR, status);
}

void archive_cleanup(TF_Filesystem *filesystem) {
  archive_fs *fs = archive_fs_of(filesystem);
  if (!fs) return;
  archive_flush_caches(filesystem);
  options_fini(&fs->options);
  free(fs);
  filesystem->plugin_filesystem = NULL;
}

void archive_flush_caches(const TF_Filesystem *filesystem) {
  archive_fs *fs = archive_fs_of(filesystem);
  take();
  archive *all = fs->archives;
  fs->archives = NULL;
  give();
  while (all) {
    archive *next = all->next;
    archive_release(all);
    all = next;
  }
}

void archive_accept_host(const TF_Filesystem *filesystem, const modfs_host *host) {
  archive_fs_of(filesystem)->host = host;
}

char *archive_translate_name(const TF_Filesystem *filesystem, const char *uri) {
  (void)filesystem;
  return archive_name_clean(uri);
}
