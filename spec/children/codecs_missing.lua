-- What a build without codecs says of each (codec_spec.lua): the template that finds that build.
package.cpath = ... .. package.cpath
local modfs = require "modfs"
assert(modfs.write("mem://a", "old content"))
for _, name in ipairs { "gzip", "zlib", "deflate", "zstd", "snappy" } do
  for _, mode in ipairs { "r", "w" } do
    print((select(2, modfs.codec.open("mem://a", mode, name))))
  end
  print(select(3, modfs.codec.wrap(modfs.buffer "x", name)))
  print(select(3, modfs.codec.available(name)))
end
print((select(2, modfs.codec.wrap(modfs.buffer "\31\139\8", "auto"))))
print(modfs.read "mem://a")
