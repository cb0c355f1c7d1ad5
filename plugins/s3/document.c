#include <stdlib.h>
#include <string.h>

#include "request.h"

static bool begin(void *state, const net_answer *answer) {
  s3_document *document = state;
  (void)answer;
  document->length = 0;
  return true;
}

static bool add(void *state, const char *bytes, size_t n) {
  s3_document *document = state;
  if (n > document->most - document->length) return false;
  char *longer = realloc(document->bytes, document->length + n + 1);
  if (!longer) return false;
  memcpy(longer + document->length, bytes, n);
  document->bytes = longer;
  document->length += n;
  longer[document->length] = '\0';
  return true;
}

net_sink s3_document_sink(s3_document *document) {
  return (net_sink){.begin = begin, .write = add, .state = document};
}
