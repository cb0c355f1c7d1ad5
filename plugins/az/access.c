/* Where the right to make a request comes from.
 *
 * Sources, in this order: the options connection_string, account_key, sas_token and client_secret; the AZURE_
 * variables of the same four; a token for the identity of a workload (federated_token_file); with option
 * metadata, one for the machine's. The first that is set is used, and no two are mixed. With option
 * anonymous there is none.
 *
 * A key and a SAS are for one account, the configured one, and so is an endpoint. A request to another
 * account is refused with them; with a token, or with nothing, it goes to that account's own endpoint.
 *
 * State. `environment` is read once by az_access_init and constant afterwards; issued tokens are in token.c.
 *
 * Locks: secret_copy and options_secrets take the lock on secrets, so the parts of one source always
 * belong together.
 *
 * Who frees: az_access_fini, which wipes the secrets. Copies are on the stack of their caller, who wipes
 * them, also after a failure. Fork: the lock on secrets is held meanwhile (options/secret.c); a child has
 * copies of everything and needs nothing of its parent. */
#include "access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../common/options/secret.h"
#include "connection.h"
#include "token.h"

enum { CONNECTION, KEY, SAS, CLIENT, SECRETS };

static const char *const variables[SECRETS][4] = {
    {"AZURE_STORAGE_CONNECTION_STRING"},
    {"AZURE_STORAGE_KEY", "AZURE_STORAGE_ACCOUNT_KEY", "AZURE_STORAGE_ACCESS_KEY"},
    {"AZURE_STORAGE_SAS_TOKEN"},
    {"AZURE_CLIENT_SECRET"}};

/* The four secrets of one source, laid out like consecutive options. */
typedef struct secrets {
  char text[SECRETS][OPTION_SECRET_SIZE];
} secrets;

static bool take_variable(char *kept, int which, const char *name, TF_Status *status) {
  char text[96];
  const char *value = secure_getenv(name);
  size_t n = value ? strlen(value) : 0;
  if (n < OPTION_SECRET_SIZE && (!value || !strpbrk(value, "\r\n"))) {
    if (n > 0) secret_put(kept, which, value, n);
    return true;
  }
  snprintf(text, sizeof text, "invalid value of the environment variable %s", name);
  TF_SetStatus(status, TF_INVALID_ARGUMENT, text);
  return false;
}

bool az_access_init(az_filesystem *self, TF_Status *status) {
  self->environment = secret_open(SECRETS);
  self->token = secret_open(1);
  if (!self->environment || !self->token) return false;
  for (int i = 0; i < SECRETS; i++)
    for (int j = 0; variables[i][j] && !secret_is_set(self->environment, i); j++)
      if (!take_variable(self->environment, i, variables[i][j], status)) return false;
  return true;
}

void az_access_fini(az_filesystem *self) {
  secret_close(self->environment, SECRETS);
  secret_close(self->token, 1);
}

void az_access_wipe(az_access *access) {
  explicit_bzero(access, sizeof *access);
}

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_UNAUTHENTICATED, why);
  return false;
}

static void set(char *place, const char *text, size_t size) {
  snprintf(place, size, "%s", text);
}

/* A question mark in front of a SAS, as portals show it, is no part of it. */
static void take_sas(az_access *access, const char *sas) {
  access->kind = AZ_KIND_SAS;
  set(access->secret, sas + (*sas == '?'), sizeof access->secret);
}

static bool take_connection(const char *text, az_access *access, TF_Status *status) {
  az_connection connection;
  const char *problem = az_connection_parse(text, &connection);
  if (!problem) {
    set(access->account, connection.account, sizeof access->account);
    set(access->endpoint, connection.endpoint, sizeof access->endpoint);
  }
  if (!problem && connection.key[0]) {
    access->kind = AZ_KIND_KEY;
    set(access->secret, connection.key, sizeof access->secret);
  } else if (!problem && connection.sas[0]) {
    take_sas(access, connection.sas);
  }
  explicit_bzero(&connection, sizeof connection);
  return !problem || refuse(problem, status);
}

static bool is_set(const secrets *all) {
  return all->text[CONNECTION][0] || all->text[KEY][0] || all->text[SAS][0] || all->text[CLIENT][0];
}

/* The secrets of the options, or of the environment, where the options have none. */
static bool find_secrets(const TF_Filesystem *filesystem, secrets *all) {
  const az_filesystem *self = az_filesystem_of(filesystem);
  options_secrets(&self->objects.remote.options, AZ_CONNECTION_STRING, SECRETS, all->text[0]);
  if (is_set(all)) return true;
  secret_copy(self->environment, 0, SECRETS, all->text[0]);
  return is_set(all);
}

static bool take_token(const TF_Filesystem *filesystem, const char *secret, az_access *access,
                       TF_Status *status) {
  const az_identity identity = {.authority = remote_text(filesystem, AZ_AUTHORITY_HOST),
                                .tenant = remote_text(filesystem, AZ_TENANT_ID),
                                .client = remote_text(filesystem, AZ_CLIENT_ID),
                                .secret = secret,
                                .file = remote_text(filesystem, AZ_FEDERATED_TOKEN_FILE)};
  access->kind = AZ_KIND_TOKEN;
  if (secret && (!*identity.tenant || !*identity.client))
    return refuse("a client secret needs the options tenant_id and client_id", status);
  return az_token_take(filesystem, &identity, access->secret, status);
}

static bool take_secret(const TF_Filesystem *filesystem, const secrets *all, az_access *access,
                        TF_Status *status) {
  if (all->text[KEY][0]) {
    access->kind = AZ_KIND_KEY;
    set(access->secret, all->text[KEY], sizeof access->secret);
    return true;
  }
  if (all->text[SAS][0]) {
    take_sas(access, all->text[SAS]);
    return true;
  }
  return take_token(filesystem, all->text[CLIENT], access, status);
}

static bool take_identity(const TF_Filesystem *filesystem, az_access *access, TF_Status *status) {
  bool is_workload = *remote_text(filesystem, AZ_FEDERATED_TOKEN_FILE) &&
                     *remote_text(filesystem, AZ_TENANT_ID) &&
                     *remote_text(filesystem, AZ_CLIENT_ID);
  if (is_workload || remote_number(filesystem, AZ_METADATA))
    return take_token(filesystem, NULL, access, status);
  return refuse("no credentials: set option account_key, sas_token or connection_string, "
                "AZURE_STORAGE_KEY, or AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET "
                "(option anonymous=1 for public containers)",
                status);
}

/* What is configured, whatever the account of the request. */
static bool take_configured(const TF_Filesystem *filesystem, bool only_account, az_access *access,
                            TF_Status *status) {
  secrets all;
  bool good = true, found = find_secrets(filesystem, &all);
  set(access->account, remote_text(filesystem, AZ_ACCOUNT), sizeof access->account);
  set(access->endpoint, remote_text(filesystem, OBJECTS_ENDPOINT), sizeof access->endpoint);
  bool none = remote_number(filesystem, AZ_ANONYMOUS) != 0;
  if (!none && found && all.text[CONNECTION][0])
    good = take_connection(all.text[CONNECTION], access, status);
  else if (!none && !only_account)
    good = found ? take_secret(filesystem, &all, access, status)
                 : take_identity(filesystem, access, status);
  explicit_bzero(&all, sizeof all);
  return good;
}

bool az_access_account(const TF_Filesystem *filesystem, char account[AZ_ACCOUNT_SIZE],
                       TF_Status *status) {
  az_access access = {.kind = AZ_KIND_NONE};
  bool good = take_configured(filesystem, true, &access, status);
  set(account, access.account, AZ_ACCOUNT_SIZE);
  az_access_wipe(&access);
  return good;
}

/* Makes the configured access one to the account of the request. */
static bool direct(const TF_Filesystem *filesystem, const char *account, az_access *access,
                   TF_Status *status) {
  char text[200];
  bool is_other = *account && access->account[0] && strcmp(account, access->account) != 0;
  if (is_other && (access->kind == AZ_KIND_KEY || access->kind == AZ_KIND_SAS)) {
    snprintf(text, sizeof text, "the credentials are for the account %s, not for %s",
             access->account, account);
    return refuse(text, status);
  }
  if (is_other) access->endpoint[0] = '\0';
  if (*account) set(access->account, account, sizeof access->account);
  if (!access->account[0]) {
    TF_SetStatus(status, TF_FAILED_PRECONDITION,
                 "the path names no account: set option account or AZURE_STORAGE_ACCOUNT");
    return false;
  }
  if (!access->endpoint[0])
    snprintf(access->endpoint, sizeof access->endpoint, "https://%s.blob.%s", access->account,
             remote_text(filesystem, AZ_ENDPOINT_SUFFIX));
  return true;
}

bool az_access_take(const TF_Filesystem *filesystem, const char *account, az_access *access,
                    TF_Status *status) {
  *access = (az_access){.kind = AZ_KIND_NONE};
  return take_configured(filesystem, false, access, status) &&
         direct(filesystem, account, access, status);
}
