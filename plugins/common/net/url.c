#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"

static const char no_url[] = "incomplete URL; expected http://host/path or https://host/path";

static bool has_control(const char *text) {
  for (; *text; text++)
    if ((unsigned char)*text <= ' ' || *text == 0x7f) return true;
  return false;
}

static const char *scheme_problem(CURLU *parts) {
  char *scheme = NULL;
  if (curl_url_get(parts, CURLUPART_SCHEME, &scheme, 0) != CURLUE_OK) return NET_NO_MEMORY;
  bool http = strcmp(scheme, "http") == 0 || strcmp(scheme, "https") == 0;
  curl_free(scheme);
  return http ? NULL : no_url;
}

const char *net_url_problem(const char *url) {
  if (has_control(url)) return "the URL contains spaces or control characters; percent-encode them";
  const char *host = strstr(url, "://");
  if (!host || strchr("/?#", host[3])) return no_url; /* curl takes http:///x for http://x */
  CURLU *parts = curl_url();
  if (!parts) return NET_NO_MEMORY;
  const char *problem = NULL;
  CURLUcode code = curl_url_set(parts, CURLUPART_URL, url, CURLU_PATH_AS_IS | CURLU_DISALLOW_USER);
  if (code == CURLUE_OUT_OF_MEMORY)
    problem = NET_NO_MEMORY;
  else if (code == CURLUE_USER_NOT_ALLOWED)
    problem = "the URL contains a user name or password, which is not supported";
  else
    problem = code == CURLUE_OK ? scheme_problem(parts) : no_url;
  curl_url_cleanup(parts);
  return problem;
}

char *net_url_resolve(const char *base, const char *location) {
  CURLU *parts = curl_url();
  char *made = NULL, *found = NULL;
  if (parts && curl_url_set(parts, CURLUPART_URL, base, CURLU_PATH_AS_IS) == CURLUE_OK &&
      curl_url_set(parts, CURLUPART_URL, location, CURLU_PATH_AS_IS | CURLU_URLENCODE) ==
          CURLUE_OK &&
      curl_url_get(parts, CURLUPART_URL, &made, 0) == CURLUE_OK)
    found = strdup(made);
  curl_free(made);
  curl_url_cleanup(parts);
  return found;
}

void net_url_show(const char *url, char *text, size_t size) {
  size_t n = 0;
  for (; *url && *url != '?' && *url != '#' && n + 5 < size; url++)
    text[n++] = (unsigned char)*url < ' ' || *url == 0x7f ? '?' : *url;
  const char *rest = *url == '?' ? "?***" : *url && *url != '#' ? "..." : "";
  memcpy(text + n, rest, strlen(rest) + 1);
}
