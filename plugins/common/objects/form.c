#include "form.h"

#include <stdio.h>
#include <string.h>

#include "name.h"

bool objects_form_add(objects_form *form, const char *name, const char *value) {
  size_t left = sizeof form->text - form->length;
  if (3 * strlen(value) + strlen(name) + 3 > left) return false;
  char *at = form->text + form->length;
  at += snprintf(at, left, "%s%s=", form->length > 0 ? "&" : "", name);
  at += objects_name_encode(value, false, at, 3 * strlen(value) + 4);
  form->length = (size_t)(at - form->text);
  return true;
}

static bool begin(void *state, const net_answer *answer) {
  objects_reply *reply = state;
  (void)answer;
  reply->length = 0;
  reply->text[0] = '\0';
  return true;
}

static bool take(void *state, const char *bytes, size_t n) {
  objects_reply *reply = state;
  if (n >= sizeof reply->text - reply->length) return false;
  memcpy(reply->text + reply->length, bytes, n);
  reply->length += n;
  reply->text[reply->length] = '\0';
  return true;
}

net_sink objects_reply_sink(objects_reply *reply) {
  begin(reply, NULL);
  return (net_sink){.begin = begin, .write = take, .state = reply};
}
