/* Where the access token of a request comes from.
 *
 * Sources, in this order: option access_token; option token_file, read for each request; the credentials file
 * of option credentials_file; that of GOOGLE_APPLICATION_CREDENTIALS; the user's, as gcloud writes it; with
 * option metadata or metadata_host, the machine's metadata server. The two files that are not set as options
 * count for https alone: an emulator that is reached by http wants no credentials, and none go there
 * unasked. To another machine no token goes over http at all.
 *
 * State, in the filesystem: the secret `token`, the hash of the source that it came from, and the time until
 * which it is used. All three change together under the lock on secrets. There is one place: a process uses one
 * source at a time, and one that changes it pays a request for each change. Two threads that find it expired
 * both ask; the later one overwrites the other. The lock is held for copies alone.
 *
 * `application` and `user` are read once, by init, and constant afterwards. Who frees: fini, which wipes the
 * token. Fork: a child starts with a copy of the token. */
#include "token.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../common/fail/fail.h"
#include "../common/options/secret.h"
#include "../common/remote/format.h"
#include "../s3/profile.h"
#include "grant.h"

enum { EARLY = 300 };

/* Empty variables count as none. */
static const char *variable(const char *name) {
  const char *value = secure_getenv(name);
  return value && *value ? value : NULL;
}

bool gs_token_init(gs_filesystem *self) {
  static const char name[] = "application_default_credentials.json";
  const char *application = variable("GOOGLE_APPLICATION_CREDENTIALS");
  const char *folder = variable("CLOUDSDK_CONFIG"), *home = variable("HOME");
  self->token = secret_open(1);
  if (application) self->application = strdup(application);
  if (folder || home)
    self->user = folder ? remote_format("%s/%s", folder, name)
                        : remote_format("%s/.config/gcloud/%s", home, name);
  return self->token && (!application || self->application) && ((!folder && !home) || self->user);
}

void gs_token_fini(gs_filesystem *self) {
  secret_close(self->token, 1);
  free(self->application);
  free(self->user);
}

/* The token that was issued for a time -------------------------------------------------------- */

static uint64_t add_text(uint64_t hash, const char *text) {
  do
    hash = (hash ^ (unsigned char)*text) * 1099511628211u;
  while (*text++);
  return hash;
}

static uint64_t hash_of(const TF_Filesystem *filesystem, const char *source) {
  return add_text(add_text(14695981039346656037u, source), remote_text(filesystem, GS_SCOPE));
}

static bool take_issued(const TF_Filesystem *filesystem, uint64_t source, char *token) {
  gs_filesystem *self = gs_filesystem_of(filesystem);
  secret_lock();
  bool good = self->token_by == source && time(NULL) < self->token_end;
  if (good) secret_take(self->token, 0, 1, token);
  secret_unlock();
  return good;
}

/* Uses it until five minutes before its end, or half of its time if that is short. */
static void keep(const TF_Filesystem *filesystem, uint64_t source, const gs_granted *granted) {
  gs_filesystem *self = gs_filesystem_of(filesystem);
  int64_t seconds = granted->seconds;
  secret_lock();
  secret_place(self->token, 0, granted->token, strlen(granted->token));
  self->token_by = source;
  self->token_end = time(NULL) + (seconds / 2 > EARLY ? seconds - EARLY : seconds / 2);
  secret_unlock();
}

bool gs_token_drop(const TF_Filesystem *filesystem) {
  gs_filesystem *self = gs_filesystem_of(filesystem);
  secret_lock();
  bool had = self->token_end != 0;
  self->token_end = 0;
  secret_unlock();
  return had;
}

/* The sources --------------------------------------------------------------------------------- */

/* From a credentials file. False with *missing set: the file does not exist. */
static bool from_file(const TF_Filesystem *filesystem, const char *file, char *token, bool *missing,
                      TF_Status *status) {
  uint64_t source = hash_of(filesystem, file);
  gs_account account;
  gs_granted granted = {.token = token};
  *missing = false;
  if (take_issued(filesystem, source, token)) return true;
  bool good = gs_account_read(file, &account, missing, status) &&
              gs_grant(filesystem, &account, &granted, status);
  gs_account_wipe(&account);
  if (good) keep(filesystem, source, &granted);
  return good;
}

static bool from_machine(const TF_Filesystem *filesystem, char *token, TF_Status *status) {
  uint64_t source = hash_of(filesystem, "\nmachine");
  gs_granted granted = {.token = token};
  if (take_issued(filesystem, source, token)) return true;
  if (!gs_grant_machine(filesystem, &granted, status)) return false;
  keep(filesystem, source, &granted);
  return true;
}

static bool from_token_file(const char *file, char *token, TF_Status *status) {
  if (s3_profile_read_line(file, token, OPTION_SECRET_SIZE)) return true;
  return fail_without_credentials(status, "the file of option token_file contains no token");
}

/* What gcloud has written for the user, where there is such a file. */
static bool from_user(const TF_Filesystem *filesystem, char *token, bool *missing,
                      TF_Status *status) {
  const char *file = gs_filesystem_of(filesystem)->user;
  *missing = !file;
  if (!file || from_file(filesystem, file, token, missing, status)) return file != NULL;
  if (*missing) TF_SetStatus(status, TF_OK, "");
  return false;
}

static bool refuse(TF_Status *status) {
  TF_SetStatus(
      status, TF_UNAUTHENTICATED,
      "no credentials: set the option credentials_file or GOOGLE_APPLICATION_CREDENTIALS, run "
      "gcloud auth application-default login, or set the option metadata=1 on a machine of "
      "Google's (option anonymous=1 for public buckets)");
  return false;
}

/* What was not set by an option. */
static bool from_defaults(const TF_Filesystem *filesystem, bool secure, char *token,
                          TF_Status *status) {
  const char *application = gs_filesystem_of(filesystem)->application;
  bool missing = false;
  if (secure && application) return from_file(filesystem, application, token, &missing, status);
  if (secure && from_user(filesystem, token, &missing, status)) return true;
  if (secure && !missing) return false;
  if (remote_number(filesystem, S3_METADATA) || *remote_text(filesystem, GS_METADATA_HOST))
    return from_machine(filesystem, token, status);
  return !secure || refuse(status);
}

bool gs_token_take(const TF_Filesystem *filesystem, const gs_server *server, char *token,
                   TF_Status *status) {
  const bool secure = gs_server_is_secure(server);
  const char *file = remote_text(filesystem, S3_CREDENTIALS_FILE);
  const char *token_file = remote_text(filesystem, S3_TOKEN_FILE);
  bool missing = false;
  *token = '\0';
  if (remote_number(filesystem, S3_ANONYMOUS) || (!secure && !gs_server_is_here(server)))
    return true;
  options_secrets(&remote_of(filesystem)->options, GS_ACCESS_TOKEN, 1, token);
  if (*token) return true;
  if (*token_file) return from_token_file(token_file, token, status);
  if (*file) return from_file(filesystem, file, token, &missing, status);
  return from_defaults(filesystem, secure, token, status);
}
