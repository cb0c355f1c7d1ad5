/* Where the credentials of a request come from.
 *
 * Sources, in this order: the options; the AWS_ variables (s3 only); the role of the options or of the
 * profile (role.c); the profile's keys in the credentials file, or in the config file; the profile's credential_process; with option metadata, the machine's own.
 * The first that has both key and secret is used, and sources are not mixed, except that option token_file
 * replaces the token of all but the last two.
 *
 * State. `environment` and `home` are read once by s3_credentials_init and constant afterwards.
 * `issued` is a cache that changes (issued.c). The files are read for each request, so that renewed
 * credentials take effect.
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

#include "../common/fail/fail.h"
#include "../common/options/secret.h"
#include "error.h"
#include "metadata.h"
#include "process.h"
#include "profile.h"
#include "role.h"

enum { PATH_SIZE = 4400, COMMAND_SIZE = 4096 };

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
  snprintf(text, sizeof text, "invalid value of the environment variable %s", variables[which]);
  TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
  return false;
}

bool s3_credentials_init(s3_filesystem *self, bool amazon, TF_Status *status) {
  if (!amazon) return true;
  const char *home = secure_getenv("HOME");
  self->home = home ? strdup(home) : NULL;
  self->environment = secret_open(S3_SECRETS);
  self->issued = secret_open(S3_SECRETS);
  if (!self->environment || !self->issued || (home && !self->home)) return false;
  for (int i = 0; i < S3_SECRETS; i++)
    if (!take_variable(self->environment, i, status)) return false;
  return true;
}

void s3_credentials_fini(s3_filesystem *self) {
  secret_close(self->environment, S3_SECRETS);
  secret_close(self->issued, S3_SECRETS);
  free(self->home);
}

void s3_credentials_wipe(s3_credentials *credentials) {
  explicit_bzero(credentials, sizeof *credentials);
}

static bool from_options(const s3_filesystem *self, s3_credentials *credentials) {
  options_secrets(&self->objects.remote.options, S3_ACCESS_KEY_ID, S3_SECRETS, (char *)credentials);
  return *credentials->key_id && *credentials->secret;
}

static bool from_environment(const s3_filesystem *self, s3_credentials *credentials) {
  if (!self->environment) return false;
  secret_copy(self->environment, 0, S3_SECRETS, (char *)credentials);
  return *credentials->key_id && *credentials->secret;
}

/* The file of an option, or of that name in ~/.aws; NULL: there is none. */
static const char *file_of(const TF_Filesystem *filesystem, int option, const char *name,
                           char path[PATH_SIZE]) {
  const s3_filesystem *self = s3_filesystem_of(filesystem);
  const char *file = remote_text(filesystem, option);
  if (*file) return file;
  if (!self->home) return NULL;
  snprintf(path, PATH_SIZE, "%s/.aws/%s", self->home, name);
  return path;
}

static bool from_files(const TF_Filesystem *filesystem, const char *profile,
                       s3_credentials *credentials) {
  char path[PATH_SIZE];
  const char *file = file_of(filesystem, S3_CREDENTIALS_FILE, "credentials", path);
  s3_credentials_wipe(credentials);
  if (file && s3_profile_read(file, profile, credentials)) return true;
  file = file_of(filesystem, S3_CONFIG_FILE, "config", path);
  s3_credentials_wipe(credentials);
  return file && s3_profile_read(file, profile, credentials);
}

/* A setting of the profile, in either of the two files; false, and "": it has none. */
static bool find_setting(const TF_Filesystem *filesystem, const char *name, char *value,
                         size_t size) {
  char path[PATH_SIZE];
  const char *profile = remote_text(filesystem, S3_PROFILE);
  *value = '\0';
  const char *file = file_of(filesystem, S3_CREDENTIALS_FILE, "credentials", path);
  if (file && s3_profile_find(file, profile, name, value, size)) return true;
  file = file_of(filesystem, S3_CONFIG_FILE, "config", path);
  return file && s3_profile_find(file, profile, name, value, size);
}

/* The role of the options, which EKS sets by the environment, or that of the profile. */
static bool find_role(const TF_Filesystem *filesystem, s3_role *role) {
  snprintf(role->arn, sizeof role->arn, "%s", remote_text(filesystem, S3_ROLE_ARN));
  snprintf(role->session, sizeof role->session, "%s",
           remote_text(filesystem, S3_ROLE_SESSION_NAME));
  snprintf(role->token_file, sizeof role->token_file, "%s",
           remote_text(filesystem, S3_WEB_IDENTITY_TOKEN_FILE));
  if (role->arn[0] && role->token_file[0]) return true;
  find_setting(filesystem, "role_session_name", role->session, sizeof role->session);
  find_setting(filesystem, "web_identity_token_file", role->token_file, sizeof role->token_file);
  return find_setting(filesystem, "role_arn", role->arn, sizeof role->arn);
}

/* The role of a profile without a web identity is assumed with the keys of another profile. */
static bool assume(const TF_Filesystem *filesystem, s3_role *role, s3_credentials *credentials,
                   TF_Status *status) {
  char profile[S3_SETTING_SIZE];
  s3_credentials signer;
  if (role->token_file[0]) return s3_role_take(filesystem, role, credentials, status);
  role->signer = &signer;
  bool good = find_setting(filesystem, "source_profile", profile, sizeof profile) &&
              from_files(filesystem, profile, &signer);
  if (good)
    good = s3_role_take(filesystem, role, credentials, status);
  else
    fail_without_credentials(status,
                             "the profile has a role_arn, but its source_profile has no keys");
  s3_credentials_wipe(&signer);
  return good;
}

static bool take_token(const TF_Filesystem *filesystem, s3_credentials *credentials,
                       TF_Status *status) {
  const char *file = remote_text(filesystem, S3_TOKEN_FILE);
  if (!*file || s3_profile_read_line(file, credentials->token, sizeof credentials->token))
    return true;
  return fail_without_credentials(status, "the file of option token_file contains no token");
}

static bool fail_none(const TF_Filesystem *filesystem, TF_Status *status) {
  char path[PATH_SIZE], text[1024];
  const char *file = file_of(filesystem, S3_CREDENTIALS_FILE, "credentials", path);
  if (s3_filesystem_of(filesystem)->environment)
    snprintf(text, sizeof text,
             "no credentials: set the options access_key_id and secret_access_key, "
             "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or write the keys of the profile "
             "%.100s to %.500s (option anonymous=1 for public buckets)",
             remote_text(filesystem, S3_PROFILE), file ? file : "~/.aws/credentials");
  else
    snprintf(text, sizeof text,
             "no credentials: set the options access_key_id and secret_access_key to an HMAC key "
             "(option anonymous=1 for public buckets)");
  return fail_without_credentials(status, text);
}

bool s3_credentials_take(const TF_Filesystem *filesystem, s3_credentials *credentials,
                         TF_Status *status) {
  const s3_filesystem *self = s3_filesystem_of(filesystem);
  const char *profile = remote_text(filesystem, S3_PROFILE);
  char command[COMMAND_SIZE];
  s3_role role = {.signer = NULL};
  if (from_options(self, credentials) || from_environment(self, credentials))
    return take_token(filesystem, credentials, status);
  if (self->issued && find_role(filesystem, &role))
    return assume(filesystem, &role, credentials, status);
  if (from_files(filesystem, profile, credentials))
    return take_token(filesystem, credentials, status);
  if (self->issued && find_setting(filesystem, "credential_process", command, sizeof command))
    return s3_process_take(filesystem, command, credentials, status);
  if (self->issued && remote_number(filesystem, S3_METADATA))
    return s3_metadata_take(filesystem, credentials, status);
  return fail_none(filesystem, status);
}
