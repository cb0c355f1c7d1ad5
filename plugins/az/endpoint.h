/* What options may name: servers, and the accounts and domains in their names. */
#ifndef AZ_ENDPOINT_H
#define AZ_ENDPOINT_H

#include "../common/net/endpoint.h"

enum { AZ_ACCOUNT_SIZE = 64 };

/* Whether it is this machine's loopback, to which tokens may go without TLS. */
bool az_endpoint_is_loopback(const net_endpoint *endpoint);

/* For options: whether the text is valid. "" is, except for an authority. */
bool az_endpoint_is_valid(const char *text);
bool az_account_is_valid(const char *text);
bool az_suffix_is_valid(const char *text);
bool az_authority_is_valid(const char *text);

/* The authority as a URL, which may lack "https://". */
bool az_authority_parse(const char *text, net_endpoint *made);

/* Whether n bytes are the name of an account: emulators have longer ones than Azure. */
bool az_account_is_name(const char *text, size_t n);

#endif
