-- Whether this process runs under valgrind, which makes it some fifty times slower.
return (os.getenv "LD_PRELOAD" or ""):find "/vgpreload_" ~= nil
