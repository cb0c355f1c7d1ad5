/* Where a name's WebHDFS answers.
 *
 * - An authority with dfs.ha.namenodes.AUTHORITY is a nameservice: each of its nodes has an address
 *   dfs.namenode.http-address.AUTHORITY.NODE (https-address with TLS).
 * - Otherwise one with dfs.namenode.http-address.AUTHORITY is a nameservice of one node.
 * - webhdfs://host:port and swebhdfs://host:port name the address itself.
 * - hdfs://host:port names an RPC port. Its HTTP address is that with the same suffix as the
 *   dfs.namenode.rpc-address of that value; that of the default filesystem if this is it; or else host:9870.
 *   The option http_port comes before all these. */
#include "nodes.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "error.h"

enum { HTTP_PORT = 9870, HTTPS_PORT = 9871, KEY_SIZE = 1024, LONG_SIZE = 4 * KEY_SIZE };

typedef struct choice {
  const hdfs_site *site;
  const hdfs_name *name;
  const char *authority;
  bool secure;
  int64_t http_port; /* option; 0: none */
  hdfs_nodes *nodes;
} choice;

static const char *address_key(const choice *self) {
  return self->secure ? "dfs.namenode.https-address" : "dfs.namenode.http-address";
}

static int default_port(const choice *self) {
  return self->secure ? HTTPS_PORT : HTTP_PORT;
}

/* The length of the host in host or host:port, with the brackets of IPv6. */
static size_t host_length(const char *address) {
  if (*address == '[') {
    const char *end = strchr(address, ']');
    return end ? (size_t)(end + 1 - address) : strlen(address);
  }
  return strcspn(address, ":");
}

/* Adds the URL of an address; where it listens on all interfaces, the host of `named` is the one. */
static bool add(const choice *self, const char *address, const char *named) {
  hdfs_nodes *nodes = self->nodes;
  size_t n = host_length(address);
  bool all = (n == 7 && memcmp(address, "0.0.0.0", 7) == 0) || n == 0;
  const char *host = all ? named : address, *port = address[n] == ':' ? address + n + 1 : "";
  char number[24];
  snprintf(number, sizeof number, "%d", default_port(self));
  if (self->http_port > 0) snprintf(number, sizeof number, "%lld", (long long)self->http_port);
  if (self->http_port > 0 || !*port || port[strspn(port, "0123456789")]) port = number;
  n = host_length(host);
  if (nodes->count == HDFS_MOST_NODES || n == 0) return false;
  int length = snprintf(nodes->urls[nodes->count], HDFS_NODE_SIZE, "%s://%.*s:%s",
                        self->secure ? "https" : "http", (int)n, host, port);
  nodes->count += length < HDFS_NODE_SIZE;
  return length < HDFS_NODE_SIZE;
}

/* The HTTP address of a suffix such as ".ns1.nn1", or "". */
static bool add_of(const choice *self, const char *suffix, const char *named) {
  char key[LONG_SIZE], address[KEY_SIZE], rpc[KEY_SIZE];
  snprintf(key, sizeof key, "dfs.namenode.rpc-address%s", suffix);
  bool has_rpc = hdfs_site_get(self->site, key, rpc, sizeof rpc);
  snprintf(key, sizeof key, "%s%s", address_key(self), suffix);
  if (hdfs_site_get(self->site, key, address, sizeof address))
    return add(self, address, has_rpc ? rpc : named);
  if (!has_rpc) return false;
  rpc[host_length(rpc)] = '\0'; /* its port is not that of HTTP */
  return add(self, rpc, rpc);
}

/* The nodes of a nameservice; whether it is one. */
static bool add_nameservice(const choice *self) {
  char key[LONG_SIZE], ids[KEY_SIZE], suffix[LONG_SIZE], *rest = NULL;
  snprintf(key, sizeof key, "dfs.ha.namenodes.%s", self->authority);
  if (!hdfs_site_get(self->site, key, ids, sizeof ids)) {
    snprintf(suffix, sizeof suffix, ".%s", self->authority);
    return add_of(self, suffix, "");
  }
  for (char *id = strtok_r(ids, ", \t\n", &rest); id; id = strtok_r(NULL, ", \t\n", &rest)) {
    snprintf(suffix, sizeof suffix, ".%s.%s", self->authority, id);
    add_of(self, suffix, "");
  }
  return self->nodes->count > 0;
}

/* The address with the same suffix as the RPC address that the authority is. */
static bool add_by_rpc(const choice *self) {
  static const char rpc[] = "dfs.namenode.rpc-address";
  const char *name, *value;
  for (size_t i = 0; hdfs_site_at(self->site, i, &name, &value); i++) {
    char address[KEY_SIZE];
    if (strncmp(name, rpc, sizeof rpc - 1) == 0 &&
        hdfs_site_get(self->site, name, address, sizeof address) &&
        strcasecmp(address, self->authority) == 0)
      return add_of(self, name + sizeof rpc - 1, self->authority);
  }
  return false;
}

/* Copies the authority of fs.defaultFS; false where that is none of ours. */
static bool default_authority(const hdfs_site *site, char *authority, size_t size) {
  char value[KEY_SIZE];
  if (!hdfs_site_get(site, "fs.defaultFS", value, sizeof value) &&
      !hdfs_site_get(site, "fs.default.name", value, sizeof value))
    return false;
  const char *start = strstr(value, "hdfs://");
  if (!start) return false;
  start += 7;
  snprintf(authority, size, "%.*s", (int)strcspn(start, "/"), start);
  return *authority != '\0';
}

static bool add_of_default(const choice *self) {
  char authority[KEY_SIZE];
  return default_authority(self->site, authority, sizeof authority) &&
         strcasecmp(authority, self->authority) == 0 && add_of(self, "", self->authority);
}

static bool add_host(const choice *self) {
  bool is_rpc = strcmp(self->name->scheme, "hdfs") == 0;
  char host[HDFS_MOST_AUTHORITY + 1];
  if (!is_rpc) return add(self, self->authority, "");
  snprintf(host, sizeof host, "%.*s", (int)host_length(self->authority), self->authority);
  if (self->http_port > 0) return add(self, host, "");
  return add_by_rpc(self) || add_of_default(self) || add(self, host, "");
}

static bool is_secure(const hdfs_site *site, const hdfs_name *name) {
  char policy[32];
  if (strcmp(name->scheme, "hdfs") != 0) return name->scheme[0] == 's';
  return hdfs_site_get(site, "dfs.http.policy", policy, sizeof policy) &&
         strcmp(policy, "HTTPS_ONLY") == 0;
}

static bool has_kerberos(const hdfs_site *site) {
  char method[32];
  return hdfs_site_get(site, "hadoop.security.authentication", method, sizeof method) &&
         strcasecmp(method, "kerberos") == 0;
}

bool hdfs_nodes_choose(const hdfs_site *site, const hdfs_name *name, int64_t http_port,
                       hdfs_nodes *nodes, TF_Status *status) {
  char authority[KEY_SIZE];
  *nodes = (hdfs_nodes){.has_kerberos = has_kerberos(site)};
  snprintf(authority, sizeof authority, "%s", name->authority);
  if (!*authority && !default_authority(site, authority, sizeof authority))
    return fail_with(status, TF_FAILED_PRECONDITION,
                     "names no host, and fs.defaultFS of core-site.xml is not set to one of HDFS "
                     "(option conf_dir, HADOOP_CONF_DIR)");
  choice self = {.site = site,
                 .name = name,
                 .authority = authority,
                 .secure = is_secure(site, name),
                 .http_port = strcmp(name->scheme, "hdfs") == 0 ? http_port : 0,
                 .nodes = nodes};
  for (const char *c = authority; *c; c++)
    nodes->hash = nodes->hash * 31 + (unsigned char)*c;
  if (strchr(authority, ':') || !add_nameservice(&self)) add_host(&self);
  return nodes->count > 0 ||
         fail_with(status, TF_INVALID_ARGUMENT, "no name node is known for %s", authority);
}

bool hdfs_nodes_find(const TF_Filesystem *filesystem, const hdfs_name *name, hdfs_nodes *nodes,
                     TF_Status *status) {
  hdfs_kept_site *kept = hdfs_site_take(filesystem, status);
  bool good = kept && hdfs_nodes_choose(kept->site, name, remote_number(filesystem, HDFS_HTTP_PORT),
                                        nodes, status);
  hdfs_site_give(kept);
  return good;
}
