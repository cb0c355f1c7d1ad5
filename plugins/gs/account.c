#include "account.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../common/fail/fail.h"
#include "../common/objects/flat.h"

enum { MOST_FILE = 32 * 1024 };

void gs_account_wipe(gs_account *account) {
  explicit_bzero(account, sizeof *account);
}

/* The name of the file is told, and nothing of its content but the kind. */
__attribute__((format(printf, 3, 4))) static bool refuse(const char *file, TF_Status *status,
                                                         const char *format, ...) {
  char why[300], text[900];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(why, sizeof why, format, arguments);
  va_end(arguments);
  snprintf(text, sizeof text, "the credentials file %.500s %s", file, why);
  return fail_without_credentials(status, text);
}

/* The file as one string; false: it cannot be read, is too long or no text, and errno says why. */
static bool read_text(const char *file, char text[MOST_FILE]) {
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  size_t length = 0;
  ssize_t n = 1;
  while (n > 0 && length < MOST_FILE - 1) {
    n = read(fd, text + length, MOST_FILE - 1 - length);
    if (n > 0) length += (size_t)n;
  }
  text[length] = '\0';
  int error = n < 0 ? errno : n > 0 ? EFBIG : strlen(text) < length ? EILSEQ : 0;
  close(fd);
  errno = error;
  return error == 0;
}

/* A word of the file that may be told. */
static bool is_word(const char *text) {
  return *text && strlen(text) < 40 && text[strspn(text, "abcdefghijklmnopqrstuvwxyz_")] == '\0';
}

static bool take_service_account(const char *json, gs_account *account) {
  account->kind = GS_SERVICE_ACCOUNT;
  objects_flat_find(json, "private_key_id", account->key_id, sizeof account->key_id);
  return objects_flat_find(json, "client_email", account->email, sizeof account->email) &&
         objects_flat_find(json, "private_key", account->key, sizeof account->key);
}

static bool take_user(const char *json, gs_account *account) {
  account->kind = GS_USER;
  return objects_flat_find(json, "client_id", account->client_id, sizeof account->client_id) &&
         objects_flat_find(json, "client_secret", account->client_secret,
                           sizeof account->client_secret) &&
         objects_flat_find(json, "refresh_token", account->refresh_token,
                           sizeof account->refresh_token);
}

static bool parse(const char *json, const char *file, gs_account *account, TF_Status *status) {
  char type[64];
  if (!objects_flat_find(json, "type", type, sizeof type))
    return refuse(file, status, "has no type; it must be a JSON object of Google's");
  if (!objects_flat_find(json, "token_uri", account->token_uri, sizeof account->token_uri))
    snprintf(account->token_uri, sizeof account->token_uri, "https://oauth2.googleapis.com/token");
  if (strcmp(type, "service_account") == 0)
    return take_service_account(json, account) ||
           refuse(file, status, "has no client_email or no private_key");
  if (strcmp(type, "authorized_user") == 0)
    return take_user(json, account) ||
           refuse(file, status, "has no client_id, client_secret or refresh_token");
  return refuse(file, status, "is of type %s; service_account and authorized_user are supported",
                is_word(type) ? type : "?");
}

bool gs_account_read(const char *file, gs_account *account, bool *missing, TF_Status *status) {
  char json[MOST_FILE];
  memset(account, 0, sizeof *account);
  account->file = file;
  bool there = read_text(file, json);
  *missing = !there && (errno == ENOENT || errno == ENOTDIR);
  bool good = there ? parse(json, file, account, status)
                    : refuse(file, status, "cannot be read: %s", strerrordesc_np(errno));
  explicit_bzero(json, sizeof json);
  return good;
}
