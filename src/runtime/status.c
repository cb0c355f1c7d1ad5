/* Statuses.
 *
 * A status owns its buffer and its payloads. "message" points to the buffer or to a static string,
 * so the text that TF_Message returns is valid until the status is set again or deleted. The buffer
 * only grows, and setting OK allocates nothing; a message for which there is no memory is replaced
 * by a static one, and the code is set all the same. Setting drops the payloads; OK never has any.
 *
 * A status is for one thread at a time. There is no lock, no state outside of it, and nothing to do
 * at a fork. */
#include <modfs/status.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "errno_code.h"

typedef struct payload {
  struct payload *next;
  char *value;
  char key[];
} payload;

struct TF_Status {
  TF_Code code;
  const char *message; /* the buffer or a static string */
  char *buffer;        /* kept for the next message */
  size_t capacity;
  payload *payloads;
};

static const char no_memory[] = "(no memory for the message)";

static void payloads_free(payload *p) {
  while (p) {
    payload *next = p->next;
    free(p->value);
    free(p);
    p = next;
  }
}

/* The text may be the status's own message, hence memmove. */
static void message_set(TF_Status *status, const char *text) {
  size_t size = strlen(text) + 1;
  if (size <= status->capacity) {
    status->message = memmove(status->buffer, text, size);
    return;
  }
  char *buffer = malloc(size);
  if (!buffer) {
    status->message = no_memory;
    return;
  }
  memcpy(buffer, text, size); /* text may lie in the old buffer */
  free(status->buffer);
  status->buffer = buffer;
  status->capacity = size;
  status->message = buffer;
}

TF_Status *TF_NewStatus(void) {
  TF_Status *status = calloc(1, sizeof *status);
  if (status) status->message = "";
  return status;
}

void TF_DeleteStatus(TF_Status *status) {
  if (!status) return;
  payloads_free(status->payloads);
  free(status->buffer);
  free(status);
}

void TF_SetStatus(TF_Status *status, TF_Code code, const char *message) {
  status->code = code;
  if (code == TF_OK || !message)
    status->message = "";
  else
    message_set(status, message);
  if (status->payloads) payloads_free(status->payloads);
  status->payloads = NULL;
}

static payload **payload_find(TF_Status *status, const char *key) {
  payload **link = &status->payloads;
  while (*link && strcmp((*link)->key, key) != 0)
    link = &(*link)->next;
  return link;
}

static payload *payload_new(const char *key) {
  size_t size = strlen(key) + 1;
  payload *p = calloc(1, sizeof *p + size);
  if (p) memcpy(p->key, key, size);
  return p;
}

void TF_SetPayload(TF_Status *status, const char *key, const char *value) {
  if (status->code == TF_OK) return;
  char *copy = strdup(value ? value : "");
  if (!copy) return;
  payload **link = payload_find(status, key ? key : "");
  if (!*link) *link = payload_new(key ? key : "");
  if (!*link) {
    free(copy);
    return;
  }
  free((*link)->value);
  (*link)->value = copy;
}

void TF_ForEachPayload(const TF_Status *status, TF_PayloadVisitor visitor, void *capture) {
  for (const payload *p = status->payloads; p; p = p->next)
    visitor(p->key, p->value, capture);
}

void TF_SetStatusFromIOError(TF_Status *status, int error_code, const char *context) {
  char text[256];
  TF_Code code = modfs_errno_code(error_code);
  const char *where = context ? context : "";
  const char *reason = strerror_r(error_code, text, sizeof text);
  size_t size = strlen(where) + strlen("; ") + strlen(reason) + 1;
  char *message = code == TF_OK ? NULL : malloc(size);
  if (message) snprintf(message, size, "%s; %s", where, reason);
  TF_SetStatus(status, code, message ? message : no_memory);
  free(message);
}

TF_Code TF_GetCode(const TF_Status *status) {
  return status->code;
}

const char *TF_Message(const TF_Status *status) {
  return status->message;
}
