/* One attempt of a request.
 *
 * The attempt is its caller's. curl calls on_header, on_body, on_send, on_seek, on_progress, on_socket and
 * on_words on the thread that calls attempt_go_on, inside curl_multi_perform, so nothing here needs a lock. An
 * idle handle still has pointers to its last attempt: curl does not use them before pool_take resets them. Only
 * the error buffer and on_words are detached at once, because curl may use them later.
 *
 * A callback that stops the transfer sets the flag that says why; `conclude` reports the first flag
 * that is set, for curl's own code then says no more than "aborted by a callback". */
#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "address.h"
#include "memory.h"
#include "pool.h"

enum {
  FIRST_HEAD = 1024,
  MOST_HEAD = 64 * 1024,
  MOST_WAIT = 1000000,
  SEND_SIZE = 256 * 1024,
  FEW_RECEIVE_SIZE = 32 * 1024,
  RECEIVE_SIZE = 128 * 1024
};

/* Not by realloc, which leaves what was there where it was: a head may contain a token. */
static bool make_room(net_answer *answer, size_t n) {
  size_t room = answer->room > 0 ? answer->room : FIRST_HEAD;
  while (room < n)
    room *= 2;
  if (room == answer->room) return true;
  char *head = malloc(room);
  if (!head) return false;
  if (answer->head) {
    memcpy(head, answer->head, answer->length);
    explicit_bzero(answer->head, answer->room);
    free(answer->head);
  }
  answer->head = head;
  answer->room = room;
  return true;
}

static bool keep_line(net_answer *answer, const char *line, size_t n) {
  if (answer->length + n > MOST_HEAD || !make_room(answer, answer->length + n + 1)) return false;
  memcpy(answer->head + answer->length, line, n);
  answer->length += n;
  answer->head[answer->length] = '\0';
  return true;
}

static bool says_its_end(const net_answer *answer) {
  char value[32];
  return answer->status >= 300 || answer->status == 204 ||
         net_answer_header(answer, "Content-Length", value, sizeof value) ||
         net_answer_header(answer, "Transfer-Encoding", value, sizeof value);
}

static bool is_head(const net_request *request) {
  return strcmp(request->method, "HEAD") == 0;
}

/* The empty line: the head is complete, unless it was an interim (1xx) one. */
static bool end_head(attempt *self) {
  long status = 0;
  curl_easy_getinfo(self->handle, CURLINFO_RESPONSE_CODE, &status);
  if (status < 200) return true;
  self->whole_head = true;
  self->answer->status = (int)status;
  self->endless =
      !self->request->until_close && !is_head(self->request) && !says_its_end(self->answer);
  return !self->endless && self->request->sink.begin(self->request->sink.state, self->answer);
}

static void keep_reason(net_answer *answer, const char *words, size_t n) {
  snprintf(answer->reason, sizeof answer->reason, "%.*s", (int)n, words);
  answer->reason[strcspn(answer->reason, "\r\n")] = '\0';
}

/* What is behind "HTTP/1.1 403 ". */
static void take_reason(const attempt *self, const char *line, size_t n) {
  const char *code = memchr(line, ' ', n);
  const char *words = code ? memchr(code + 1, ' ', n - (size_t)(code + 1 - line)) : NULL;
  if (self->helpless) return;
  keep_reason(self->answer, words ? words + 1 : "", words ? n - (size_t)(words + 1 - line) : 0);
}

static size_t on_header(char *line, size_t size, size_t count, void *state) {
  attempt *self = state;
  size_t n = size * count;
  bool go_on = true;
  self->seen_at = net_now();
  bool starts = n >= 5 && memcmp(line, "HTTP/", 5) == 0;
  /* Behind a challenge comes the head that counts. */
  if (starts && self->request->negotiate) self->whole_head = false;
  if (self->whole_head) return n; /* trailers of a chunked body */
  if (starts) {
    self->answer->length = 0;
    take_reason(self, line, n);
  } else if (line[0] == '\r' || line[0] == '\n') {
    go_on = end_head(self);
  } else {
    go_on = keep_line(self->answer, line, n);
  }
  return go_on ? n : 0;
}

static size_t on_body(char *bytes, size_t size, size_t count, void *state) {
  attempt *self = state;
  size_t n = size * count;
  self->is_paused = self->has_room && !self->has_room(self->request->sink.state);
  if (self->is_paused) return CURL_WRITEFUNC_PAUSE;
  return self->request->sink.write(self->request->sink.state, bytes, n) ? n : 0;
}

static size_t on_send(char *buffer, size_t size, size_t count, void *state) {
  attempt *self = state;
  const net_source *source = self->request->source;
  uint64_t left = source->length - self->sent;
  size_t n = size * count < left ? size * count : (size_t)left;
  size_t taken = 0;
  if (n > 0 && !source->bytes) {
    taken = source->read(source->state, buffer, n);
    self->seen_at = net_now(); /* it was the source that kept us waiting */
  } else if (n > 0) {
    memcpy(buffer, source->bytes + self->sent, n);
    taken = n;
  }
  if (source->length == NET_UNKNOWN_LENGTH) {
    self->dry = taken == NET_SOURCE_FAILED;
    return self->dry ? CURL_READFUNC_ABORT : taken;
  }
  self->sent += taken;
  self->dry = n > 0 && taken == 0;
  return self->dry ? CURL_READFUNC_ABORT : taken;
}

bool net_rewind(const net_source *source) {
  return !source || source->bytes || source->length == 0 ||
         (source->rewind && source->rewind(source->state));
}

/* curl rewinds when a reused connection turns out to be closed and it sends the body again. */
static int on_seek(void *state, curl_off_t offset, int origin) {
  attempt *self = state;
  bool again = offset == 0 && origin == SEEK_SET && net_rewind(self->request->source);
  if (again) self->sent = 0;
  if (again) self->answer->attempts++; /* the server may have taken the first one */
  return again ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL;
}

static bool is_interrupted(const attempt *self) {
  int64_t granted = self->request->cleans_up ? NET_CLEAN_UP_MS : 0;
  return net_client_is_interrupted(self->client) && net_now() - self->begun_at >= granted;
}

/* curl's own low-speed limit works on an average and fires late. */
static int on_progress(void *state, curl_off_t to_come, curl_off_t came, curl_off_t to_go,
                       curl_off_t gone) {
  attempt *self = state;
  (void)to_come;
  (void)to_go;
  int64_t now = net_now();
  if (came + gone != self->seen) {
    self->seen = came + gone;
    self->seen_at = now;
  }
  self->idle = now - self->seen_at > self->settings->idle_ms;
  self->interrupted = is_interrupted(self);
  return self->idle || self->interrupted;
}

static net_error error_of(CURLcode code) {
  switch (code) {
  case CURLE_OK:
    return NET_OK;
  case CURLE_COULDNT_RESOLVE_HOST:
  case CURLE_COULDNT_CONNECT:
    return NET_UNREACHABLE;
  case CURLE_OPERATION_TIMEDOUT:
    return NET_TIMEOUT;
  case CURLE_PEER_FAILED_VERIFICATION:
  case CURLE_SSL_ISSUER_ERROR:
    return NET_UNTRUSTED;
  case CURLE_PARTIAL_FILE:
  case CURLE_WEIRD_SERVER_REPLY:
  case CURLE_UNSUPPORTED_PROTOCOL: /* a response that is not HTTP/1 */
    return NET_CUT;
  case CURLE_WRITE_ERROR:
    return NET_STOPPED;
  case CURLE_OUT_OF_MEMORY:
    return NET_SHORT;
  case CURLE_SSL_CACERT_BADFILE:
  case CURLE_FAILED_INIT:
  case CURLE_URL_MALFORMAT:
    return NET_UNABLE;
  default:
    return NET_BROKEN;
  }
}

static bool is_shortage(int error) {
  return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM;
}

/* A resolver without descriptors says no more than that there is no such host, and TLS that the file of
 * certificates is unreadable. What curl held is closed by now. */
static bool lacks_descriptors(CURLcode code) {
  enum { PAIRS = 3 };
  int ends[PAIRS][2], made = 0;
  if (code != CURLE_COULDNT_RESOLVE_HOST && code != CURLE_SSL_CACERT_BADFILE) return false;
  while (made < PAIRS && pipe2(ends[made], O_CLOEXEC) == 0)
    made++;
  bool lacks = made < PAIRS && is_shortage(errno);
  while (made-- > 0) {
    close(ends[made][0]);
    close(ends[made][1]);
  }
  return lacks;
}

static void set_text(net_answer *answer, net_error error, const char *text) {
  answer->error = error;
  snprintf(answer->text, sizeof answer->text, "%s", text);
}

static uint64_t length_of(const net_request *request) {
  bool is_known = request->source && request->source->length != NET_UNKNOWN_LENGTH;
  return is_known ? request->source->length : 0;
}

/* Why there was no connection, where descriptors or memory were short; NULL: for another reason. */
static const char *shortage_of(const attempt *self) {
  if (self->code == CURLE_COULDNT_CONNECT && is_shortage(self->socket_error))
    return strerrordesc_np(self->socket_error);
  return lacks_descriptors(self->code) ? strerrordesc_np(EMFILE) : NULL;
}

/* What a callback has stopped; false: none has. */
static bool tell_stop(attempt *self) {
  net_answer *answer = self->answer;
  if (self->interrupted)
    set_text(answer, NET_INTERRUPTED, "interrupted");
  else if (self->refused)
    set_text(answer, NET_UNABLE, "link-local addresses are not allowed");
  else if (self->idle)
    set_text(answer, NET_TIMEOUT, "idle timeout: no data was received");
  else if (self->dry)
    set_text(answer, NET_STOPPED, "the body is shorter than its Content-Length");
  else if (self->endless)
    set_text(answer, NET_CUT, "the response has neither Content-Length nor chunked encoding");
  else
    return false;
  return true;
}

static void conclude(attempt *self) {
  curl_off_t wait = 0;
  curl_easy_getinfo(self->handle, CURLINFO_RETRY_AFTER, &wait);
  self->answer->retry_after = wait < MOST_WAIT ? wait : MOST_WAIT;
  if (tell_stop(self)) return;
  const char *shortage = shortage_of(self);
  if (shortage)
    set_text(self->answer, NET_SHORT, shortage);
  else if (self->code != CURLE_OK)
    set_text(self->answer, error_of(self->code),
             *self->detail ? self->detail : curl_easy_strerror(self->code));
  else if (!self->whole_head)
    set_text(self->answer, NET_CUT, "the response ends within its header");
  else if (self->answer->status < 300 && self->sent < length_of(self->request))
    set_text(self->answer, NET_BROKEN, "the server responded before it received the whole body");
}

/* Checks the resolved address, so that no host name can lead to a forbidden one. */
static curl_socket_t on_socket(void *state, curlsocktype purpose, struct curl_sockaddr *address) {
  attempt *self = state;
  (void)purpose;
  self->refused = !self->request->link_local && address_is_link_local(&address->addr);
  if (self->refused) return CURL_SOCKET_BAD;
  int made = socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  self->socket_error = made < 0 ? errno : 0;
  return made;
}

static void set_callbacks(CURL *handle, attempt *self) {
  curl_easy_setopt(handle, CURLOPT_HEADERFUNCTION, on_header);
  curl_easy_setopt(handle, CURLOPT_HEADERDATA, self);
  curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, on_body);
  curl_easy_setopt(handle, CURLOPT_WRITEDATA, self);
  curl_easy_setopt(handle, CURLOPT_XFERINFOFUNCTION, on_progress);
  curl_easy_setopt(handle, CURLOPT_XFERINFODATA, self);
  curl_easy_setopt(handle, CURLOPT_NOPROGRESS, 0L);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, on_socket);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, self);
  if (self->request->link_local) curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
}

/* curl copies each string. Without memory for the copy it would silently use its default. */
static bool set_string(CURL *handle, CURLoption option, const char *string) {
  return curl_easy_setopt(handle, option, string) == CURLE_OK;
}

static bool set_trust(CURL *handle, const net_settings *settings) {
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYPEER, 1L);
  curl_easy_setopt(handle, CURLOPT_SSL_VERIFYHOST, 2L);
  curl_easy_setopt(handle, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  curl_easy_setopt(handle, CURLOPT_FOLLOWLOCATION, 0L);
  return set_string(handle, CURLOPT_PROTOCOLS_STR, "http,https") &&
         set_string(handle, CURLOPT_PROXY, "") &&
         (!*settings->ca_file || set_string(handle, CURLOPT_CAINFO, settings->ca_file));
}

/* curl's buffers are allocated for each request, and wiped as a whole after it: small ones, where little is to come.
 * The answer to what is sent is short. */
static long size_to_receive(const net_request *request) {
  bool few = request->sink.is_small || request->source || is_head(request);
  return few ? FEW_RECEIVE_SIZE : RECEIVE_SIZE;
}

static bool set_request(const attempt *self, int64_t left) {
  CURL *handle = self->handle;
  const net_settings *settings = self->settings;
  curl_easy_setopt(handle, CURLOPT_HTTPHEADER, self->headers);
  curl_easy_setopt(handle, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
  curl_easy_setopt(handle, CURLOPT_BUFFERSIZE, size_to_receive(self->request));
  curl_easy_setopt(handle, CURLOPT_PATH_AS_IS, 1L);
  curl_easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
#if LIBCURL_VERSION_NUM >= 0x075700
  /* Who ends a request while its host is being resolved does not wait for the resolver's thread. */
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
  curl_easy_setopt(handle, CURLOPT_TIMEOUT_MS, (long)left);
  curl_easy_setopt(handle, CURLOPT_CONNECTTIMEOUT_MS, (long)settings->connect_ms);
  return set_string(handle, CURLOPT_URL, self->request->url) &&
         set_string(handle, CURLOPT_CUSTOMREQUEST, self->request->method) &&
         set_string(handle, CURLOPT_USERAGENT, settings->user_agent);
}

static void set_body(CURL *handle, attempt *self) {
  if (is_head(self->request)) {
    curl_easy_setopt(handle, CURLOPT_NOBODY, 1L);
  } else if (self->request->source) {
    curl_easy_setopt(handle, CURLOPT_UPLOAD, 1L);
    uint64_t length = self->request->source->length;
    curl_easy_setopt(handle, CURLOPT_INFILESIZE_LARGE,
                     length == NET_UNKNOWN_LENGTH ? (curl_off_t)-1 : (curl_off_t)length);
    curl_easy_setopt(handle, CURLOPT_UPLOAD_BUFFERSIZE,
                     length < SEND_SIZE ? (long)length : SEND_SIZE);
    curl_easy_setopt(handle, CURLOPT_READFUNCTION, on_send);
    curl_easy_setopt(handle, CURLOPT_READDATA, self);
    curl_easy_setopt(handle, CURLOPT_SEEKFUNCTION, on_seek);
    curl_easy_setopt(handle, CURLOPT_SEEKDATA, self);
  }
  /* On a reused connection curl may send the request twice: a new one is safe for what must not. */
  if (!self->request->repeatable) curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
}

/* Builds curl's header list; false without memory. An empty "Expect:" stops curl from waiting for
 * 100 Continue before it sends the body. */
static bool make_headers(const char *const *headers, struct curl_slist **list) {
  *list = curl_slist_append(NULL, "Expect:");
  if (!*list) return false;
  for (; *headers; headers++) {
    struct curl_slist *longer = curl_slist_append(*list, *headers);
    if (!longer) return false;
    *list = longer;
  }
  return true;
}

/* Where GSSAPI fails, curl says why here alone, and sends the request without credentials. */
static int on_words(CURL *handle, curl_infotype type, char *words, size_t n, void *state) {
  static const char failed[] = "gss_init_sec_context() failed: ";
  attempt *self = state;
  const size_t skipped = sizeof failed - 1;
  (void)handle;
  if (type != CURLINFO_TEXT || n <= skipped || memcmp(words, failed, skipped) != 0) return 0;
  self->helpless = true;
  keep_reason(self->answer, words + skipped, n - skipped);
  return 0;
}

/* False where curl is built without it. */
static bool set_negotiate(attempt *self) {
  CURL *handle = self->handle;
  if (!self->request->negotiate) return true;
  curl_easy_setopt(handle, CURLOPT_DEBUGFUNCTION, on_words);
  curl_easy_setopt(handle, CURLOPT_DEBUGDATA, self);
  curl_easy_setopt(handle, CURLOPT_VERBOSE, 1L);
  return curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_NEGOTIATE) == CURLE_OK &&
         set_string(handle, CURLOPT_USERPWD, ":");
}

/* Without memory for the query curl sends the URL without it, and a server refuses what it gets. */
static void check_memory(net_answer *answer) {
  if (!memory_was_short() || answer->status < 400) return;
  answer->status = 0;
  set_text(answer, NET_SHORT, NET_NO_MEMORY);
}

static bool set_all(attempt *self, int64_t left) {
  if (!set_negotiate(self)) {
    set_text(self->answer, NET_UNABLE, "curl is built without SPNEGO");
    return false;
  }
  bool good = make_headers(self->request->headers, &self->headers) &&
              set_trust(self->handle, self->settings) && set_request(self, left);
  if (!good) {
    set_text(self->answer, NET_SHORT, NET_NO_MEMORY);
    return false;
  }
  set_callbacks(self->handle, self);
  set_body(self->handle, self);
  curl_easy_setopt(self->handle, CURLOPT_ERRORBUFFER, self->detail);
  memory_was_short();
  return true;
}

/* Takes a handle and begins; false where the answer says why not. */
static bool take_handle(attempt *self) {
  int64_t left = self->request->deadline - net_now();
  if (left <= 0) {
    set_text(self->answer, NET_TIMEOUT, "total timeout expired");
    return false;
  }
  pool_handle taken = pool_take(self->client);
  self->handle = taken.easy;
  self->multi = taken.multi;
  if (!self->handle) set_text(self->answer, NET_SHORT, NET_NO_MEMORY);
  return self->handle && set_all(self, left);
}

bool attempt_begin(attempt *self) {
  self->answer->status = 0;
  self->answer->length = 0;
  self->answer->error = NET_OK;
  self->answer->text[0] = self->answer->reason[0] = '\0';
  self->begun_at = self->seen_at = net_now();
  self->code = CURLE_OUT_OF_MEMORY;
  self->is_begun = take_handle(self);
  self->runs = self->is_begun && curl_multi_add_handle(self->multi, self->handle) == CURLM_OK;
  return self->is_begun;
}

static void wait_for_more(attempt *self) {
  enum { LOOK_MS = 20 };
  self->runs = curl_multi_poll(self->multi, NULL, 0, LOOK_MS, NULL) == CURLM_OK;
  self->interrupted = self->interrupted || (self->runs && is_interrupted(self));
}

/* As curl_easy_perform, which calls on_progress once a second only while nothing comes, and not at all
 * in some phases. */
bool attempt_go_on(attempt *self, bool (*is_enough)(const void *state), const void *state) {
  if (self->is_paused && curl_easy_pause(self->handle, CURLPAUSE_CONT) != CURLE_OK) return false;
  for (bool waits = false; !is_enough || !is_enough(state); waits = true) {
    int running = 0;
    if (waits && self->runs) wait_for_more(self);
    if (!self->runs || self->interrupted) return false;
    self->runs = curl_multi_perform(self->multi, &running) == CURLM_OK && running > 0;
  }
  return true;
}

void attempt_nudge(attempt *self) {
  int running = 0;
  if (self->runs) self->runs = curl_multi_perform(self->multi, &running) == CURLM_OK && running > 0;
}

void attempt_end(attempt *self) {
  int waiting = 0;
  if (self->is_begun) {
    const CURLMsg *message = curl_multi_info_read(self->multi, &waiting);
    if (message && message->msg == CURLMSG_DONE) self->code = message->data.result;
    curl_multi_remove_handle(self->multi, self->handle);
    conclude(self);
    check_memory(self->answer);
    curl_easy_setopt(self->handle, CURLOPT_ERRORBUFFER, NULL);
    curl_easy_setopt(self->handle, CURLOPT_VERBOSE, 0L);
  }
  curl_slist_free_all(self->headers);
  self->headers = NULL;
  if (self->handle)
    pool_give(self->client, (pool_handle){self->handle, self->multi}, self->request->url_is_secret);
  self->handle = NULL;
}

void attempt_run(net_client *client, const net_settings *settings, const net_request *request,
                 net_answer *answer) {
  attempt self = {.settings = settings, .request = request, .answer = answer, .client = client};
  if (attempt_begin(&self)) attempt_go_on(&self, NULL, NULL);
  attempt_end(&self);
}
