# shellcheck shell=bash
# Sourced by hadoop.sh: a realm of Kerberos with a key distribution centre of its own on 127.0.0.1, whose files
# all lie in $D and $place. Clients use PLACE/krb5.conf; what they may run: add_user NAME, login NAME CACHE [LIFE],
# new_key PRINCIPAL.
realm=MODFS.TEST

kerberos_files() { # PORT
  export KRB5_CONFIG=$place/krb5.conf KRB5_KDC_PROFILE=$D/kdc.conf
  cat >"$KRB5_CONFIG" <<CONF
[libdefaults]
  default_realm = $realm
  dns_lookup_kdc = false
  dns_lookup_realm = false
  dns_canonicalize_hostname = false
  rdns = false
  udp_preference_limit = 1
[realms]
  $realm = {
    kdc = 127.0.0.1:$1
  }
[domain_realm]
  127.0.0.1 = $realm
CONF
  cat >"$KRB5_KDC_PROFILE" <<CONF
[kdcdefaults]
  kdc_listen = 127.0.0.1:$1
  kdc_tcp_listen = 127.0.0.1:$1
[realms]
  $realm = {
    database_name = $D/principals
    key_stash_file = $D/stash
    max_life = 1h
  }
CONF
}

administer() { kadmin.local -q "$*"; }
add_user() { administer addprinc -pw "secret-of-$1" "$1"; }
login() { # NAME CACHE [LIFE]
  kinit -c "$2" -l "${3:-1h}" "$1" <<<"secret-of-$1"
}
new_key() { administer cpw -randkey "$1"; }

start_kdc() {
  local port
  port=$(free_port)
  kerberos_files "$port" && kdb5_util create -s -r "$realm" -P master || return 1
  krb5kdc -n &
  until (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do
    kill -0 $! 2>/dev/null || return 1
    sleep 0.05
  done
}

# The principals of the daemons, with their keys in $D/keytab, and root's ticket, which all here use.
add_services() {
  local name
  for name in root HTTP; do
    administer addprinc -randkey "$name/127.0.0.1" && administer ktadd -k "$D/keytab" "$name/127.0.0.1" || return 1
  done
  head -c 32 /dev/urandom >"$D/signing"
  export KRB5CCNAME=$D/ticket
  add_user root && login root "$KRB5CCNAME"
}

kerberos_core() {
  property hadoop.security.authentication kerberos
  property hadoop.security.authorization true
  property hadoop.proxyuser.ann.hosts '*'
  property hadoop.proxyuser.ann.users eve
  property hadoop.http.filter.initializers org.apache.hadoop.security.AuthenticationFilterInitializer
  property hadoop.http.authentication.type kerberos
  property hadoop.http.authentication.kerberos.principal "HTTP/127.0.0.1@$realm"
  property hadoop.http.authentication.kerberos.keytab "$D/keytab"
  property hadoop.http.authentication.signature.secret.file "$D/signing"
}

kerberos_hdfs() {
  local node
  for node in namenode datanode; do
    property dfs.$node.kerberos.principal "root/127.0.0.1@$realm"
    property dfs.$node.keytab.file "$D/keytab"
  done
  property dfs.web.authentication.kerberos.principal "HTTP/127.0.0.1@$realm"
  property dfs.web.authentication.kerberos.keytab "$D/keytab"
  property dfs.namenode.kerberos.internal.spnego.principal "HTTP/127.0.0.1@$realm"
  property dfs.block.access.token.enable true
  property dfs.namenode.delegation.token.renew-interval 20000
  property dfs.data.transfer.protection authentication
  # Without TLS a data node wants ports below 1024 otherwise.
  [ "$web" = https ] || property ignore.secure.ports.for.testing true
}
