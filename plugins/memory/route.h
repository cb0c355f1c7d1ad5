/* Paths through links: the way from a path to one without links, which tree.h and place.h walk.
 *
 * A relative target begins at the link's directory, an absolute one ("/a", or the URI "mem://a") at
 * the root. Its ".." are resolved on the way, where the links before them lead, as the kernel does
 * it; those of a path that a user wrote are gone before (path.h). */
#ifndef MEMORY_ROUTE_H
#define MEMORY_ROUTE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>

struct memory_filesystem;

struct memory_route {
  /* For the search: */
  bool staged;  /* where a transaction covers the way, by what it has staged */
  bool follows; /* the last name, too */
  /* What it finds: */
  bool leads;    /* the path's last name was a link */
  bool dangling; /* a link leads to what does not exist */
  char *path;    /* canonical, without links */
  size_t length;
};

/* Finds the path without links; what does not exist has none. MEMORY_LOOP after more than 40 links.
 * Under the tree lock. Owns: the caller, memory_route_fini; nothing after a failure. */
memory_error memory_route_find(const struct memory_filesystem *filesystem, const char *path,
                               size_t length, struct memory_route *route);

void memory_route_fini(struct memory_route *route);

#endif
