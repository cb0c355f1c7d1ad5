/* Extended attributes in the form of the extension's slots get_xattrs and set_xattrs: for each a uint32_t, the length
 * of its value, then its name with NUL, then the value; sorted by name. */
#ifndef STORE_XATTR_BLOCK_H
#define STORE_XATTR_BLOCK_H

#include "../objects/headers.h"

#include <stdint.h>

enum { STORE_MOST_XATTR_NAME = 240 };

/* Starts zeroed. The owner frees bytes. */
typedef struct store_xattr_block {
  char *bytes;
  size_t size;
} store_xattr_block;

/* The namespaces of attributes: what users keep, and what is the object's own. */
#define STORE_USER "user."
#define STORE_OF_OBJECT "object."

/* Adds items "name: value" of a namespace, which they lose; those of users may have encoded words as values. Items
 * that are attributes of files, and names that are too long, are left out. False without memory. */
bool store_xattr_block_add(store_xattr_block *to, objects_headers *items, const char *space);

typedef struct store_xattr {
  const char *name;
  const char *value;
  uint32_t length;
} store_xattr;

/* The next attribute of a block; false at its end. *at starts with 0. */
bool store_xattr_next(const char *block, size_t size, size_t *at, store_xattr *found);

/* The name within a namespace; "" where it is of another one. */
const char *store_xattr_within(const store_xattr *from, const char *space);

#endif
