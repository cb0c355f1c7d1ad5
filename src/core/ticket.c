/* A ticket is the number of a place and how often that place has been used. */
#include "ticket.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { PLACE_BITS = sizeof(void *) == 8 ? 32 : 22, PLACES_AT_FIRST = 64 };

#define PLACE_MASK (((uintptr_t)1 << PLACE_BITS) - 1)

typedef struct place {
  void *thing; /* NULL: free */
  uintptr_t uses;
  size_t next; /* free one; 0: none */
} place;

static struct {
  pthread_mutex_t lock;
  pthread_once_t once;
  place *places; /* the first is nobody's: no ticket is NULL */
  size_t count;
  size_t free;
} tickets = {.lock = PTHREAD_MUTEX_INITIALIZER, .once = PTHREAD_ONCE_INIT};

static void lock(void) {
  pthread_mutex_lock(&tickets.lock);
}

static void unlock(void) {
  pthread_mutex_unlock(&tickets.lock);
}

static void watch_forks(void) {
  pthread_atfork(lock, unlock, unlock);
}

static bool grow(void) {
  size_t count = tickets.count ? 2 * tickets.count : PLACES_AT_FIRST;
  place *places = count <= PLACE_MASK ? realloc(tickets.places, count * sizeof *places) : NULL;
  if (!places) return false;
  for (size_t i = tickets.count; i < count; i++)
    places[i] = (place){NULL, 0, i + 1 < count ? i + 1 : 0};
  tickets.free = tickets.count ? tickets.count : 1;
  tickets.places = places;
  tickets.count = count;
  return true;
}

static uintptr_t issue(void *thing) {
  if (!tickets.free && !grow()) return 0;
  size_t number = tickets.free;
  place *taken = &tickets.places[number];
  tickets.free = taken->next;
  taken->thing = thing;
  return taken->uses << PLACE_BITS | number;
}

void *ticket_new(void *thing) {
  pthread_once(&tickets.once, watch_forks);
  lock();
  uintptr_t ticket = issue(thing);
  unlock();
  return (void *)ticket;
}

void *ticket_use(void *ticket) {
  uintptr_t number = (uintptr_t)ticket & PLACE_MASK;
  void *thing = NULL;
  lock();
  place *used = number < tickets.count ? &tickets.places[number] : NULL;
  if (used && used->thing && used->uses << PLACE_BITS == ((uintptr_t)ticket & ~PLACE_MASK)) {
    thing = used->thing;
    *used = (place){NULL, used->uses + 1, tickets.free};
    tickets.free = number;
  }
  unlock();
  return thing;
}
