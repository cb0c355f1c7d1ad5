#!/bin/sh
# Prints what to set to use what was installed: installed.sh LUADIR LIBDIR BINDIR ARCHIVEDIR
set -eu

cat <<EOF
Installed. Where these folders are not searched already, set:
  export PATH='$3':"\$PATH"
  export LUA_PATH='$1/?.lua;$1/?/init.lua;'"\${LUA_PATH:-;}"
  export LUA_CPATH='$2/?.so;'"\${LUA_CPATH:-;}"
  export PKG_CONFIG_PATH='$4/pkgconfig':"\${PKG_CONFIG_PATH:-}"
  export LD_LIBRARY_PATH='$4':"\${LD_LIBRARY_PATH:-}"
EOF
