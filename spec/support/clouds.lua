-- The folder in which scripts/setup.sh installs the servers of `make test-clouds`.
return os.getenv "MODFS_CLOUDS" or
  (os.getenv "XDG_CACHE_HOME" or (os.getenv "HOME" or "/root") .. "/.cache") .. "/modfs"
