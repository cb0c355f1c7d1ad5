/* Where the credentials of a request come from.
 *
 * Sources, in this order: the options; the AWS_ variables (s3 only); the credentials file; with option
 * metadata, the machine's own. The first that has both key and secret is used, and sources are not
 * mixed, except that option token_file replaces the token of the first three.
 *
 * State. `environment` and `home` are read once by s3_credentials_init and constant afterwards.
 * `metadata` is a cache that changes, with `metadata_end` (metadata.c). The file is read for each
 * request, so that renewed credentials take effect.
 *
 * Locks: secret_copy takes the lock on secrets, so the parts of one source always belong together.
 *
 * Who frees: s3_credentials_fini, which wipes the secrets. Copies are on the stack of their caller, who
 * wipes them with s3_credentials_wipe, also after a failure. Fork: the lock on secrets is held meanwhile
 * (options/secret.c); a child has copies of everything and needs nothing of its parent. */
#include "credentials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/options/secret.h"
#include "error.h"
#include "metadata.h"
#include "profile.h"

static const char *const variables[S3_SECRETS] = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
                                                  "AWS_SESSION_TOKEN"};

static bool take_variable(char *secrets, int which, TF_Status *status) {
  char text[96];
  const char *value = secure_getenv(variables[which]);
  size_t n = value ? strlen(value) : 0;
  if (n < OPTION_SECRET_SIZE && (!value || !strpbrk(value, "\r\n"))) {
    if (value) secret_put(secrets, which, value, n);
    return true;
  }
  snprintf(text, sizeof text, "the environment variable %s has no good value", variables[which]);
  TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
  return false;
}

bool s3_credentials_init(s3_filesystem *self, bool amazon, TF_Status *status) {
  if (!amazon) return true;
  const char *home = secure_getenv("HOME");
  self->home = home ? strdup(home) : NULL;
  self->environment = secret_open(S3_SECRETS);
  self->metadata = secret_open(S3_SECRETS);
  if (!self->environment || !self->metadata || (home && !self->home)) return false;
  for (int i = 0; i < S3_SECRETS; i++)
    if (!take_variable(self->environment, i, status)) return false;
  return true;
}

void s3_credentials_fini(s3_filesystem *self) {
  secret_close(self->environment, S3_SECRETS);
  secret_close(self->metadata, S3_SECRETS);
  free(self->home);
}

void s3_credentials_wipe(s3_credentials *credentials) {
  explicit_bzero(credentials, sizeof *credentials);
}

static bool from_options(const s3_filesystem *self, s3_credentials *credentials) {
  options_secrets(&self->remote.options, S3_ACCESS_KEY_ID, S3_SECRETS, (char *)credentials);
  return *credentials->key_id && *credentials->secret;
}

static bool from_environment(const s3_filesystem *self, s3_credentials *credentials) {
  if (!self->environment) return false;
  secret_copy(self->environment, 0, S3_SECRETS, (char *)credentials);
  return *credentials->key_id && *credentials->secret;
}

static bool from_file(const TF_Filesystem *filesystem, s3_credentials *credentials) {
  const s3_filesystem *self = s3_filesystem_of(filesystem);
  char path[4400];
  const char *file = remote_text(filesystem, S3_CREDENTIALS_FILE);
  s3_credentials_wipe(credentials);
  if (!*file) {
    if (!self->home) return false;
    snprintf(path, sizeof path, "%s/.aws/credentials", self->home);
    file = path;
  }
  return s3_profile_read(file, remote_text(filesystem, S3_PROFILE), credentials);
}

static bool take_token(const TF_Filesystem *filesystem, s3_credentials *credentials,
                       TF_Status *status) {
  const char *file = remote_text(filesystem, S3_TOKEN_FILE);
  if (!*file || s3_profile_read_line(file, credentials->token, sizeof credentials->token))
    return true;
  TF_SetStatus(status, TF_UNAUTHENTICATED, "the file that option token_file names has no token");
  return false;
}

bool s3_credentials_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                         TF_Status *status) {
  const s3_filesystem *self = s3_filesystem_of(filesystem);
  if (from_options(self, credentials) || from_environment(self, credentials) ||
      from_file(filesystem, credentials))
    return take_token(filesystem, credentials, status);
  if (remote_number(filesystem, S3_METADATA))
    return s3_metadata_take(filesystem, credentials, status);
  TF_SetStatus(status, TF_UNAUTHENTICATED,
               self->environment
                   ? "no credentials: set the options access_key_id and secret_access_key, "
                     "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write ~/.aws/credentials "
                     "(option anonymous=1 for public buckets)"
                   : "no credentials: set the options access_key_id and secret_access_key to an "
                     "HMAC key (option anonymous=1 for public buckets)");
  return false;
}
