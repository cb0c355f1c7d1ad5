/* Directories as skip lists.
 *
 * Level 0 links all entries in the byte order of their names, each name once; level n + 1 links a
 * subset of level n. `height` is the number of levels in use, `count` the length of level 0. A new
 * entry is linked on each further level with a chance of one in four.
 *
 * Locks: all under the tree lock, also memory_entry_new, whose random numbers have one state for the
 * process. There are two exceptions: a listing that was returned is constant and is read without a
 * lock, and memory_directory_free needs none, because its caller alone can reach the directory.
 *
 * `listing` caches the names in one block. Each insert and remove drops the directory's reference to
 * it; iterations that hold another go on with the names as they were.
 *
 * Who frees: a directory owns its entries, an entry its name and one reference to its node. Insert
 * takes the entry over, remove gives it back. Both only link, so they cannot fail: a change allocates
 * its entry beforehand. Fork: the tree lock is held meanwhile (lock.c). */
#include "directory.h"

#include "node.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* For each level, the link that points to an entry or is to point to it. */
typedef struct memory_entry **links[MEMORY_DIRECTORY_LEVELS];

/* xorshift: no call into the kernel or the C library under the tree lock. */
static unsigned char random_height(void) {
  static uint32_t state = 2463534242u;
  unsigned char height = 1;
  state ^= state << 13;
  state ^= state >> 17;
  state ^= state << 5;
  for (uint32_t bits = state; (bits & 3) == 0 && height < MEMORY_DIRECTORY_LEVELS; bits >>= 2)
    ++height;
  return height;
}

static char *entry_text(struct memory_entry *entry) {
  return (char *)&entry->next[entry->height];
}

struct memory_entry *memory_entry_new(struct memory_name name, struct memory_node *node) {
  unsigned char height = random_height();
  struct memory_entry *entry =
      calloc(1, sizeof(*entry) + height * sizeof(entry->next[0]) + name.length + 1);
  if (!entry) return NULL;
  entry->node = node;
  entry->length = (unsigned short)name.length;
  entry->height = height;
  memcpy(entry_text(entry), name.text, name.length);
  return entry;
}

void memory_entry_free(struct memory_entry *entry) {
  free(entry);
}

const char *memory_entry_name(const struct memory_entry *entry) {
  return (const char *)&entry->next[entry->height];
}

static int entry_compare(const struct memory_entry *entry, struct memory_name name) {
  size_t shorter = entry->length < name.length ? entry->length : name.length;
  int order = memcmp(memory_entry_name(entry), name.text, shorter);
  if (order) return order;
  return (entry->length > name.length) - (entry->length < name.length);
}

struct memory_directory *memory_directory_new(void) {
  return calloc(1, sizeof(struct memory_directory));
}

void memory_directory_free(struct memory_directory *directory,
                           void (*drop)(struct memory_node *node, void *context), void *context) {
  if (!directory) return;
  for (struct memory_entry *entry = directory->first[0], *next; entry; entry = next) {
    next = entry->next[0];
    drop(entry->node, context);
    free(entry);
  }
  memory_listing_release(directory->listing);
  free(directory);
}

/* Descends to the first entry that is not before name; `before` gets the links to it, or is NULL. */
static struct memory_entry *seek(const struct memory_directory *directory, struct memory_name name,
                                 links before) {
  struct memory_entry *const *next = directory->first;
  for (unsigned level = directory->height; level-- > 0;) {
    while (next[level] && entry_compare(next[level], name) < 0)
      next = next[level]->next;
    if (before) before[level] = (struct memory_entry **)&next[level];
  }
  return next[0];
}

struct memory_entry *memory_directory_find(const struct memory_directory *directory,
                                           struct memory_name name) {
  struct memory_entry *entry = seek(directory, name, NULL);
  return entry && entry_compare(entry, name) == 0 ? entry : NULL;
}

struct memory_entry *memory_directory_after(const struct memory_directory *directory,
                                            struct memory_name name) {
  struct memory_entry *entry = seek(directory, name, NULL);
  return entry && entry_compare(entry, name) == 0 ? entry->next[0] : entry;
}

static struct memory_name entry_key(const struct memory_entry *entry) {
  return (struct memory_name){memory_entry_name(entry), entry->length};
}

/* Listings ----------------------------------------------------------------------- */

void memory_listing_release(struct memory_listing *listing) {
  if (listing && atomic_fetch_sub_explicit(&listing->references, 1, memory_order_acq_rel) == 1)
    free(listing);
}

static void drop_listing(struct memory_directory *directory) {
  memory_listing_release(directory->listing);
  directory->listing = NULL;
}

static struct memory_listing *listing_new(const struct memory_directory *directory) {
  size_t size = directory->count; /* of the NULs */
  for (const struct memory_entry *entry = directory->first[0]; entry; entry = entry->next[0])
    size += entry->length;
  struct memory_listing *listing = malloc(sizeof(*listing) + size);
  if (!listing) return NULL;
  atomic_init(&listing->references, 1);
  listing->count = directory->count;
  listing->end = listing->text;
  for (const struct memory_entry *entry = directory->first[0]; entry; entry = entry->next[0])
    listing->end = mempcpy(listing->end, memory_entry_name(entry), (size_t)entry->length + 1);
  return listing;
}

struct memory_listing *memory_directory_list(struct memory_directory *directory) {
  if (!directory->listing) directory->listing = listing_new(directory);
  if (!directory->listing) return NULL;
  atomic_fetch_add_explicit(&directory->listing->references, 1, memory_order_relaxed);
  return directory->listing;
}

/* Changes ------------------------------------------------------------------------ */

void memory_directory_insert(struct memory_directory *directory, struct memory_entry *entry) {
  links before;
  for (unsigned level = 0; level < MEMORY_DIRECTORY_LEVELS; ++level)
    before[level] = &directory->first[level];
  seek(directory, entry_key(entry), before);
  for (unsigned level = 0; level < entry->height; ++level) {
    entry->next[level] = *before[level];
    *before[level] = entry;
  }
  if (directory->height < entry->height) directory->height = entry->height;
  ++directory->count;
  drop_listing(directory);
}

void memory_directory_remove(struct memory_directory *directory, struct memory_entry *entry) {
  links before = {0};
  seek(directory, entry_key(entry), before);
  for (unsigned level = 0; level < entry->height && before[level]; ++level)
    *before[level] = entry->next[level];
  while (directory->height > 0 && !directory->first[directory->height - 1])
    --directory->height;
  --directory->count;
  drop_listing(directory);
}

static void drop_node(struct memory_node *node, void *context) {
  (void)context;
  memory_node_release(node);
}

/* In one pass: the entries come in order, so each level only needs its last link. */
struct memory_directory *memory_directory_clone(const struct memory_directory *directory) {
  struct memory_directory *clone = memory_directory_new();
  links tails;
  if (!clone) return NULL;
  for (unsigned level = 0; level < MEMORY_DIRECTORY_LEVELS; ++level)
    tails[level] = &clone->first[level];
  for (struct memory_entry *entry = directory->first[0]; entry; entry = entry->next[0]) {
    struct memory_entry *twin = memory_entry_new(entry_key(entry), NULL);
    if (!twin) {
      memory_directory_free(clone, drop_node, NULL);
      return NULL;
    }
    twin->node = memory_node_share(entry->node);
    if (clone->height < twin->height) clone->height = twin->height;
    for (unsigned level = 0; level < twin->height; ++level) {
      *tails[level] = twin;
      tails[level] = &twin->next[level];
    }
    ++clone->count;
  }
  return clone;
}
