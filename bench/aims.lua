-- What modfs wants to reach, as cost(against) / cost(who): how much of C and of the bare module (1
-- is as cheap), and how many times as fast as others. The shares of C were set on a machine whose
-- system calls cost three times as much as the bare module's own work; where they are cheaper, the
-- share that Lua takes is larger, and the bare module is the fairer measure.
--   [case] = { { who, against, at least } … }
return {
  ["read 64 B"] = {
    { "modfs", "C", 0.71 },
    { "modfs", "bare", 0.92 },
    { "modfs", "luv", 1.3 },
    { "modfs", "io", 1.65 },
  },
  ["read 4096 B"] = {
    { "modfs", "C", 0.76 },
    { "modfs", "bare", 0.92 },
    { "modfs", "luv", 1.15 },
    { "modfs", "io", 1.4 },
    { "mem", "bare mem", 0.9 },
    { "mem", "luv", 5 },
  },
  ["read a file of 64 KiB"] = {
    { "modfs", "bare", 0.92 },
    { "modfs", "luv", 1 },
    { "modfs", "io", 1 },
  },
  ["append 64 B"] = {
    { "modfs", "C", 0.20 },
    { "modfs", "bare", 0.92 },
    { "modfs", "io", 1.15 },
    { "modfs", "luv", 9 },
    { "mem", "bare mem", 0.9 },
    { "mem", "io", 1.1 },
  },
  ["lines"] = {
    { "modfs", "C", 0.17 },
    { "modfs", "bare", 0.92 },
    { "modfs", "io", 1.8 },
    { "modfs", "luv", 2.7 },
  },
  ["in order by 64 KiB"] = {
    { "modfs", "C", 0.76 },
    { "modfs", "bare", 0.92 },
    { "modfs", "luv", 0.97 },
    { "modfs", "io", 0.97 },
    { "modfs buffer", "C", 0.95 },
    { "modfs buffer", "luv", 1.2 },
  },
  ["in order by 1 MiB"] = {
    { "modfs", "C", 0.70 },
    { "modfs", "luv", 1 },
    { "modfs buffer", "C", 0.95 },
    { "modfs buffer", "luv", 1.2 },
  },
  ["stat"] = {
    { "modfs", "C", 0.61 },
    { "modfs", "bare", 0.92 },
    { "modfs", "lfs", 2 },
    { "modfs", "luv", 2.4 },
  },
  ["open + close"] = {
    { "modfs", "C", 0.68 },
    { "modfs", "bare", 0.92 },
    { "modfs", "io", 1.15 },
    { "modfs", "luv", 1.3 },
  },
  ["list 20000 names"] = {
    { "modfs", "C", 0.38 },
    { "modfs", "luv", 1.35 },
    { "modfs fs:", "C", 0.63 },
    { "modfs fs:", "bare", 0.92 },
    { "modfs fs:", "lfs", 1.15 },
    { "modfs fs:", "luv", 2.3 },
  },
}
