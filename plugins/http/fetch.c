/* One GET of a range, with its redirects and retries; a second one of the whole file where the server
 * cannot serve ranges, or not so that they say what is needed.
 *
 * A fetch lives on its caller's stack and belongs to one thread; concurrent fetches share the client
 * and the options alone, which have their own rules (net/pool.c, options/options.h). So there is no
 * lock here.
 *
 * One deadline covers all hops, attempts and pauses. At most MOST_REDIRECTS redirects are followed,
 * never from https to http, and each target is checked like a URL that a user gave. `url` is the
 * present hop; after success it is the address of the content, which later reads use directly.
 *
 * Options are read for each hop, so a change takes effect with the next request.
 *
 * Who frees: http_fetch_end, also after a failure. Fork: nothing outlives the call. */
#include "fetch.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "range.h"

enum { MOST_REDIRECTS = 5, LOCATION_SIZE = 8192 };

static bool is_redirect(int status) {
  return status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
}

static bool is_secure(const char *url) {
  return strncmp(url, "https:", 6) == 0;
}

/* Replaces fetch->url with the target of a redirect; false with a failure if that is not allowed. */
static bool follow(http_fetch *fetch, const net_answer *answer, TF_Status *status) {
  char location[LOCATION_SIZE];
  bool there = net_answer_header(answer, "Location", location, sizeof location);
  char *next = there ? net_url_resolve(fetch->url, location) : NULL;
  const char *problem = next ? net_url_problem(next) : "its Location is not a URL";
  if (!problem && is_secure(fetch->url) && !is_secure(next))
    problem = "it leads from https to http";
  if (problem) {
    http_fail(status, TF_FAILED_PRECONDITION, fetch->url,
              "HTTP status %d, redirect not followed: %s", answer->status, problem);
    free(next);
    return false;
  }
  free(fetch->url);
  fetch->url = next;
  return true;
}

/* If-Match takes strong tags only: a weak one does not identify bytes. same_version compares both. */
static bool can_demand(const http_version *version) {
  return version && version->tag[0] == '"';
}

static void ask(const TF_Filesystem *filesystem, http_fetch *fetch, int64_t deadline,
                net_answer *answer) {
  net_settings settings = {.connect_ms = remote_number(filesystem, HTTP_CONNECT_TIMEOUT_MS),
                           .idle_ms = remote_number(filesystem, HTTP_IDLE_TIMEOUT_MS),
                           .retries = remote_number(filesystem, HTTP_RETRIES),
                           .ca_file = remote_text(filesystem, HTTP_CA_FILE),
                           .user_agent = remote_text(filesystem, HTTP_USER_AGENT)};
  char range[80], match[HTTP_TAG_SIZE + 16] = "";
  snprintf(range, sizeof range, "Range: bytes=%" PRIu64 "-%" PRIu64, fetch->offset,
           fetch->offset + fetch->n - 1);
  if (can_demand(fetch->expected))
    snprintf(match, sizeof match, "If-Match: %s", fetch->expected->tag);
  const char *headers[4] = {"Accept-Encoding: identity"};
  int count = 1;
  if (!fetch->lack) headers[count++] = range;
  if (*match) headers[count++] = match;
  net_request request = {.method = "GET",
                         .url = fetch->url,
                         .headers = headers,
                         .sink = http_range_sink(fetch),
                         .repeatable = true,
                         .until_close = true,
                         .deadline = deadline};
  fetch->most = (uint64_t)remote_number(filesystem, HTTP_WHOLE_BYTES);
  net_perform(remote_of(filesystem)->client, &settings, &request, answer);
}

static bool settle(http_fetch *fetch, const net_answer *answer, TF_Status *status) {
  if (http_range_complete(fetch, answer)) return true;
  if (fetch->code != TF_OK)
    http_fail(status, fetch->code, fetch->url, "HTTP status %d, but %s", answer->status,
              fetch->why);
  else if (fetch->expected && (answer->status == 412 || answer->status == 416))
    http_fail(status, TF_ABORTED, fetch->url,
              "HTTP status %d: the file has changed since it was opened; open it again",
              answer->status);
  else
    http_fail_answer(status, fetch->url, answer);
  return false;
}

/* Sends the request to fetch->url and where that redirects to. */
static bool run(const TF_Filesystem *filesystem, http_fetch *fetch, int64_t deadline,
                net_answer *answer, TF_Status *status) {
  for (int hops = 0;; hops++) {
    ask(filesystem, fetch, deadline, answer);
    if (!is_redirect(answer->status)) return settle(fetch, answer, status);
    if (hops == MOST_REDIRECTS) {
      http_fail(status, TF_FAILED_PRECONDITION, fetch->url, "more than %d redirects", hops);
      return false;
    }
    if (!follow(fetch, answer, status)) return false;
  }
}

bool http_fetch_run(const TF_Filesystem *filesystem, const char *url, http_fetch *fetch,
                    TF_Status *status) {
  const char *problem = net_url_problem(url);
  int64_t limit = remote_number(filesystem, HTTP_TOTAL_TIMEOUT_MS);
  int64_t deadline = fetch->deadline ? fetch->deadline : net_now() + limit;
  if (problem) {
    bool in_need = strcmp(problem, NET_NO_MEMORY) == 0;
    TF_SetStatus(status, in_need ? TF_RESOURCE_EXHAUSTED : TF_INVALID_ARGUMENT, problem);
    return false;
  }
  fetch->url = strdup(url);
  if (!fetch->url) return fail_no_memory(status);
  net_answer answer = {0};
  bool good = run(filesystem, fetch, deadline, &answer, status);
  fetch->lack = good ? NULL : http_range_lack(fetch, &answer);
  if (fetch->lack) {
    TF_SetStatus(status, TF_OK, "");
    good = run(filesystem, fetch, deadline, &answer, status);
  }
  net_answer_end(&answer);
  return good;
}

void http_fetch_end(http_fetch *fetch) {
  free(fetch->bytes);
  free(fetch->url);
  fetch->bytes = fetch->url = NULL;
}
