/* The documents of an input, with NUL between them, as the responses of a store's server. */
#ifndef FUZZ_PAGES_H
#define FUZZ_PAGES_H

#include <string.h>

#include "../../plugins/common/objects/filesystem.h"
#include "../../plugins/common/objects/page.h"
#include "fuzz.h"

static const char *rest, *end;

static inline void pages_begin(const uint8_t *bytes, size_t n) {
  rest = (const char *)bytes;
  end = rest + n;
}

/* The end of the next document. */
static inline const char *pages_stop(void) {
  const char *stop = rest < end ? memchr(rest, 0, (size_t)(end - rest)) : NULL;
  return stop ? stop : end;
}

static inline void pages_next(const char *stop) {
  rest = stop < end ? stop + 1 : end;
}

/* Sends the next document to the sink, byte by byte; false where it stops. */
static inline bool pages_send(const net_sink *sink, net_answer *head, TF_Status *status) {
  *head = (net_answer){.status = 200, .attempts = 1};
  MUST(sink->begin(sink->state, head));
  const char *stop = pages_stop();
  bool good = true;
  for (; good && rest < stop; rest++)
    good = sink->write(sink->state, rest, 1);
  pages_next(stop);
  if (good) return true;
  head->error = NET_STOPPED;
  TF_SetStatus(status, TF_DATA_LOSS, "stopped");
  return false;
}

/* Lists page after page: every key has the prefix, and there is an end. n: the length of the input. */
static inline void pages_list(const TF_Filesystem *filesystem, const char *bucket, size_t n,
                              TF_Status *status) {
  objects_name name = {.key = ""};
  snprintf(name.bucket, sizeof name.bucket, "%s", bucket);
  objects_page page = {.name = &name, .prefix = n % 2 ? "a/" : "", .deep = n % 3 == 0};
  size_t pages = 0;
  do {
    bool good = objects_page_fetch(filesystem, &page, status);
    MUST(good == (TF_GetCode(status) == TF_OK));
    for (size_t i = 0; good && i < page.count; i++)
      MUST(strncmp(objects_page_key(&page, i), page.prefix, strlen(page.prefix)) == 0);
    if (!good) break;
    MUST(++pages <= n + 1);
  } while (page.more);
  objects_page_end(&page);
}

#endif
