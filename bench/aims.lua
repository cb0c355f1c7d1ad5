-- What modfs wants to reach, by section and case: { who, against, at_least = … }, a share of the
-- cost of against (of C: 1 is as cheap; of another program: how many times as fast), or { who,
-- against, at_most_more = seconds }. What cannot be reached stays here, and is printed as missed.
-- limit: by who, the participant that does just what the aim needs, in C or by a bare module, and
-- nothing else: what it misses cannot be reached. Of an array the first that was measured.
local function least(who, against, ratio)
  return { who, against, at_least = ratio }
end

-- modfs against these programs, by CPU time and on the wall.
local function as_good_as(ratio, ...)
  local aims = {}
  for _, program in ipairs { ... } do
    aims[#aims + 1] = least("modfs", program, ratio)
    aims[#aims + 1] = { "modfs", program, at_least = ratio, wall = true }
  end
  return aims
end

-- The aims of a case, with the limit of modfs.
local function limited_by(who, aims)
  aims.limit = { modfs = who }
  return aims
end

return {
  files = {
    ["read 64 B"] = {
      least("modfs", "C", 0.73), least("modfs buffer", "C", 0.80), least("modfs region", "C", 1.85),
      least("modfs", "bare", 0.92), least("modfs", "luv", 1.3), least("modfs", "io", 1.65),
      limit = { modfs = "bare", ["modfs buffer"] = "bare buffer" },
    },
    ["read 4096 B"] = {
      least("modfs", "C", 0.74), least("modfs buffer", "C", 0.86), least("modfs region", "C", 1.40),
      least("modfs", "bare", 0.92), least("modfs", "luv", 1.15), least("modfs", "io", 1.4),
      least("mem", "bare mem", 0.9), least("mem", "luv", 5),
      limit = { modfs = "bare", ["modfs buffer"] = "bare buffer", mem = "bare mem, copied" },
    },
    ["read a file"] = {
      least("modfs", "bare", 0.92), least("modfs", "luv", 1), least("modfs", "io", 1),
      limit = { modfs = "bare, checked" },
    },
    ["append 64 B"] = {
      least("modfs", "C", 0.40), least("modfs", "bare", 0.92), least("modfs", "io", 1.15),
      least("modfs", "luv", 9), least("mem", "bare mem", 0.9), least("mem", "io", 1.1),
      limit = { modfs = "bare", mem = "bare mem" },
    },
    ["append 64 KiB"] = {
      least("modfs", "C", 1), least("modfs", "luv", 1), least("modfs", "io", 1),
      limit = { modfs = "bare" },
    },
    lines = {
      least("modfs", "C", 0.18), least("modfs", "bare", 0.92), least("modfs", "io", 1.8),
      least("modfs", "luv", 2.7),
      limit = { modfs = "bare" },
    },
    ["in order by 64 KiB"] = {
      least("modfs", "C", 0.76), least("modfs", "bare", 0.92), least("modfs", "luv", 0.97),
      least("modfs", "io", 0.97), least("modfs buffer", "C", 0.95),
      least("modfs buffer", "luv", 1.2),
      limit = { modfs = "bare", ["modfs buffer"] = "bare buffer" },
    },
    ["in order by 1 MiB"] = {
      least("modfs", "C", 0.70), least("modfs", "luv", 1), least("modfs buffer", "C", 0.95),
      least("modfs buffer", "luv", 1.2),
      limit = { modfs = "bare", ["modfs buffer"] = "bare buffer" },
    },
    stat = {
      least("modfs", "C", 0.70), least("modfs", "bare", 0.92), least("modfs", "lfs", 2),
      least("modfs", "luv", 2.4),
      limit = { modfs = "bare" },
    },
    exists = {
      least("modfs", "C", 0.88), least("modfs", "bare", 0.92), least("modfs", "io", 2.6),
      least("modfs", "lfs", 1.1), least("modfs", "luv", 1.5),
      limit = { modfs = "bare" },
    },
    ["open + close"] = {
      least("modfs", "C", 0.80), least("modfs", "bare", 0.92), least("modfs", "io", 1.15),
      least("modfs", "luv", 1.3),
      limit = { modfs = "bare, checked" },
    },
    ["map + close"] = {
      least("modfs", "C", 0.20),
      limit = { modfs = "C, touched" },
    },
    list = {
      least("modfs", "C", 0.60), least("modfs", "luv", 1.35), least("modfs fs:", "C", 0.75),
      least("modfs fs:", "bare", 0.92), least("modfs fs:", "lfs", 1.15),
      least("modfs fs:", "luv", 2.3), least("modfs dir", "C", 0.70),
      least("modfs dir", "bare dir", 0.92),
      limit = { modfs = "bare", ["modfs fs:"] = "bare", ["modfs dir"] = "bare dir" },
    },
  },
  trees = {
    walk = {
      least("modfs", "C", 0.75), least("modfs", "luv", 1.7), least("modfs", "lfs", 4),
      least("modfs", "find", 0.95), least("modfs", "bare", 0.92),
      limit = { modfs = "bare" },
    },
    sizes = limited_by("C", { least("modfs", "C", 0.85), least("modfs", "find", 0.9) }),
    glob = {
      least("modfs", "C", 0.75), least("modfs", "luv", 2), least("modfs", "find", 1.3),
      limit = { modfs = "bare" },
    },
    delete = limited_by("C", {
      least("modfs", "C", 1), least("modfs", "rm", 0.97), least("modfs", "luv", 1.25),
    }),
    copy = {
      least("modfs", "C", 0.85), least("modfs", "cp", 1.2), least("modfs", "luv", 1.2),
      least("modfs", "lfs", 1.6),
      limit = { modfs = "C 2, kept" },
    },
  },
  records = {
    ["gunzip 64 KiB"] = {
      least("modfs", "C", 0.90), least("modfs buffer", "C", 0.95), least("modfs", "lua-zlib", 1.5),
      limit = { modfs = "C", ["modfs buffer"] = "C" },
    },
    ["gzip 64 KiB"] = {
      least("modfs", "C", 0.95), least("modfs", "lua-zlib", 0.95),
      limit = { modfs = "C" },
    },
    ["read records of 64 B"] = {
      least("modfs", "C", 0.42), least("modfs", "io", 5.5),
      limit = { modfs = "bare, called" },
    },
    ["read records of 1024 B"] = {
      least("modfs", "C", 0.80), least("modfs", "io", 2.3),
      limit = { modfs = "bare, called" },
    },
    ["write records of 64 B"] = limited_by("C", { least("modfs", "C", 0.33) }),
    ["write records of 1024 B"] = limited_by("C", { least("modfs", "C", 0.75) }),
    ["CRC-32C of 1024 B"] = { least("modfs", "portable", 8) },
  },
  devices = {
    ["write small"] = { { "modfs", "memcpy", at_most_more = 90e-9 } },
    -- A string can only be made of bytes that the host has: one copy more.
    ["read small"] = { { "modfs", "bare", at_most_more = 126e-9 } },
    ["write middle"] = { least("modfs", "memcpy", 0.97) },
    ["write large"] = { least("modfs", "memcpy", 0.97) },
    ["stream middle"] = { least("modfs", "thread", 0.97) },
    ["stream large"] = { least("modfs", "memcpy", 0.97), limit = { modfs = "thread" } },
    ["enqueue in C"] = { least("plugin", "ring", 0.8), least("core", "ring", 0.8) },
    event = { { "modfs", "flag", at_most_more = 130e-9 } },
    ["wait in C, one core"] = { least("plugin", "condition", 0.9) },
    ["round trip, one core"] = { least("modfs", "condition", 0.9), limit = { modfs = "bare" } },
    -- Reading and copying at a time needs two idle cores: C says what is to be had.
    load = {
      least("modfs", "slower", 1 / 1.15), least("modfs", "C", 0.95),
      limit = { modfs = "C" },
    },
  },
  async = {
    ["100 at a time"] = {
      least("modfs", "plain", 1.3), least("modfs", "luv", 1),
      limit = { modfs = "bare" },
    },
    ["100 at a time, CPU time"] = {
      least("modfs", "plain", 0.8), least("modfs", "luv", 1),
      limit = { modfs = "bare" },
    },
    ["all at once"] = {
      least("modfs", "plain", 1.3), least("modfs", "luv", 1),
      limit = { modfs = "bare" },
    },
    ["all at once, CPU time"] = {
      least("modfs", "plain", 0.8), least("modfs", "luv", 1),
      limit = { modfs = "bare" },
    },
    ["empty job"] = { least("modfs", "condition variable", 1 / 1.5) },
    ["empty job, CPU time"] = { least("modfs", "condition variable", 1 / 1.5) },
  },
  s3 = {
    ["get 64 MiB"] = limited_by("C", { least("modfs", "curl", 0.95) }),
    ["put 64 MiB"] = limited_by("C", { least("modfs", "curl", 0.95) }),
    ["put 64 MiB, content not signed"] = { least("modfs", "curl", 0.95) },
    ["put 2000 objects of 1 KiB"] = limited_by("C", { least("modfs", "s3cmd", 3) }),
    ["get 2000 objects of 1 KiB"] = limited_by("C", { least("modfs", "s3cmd", 3) }),
    list = limited_by("C", { least("modfs", "curl", 0.8) }),
  },
  az = {
    ["get 64 MiB"] = { least("modfs", "sdk", 0.95), least("modfs", "sdk x4", 0.95) },
    ["put 64 MiB"] = { least("modfs", "sdk", 0.95), least("modfs", "sdk x4", 0.95) },
    ["put small"] = { least("modfs", "sdk", 3) },
    ["get small"] = { least("modfs", "sdk", 3) },
  },
  commands = {
    ["cp -r"] = { least("modfs", "system", 1.4) },
    du = { least("modfs", "system", 1) },
    find = { least("modfs", "system", 1) },
    ["rm -r"] = { least("modfs", "system", 1) },
    sync = { least("modfs", "rsync", 1) },
  },
  archives = {
    ["extract large, stored zip"] = as_good_as(0.95, "unzip", "bsdtar"),
    ["extract large, zip"] = as_good_as(0.95, "unzip", "bsdtar"),
    ["create large, zip"] = as_good_as(0.95, "zip", "bsdtar"),
    ["extract large, tar"] = as_good_as(0.95, "tar", "bsdtar"),
    ["create large, tar"] = as_good_as(0.95, "tar", "bsdtar"),
    -- Any member can be read, so all is written to a temporary file first, by C, too.
    ["extract large, tar.gz"] = limited_by("C", as_good_as(0.95, "tar", "bsdtar")),
    ["create large, tar.gz"] = as_good_as(0.95, "tar", "bsdtar"),
    ["extract large, tar.zst"] = limited_by("C", as_good_as(0.95, "tar", "bsdtar")),
    ["create large, tar.zst"] = limited_by("C", as_good_as(0.95, "tar", "bsdtar")),
    ["extract small, zip"] = limited_by("C", as_good_as(3, "unzip")),
    ["extract small, stored zip"] = limited_by("C", as_good_as(3, "unzip")),
  },
}
