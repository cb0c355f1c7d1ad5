/* A request, from its address to its answer.
 *
 * net_perform repeats attempts that failed on the way. What is repeated here was answered: `sending` is
 * signed and sent again after the clock was corrected, and after the address was moved, each once for
 * one request, so that two servers that contradict each other cannot keep it going. A body that cannot
 * be rewound ends that, too.
 *
 * The page of a failure never reaches the caller's sink: objects_send diverts it, up to MOST_PAGE bytes, and
 * error.c parses it. The offset of the clock belongs to the filesystem. It is one atomic number, so
 * threads that correct it at once overwrite each other, with what is the same time.
 *
 * Who frees: the signed headers, which contain secrets, are wiped and freed after each sending; the
 * answer is the caller's. All state is on the stack of the call, so nothing is shared or inherited. */
#include "request.h"

#include <stdlib.h>
#include <string.h>

#include "../common/objects/server_clock.h"
#include "../common/objects/send.h"
#include "address.h"
#include "signed_request.h"
#include "redirect.h"

enum { MOST_PAGE = 64 * 1024 };

void s3_answer_end(s3_answer *answer) {
  net_answer_end(&answer->head);
  *answer = (s3_answer){0};
}

/* A request on its way. It is signed again for the clock, and for another place, once each. */
typedef struct sending {
  const TF_Filesystem *filesystem;
  const s3_request *request;
  s3_address address;
  int64_t deadline;
  bool clock_is_good, place_is_good;
} sending;

static net_request to_send(const sending *self, const s3_signed_request *ready) {
  const s3_request *request = self->request;
  return (net_request){.method = request->method,
                       .url = ready->url,
                       .headers = (const char *const *)ready->headers,
                       .source = request->source,
                       .sink = request->sink,
                       .repeatable = true,
                       .cleans_up = request->cleans_up,
                       .deadline = self->deadline};
}

/* Signs the request once and sends it; false when it could not be ready. */
static bool send_signed(const sending *self, s3_answer *answer, TF_Status *status) {
  objects_document page = {.most = MOST_PAGE};
  s3_signed_request ready;
  bool good =
      s3_signed_request_make(self->filesystem, self->request, &self->address, &ready, status);
  if (good) {
    const net_request sent = to_send(self, &ready);
    objects_send(self->filesystem, &sent, &answer->head, &page);
    if (!page.bytes || !s3_error_parse(page.bytes, page.length, &answer->error))
      answer->error = (s3_error){0};
  }
  s3_signed_request_end(&ready);
  objects_document_end(&page);
  return good;
}

static bool is_worth_signing(sending *self, const s3_answer *answer) {
  if (!self->clock_is_good &&
      objects_correct_clock(&s3_filesystem_of(self->filesystem)->clock, &answer->head))
    return self->clock_is_good = true;
  if (self->place_is_good) return false;
  return self->place_is_good = s3_redirect(self->filesystem, self->request, answer, &self->address);
}

bool s3_request_run(const TF_Filesystem *filesystem, const s3_request *request, s3_answer *answer,
                    TF_Status *status) {
  sending self = {.filesystem = filesystem,
                  .request = request,
                  .deadline = request->deadline ? request->deadline : objects_deadline(filesystem)};
  *answer = (s3_answer){0};
  if (!s3_address_make(filesystem, request, &self.address, status)) return false;
  do {
    if (!send_signed(&self, answer, status)) return false;
  } while (is_worth_signing(&self, answer) && net_rewind(request->source));
  if (objects_is_success(&answer->head)) return true;
  s3_fail_answer(status, (objects_action){request->operation, request->name}, &answer->head,
                 &answer->error);
  return false;
}

net_stream *s3_request_start(const TF_Filesystem *filesystem, const s3_request *request,
                             TF_Status *status) {
  sending self = {.filesystem = filesystem, .request = request};
  s3_signed_request ready;
  if (!s3_address_make(filesystem, request, &self.address, status)) return NULL;
  bool good = s3_signed_request_make(filesystem, request, &self.address, &ready, status);
  const net_request sent = to_send(&self, &ready);
  net_stream *stream = good ? objects_start(filesystem, &sent) : NULL;
  s3_signed_request_end(&ready);
  return stream;
}
