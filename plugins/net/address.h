/* Addresses that nobody is sent to by a name. */
#ifndef NET_ADDRESS_H
#define NET_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

/* Whether it is of the network at hand alone: there clouds keep the credentials of a machine. */
bool address_is_link_local(const struct sockaddr *address);

#endif
