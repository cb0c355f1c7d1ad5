#!/bin/sh
# Serves a folder, or any other tree that modfs can reach: serve.sh FOLDER-OR-URI [PORT [RUN-FOLDER]]
# Everybody reads; who knows MODFS_TOKEN writes, or everybody with OPEN=1.
# WORKERS=n (2), THREADS=n (64) of each, MOST=size of an upload (1g), FILE_MODE=octal (600) and
# DIRECTORY_MODE (700) of new objects on a disk, LAZY=1 (each worker loads modfs),
# INIT='Lua for the master' and MORE='location …' change what is run.
# Names that nginx.conf cannot have are refused.
# Stop it with: kill -QUIT $(cat RUN-FOLDER/nginx.pid); reload it with HUP.
set -eu
folder=${1:?the folder or URI to serve}
port=${2:-8080}
run=${3:-$(mktemp -d)}
here=$(cd "$(dirname "$0")" && pwd)
init="init_by_lua_block { require 'modfs' ${INIT:-} }"
[ -z "${LAZY:-}" ] || init=
auth='writers(os.getenv "MODFS_TOKEN")'
[ -z "${OPEN:-}" ] || auth='everybody'

case $folder in
  *://*) direct=false ;;
  *) direct=true folder=$(cd "$folder" && pwd) ;;
esac

mkdir -p "$run"
run=$(cd "$run" && pwd)
for name in "$folder" "$run" "$here"; do
  case $name in
    *[\"\\\$\&{}@]*)
      echo "serve.sh: $name: nginx.conf cannot have any of \" \\ \$ & { } @ in a name" >&2
      exit 2
      ;;
  esac
done
awk -v here="$here" -v run="$run" -v folder="$folder" -v port="$port" -v auth="$auth" -v direct="$direct" \
  -v most="${MOST:-1g}" -v start="${THREADS:-64}, '${FILE_MODE:-600}', '${DIRECTORY_MODE:-700}'" \
  -v workers="${WORKERS:-2}" -v init="$init" -v more="${MORE:-}" '
  { gsub("@more@", more); gsub("@here@", here); gsub("@run@", run); gsub("@folder@", folder)
    gsub("@port@", port)
    gsub("@workers@", workers); gsub("@init@", init); gsub("@auth@", auth)
    gsub("@most@", most); gsub("@direct@", direct); gsub("@start@", start); print }
' "$here/nginx.conf" >"$run/nginx.conf"

# Workers are another user when root starts nginx: bodies of requests need a place of theirs.
user=$([ "$(id -u)" -ne 0 ] || echo "user ${SERVE_AS:-nobody nogroup};")
nginx -p "$run/" -e "$run/error.log" -c "$run/nginx.conf" -g "$user"
echo "http://127.0.0.1:$port/files/ serves $folder; nginx runs in $run"
