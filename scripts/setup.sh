#!/bin/sh
# Installs the Debian packages that a target needs and that are missing: setup.sh [run|test|luas|check|bench|fuzz|valgrind|mutants|clouds|sdks]...
# Where it may not install it prints the command and stops. Quick and silent when nothing is missing.
set -eu

missing=

# need PACKAGE COMMAND...: the package is missing when the command fails.
need() {
  package=$1
  shift
  "$@" >/dev/null 2>&1 || missing="$missing $package"
}
need_command() {
  need "$1" command -v "$2"
}
need_file() {
  need "$1" test -e "$2"
}
need_module() {
  need "$1" lua5.4 -e "require '$2'"
}

need_build() {
  need_command gcc gcc
  need_file libc6-dev /usr/include/stdio.h
  need_command make make
  need_command pkg-config pkg-config
  need_command lua5.4 lua5.4
  need liblua5.4-dev pkg-config --exists lua5.4
}
# The command, its prompt, the codecs, modfs.hash, and the plugins of http and s3.
need_run() {
  need_module lua-argparse argparse
  need_module lua-readline readline
  need_file zlib1g-dev /usr/include/zlib.h
  need_file libzstd-dev /usr/include/zstd.h
  need_file libsnappy-dev /usr/include/snappy-c.h
  need libcurl4-openssl-dev pkg-config --exists libcurl
  need libexpat1-dev pkg-config --exists expat
  need libssl-dev pkg-config --exists libcrypto
  need libcjson-dev pkg-config --exists libcjson
}
need_test() {
  need_run
  need_command g++ g++
  need_command git git
  need_command pmccabe pmccabe
  need_command luarocks luarocks-5.4
  need_command zip zip
  need_command unzip unzip
  need_module lua-busted busted.runner
  need_module lua-filesystem lfs
  need_module lua-penlight pl.path
  need_command libarchive-tools bsdtar
  need_command zsh zsh
  need_command tmux tmux
  need_command groff-base groff
  need_command strace strace
  need_command rsync rsync
  need_command zstd zstd
  need_command nginx-light nginx
  need_file libnginx-mod-http-lua /usr/lib/nginx/modules/ngx_http_lua_module.so
  need_command luajit2 luajit
  need libluajit2-5.1-dev pkg-config --exists luajit
  need_command curl curl
  need_command openssl openssl
  need_module lua-luv luv
  need_module lua-cqueues cqueues
  need_file lua-copas /usr/share/lua/5.1/copas.lua
  need_command love love
  need_command ceph-mon ceph-mon
  need_command ceph-osd ceph-osd
  need_command radosgw radosgw
  need_command s3cmd s3cmd
  need_command faketime faketime
}
need_luas() {
  for version in 5.1 5.2 5.3; do
    need_command "lua$version" "lua$version"
  done
  need liblua5.1-0-dev pkg-config --exists lua5.1
  need liblua5.2-dev pkg-config --exists lua5.2
  need liblua5.3-dev pkg-config --exists lua5.3
  need_command luajit2 luajit
  need libluajit2-5.1-dev pkg-config --exists luajit
}
need_check() {
  need_command clang-format clang-format
  need_command clang-tidy clang-tidy
  need_command lua-check luacheck
}
need_bench() {
  need_module lua-filesystem lfs
  need_module lua-luv luv
  need_module lua-zlib zlib
  need_file zlib1g-dev /usr/include/zlib.h
  need_command strace strace
  need_command valgrind valgrind
  need_command wrk wrk
  need_command rclone rclone
  need_command rsync rsync
}
need_fuzz() {
  need_command clang clang
  need libclang-rt-14-dev sh -c 'ls /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer*'
}
need_valgrind() {
  need_command valgrind valgrind
  need_file libc6-dbg /usr/share/doc/libc6-dbg
}

need_mutants() {
  need_command python3-pip pip
  need_command bubblewrap bwrap
}

# Servers that Debian does not have. They are kept outside of the repository, for all later runs.
clouds=${MODFS_CLOUDS:-${XDG_CACHE_HOME:-$HOME/.cache}/modfs}
moto=5.1.0
azurite=3.35.0
hadoop=3.3.6
gcs_emulator=2026.7.19
fake_gcs=1.56.1
gcs_client=3.17.1
tensorflow_gcs=0.37.1
with_clouds=false
with_sdks=false
need_clouds() {
  need python3-venv python3 -c 'import ensurepip, venv'
  need_command default-jre-headless java
  need_command maven mvn
  need_command unzip unzip
  need_command nodejs node
  need_command npm npm
  # Their place is not in every user's PATH.
  need_file krb5-kdc /usr/sbin/krb5kdc
  need_file krb5-admin-server /usr/sbin/kadmin.local
  need_command krb5-user kinit
  with_clouds=true
}
install_clouds() {
  install_moto
  install_azurite
  install_hadoop
  install_gcs
  install_tensorflow_gcs
}
install_moto() {
  place=$clouds/moto-$moto
  [ ! -e "$place/whole" ] || return 0
  echo "installing: moto $moto from PyPI, in $place" >&2
  python3 -m venv --clear "$place"
  "$place/bin/pip" install -q --disable-pip-version-check "moto[s3]==$moto" flask flask-cors >&2
  touch "$place/whole"
}
# Google's: an emulator and the client of its own from PyPI, and an emulator that is a Go module, where
# there is a Go (golang-go of Debian is too old for it).
install_gcs() {
  place=$clouds/gcp-storage-emulator-$gcs_emulator
  if [ ! -e "$place/whole" ]; then
    echo "installing: gcp-storage-emulator $gcs_emulator from PyPI, in $place" >&2
    python3 -m venv --clear "$place"
    "$place/bin/pip" install -q --disable-pip-version-check "gcp-storage-emulator==$gcs_emulator" \
      "google-cloud-storage==$gcs_client" >&2
    touch "$place/whole"
  fi
  place=$clouds/fake-gcs-server-$fake_gcs
  if [ ! -e "$place/fake-gcs-server" ] && command -v go >/dev/null; then
    echo "installing: fake-gcs-server $fake_gcs, a Go module, in $place" >&2
    GOBIN=$place go install "github.com/fsouza/fake-gcs-server@v$fake_gcs" >&2 ||
      echo "fake-gcs-server was not built; its specs are skipped" >&2
  fi
}
# A plugin that was built for TensorFlow: the gs of tensorflow-io, a shared object within a wheel.
install_tensorflow_gcs() {
  place=$clouds/tensorflow-gcs-$tensorflow_gcs
  [ ! -e "$place/whole" ] || return 0
  echo "installing: tensorflow-io-gcs-filesystem $tensorflow_gcs from PyPI, in $place" >&2
  rm -rf "$place"
  if "$clouds/gcp-storage-emulator-$gcs_emulator/bin/pip" download -q --disable-pip-version-check --no-deps \
    --only-binary=:all: --python-version 3.11 --platform "manylinux2014_$(uname -m)" -d "$place" \
    "tensorflow-io-gcs-filesystem==$tensorflow_gcs" >&2; then
    (cd "$place" && python3 -m zipfile -e ./*.whl . && rm ./*.whl && touch whole)
  else
    echo "there is no tensorflow-io-gcs-filesystem for this machine; its specs are skipped" >&2
  fi
}
install_azurite() {
  place=$clouds/azurite-$azurite
  [ ! -e "$place/whole" ] || return 0
  echo "installing: Azurite $azurite from npm, in $place" >&2
  rm -rf "$place"
  mkdir -p "$place"
  npm install --silent --no-audit --no-fund --ignore-scripts --prefix "$place" "azurite@$azurite" >&2
  touch "$place/whole"
}
# The daemons and tools of HDFS, and the pages without which they answer no HTTP.
install_hadoop() {
  place=$clouds/hadoop-$hadoop
  [ ! -e "$place/whole" ] || return 0
  echo "installing: Hadoop $hadoop from Maven Central, in $place" >&2
  rm -rf "$place"
  mkdir -p "$place"
  {
    echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    echo '<groupId>modfs</groupId><artifactId>hadoop</artifactId><version>1</version><dependencies>'
    for name in common hdfs hdfs-client archives mapreduce-client-common mapreduce-client-jobclient; do
      echo "<dependency><groupId>org.apache.hadoop</groupId><artifactId>hadoop-$name</artifactId>"
      echo "<version>$hadoop</version></dependency>"
    done
    echo '</dependencies></project>'
  } >"$place/pom.xml"
  (
    cd "$place"
    mvn -q -B dependency:copy-dependencies -DincludeScope=runtime -DoutputDirectory="$place/lib" >&2
    mvn -q -B dependency:copy -DoutputDirectory="$place/pages" \
      -Dartifact="org.apache.hadoop:hadoop-client-minicluster:$hadoop" >&2
    mkdir web
    unzip -q -d web "pages/hadoop-client-minicluster-$hadoop.jar" 'webapps/*'
    rm -r pages
  )
  touch "$place/whole"
}

# Clients of these services, for benchmarks.
azure_storage_blob=12.31.1
need_sdks() {
  with_sdks=true
}
install_sdks() {
  place=$clouds/azure-storage-blob-$azure_storage_blob
  [ ! -e "$place/whole" ] || return 0
  echo "installing: azure-storage-blob $azure_storage_blob from PyPI, in $place" >&2
  python3 -m venv --clear "$place"
  "$place/bin/pip" install -q --disable-pip-version-check "azure-storage-blob==$azure_storage_blob" >&2
  touch "$place/whole"
}

need_build
for set in "$@"; do
  case $set in
    run | test | luas | check | bench | fuzz | valgrind | mutants | clouds | sdks) "need_$set" ;;
    *)
      echo "setup.sh: unknown set $set" >&2
      exit 2
      ;;
  esac
done
if [ -z "$missing" ]; then
  [ "$with_clouds" = false ] || install_clouds
  [ "$with_sdks" = false ] || install_sdks
  exit 0
fi

# Unquoted on purpose: a list of words.
install="apt-get install -y --no-install-recommends$missing"
if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
  echo "Missing packages (Debian's names):$missing" >&2
  echo "Install them, then run make again:" >&2
  echo "  sudo $install" >&2
  exit 1
fi

export DEBIAN_FRONTEND=noninteractive
echo "installing:$missing" >&2
$install >&2 || { apt-get update >&2 && $install >&2; }
[ "$with_clouds" = false ] || install_clouds
[ "$with_sdks" = false ] || install_sdks
