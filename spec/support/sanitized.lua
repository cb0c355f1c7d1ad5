-- Whether a sanitizer stands in this process, and in those that it starts.
return (os.getenv "LD_PRELOAD" or ""):find "san%.so" ~= nil
