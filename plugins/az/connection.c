#include "connection.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* The account that emulators begin with, as Microsoft publishes it. */
#define EMULATED "devstoreaccount1"
#define EMULATED_KEY                                                                               \
  "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
#define EMULATOR "http://127.0.0.1:10000/" EMULATED

enum { NAME_SIZE = 40, SHORT_SIZE = 256 };

/* What is put together when the whole string was read. */
typedef struct parts {
  char protocol[SHORT_SIZE];
  char suffix[SHORT_SIZE];
  char emulator[SHORT_SIZE];
  char proxy[SHORT_SIZE];
} parts;

static bool copy(char *place, size_t size, const char *value, size_t n) {
  if (n >= size) return false;
  memcpy(place, value, n);
  place[n] = '\0';
  return true;
}

/* Where the value of a name goes; NULL: it is of no use here, such as another service's endpoint. */
static char *place_of(const char *name, az_connection *made, parts *more, size_t *size) {
  const struct {
    const char *name;
    char *place;
    size_t size;
  } known[] = {{"AccountName", made->account, sizeof made->account},
               {"AccountKey", made->key, sizeof made->key},
               {"SharedAccessSignature", made->sas, sizeof made->sas},
               {"BlobEndpoint", made->endpoint, sizeof made->endpoint},
               {"DefaultEndpointsProtocol", more->protocol, SHORT_SIZE},
               {"EndpointSuffix", more->suffix, SHORT_SIZE},
               {"UseDevelopmentStorage", more->emulator, SHORT_SIZE},
               {"DevelopmentStorageProxyUri", more->proxy, SHORT_SIZE}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcasecmp(name, known[i].name) == 0) {
      *size = known[i].size;
      return known[i].place;
    }
  return NULL;
}

/* Takes "name=value" of n bytes. */
static const char *take(const char *text, size_t n, az_connection *made, parts *more) {
  char name[NAME_SIZE];
  size_t size = 0, length = strcspn(text, "=;");
  while (n > 0 && (text[n - 1] == ' ' || text[n - 1] == '\t'))
    n--;
  if (n == 0) return NULL;
  if (length >= n) return "a setting in the connection string has no '='";
  if (length >= sizeof name) return NULL;
  copy(name, sizeof name, text, length);
  char *place = place_of(name, made, more, &size);
  if (place && !copy(place, size, text + length + 1, n - length - 1))
    return "a setting in the connection string is too long";
  return NULL;
}

/* The endpoint that follows from the other settings. */
static const char *settle(az_connection *made, const parts *more) {
  if (strcasecmp(more->emulator, "true") == 0) {
    snprintf(made->account, sizeof made->account, "%s", EMULATED);
    snprintf(made->key, sizeof made->key, "%s", EMULATED_KEY);
    snprintf(made->endpoint, sizeof made->endpoint, "%s", more->proxy[0] ? more->proxy : EMULATOR);
    if (more->proxy[0]) {
      size_t n = strlen(made->endpoint);
      while (n > 0 && made->endpoint[n - 1] == '/')
        made->endpoint[--n] = '\0';
      snprintf(made->endpoint + n, sizeof made->endpoint - n, ":10000/%s", EMULATED);
    }
  } else if (!made->endpoint[0] && made->account[0]) {
    int n = snprintf(made->endpoint, sizeof made->endpoint, "%s://%s.blob.%s",
                     more->protocol[0] ? more->protocol : "https", made->account,
                     more->suffix[0] ? more->suffix : "core.windows.net");
    if (n >= (int)sizeof made->endpoint)
      return "the connection string's EndpointSuffix is too long";
  }
  return NULL;
}

static const char *find_problem(const az_connection *made) {
  if (!made->endpoint[0]) return "the connection string has neither AccountName nor BlobEndpoint";
  if (!az_endpoint_is_valid(made->endpoint))
    return "the connection string's endpoint is not a URL such as https://host";
  if (!az_account_is_valid(made->account))
    return "the connection string's AccountName is not the name of an account";
  if (made->key[0] && !made->account[0])
    return "the connection string has an AccountKey, but no AccountName";
  return NULL;
}

const char *az_connection_parse(const char *text, az_connection *connection) {
  parts more = {.protocol = ""};
  const char *problem = NULL;
  *connection = (az_connection){.account = ""};
  while (*text && !problem) {
    text += strspn(text, "; \t");
    size_t n = strcspn(text, ";");
    problem = take(text, n, connection, &more);
    text += n;
  }
  if (!problem) problem = settle(connection, &more);
  return problem ? problem : find_problem(connection);
}
