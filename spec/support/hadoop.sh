#!/bin/bash
# A cluster of HDFS: hadoop.sh PLACE HADOOP NAME_NODES DATA_NODES, all on 127.0.0.1, with small heaps.
# With two name nodes they are a pair, the nameservice "pair", with shared edits, and the first is active.
# With SECURE=1 all of them speak https alone, with the certificate PLACE/cert.pem, which is its own authority;
# with KERBEROS=1 as well they know everybody by tickets of a realm of its own, see kerberos.sh.
# It lives in namespaces, see inside.sh, and writes PLACE/conf for clients. What standard input may run:
# start_nn N, kill_nn N, start_dn N, kill_dn N, activate N, dfs WORDS..., java_run CLASS WORDS...
source "${0%/*}/inside.sh"
source "${0%/*}/kerberos.sh"

hadoop=$3 names=$4 datas=$5
mkdir "$place/conf"
web=http
[ -z "${SECURE:-}" ] || web=https

property() { echo "<property><name>$1</name><value>$2</value></property>"; }

# The properties that all share; those of single nodes come after them.
common() {
  property dfs.replication 1
  property dfs.namenode.fs-limits.min-block-size 65536
  property dfs.blocksize "${BLOCK_SIZE:-16777216}"
  property dfs.namenode.safemode.extension 0
  property dfs.namenode.acls.enabled true
  property dfs.client.block.write.replace-datanode-on-failure.policy NEVER
  property dfs.datanode.du.reserved 0
  property dfs.heartbeat.interval 1
  property dfs.namenode.heartbeat.recheck-interval 2000
  property dfs.namenode.name.dir "file://$D/name"
  property dfs.webhdfs.user.provider.user.pattern '^[A-Za-z_][A-Za-z0-9._-]*$'
  property dfs.namenode.delegation.token.always-use true
  [ "$web" = http ] || property dfs.http.policy HTTPS_ONLY
  [ -z "${KERBEROS:-}" ] || kerberos_hdfs
  if [ "$names" -eq 1 ]; then
    property dfs.namenode.rpc-address "127.0.0.1:${rpc[1]}"
    property dfs.namenode.$web-address "127.0.0.1:${http[1]}"
  else
    property dfs.nameservices pair
    property dfs.ha.namenodes.pair nn1,nn2
    for n in 1 2; do
      property dfs.namenode.rpc-address.pair.nn$n "127.0.0.1:${rpc[n]}"
      property dfs.namenode.$web-address.pair.nn$n "127.0.0.1:${http[n]}"
    done
    property dfs.namenode.shared.edits.dir "file://$D/shared"
    property dfs.ha.fencing.methods 'shell(/bin/true)'
    property dfs.ha.tail-edits.period 1
    property dfs.client.failover.proxy.provider.pair \
      org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider
  fi
}

make_keys() {
  keytool -genkeypair -alias host -keyalg RSA -keysize 2048 -validity 2 -dname CN=localhost \
    -ext san=ip:127.0.0.1 -storetype PKCS12 -keystore "$D/keys" -storepass changeit &&
    keytool -exportcert -rfc -alias host -keystore "$D/keys" -storepass changeit -file "$place/cert.pem"
}

server_keys() {
  echo '<configuration>'
  property ssl.server.keystore.location "$D/keys"
  property ssl.server.keystore.type PKCS12
  property ssl.server.keystore.password changeit
  property ssl.server.keystore.keypassword changeit
  echo '</configuration>'
}

site() { # FOLDER: the two files, with more properties from standard input
  mkdir -p "$1"
  local default=hdfs://127.0.0.1:${rpc[1]}
  [ "$names" -eq 1 ] || default=hdfs://pair
  {
    echo '<configuration>'
    property fs.defaultFS "$default"
    property hadoop.tmp.dir "$D/tmp"
    property mapreduce.framework.name local
    property hadoop.http.staticuser.user root
    [ -z "${KERBEROS:-}" ] || kerberos_core
    echo '</configuration>'
  } >"$1/core-site.xml"
  { echo '<configuration>' && common && cat && echo '</configuration>'; } >"$1/hdfs-site.xml"
  [ "$web" = http ] || server_keys >"$1/ssl-server.xml"
  cat >"$1/log4j.properties" <<LOG
log4j.rootLogger=WARN,A
log4j.logger.org.apache.hadoop.hdfs.server.datanode.web=INFO
log4j.appender.A=org.apache.log4j.ConsoleAppender
log4j.appender.A.target=System.err
log4j.appender.A.layout=org.apache.log4j.PatternLayout
log4j.appender.A.layout.ConversionPattern=%d{ISO8601} %p %c{1}: %m%n
LOG
}

# launch=exec: in the place of the shell, so that its process can be killed.
java_in() { # FOLDER CLASS WORDS...
  local conf=$1
  shift
  export HADOOP_CONF_DIR=$conf
  ${launch:-} java -Xmx"${HEAP:-192m}" -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto \
    -Djava.net.preferIPv4Stack=true ${KRB5_CONFIG:+"-Djava.security.krb5.conf=$KRB5_CONFIG"} \
    --add-opens java.base/java.lang=ALL-UNNAMED \
    -cp "$conf:$hadoop/web:$hadoop/lib/*" "$@"
}

java_run() { java_in "$place/conf" "$@"; }
dfs() { java_run org.apache.hadoop.fs.FsShell "$@"; }

ask() { curl -skf ${KERBEROS:+--negotiate -u :} "$@"; }

start_nn() {
  local conf=$D/nn$1
  launch=exec java_in "$conf" org.apache.hadoop.hdfs.server.namenode.NameNode >>"$place/nn$1.log" 2>&1 &
  nn[$1]=$!
  until ask -o "$D/jmx" "$web://127.0.0.1:${http[$1]}/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus"; do
    kill -0 "${nn[$1]}" 2>/dev/null || return 1
    sleep 0.1
  done
}
kill_nn() { kill -KILL "${nn[$1]}"; wait "${nn[$1]}" 2>/dev/null; true; }

launch_dn() {
  : >"$place/dn$1.log"
  launch=exec java_in "$D/dn$1" org.apache.hadoop.hdfs.server.datanode.DataNode >>"$place/dn$1.log" 2>&1 &
  dn[$1]=$!
}
# Until each name node that runs sends clients to it, at the port that it has now: one that was killed
# keeps its place among the live ones, with its old port, for 14 s.
wait_dn() {
  local port n
  until port=$(sed -n 's/.*Listening HTTPS* traffic on [^:]*:\([0-9]*\).*/\1/p' "$place/dn$1.log" | tail -n 1) &&
    [ -n "$port" ]; do
    kill -0 "${dn[$1]}" 2>/dev/null || return 1
    sleep 0.1
  done
  for n in $(seq "$names"); do
    until ! kill -0 "${nn[n]}" 2>/dev/null || knows "$n" "$port"; do
      kill -0 "${dn[$1]}" 2>/dev/null || return 1
      sleep 0.1
    done
  done
}
knows() { # N PORT: whether that name node's live data nodes have one with that port
  ask "$web://127.0.0.1:${http[$1]}/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo" |
    grep -q "\"LiveNodes\".*:$2\\\\\""
}
start_dn() { launch_dn "$1" && wait_dn "$1"; }
kill_dn() { kill -KILL "${dn[$1]}"; wait "${dn[$1]}" 2>/dev/null; true; }

activate() { java_run org.apache.hadoop.hdfs.tools.DFSHAAdmin -transitionToActive --forceactive nn"$1" </dev/null; }
standby() { java_run org.apache.hadoop.hdfs.tools.DFSHAAdmin -transitionToStandby nn"$1" </dev/null; }

live() { # N: how many data nodes that name node knows
  ask "$web://127.0.0.1:${http[$1]}/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState" |
    sed -n 's/.*"NumLiveDataNodes" : \([0-9]*\).*/\1/p'
}
wait_live() { # N COUNT
  local i
  for i in $(seq 1200); do
    [ "$(live "$1")" = "$2" ] && return 0
    sleep 0.1
  done
  return 1
}

start_all() {
  local n
  for n in $(seq "$datas"); do launch_dn "$n"; done
  for n in $(seq "$names"); do start_nn "$n" || return 1; done
  [ "$names" -eq 1 ] || activate 1 || return 1
  for n in $(seq "$names"); do wait_live "$n" "$datas" || return 1; done
}

prepare() {
  local n
  declare -ga rpc http nn dn
  for n in $(seq "$names"); do rpc[n]=$(free_port) http[n]=$(free_port); done
  [ "$web" = http ] || make_keys || return 1
  [ -z "${KERBEROS:-}" ] || { start_kdc && add_services; } || return 1
  site "$place/conf" </dev/null
  for n in $(seq "$names"); do
    property dfs.namenode.name.dir "file://$D/name$n" >"$D/more"
    [ "$names" -eq 1 ] || property dfs.ha.namenode.id "nn$n" >>"$D/more"
    site "$D/nn$n" <"$D/more"
  done
  for n in $(seq "$datas"); do
    {
      property dfs.datanode.data.dir "file://$D/data$n"
      property dfs.datanode.address 127.0.0.1:0
      property dfs.datanode.ipc.address 127.0.0.1:0
      property dfs.datanode.$web.address 127.0.0.1:0
      property dfs.datanode.hostname 127.0.0.1
    } | site "$D/dn$n"
  done
  java_in "$D/nn1" org.apache.hadoop.hdfs.server.namenode.NameNode -format -nonInteractive || return 1
  [ "$names" -eq 1 ] || cp -r "$D/name1" "$D/name2"
}

if prepare && start_all; then
  printf '%s\n' "${rpc[@]}" "${http[@]}" | say ready
else
  { tail -n 3 "$place"/*.log "$place/log" | tail -n 12; } | say failed
  exit 1
fi
serve
