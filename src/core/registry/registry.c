/* The registry.
 *
 * An identity is unknown, claimed (one thread loads the plugin) or published. A claim ends in
 * registry_publish, or in registry_give_up, after which the identity is unknown again; either wakes
 * the threads that wait on "settled". A thread that meets its own claim fails instead of waiting.
 *
 * The lock guards the claims and the appends. It is never held while a plugin runs: the claim
 * alone keeps other threads away. Plugins, filesystems and platforms are linked lists: an element
 * is complete before a release store appends it, and is never moved or freed, so readers follow the
 * links with acquire loads and take no lock. A claim is freed by the thread that made it.
 *
 * Lock order, needed at a fork alone, as no other code holds two of them: the registry's, then
 * those of all filesystems, then those of all platforms, each in list order. The fork handlers,
 * which the first claim installs, take all of them, so a child finds lists and claims consistent.
 * The child starts a new epoch, makes "settled" anew, and unlinks the claims of threads that it
 * does not have; their memory is not freed. A claim of the forking thread remains, for that thread
 * goes on loading. */
#include "registry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"
#include "core/base/path.h"
#include "core/base/status.h"

typedef struct claim {
  identity who;
  pthread_t thread;
  struct claim *next;
} claim;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t settled;
  pthread_once_t once;
  claim *claims;
  modfs_fs *_Atomic filesystems;
  modfs_plugin *_Atomic plugins;
  modfs_platform *_Atomic platforms;
  atomic_uint epoch;
} registry = {
    .lock = PTHREAD_MUTEX_INITIALIZER,
    .settled = PTHREAD_COND_INITIALIZER,
    .once = PTHREAD_ONCE_INIT,
};

static void before_fork(void) {
  pthread_mutex_lock(&registry.lock);
  for (modfs_fs *fs = registry.filesystems; fs; fs = fs->next)
    pthread_mutex_lock(&fs->lock);
  for (modfs_platform *platform = registry.platforms; platform; platform = platform->next)
    pthread_mutex_lock(&platform->lock);
}

static void after_fork(void) {
  for (modfs_platform *platform = registry.platforms; platform; platform = platform->next)
    pthread_mutex_unlock(&platform->lock);
  for (modfs_fs *fs = registry.filesystems; fs; fs = fs->next)
    pthread_mutex_unlock(&fs->lock);
  pthread_mutex_unlock(&registry.lock);
}

/* Only the forking thread exists in the child: the claims of all others would be waited for
 * forever. */
static void after_fork_in_child(void) {
  atomic_fetch_add(&registry.epoch, 1);
  for (claim **link = &registry.claims; *link;)
    if (pthread_equal((*link)->thread, pthread_self()))
      link = &(*link)->next;
    else
      *link = (*link)->next;
  pthread_cond_init(&registry.settled, NULL);
  after_fork();
}

static void watch_forks(void) {
  pthread_atfork(before_fork, after_fork, after_fork_in_child);
}

unsigned registry_epoch(void) {
  return atomic_load_explicit(&registry.epoch, memory_order_relaxed);
}

static bool same_identity(const identity *a, const identity *b) {
  return a->device == b->device && a->inode == b->inode && strcmp(a->symbol, b->symbol) == 0;
}

/* Whether a plugin was registered as it is asked for: under its own schemes, or one under another. */
static bool same_names(const modfs_plugin *plugin, const modfs_renaming *renaming) {
  if (plugin->count == 0) return true;
  const modfs_fs *fs = plugin->filesystems[0];
  if (!renaming || !fs->renamed) return !renaming && !fs->renamed;
  return strcmp(fs->served, renaming->scheme) == 0 && strcmp(fs->tables.scheme, renaming->as) == 0;
}

static const modfs_plugin *find_plugin(const identity *who) {
  const modfs_plugin *plugin = modfs_plugin_next(NULL);
  while (plugin && !(same_identity(&plugin->who, who) && same_names(plugin, who->renaming)))
    plugin = modfs_plugin_next(plugin);
  return plugin;
}

static claim **find_claim(const identity *who) {
  claim **link = &registry.claims;
  while (*link && !same_identity(&(*link)->who, who))
    link = &(*link)->next;
  return link;
}

static void add_claim(const identity *who, TF_Status *status) {
  claim *made = malloc(sizeof *made);
  if (made) {
    *made = (claim){*who, pthread_self(), registry.claims};
    registry.claims = made;
  } else {
    status_no_memory(status);
  }
}

static void drop_claim(const identity *who) {
  claim **link = find_claim(who), *gone = *link;
  if (gone) *link = gone->next;
  free(gone);
  pthread_cond_broadcast(&registry.settled);
}

const modfs_plugin *registry_claim(const identity *who, TF_Status *status) {
  const modfs_plugin *plugin;
  claim *other;
  pthread_once(&registry.once, watch_forks);
  pthread_mutex_lock(&registry.lock);
  while (!(plugin = find_plugin(who)) && (other = *find_claim(who)) &&
         !pthread_equal(other->thread, pthread_self()))
    pthread_cond_wait(&registry.settled, &registry.lock);
  if (!plugin && *find_claim(who))
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the plugin tried to load itself while it was being loaded");
  else if (!plugin)
    add_claim(who, status);
  pthread_mutex_unlock(&registry.lock);
  return plugin;
}

void registry_give_up(const identity *who) {
  pthread_mutex_lock(&registry.lock);
  drop_claim(who);
  pthread_mutex_unlock(&registry.lock);
}

static void append_plugin(modfs_plugin *plugin) {
  modfs_plugin *_Atomic *link = &registry.plugins;
  while (*link)
    link = &(*link)->next;
  atomic_store_explicit(link, plugin, memory_order_release);
}

static void append_fs(modfs_fs *fs) {
  modfs_fs *_Atomic *link = &registry.filesystems;
  while (*link)
    link = &(*link)->next;
  atomic_store_explicit(link, fs, memory_order_release);
}

void registry_check_free(const modfs_plugin *plugin, TF_Status *status) {
  for (size_t i = 0; i < plugin->count && status_ok(status); i++) {
    const char *scheme = plugin->filesystems[i]->tables.scheme;
    const modfs_fs *holder = modfs_fs_find(scheme, strlen(scheme));
    if (holder)
      modfs_set_status(status, TF_ALREADY_EXISTS, "the scheme \"%s\" is already registered by %s",
                       scheme, holder->plugin->path);
  }
  const modfs_platform *twin =
      plugin->platform ? modfs_platform_find(plugin->platform->name) : NULL;
  if (twin && status_ok(status))
    modfs_set_status(status, TF_ALREADY_EXISTS, "the platform %s is already registered by %s",
                     twin->name, twin->plugin->path);
}

static void append_platform(modfs_platform *platform) {
  modfs_platform *_Atomic *link = &registry.platforms;
  while (*link)
    link = &(*link)->next;
  atomic_store_explicit(link, platform, memory_order_release);
}

void registry_publish(const identity *who, modfs_plugin *plugin, TF_Status *status) {
  pthread_mutex_lock(&registry.lock);
  registry_check_free(plugin, status);
  if (status_ok(status)) {
    append_plugin(plugin);
    for (size_t i = 0; i < plugin->count; i++)
      append_fs(plugin->filesystems[i]);
    if (plugin->platform) append_platform(plugin->platform);
    drop_claim(who);
  }
  pthread_mutex_unlock(&registry.lock);
}

const modfs_plugin *modfs_plugin_next(const modfs_plugin *plugin) {
  return atomic_load_explicit(plugin ? &plugin->next : &registry.plugins, memory_order_acquire);
}

const modfs_platform *modfs_platform_next(const modfs_platform *platform) {
  return atomic_load_explicit(platform ? &platform->next : &registry.platforms,
                              memory_order_acquire);
}

const modfs_platform *modfs_platform_find(const char *name) {
  const modfs_platform *platform = name ? modfs_platform_next(NULL) : NULL;
  while (platform && strcasecmp(platform->name, name) != 0)
    platform = modfs_platform_next(platform);
  return platform;
}

const modfs_fs *modfs_fs_next(const modfs_fs *fs) {
  return atomic_load_explicit(fs ? &fs->next : &registry.filesystems, memory_order_acquire);
}

static const modfs_fs *find_plain(void) {
  const modfs_fs *fs = modfs_fs_next(NULL);
  while (fs && *fs->tables.scheme)
    fs = modfs_fs_next(fs);
  return fs;
}

static const modfs_fs *find_single(const char *scheme, size_t length) {
  const modfs_fs *fs = modfs_fs_next(NULL);
  while (fs && (strncmp(fs->tables.scheme, scheme, length) != 0 || fs->tables.scheme[length]))
    fs = modfs_fs_next(fs);
  return fs;
}

const modfs_fs *modfs_fs_find(const char *scheme, size_t length) {
  if (!scheme) return NULL;
  const char *plus = memchr(scheme, '+', length);
  size_t first = plus ? (size_t)(plus - scheme) : length;
  const modfs_fs *fs = find_single(scheme, first);
  if (!fs || !plus) return fs;
  return fs->joins && modfs_fs_find(plus + 1, length - first - 1) ? fs : NULL;
}

const modfs_fs *modfs_fs_of(const char *path) {
  if (!path) return NULL;
  if (!path_may_have_scheme(path)) return find_plain();
  modfs_path parts = modfs_path_parse(path, strlen(path));
  return modfs_fs_find(parts.scheme, parts.scheme_length);
}
