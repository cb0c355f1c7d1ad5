/* Where requests of the JSON protocol go. */
#ifndef GS_ADDRESS_H
#define GS_ADDRESS_H

#include "../common/objects/filesystem.h"

enum { GS_SERVER_SIZE = 440 };

/* A server, as an endpoint names it. */
typedef struct gs_server {
  char text[GS_SERVER_SIZE]; /* "https://host:port/base", without a slash at its end */
  size_t host;               /* where the host begins */
  size_t path;               /* where the path begins; its end, if there is none */
} gs_server;

/* Parses "https://host:port/base", or "host:port" for http, as STORAGE_EMULATOR_HOST has it; false: it is
 * neither. */
bool gs_server_parse(const char *text, gs_server *server);

/* For options: whether the text is "" or a server. */
bool gs_address_is_server(const char *text);

bool gs_server_is_secure(const gs_server *server);

/* Whether it is this machine, by an address or as localhost. */
bool gs_server_is_here(const gs_server *server);

/* The server of option endpoint. */
void gs_server_of(const TF_Filesystem *filesystem, gs_server *server);

#endif
