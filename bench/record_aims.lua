-- What streams and records want to reach; as aims.lua.
return {
  ["gunzip 64 KiB"] = {
    { "modfs", "C", 0.90 },
    { "modfs buffer", "C", 0.95 },
    { "modfs", "lua-zlib", 1.5 },
  },
  ["gzip 64 KiB"] = {
    { "modfs", "C", 0.95 },
    { "modfs", "lua-zlib", 0.95 },
  },
  ["read records of 64 B"] = {
    { "modfs", "C", 0.43 },
    { "modfs", "io", 5.5 },
  },
  ["read records of 1024 B"] = {
    { "modfs", "C", 0.72 },
    { "modfs", "io", 2.3 },
  },
  ["write records of 64 B"] = {
    { "modfs", "C", 0.33 },
  },
  ["write records of 1024 B"] = {
    { "modfs", "C", 0.75 },
  },
  ["CRC-32C of 1024 B"] = {
    { "modfs", "portable", 8 },
  },
}
