# shellcheck shell=bash
# Sourced by a script SCRIPT PLACE [WORD]... that starts servers for a spec. The script begins anew as
# SCRIPT --inside PLACE [WORD]... in a namespace of processes of its own, and one of mounts for its files in
# $D, so that nothing is left however it ends. It lives as long as its standard input is open and its parent
# lives, and writes PLACE/ready (what the spec wants to know) or PLACE/failed (why not).
set -uo pipefail
export LC_ALL=C PATH=$PATH:/usr/sbin:/sbin

say() { # FILE: what comes in, all at once
  cat >"$place/$1.new" && mv "$place/$1.new" "$place/$1"
}

# A port below those that the kernel hands out, on which nobody listens.
free_port() {
  local port
  while :; do
    port=$((20000 + SRANDOM % 12000))
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# Runs each line of standard input; its outputs and status go to PLACE/N.out, N.err and N.status.
serve() {
  local number=0 line
  while read -r line; do
    number=$((number + 1))
    eval "$line" >"$place/$number.out" 2>"$place/$number.err" </dev/null
    echo $? | say "$number.status"
  done
}

if [ "$1" != --inside ]; then
  place=$1 user=()
  [ "$(id -u)" -eq 0 ] || user=(unshare --map-root-user)
  "${user[@]}" setpriv --pdeathsig KILL unshare --pid --fork --mount-proc --kill-child \
    bash "$0" --inside "$@" >"$place/log" 2>&1
  [ -e "$place/ready" ] || [ -e "$place/failed" ] || tail -n 3 "$place/log" | say failed
  exit
fi

place=$2
D=$place/cluster
mkdir "$D" && mount -t tmpfs servers "$D" || exit 1
