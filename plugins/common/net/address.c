#include "address.h"

#include <netinet/in.h>
#include <string.h>

static bool is_link_local_4(const unsigned char *bytes) {
  return bytes[0] == 169 && bytes[1] == 254;
}

static bool is_link_local_6(const struct in6_addr *address) {
  static const unsigned char amazon[16] = {0xfd, 0, 0x0e, 0xc2, [14] = 0x02, [15] = 0x54};
  return IN6_IS_ADDR_LINKLOCAL(address) || memcmp(address, amazon, sizeof amazon) == 0 ||
         (IN6_IS_ADDR_V4MAPPED(address) && is_link_local_4(address->s6_addr + 12));
}

bool address_is_link_local(const struct sockaddr *address) {
  if (address->sa_family == AF_INET) {
    struct sockaddr_in four;
    memcpy(&four, address, sizeof four);
    return is_link_local_4((const unsigned char *)&four.sin_addr);
  }
  struct sockaddr_in6 six;
  if (address->sa_family != AF_INET6) return false;
  memcpy(&six, address, sizeof six);
  return is_link_local_6(&six.sin6_addr);
}
