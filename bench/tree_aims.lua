-- What modfs wants to reach with trees, as aims.lua says.
return {
  ["walk 100000 files"] = {
    { "modfs", "C", 0.60 },
    { "modfs", "luv", 1.7 },
    { "modfs", "lfs", 4 },
    { "modfs", "find", 0.95 },
  },
  ["sizes of 100000 files"] = {
    { "modfs", "C", 0.85 },
    { "modfs", "find", 0.9 },
  },
  ["glob **/*.txt"] = {
    { "modfs", "C", 0.66 },
    { "modfs", "luv", 2 },
    { "modfs", "find", 1.3 },
  },
  ["delete 10000 files"] = {
    { "modfs", "C", 0.93 },
    { "modfs", "rm", 0.97 },
    { "modfs", "luv", 1.25 },
  },
  ["copy 10000 files of 4 KiB"] = {
    { "modfs", "C", 0.90 },
    { "modfs", "cp", 1.2 },
    { "modfs", "luv", 1.2 },
    { "modfs", "lfs", 1.6 },
  },
}
