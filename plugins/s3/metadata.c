/* Credentials of the machine, from the cloud's metadata service. issued.c keeps them. Pages and headers are
 * on the stack and are wiped; the caller wipes what it gets. */
#include "metadata.h"

#include <stdio.h>
#include <string.h>

#include "../common/objects/flat.h"
#include "../common/objects/form.h"
#include "issued.h"

#define PLACE "http://169.254.169.254/latest/"
#define ROLES PLACE "meta-data/iam/security-credentials/"

enum { TIMEOUT_MS = 1000, ROLE_SIZE = 128, TOKEN_SIZE = 900 };

static const char source[] = "metadata";

static bool ask(const TF_Filesystem *filesystem, const char *method, const char *url,
                const char *header, objects_reply *page) {
  const char *const headers[] = {header, NULL};
  const net_source nothing = {.length = 0, .bytes = ""};
  const net_settings settings = {.connect_ms = TIMEOUT_MS,
                                 .idle_ms = TIMEOUT_MS,
                                 .ca_file = "",
                                 .user_agent = remote_text(filesystem, OBJECTS_USER_AGENT)};
  const net_request request = {.method = method,
                               .url = url,
                               .headers = headers,
                               .source = strcmp(method, "PUT") == 0 ? &nothing : NULL,
                               .sink = objects_reply_sink(page),
                               .link_local = true,
                               .deadline = net_now() + TIMEOUT_MS};
  net_answer answer = {0};
  net_perform(remote_of(filesystem)->client, &settings, &request, &answer);
  bool good = answer.error == NET_OK && answer.status == 200;
  net_answer_end(&answer);
  return good;
}

static bool ask_all(const TF_Filesystem *filesystem, objects_reply *page, char *header,
                    size_t size) {
  char url[sizeof ROLES + ROLE_SIZE];
  if (!ask(filesystem, "PUT", PLACE "api/token", "X-aws-ec2-metadata-token-ttl-seconds: 21600",
           page) ||
      page->text[strcspn(page->text, "\r\n")] || !page->text[0] || page->length >= TOKEN_SIZE)
    return false;
  snprintf(header, size, "X-aws-ec2-metadata-token: %.*s", TOKEN_SIZE, page->text);
  if (!ask(filesystem, "GET", ROLES, header, page)) return false;
  page->text[strcspn(page->text, "\r\n")] = '\0';
  if (!page->text[0] || strlen(page->text) >= ROLE_SIZE) return false;
  snprintf(url, sizeof url, "%s%.*s", ROLES, ROLE_SIZE - 1, page->text);
  return !net_url_problem(url) && ask(filesystem, "GET", url, header, page);
}

static bool fetch(const TF_Filesystem *filesystem, s3_credentials *credentials) {
  s3_filesystem *self = s3_filesystem_of(filesystem);
  objects_reply page;
  char header[1024], expiration[40] = "";
  bool good = ask_all(filesystem, &page, header, sizeof header) &&
              s3_issued_read_json(page.text, "Token", credentials);
  if (good) {
    objects_flat_find(page.text, "Expiration", expiration, sizeof expiration);
    s3_issued_keep(self, source, credentials, s3_issued_end(expiration));
  }
  explicit_bzero(&page, sizeof page);
  explicit_bzero(header, sizeof header);
  return good;
}

bool s3_metadata_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                      TF_Status *status) {
  if (s3_issued_take(s3_filesystem_of(filesystem), source, credentials) ||
      fetch(filesystem, credentials))
    return true;
  TF_SetStatus(status, TF_UNAUTHENTICATED,
               "option metadata is set, but the metadata service at 169.254.169.254 returned no "
               "credentials");
  return false;
}
