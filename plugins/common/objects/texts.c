#include "texts.h"

#include <stdlib.h>
#include <string.h>

bool objects_texts_add(objects_texts *texts, const char *text) {
  size_t n = strlen(text) + 1;
  if (n > texts->room - texts->length) {
    size_t room = 2 * texts->room + n + 4096;
    char *longer = realloc(texts->bytes, room);
    if (!longer) return false;
    texts->bytes = longer;
    texts->room = room;
  }
  memcpy(texts->bytes + texts->length, text, n);
  texts->length += n;
  return true;
}
