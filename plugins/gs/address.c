#include "address.h"

#include <stdio.h>
#include <string.h>

#include "../common/net/endpoint.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

bool gs_server_parse(const char *text, gs_server *server) {
  bool named = strncmp(text, "https://", 8) == 0 || strncmp(text, "http://", 7) == 0;
  int n = snprintf(server->text, sizeof server->text, "%s%s", named ? "" : "http://", text);
  if (n >= (int)sizeof server->text) return false;
  server->host = (size_t)(strstr(server->text, "://") - server->text) + 3;
  size_t host = net_host_length(server->text + server->host);
  server->path = server->host + host;
  char *path = server->text + server->path;
  if (host == 0 || (*path && *path != '/') || path[strspn(path, LETTERS DIGITS "-_.~/")])
    return false;
  for (size_t end = strlen(path); end > 0 && path[end - 1] == '/'; end--)
    path[end - 1] = '\0';
  return true;
}

bool gs_address_is_server(const char *text) {
  gs_server server;
  return *text == '\0' || gs_server_parse(text, &server);
}

bool gs_server_is_secure(const gs_server *server) {
  return server->text[4] == 's';
}

/* A name such as 127.example.com is not of this machine. */
bool gs_server_is_here(const gs_server *server) {
  const char *host = server->text + server->host;
  size_t n = server->path - server->host, digits = strspn(host, DIGITS ".");
  const char *port = memchr(host, ':', n);
  if (*host == '[') return strncmp(host, "[::1]", 5) == 0;
  if (port) n = (size_t)(port - host);
  return (n == 9 && strncmp(host, "localhost", 9) == 0) ||
         (digits == n && strncmp(host, "127.", 4) == 0);
}

void gs_server_of(const TF_Filesystem *filesystem, gs_server *server) {
  const char *text = remote_text(filesystem, OBJECTS_ENDPOINT);
  /* The option accepts nothing that would not parse. */
  if (!*text || !gs_server_parse(text, server))
    gs_server_parse("https://storage.googleapis.com", server);
}
