-- What modfs wants to reach: how much of the limit (1 is as cheap as plain C), and how many times
-- as fast as others. Where no aim was set the figures are reported all the same.
--   [case] = { { who, against, at least } … }
return {
  ["read 64 B"] = {
    { "modfs", "C", 0.71 },
    { "modfs", "luv", 1.3 },
    { "modfs", "io", 1.65 },
  },
  ["read 4096 B"] = {
    { "modfs", "C", 0.76 },
    { "modfs", "luv", 1.15 },
    { "modfs", "io", 1.4 },
    { "mem", "ceiling", 0.9 },
    { "mem", "luv", 5 },
  },
  ["append 64 B"] = {
    { "modfs", "C", 0.20 },
    { "modfs", "io", 1.15 },
    { "modfs", "luv", 9 },
    { "mem", "ceiling", 0.9 },
    { "mem", "io", 1.1 },
  },
  ["stat"] = {
    { "modfs", "C", 0.61 },
    { "modfs", "lfs", 2 },
    { "modfs", "luv", 2.4 },
  },
  ["open + close"] = {
    { "modfs", "C", 0.68 },
    { "modfs", "io", 1.15 },
    { "modfs", "luv", 1.3 },
  },
  ["list 20000 names"] = {
    { "modfs", "C", 0.38 },
    { "modfs", "luv", 1.35 },
    { "modfs fs:", "C", 0.63 },
    { "modfs fs:", "lfs", 1.15 },
    { "modfs fs:", "luv", 2.3 },
  },
}
