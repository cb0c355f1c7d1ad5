/* URLs that are signed with the key of a service account (version 4, GOOG4-RSA-SHA256). Nothing is sent. The
 * key is on the stack while it signs, and is wiped. */
#include "presign.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/objects/filesystem.h"
#include "../common/objects/presign.h"
#include "../common/remote/format.h"
#include "../s3/sign.h"
#include "../s3/signed_request.h"
#include "account.h"
#include "address.h"
#include "filesystem.h"
#include "jwt.h"

enum { DAY = 8, TIME_SIZE = 20 };

#define ALGORITHM "GOOG4-RSA-SHA256"
#define SCOPE "/auto/storage/goog4_request"

/* What is to be signed. */
typedef struct signing {
  const gs_account *account;
  const char *method;
  gs_server server;
  char path[OBJECTS_BUCKET_SIZE + OBJECTS_ENCODED_SIZE + 2];
  char time[TIME_SIZE];
  char *query;
} signing;

/* NULL without memory. */
static char *make_query(const signing *self, uint64_t seconds) {
  char expires[24];
  char *who = remote_format("%s/%.*s" SCOPE, self->account->email, DAY, self->time);
  snprintf(expires, sizeof expires, "%" PRIu64, seconds);
  const s3_pair pairs[] = {{"X-Goog-Algorithm", ALGORITHM},  {"X-Goog-Credential", who},
                           {"X-Goog-Date", self->time},      {"X-Goog-Expires", expires},
                           {"X-Goog-SignedHeaders", "host"}, {NULL, NULL}};
  char *query = who ? s3_query_make(pairs) : NULL;
  free(who);
  return query;
}

/* The text that is signed; NULL without memory. */
static char *make_text(const signing *self) {
  char hash[S3_HASH_SIZE];
  const gs_server *server = &self->server;
  char *request = remote_format("%s\n%s%s\n%s\nhost:%.*s\n\nhost\nUNSIGNED-PAYLOAD", self->method,
                                server->text + server->path, self->path, self->query,
                                (int)(server->path - server->host), server->text + server->host);
  bool good = request && s3_hash(request, strlen(request), hash);
  free(request);
  return good
             ? remote_format(ALGORITHM "\n%s\n%.*s" SCOPE "\n%s", self->time, DAY, self->time, hash)
             : NULL;
}

static char *to_hexadecimal(const unsigned char *bytes, size_t n) {
  char *made = malloc(2 * n + 1);
  for (size_t i = 0; made && i < n; i++)
    snprintf(made + 2 * i, 3, "%02x", bytes[i]);
  return made;
}

static char *sign(const signing *self, TF_Status *status) {
  unsigned char signature[GS_MOST_SIGNATURE];
  size_t n = 0;
  char *text = self->query ? make_text(self) : NULL, *hex = NULL, *url = NULL;
  const char *problem = text ? gs_jwt_sign(self->account->key, text, signature, &n) : NULL;
  if (text && !problem) hex = to_hexadecimal(signature, n);
  if (hex)
    url = remote_format("%s%s?%s&X-Goog-Signature=%s", self->server.text, self->path, self->query,
                        hex);
  char why[700];
  snprintf(why, sizeof why, "the credentials file %.500s cannot sign: %s", self->account->file,
           problem ? problem : "");
  if (problem) TF_SetStatus(status, TF_UNAUTHENTICATED, why);
  if (!problem && !url) fail_no_memory(status);
  free(text);
  free(hex);
  return url;
}

/* A URL of that object, by an account and a method that are set. */
static char *presign(const TF_Filesystem *filesystem, const objects_name *name, signing *self,
                     uint64_t seconds, TF_Status *status) {
  char key[OBJECTS_ENCODED_SIZE];
  const time_t now = time(NULL);
  struct tm parts;
  gs_server_of(filesystem, &self->server);
  objects_name_encode(name->key, true, key, sizeof key);
  snprintf(self->path, sizeof self->path, "/%s/%s", name->bucket, key);
  gmtime_r(&now, &parts);
  strftime(self->time, sizeof self->time, "%Y%m%dT%H%M%SZ", &parts);
  self->query = make_query(self, seconds);
  char *url = sign(self, status);
  free(self->query);
  return url;
}

/* The service account whose key signs. */
static bool read_account(const TF_Filesystem *filesystem, gs_account *account, TF_Status *status) {
  const char *file = remote_text(filesystem, S3_CREDENTIALS_FILE);
  const char *application = gs_filesystem_of(filesystem)->application;
  bool missing = false;
  if (!*file && application) file = application;
  if (*file && !gs_account_read(file, account, &missing, status)) return false;
  if (*file && account->kind == GS_SERVICE_ACCOUNT) return true;
  TF_SetStatus(status, TF_UNAUTHENTICATED,
               "signing a URL needs the key of a service account; set the option credentials_file");
  return false;
}

char *gs_presign(const TF_Filesystem *filesystem, const char *path, const char *method,
                 uint64_t seconds, TF_Status *status) {
  objects_name name;
  gs_account account;
  signing self = {.account = &account, .method = method};
  char *url = NULL;
  if (objects_presign_check(method, seconds, status) &&
      objects_name_parse_file(filesystem, path, &name, status)) {
    if (read_account(filesystem, &account, status))
      url = presign(filesystem, &name, &self, seconds, status);
    gs_account_wipe(&account);
  }
  return url;
}
