#!/bin/bash
# Every public header, compiled alone, twice, and with all others, pedantic, in four dialects; and
# the layout assertions in each. Run from the root of the repository.
set -u
CC=${CC:-gcc}
CXX=${CXX:-g++}
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
count=0
failures=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

report() { # good? name
  count=$((count + 1))
  if [ "$1" = yes ]; then
    echo "ok $count - $2"
  else
    failures=$((failures + 1))
    echo "not ok $count - $2"
    sed 's/^/#   /' "$log"
  fi
}

# compile dialect [flags] < source
compile() {
  local dialect=$1 language=c compiler=$CC
  shift
  case $dialect in c++*) language=c++ compiler=$CXX ;; esac
  $compiler -x $language -std="$dialect" "${warnings[@]}" -Iinclude "$@" -fsyntax-only - \
    >"$log" 2>&1
}

accepts() { # name dialect [flags] < source
  local name=$1
  shift
  if compile "$@"; then report yes "$name ($1)"; else report no "$name ($1)"; fi
}

refuses() { # name dialect [flags] < source
  local name=$1
  shift
  if compile "$@"; then report no "$name ($1)"; else report yes "$name ($1)"; fi
}

headers=(include/modfs/*.h)
for dialect in c11 c17 c++11 c++17; do
  for header in "${headers[@]}"; do
    include="#include <modfs/${header##*/}>"
    accepts "${header##*/} alone" $dialect <<<"$include"
    accepts "${header##*/} twice" $dialect <<<"$include"$'\n'"$include"
  done
  accepts "all headers together" $dialect < <(printf '#include <modfs/%s>\n' "${headers[@]##*/}")
  accepts "the layout" $dialect <spec/c/layout_test.c
  refuses "control: a wrong offset is refused" $dialect -DLAYOUT_CONTROL <spec/c/layout_test.c
  refuses "control: a header that lacks an include is refused" $dialect <<<'extern size_t lost;'
done

[ ${#headers[@]} -ge 5 ] && report yes "${#headers[@]} headers found" || report no "headers found"
echo "1..$count"
[ $failures -eq 0 ]
