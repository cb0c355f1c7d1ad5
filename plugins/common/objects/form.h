/* What is exchanged with a service that issues credentials: a form, sent with POST, and a short reply. Both
 * hold secrets, so they are blocks of fixed size on the stack of a caller, who wipes them. */
#ifndef OBJECTS_FORM_H
#define OBJECTS_FORM_H

#include "../net/net.h"

enum { OBJECTS_FORM_SIZE = 64 * 1024, OBJECTS_REPLY_SIZE = 32 * 1024 };

/* Starts with length 0. */
typedef struct objects_form {
  size_t length;
  char text[OBJECTS_FORM_SIZE];
} objects_form;

/* Adds "&name=value", the value encoded; false for one that is too long. */
bool objects_form_add(objects_form *form, const char *name, const char *value);

typedef struct objects_reply {
  size_t length;
  char text[OBJECTS_REPLY_SIZE]; /* with a NUL behind it */
} objects_reply;

/* Receives a reply; one that is too long fails. The reply is empty until then. */
net_sink objects_reply_sink(objects_reply *reply);

#endif
