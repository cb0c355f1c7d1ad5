/* Objects, as services tell them and write them. */
#ifndef OBJECTS_OBJECT_H
#define OBJECTS_OBJECT_H

#include "attribute_values.h"
#include "error.h"
#include "name.h"

enum { OBJECTS_TAG_SIZE = 256 };

typedef struct objects_object {
  bool is_directory; /* for upper code: a service never sets it */
  uint64_t length;
  int64_t modified;              /* seconds since 1970, by the server; 0: unknown */
  objects_attributes attributes; /* in its metadata */
  char tag[OBJECTS_TAG_SIZE];    /* identifies this version */
} objects_object;

/* What a copy keeps of an object besides its content, such as type and metadata: text of the protocol, a
 * response head or a document, which upper code only carries from head to put, begin and set_attributes.
 * Starts zeroed. */
typedef struct objects_own {
  char *text; /* ends in NUL */
  size_t length;
} objects_own;

void objects_own_end(objects_own *own);

/* When it was modified, in nanoseconds: by its metadata, else by the server. 0: unknown. */
int64_t objects_object_mtime(const objects_object *object);

/* The precondition of a write. Zeroed: none. */
typedef struct objects_condition {
  bool if_absent;
  char match[OBJECTS_TAG_SIZE]; /* tag of the object that is replaced; "": any */
} objects_condition;

/* Reads what the headers of a response tell of an object, but for its length: ETag, Last-Modified, and the
 * attributes in headers with the prefix. */
void objects_object_read(const net_answer *answer, const char *prefix, objects_object *object);

/* Replaces the status of a write whose condition was not met. */
void objects_condition_fail(const objects_condition *condition, objects_action action,
                            TF_Status *status);

/* A range of an object, for the server to copy. */
typedef struct objects_piece {
  const objects_name *name; /* NULL: none */
  const char *tag;          /* that it must have; "": any */
  uint64_t first;
  uint64_t last;
} objects_piece;

/* Bytes to write. */
typedef struct objects_content {
  const char *bytes; /* not NULL */
  size_t length;
} objects_content;

/* An object to write with one request. */
typedef struct objects_new_object {
  const objects_name *name;
  objects_content content;
  objects_condition condition;
  objects_attributes attributes; /* besides those of own; they win */
  const objects_own *own;        /* what it keeps of the object that it replaces; NULL: nothing */
} objects_new_object;

#endif
