#include "place.h"

#include <stdio.h>
#include <string.h>

#define LOWER "abcdefghijklmnopqrstuvwxyz"
#define DIGITS "0123456789"

static bool refuse(const char *why, TF_Status *status) {
  TF_SetStatus(status, TF_INVALID_ARGUMENT, why);
  return false;
}

/* "$root", "$web" and "$logs" are the service's own. */
static bool is_container(const char *text, size_t n) {
  if (n < 3 || n > 63) return false;
  if (*text == '$') return strspn(text + 1, LOWER) >= n - 1;
  return *text != '-' && text[n - 1] != '-' && strspn(text, LOWER DIGITS "-") >= n;
}

static bool take_container(const char *text, size_t n, TF_Status *status) {
  return is_container(text, n) ||
         refuse("not the name of a container: expected 3 to 63 of a-z, 0-9 and -, with a letter or "
                "digit at both ends",
                status);
}

/* "account/container"; the container may be missing. */
static bool take_pair(const char **rest, objects_name *name, TF_Status *status) {
  size_t account = strcspn(*rest, "/");
  const char *container = *rest + account + ((*rest)[account] == '/');
  size_t n = strcspn(container, "/");
  if (account == 0 && n > 0) return refuse("the name of the account is missing", status);
  if (account > 0 && !az_account_is_name(*rest, account))
    return refuse("not the name of an account: expected 3 to 24 of a-z and 0-9", status);
  if (account > 0 && n == 0 && *container)
    return refuse("the name of the container is missing", status);
  if (n > 0 && !take_container(container, n, status)) return false;
  name->is_root = n == 0;
  snprintf(name->bucket, sizeof name->bucket, "%.*s%s%.*s", (int)account, *rest, n > 0 ? "/" : "",
           (int)n, container);
  *rest = container + n + (container[n] == '/');
  return true;
}

/* Splits "account.dfs.suffix" or "account.blob.suffix"; returns the suffix, NULL for anything else. */
static const char *find_suffix(const char *host, size_t *account) {
  *account = strcspn(host, ".");
  const char *service = host + *account;
  if (strncmp(service, ".dfs.", 5) == 0) return service + 5;
  return strncmp(service, ".blob.", 6) == 0 ? service + 6 : NULL;
}

static bool take_host(const char *host, TF_Status *status) {
  size_t account = 0;
  const char *suffix = find_suffix(host, &account);
  return (suffix && az_account_is_name(host, account) && az_suffix_is_valid(suffix)) ||
         refuse("not the host of an account: expected ACCOUNT.dfs.core.windows.net", status);
}

/* ".blob." is the same account as ".dfs.", which is the form that is compared. */
static void settle_host(char *host) {
  size_t account = 0;
  const char *suffix = find_suffix(host, &account);
  if (!suffix || strncmp(host + account, ".blob.", 6) != 0) return;
  memcpy(host + account, ".dfs.", 5);
  memmove(host + account + 5, suffix, strlen(suffix) + 1);
}

/* "container@account.dfs.suffix", or "container". */
static bool take_authority(const char **rest, objects_name *name, TF_Status *status) {
  size_t n = strcspn(*rest, "/"), container = strcspn(*rest, "/@");
  if (n >= sizeof name->bucket) return refuse("the name of the container is too long", status);
  snprintf(name->bucket, sizeof name->bucket, "%.*s", (int)n, *rest);
  name->is_root = n == 0;
  *rest += n + ((*rest)[n] == '/');
  if (n == 0) return **rest == '\0' || refuse("the name of the container is missing", status);
  if (!take_container(name->bucket, container, status)) return false;
  char *host = container < n ? name->bucket + container + 1 : NULL;
  if (host && !take_host(host, status)) return false;
  if (host) settle_host(host);
  return true;
}

/* Whether a part of the key between slashes is "." or "..": the service resolves these. */
static bool has_dots(const char *key) {
  while (*key) {
    size_t n = strcspn(key, "/");
    if ((n == 1 || n == 2) && strspn(key, ".") >= n) return true;
    key += n + (key[n] == '/');
  }
  return false;
}

/* U+FFFE or U+FFFF, which XML cannot represent. */
static bool has_noncharacter(const char *key) {
  return strstr(key, "\xef\xbf\xbe") || strstr(key, "\xef\xbf\xbf");
}

static bool is_signed(const char *key) {
  const char *query = strchr(key, '?');
  return query && (strstr(query, "?sig=") || strstr(query, "&sig=")) && strstr(query, "sv=");
}

static bool check_key(const char *key, TF_Status *status) {
  if (has_noncharacter(key))
    return refuse("the name contains U+FFFE or U+FFFF, which the service does not allow", status);
  if (has_dots(key))
    return refuse("the name has a part . or .., which the service resolves", status);
  if (is_signed(key))
    return refuse("the path contains a shared access signature; set option sas_token instead",
                  status);
  return true;
}

bool az_take_bucket(const char *scheme, const char **rest, objects_name *name, TF_Status *status) {
  bool is_abfs = strncmp(scheme, "abfs", 4) == 0;
  return (is_abfs ? take_authority : take_pair)(rest, name, status) && check_key(*rest, status);
}

void az_place_of(const objects_name *name, az_place *place) {
  const char *at = strchr(name->bucket, '@'), *slash = strchr(name->bucket, '/');
  size_t n = 0;
  *place = (az_place){.account = ""};
  if (at) {
    const char *suffix = find_suffix(at + 1, &n);
    snprintf(place->account, sizeof place->account, "%.*s", (int)n, at + 1);
    snprintf(place->container, sizeof place->container, "%.*s", (int)(at - name->bucket),
             name->bucket);
    snprintf(place->suffix, sizeof place->suffix, "%s", suffix ? suffix : "");
  } else if (slash || name->is_root) {
    n = slash ? (size_t)(slash - name->bucket) : strlen(name->bucket);
    snprintf(place->account, sizeof place->account, "%.*s", (int)n, name->bucket);
    snprintf(place->container, sizeof place->container, "%s", slash ? slash + 1 : "");
  } else {
    snprintf(place->container, sizeof place->container, "%s", name->bucket);
  }
}

/* No secret goes to a host because a path names it. */
static bool check_suffix(const TF_Filesystem *filesystem, const az_place *place,
                         TF_Status *status) {
  char text[OBJECTS_BUCKET_SIZE + 160];
  if (!place->suffix[0] || strcmp(place->suffix, remote_text(filesystem, AZ_ENDPOINT_SUFFIX)) == 0)
    return true;
  snprintf(text, sizeof text,
           "the host of the path is in the domain %s: set option endpoint_suffix", place->suffix);
  TF_SetStatus(status, TF_FAILED_PRECONDITION, text);
  return false;
}

bool az_target_make(const TF_Filesystem *filesystem, const objects_name *name, bool of_container,
                    az_target *target, TF_Status *status) {
  az_place place;
  net_endpoint to;
  az_address *address = &target->address;
  char named[AZ_NAME_SIZE], key[3 * AZ_NAME_SIZE] = "";
  az_place_of(name, &place);
  az_name_write(name->key, named);
  target->access = (az_access){.kind = AZ_KIND_NONE};
  if (!check_suffix(filesystem, &place, status) ||
      !az_access_take(filesystem, place.account, &target->access, status))
    return false;
  if (!net_endpoint_parse(target->access.endpoint, &to))
    return refuse("the endpoint of the account is not a URL", status);
  if (!of_container) objects_name_encode(named, true, key, sizeof key);
  address->secure = to.secure;
  snprintf(address->host, sizeof address->host, "%s", to.host);
  snprintf(address->path, sizeof address->path, "%s/%s%s%s", to.path, place.container,
           *key ? "/" : "", key);
  if (!place.container[0] && to.path[0]) address->path[strlen(to.path)] = '\0';
  return true;
}
