/* Credentials files of Google: of a service account, or of a user (application default credentials). */
#ifndef GS_ACCOUNT_H
#define GS_ACCOUNT_H

#include <modfs/status.h>
#include <stdbool.h>
#include <stddef.h>

enum { GS_TEXT_SIZE = 512, GS_KEY_SIZE = 8192 };

typedef enum gs_account_kind { GS_SERVICE_ACCOUNT, GS_USER } gs_account_kind;

/* The secrets are on the stack of the caller, who wipes them with gs_account_wipe, also after a failure. */
typedef struct gs_account {
  gs_account_kind kind;
  const char *file; /* where it was read, for messages; borrowed */
  char token_uri[GS_TEXT_SIZE];
  /* Of a service account. */
  char email[GS_TEXT_SIZE];
  char key_id[GS_TEXT_SIZE];
  char key[GS_KEY_SIZE]; /* PEM */
  /* Of a user. */
  char client_id[GS_TEXT_SIZE];
  char client_secret[GS_TEXT_SIZE];
  char refresh_token[GS_TEXT_SIZE * 4];
} gs_account;

/* Reads a file. False with *missing set: there is none. */
bool gs_account_read(const char *file, gs_account *account, bool *missing, TF_Status *status);
void gs_account_wipe(gs_account *account);

#endif
