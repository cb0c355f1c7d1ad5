rockspec_format = "3.0"
package = "modfs"
version = "scm-1"
source = {
  url = "git+file://.",
}
description = {
  summary = "Filesystem and device plugins of TensorFlow's C ABIs for Lua",
  detailed = [[
    modfs loads plugins that were written for TensorFlow's modular filesystems, brings a POSIX and an
    in-memory filesystem of its own, and gives all of them to Lua as files, directories, mapped
    regions and transactions under one set of functions.
  ]],
  license = "MIT",
}
dependencies = {
  "lua >= 5.1, < 5.5",
  "argparse >= 0.7", -- the command modfs
  "luafilesystem >= 1.8", -- modfs.lfs on plain paths
}
build = {
  type = "make",
  build_target = "all",
  build_variables = {
    CC = "$(CC)",
    CFLAGS = "$(CFLAGS)",
    LUA = "$(LUA)",
    LUA_CFLAGS = "-I$(LUA_INCDIR)",
  },
  install_target = "install",
  install_variables = {
    LUA = "$(LUA)",
    LUA_CFLAGS = "-I$(LUA_INCDIR)",
    LUADIR = "$(LUADIR)",
    LIBDIR = "$(LIBDIR)",
    BINDIR = "$(BINDIR)",
    INCLUDEDIR = "$(PREFIX)/include",
    ARCHIVEDIR = "$(PREFIX)/archive",
    MANDIR = "$(PREFIX)/man",
    LINK = "ln -f", -- luarocks moves files one by one, and a symbolic link would dangle
  },
  copy_directories = { "docs", "examples" },
}
