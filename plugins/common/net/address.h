/* Addresses that no host name may lead to. */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/* Whether the address is link-local: clouds serve the credentials of a machine there. */
bool address_is_link_local(const struct sockaddr *address);

#endif
