#include "string_stream.h"

#include <stdlib.h>

struct TF_StringStream {
  char **strings;
  size_t position;
};

static void strings_free(char **strings) {
  for (char **s = strings; s && *s; s++)
    free(*s);
  free(strings);
}

TF_StringStream *modfs_string_stream_new(char **strings) {
  TF_StringStream *list = calloc(1, sizeof *list);
  if (!list) {
    strings_free(strings);
    return NULL;
  }
  list->strings = strings;
  return list;
}

bool TF_StringStreamNext(TF_StringStream *list, const char **result) {
  *result = NULL;
  if (!list || !list->strings) return false;
  *result = list->strings[list->position];
  if (!*result) return false;
  list->position++;
  return true;
}

void TF_StringStreamDone(TF_StringStream *list) {
  if (!list) return;
  strings_free(list->strings);
  free(list);
}
