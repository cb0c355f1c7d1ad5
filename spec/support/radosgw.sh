#!/bin/bash
# A Ceph of one monitor, one OSD in memory and one S3 gateway: radosgw.sh PLACE [BUCKET]...
# SHARDS: how many pieces the index of each bucket has; 11 as Ceph has them, unless told otherwise.
# It lives in namespaces, and runs the lines of its standard input: see inside.sh.
source "${0%/*}/inside.sh"

shift 2
for pem in key cert ca; do cp "$place/$pem.pem" "$D"; done
cat "$D/key.pem" "$D/cert.pem" >"$D/rgw.pem"

configure() {
  mon_port=$(free_port) http_port=$(free_port) https_port=$(free_port)
  fsid=$(cat /proc/sys/kernel/random/uuid)
  local classes
  classes=$(dirname "$(find /usr/lib /usr/lib64 -name libcls_rgw.so -print -quit 2>/dev/null)")
  cat >"$D/ceph.conf" <<CONF
[global]
fsid = $fsid
mon_host = [v2:127.0.0.1:$mon_port/0]
ms_bind_msgr1 = false
auth_cluster_required = cephx
auth_service_required = cephx
auth_client_required = cephx
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
keyring = $D/keyring
mon_data = $D/mon
osd_data = $D/osd
rgw_data = $D/rgw
run_dir = $D/run
admin_socket = $D/run/\$name.asok
log_file = $D/log/\$name.log
mon_cluster_log_file = $D/log/cluster.log
crash_dir = $D/log
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 4
osd_pool_default_pgp_num = 4
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 2000
mon_data_avail_crit = 1
paxos_propose_interval = 0.05
paxos_min_wait = 0.02
osd_objectstore = memstore
memstore_device_bytes = 4294967296
osd_class_dir = $classes
debug_ms = 0/0
debug_rgw = 0/0
debug_osd = 0/0
debug_objecter = 0/0
debug_rados = 0/0
rgw_override_bucket_index_max_shards = ${SHARDS:-0}
rgw_frontends = beast tcp_nodelay=1 endpoint=127.0.0.1:$http_port ssl_endpoint=127.0.0.1:$https_port ssl_certificate=$D/rgw.pem
rgw_thread_pool_size = 32
rgw_dns_name = localhost
rgw_dynamic_resharding = false
rgw_enable_usage_log = false
rgw_gc_obj_min_wait = 10
rgw_gc_processor_period = 10
rgw_gc_processor_max_time = 10
rgw_crypt_require_ssl = false
rgw_crypt_s3_kms_backend = testing
rgw_crypt_s3_kms_encryption_keys = one=YWJjZGVmZ2hpamtsbW5vcGFiY2RlZmdoaWprbG1ub3A=
rgw_sts_key = abcdefghijklmnop
rgw_sts_min_session_duration = 1
CONF
}

# until_true SECONDS PID COMMAND...: false when the time is over, or the process that it waits for.
until_true() {
  local end=$((SECONDS + $1)) pid=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$end" ] && kill -0 "$pid" 2>/dev/null || return 1
    sleep 0.1
  done
}

keys() {
  ceph-authtool "$D/keyring" --create-keyring --gen-key -n mon. --cap mon 'allow *' &&
    ceph-authtool "$D/keyring" --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' &&
    ceph-authtool "$D/keyring" --gen-key -n osd.0 --cap mon 'allow profile osd' --cap osd 'allow *' &&
    ceph-authtool "$D/keyring" --gen-key -n client.rgw --cap mon 'allow rw' --cap osd 'allow rwx'
}

start_mon() {
  monmaptool --create --fsid "$fsid" --addv a "[v2:127.0.0.1:$mon_port]" "$D/monmap" &&
    ceph-mon -i a --mkfs --monmap "$D/monmap" --keyring "$D/keyring" || return 1
  ceph-mon -f -i a &
  mon=$!
  until_true 120 "$mon" ceph --connect-timeout 10 mon stat
}

osd_is_up() { ceph --connect-timeout 10 osd stat | grep -q ' 1 up'; }

start_osd() {
  ceph osd create && ceph-osd -i 0 --mkfs --osd-uuid "$(cat /proc/sys/kernel/random/uuid)" &&
    ceph osd crush add osd.0 1.0 root=default host=localhost || return 1
  ceph-osd -f -i 0 &
  osd=$!
  until_true 120 "$osd" osd_is_up
}

start_rgw() {
  radosgw -f -n client.rgw --keyring "$D/keyring" &
  rgw=$!
  until_true 180 "$rgw" curl -fs -o /dev/null --max-time 10 "http://127.0.0.1:$http_port/"
}

stop_rgw() { # at once, as in a crash
  kill -KILL "$rgw"
  wait "$rgw" 2>/dev/null
  true
}

add_user() { radosgw-admin user create --uid="$1" --display-name="$1" --access-key="$2" --secret-key="$3" >/dev/null; }

users() {
  add_user one AKIDONE 'secret/of+one' && add_user two AKIDTWO 'secret/of+two=' &&
    radosgw-admin caps add --uid=one --caps='roles=*' >/dev/null
}

# as_one SERVICE ARGUMENT...: curl with the first user's signature
as_one() {
  local service=$1
  shift
  curl -fsS --max-time 60 --aws-sigv4 "aws:amz:us-east-1:$service" --user 'AKIDONE:secret/of+one' "$@"
}

make_bucket() {
  as_one s3 -X PUT -H 'Content-Length: 0' -H 'x-amz-content-sha256: UNSIGNED-PAYLOAD' "http://127.0.0.1:$http_port/$1"
}

# The gateway gives short-lived credentials from now on; it says less of bad ones then.
allow_sessions() {
  echo "rgw_s3_auth_use_sts = true" >>"$D/ceph.conf"
  stop_rgw && start_rgw && short_role
}

# The role whose credentials end when they are told to.
short_role() {
  radosgw-admin role create --role-name=short --path=/ --assume-role-policy-doc='{"Version":"2012-10-17",
    "Statement":[{"Effect":"Allow","Principal":{"AWS":["arn:aws:iam:::user/one"]},"Action":["sts:AssumeRole"]}]}' &&
    radosgw-admin role-policy put --role-name=short --policy-name=all --policy-doc='{"Version":"2012-10-17",
      "Statement":[{"Effect":"Allow","Action":["s3:*"],"Resource":"*"}]}'
}

# session SECONDS: credentials of the first user for that long, one a line: key, secret, token
session() {
  local query="Action=AssumeRole&Version=2011-06-15&RoleArn=arn:aws:iam:::role/short&RoleSessionName=short"
  grep -q use_sts "$D/ceph.conf" || allow_sessions >/dev/null 2>&1 || return
  as_one sts -d "$query&DurationSeconds=$1" "http://127.0.0.1:$http_port/" |
    sed -nE 's/.*<AccessKeyId>([^<]*).*<SecretAccessKey>([^<]*).*<SessionToken>([^<]*).*/\1\n\2\n\3/p'
}

stop() {
  local pid
  for pid in ${rgw:-} ${osd:-} ${mon:-}; do kill -KILL "$pid"; done
  wait
  rgw='' osd='' mon=''
} 2>/dev/null

start() {
  rm -rf "$D"/{mon,osd,rgw,run,log,keyring,monmap}
  mkdir "$D"/{mon,osd,rgw,run,log}
  configure
  export CEPH_CONF=$D/ceph.conf
  step=keys && keys && step=mon && start_mon && step=osd && start_osd && step=radosgw && start_rgw && step=users && users
}

good=
for _ in 1 2 3; do # a port may be taken in between
  if start; then
    good=yes
    break
  fi
  stop
done
if [ -z "$good" ]; then
  { echo "the $step of Ceph did not start:" && tail -n 5 "$place/log"; } | say failed
  exit 1
fi
for bucket in "$@"; do
  make_bucket "$bucket" || {
    echo "bucket $bucket could not be made" | say failed
    exit 1
  }
done
printf '%s\n' "$http_port" "$https_port" | say ready

serve
stop
