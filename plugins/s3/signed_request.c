#include "signed_request.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/remote/format.h"
#include "credentials.h"
#include "sign.h"

enum { MOST_PAIRS = 16 };

void s3_signed_request_end(s3_signed_request *ready) {
  free(ready->url);
  for (int i = 0; i < ready->count; i++) {
    explicit_bzero(ready->headers[i], strlen(ready->headers[i]));
    free(ready->headers[i]);
  }
  *ready = (s3_signed_request){0};
}

static void sort(s3_pair *pairs, int count) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && strcmp(pairs[j - 1].name, pairs[j].name) > 0; j--) {
      s3_pair swapped = pairs[j];
      pairs[j] = pairs[j - 1];
      pairs[j - 1] = swapped;
    }
}

static void put_encoded(FILE *out, const char *text) {
  char encoded[3 * 16 + 1], piece[17];
  for (; *text; text += strlen(piece)) {
    snprintf(piece, sizeof piece, "%s", text);
    objects_name_encode(piece, false, encoded, sizeof encoded);
    fputs(encoded, out);
  }
}

char *s3_query_make(const s3_pair *query) {
  s3_pair pairs[MOST_PAIRS];
  char *text = NULL;
  size_t size = 0;
  int count = 0;
  for (; query && query[count].name && count < MOST_PAIRS; count++)
    pairs[count] = query[count];
  sort(pairs, count);
  FILE *out = open_memstream(&text, &size);
  for (int i = 0; out && i < count; i++) {
    fputs(i > 0 ? "&" : "", out);
    put_encoded(out, pairs[i].name);
    fputc('=', out);
    put_encoded(out, pairs[i].value);
  }
  return remote_format_end(out, &text);
}

/* Adds a header; false without memory or room. */
__attribute__((format(printf, 2, 3))) static bool add(s3_signed_request *ready, const char *format,
                                                      ...) {
  va_list arguments;
  if (ready->count + 1 == S3_MOST_HEADERS) return false;
  va_start(arguments, format);
  char *line = remote_format_list(format, arguments);
  va_end(arguments);
  if (line) ready->headers[ready->count++] = line;
  return line != NULL;
}

static bool add_headers(const TF_Filesystem *filesystem, const s3_request *request,
                        const s3_address *address, s3_signed_request *ready) {
  bool good = add(ready, "Host: %s", address->host);
  for (const char *const *header = request->headers; good && header && *header; header++)
    good = add(ready, "%s", *header);
  if (good && remote_number(filesystem, S3_REQUEST_PAYER))
    good = add(ready, "X-Amz-Request-Payer: requester");
  return good;
}

void s3_signing_time(const TF_Filesystem *filesystem, char text[S3_TIME_SIZE]) {
  time_t now = time(NULL) + (time_t)atomic_load(&s3_filesystem_of(filesystem)->clock);
  struct tm parts;
  gmtime_r(&now, &parts);
  strftime(text, S3_TIME_SIZE, "%Y%m%dT%H%M%SZ", &parts);
}

/* Adds the headers of a signature over those that are there, with the time and the credentials of now.
 */
static bool sign(const TF_Filesystem *filesystem, s3_signing *signing, s3_signed_request *ready,
                 TF_Status *status) {
  char now[S3_TIME_SIZE], authorization[S3_AUTHORIZATION_SIZE];
  s3_credentials credentials;
  s3_signing_time(filesystem, now);
  bool good = s3_credentials_take(filesystem, &credentials, status) &&
              add(ready, "X-Amz-Date: %s", now) &&
              add(ready, "X-Amz-Content-Sha256: %s", signing->payload) &&
              (!*credentials.token || add(ready, "X-Amz-Security-Token: %s", credentials.token));
  signing->headers = (const char *const *)ready->headers;
  signing->time = now;
  signing->key_id = credentials.key_id;
  signing->secret = credentials.secret;
  good = good && s3_sign(signing, authorization) && add(ready, "%s", authorization);
  s3_credentials_wipe(&credentials);
  return good;
}

bool s3_signed_request_make(const TF_Filesystem *filesystem, const s3_request *request,
                            const s3_address *address, s3_signed_request *ready,
                            TF_Status *status) {
  char *query = s3_query_make(request->query);
  s3_signing signing = {.method = request->method,
                        .path = address->path,
                        .query = query,
                        .payload = request->payload ? request->payload : S3_EMPTY_HASH,
                        .region = address->region,
                        .service = "s3"};
  *ready = (s3_signed_request){0};
  bool good =
      query && add_headers(filesystem, request, address, ready) &&
      (remote_number(filesystem, S3_ANONYMOUS) || sign(filesystem, &signing, ready, status));
  if (good)
    ready->url = remote_format("%s://%s%s%s%s", address->secure ? "https" : "http", address->host,
                               address->path, *query ? "?" : "", query);
  good = ready->url != NULL;
  free(query);
  if (!good && TF_GetCode(status) == TF_OK) fail_no_memory(status);
  return good;
}
