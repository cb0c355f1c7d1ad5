#!/bin/sh
# false_alarms.sh BUILD [LOAD] [FORM]...: whether `modfs check` of BUILD raises a false alarm. The five good
# plugins are built in each form (O0 O3 asan tsan), in directories of their own below BUILD/false, and
# checked while LOAD processes (8) do nothing but count. Prints a line for each plugin and form, with the
# seconds that it took; ends with 1 when one of them fails.
set -u
build=$1
load=${2:-8}
[ $# -lt 2 ] && shift 1 || shift 2
[ $# -gt 0 ] || set -- O0 O3 asan tsan
modfs=$build/bin/modfs
place=$build/false
alarms=0
counters=

# The processes end with this one.
trap 'kill $counters 2>/dev/null' EXIT
trap 'exit 1' INT TERM

for _ in $(seq "$load"); do
  sh -c "while kill -0 $$ 2>/dev/null; do i=0; while [ \$i -lt 100000 ]; do i=\$((i+1)); done; done" &
  counters="$counters $!"
done

flags_of() {
  case $1 in
    O0) echo '-O0' ;;
    O3) echo '-O3' ;;
    asan) echo '-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined' ;;
    tsan) echo '-O1 -g -fsanitize=thread -ftls-model=initial-exec' ;;
    *) echo "false_alarms.sh: no form $1" >&2 && exit 2 ;;
  esac
}

# form flags: builds all five in their directory.
build_all() {
  for plugin in mem posix reference; do
    make -s BUILD="$place/$1" CFLAGS="$2" LDFLAGS="$2" WARN=-w "$place/$1/modfs/plugins/$plugin.so" || exit 1
  done
  for source in examples/template/template.c examples/plugin/hello.c; do
    # shellcheck disable=SC2086
    cc -std=c11 -D_GNU_SOURCE $2 -w -fPIC -fvisibility=hidden -shared -Iinclude $source \
      -o "$place/$1/modfs/plugins/$(basename $source .c).so" \
      -Wl,--no-as-needed "$place/$1/stub/libtensorflow_framework.so.2" || exit 1
  done
}

# form plugin words...: one check; its report is printed when it fails.
check() {
  form=$1 plugin=$2
  shift 2
  began=$(date +%s)
  if report=$("$modfs" check "$place/$form/modfs/plugins/$plugin.so" --jobs 2 "$@" 2>&1); then
    verdict=passes
  else
    verdict=FAILS alarms=$((alarms + 1))
  fi
  printf '%-5s %-10s %-7s %4d s\n' "$form" "$plugin" "$verdict" $(($(date +%s) - began))
  [ "$verdict" = passes ] || printf '%s\n' "$report"
}

for form in "$@"; do
  flags=$(flags_of "$form") || exit 2
  build_all "$form" "$flags"
  check "$form" mem --scheme mem --as check
  check "$form" posix --as check
  check "$form" reference
  check "$form" template
  check "$form" hello
done
echo "$alarms false alarms at load $load"
[ "$alarms" -eq 0 ]
