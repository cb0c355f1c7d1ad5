-- What can be measured: one row for each section. cases: the module with its cases; layout: how
-- they are printed; columns: in which order, for a matrix; notes: below its table; apart: not part
-- of a run of everything, as it needs servers or other programs; needs: a module without which it
-- is left out.
return {
  {
    name = "files", title = "files", cases = "bench.file_cases", layout = "matrix",
    columns = { "C", "bare", "modfs", "modfs fs:", "modfs dir", "bare dir", "modfs buffer",
      "bare buffer", "modfs region", "C, touched", "C, checked", "bare, checked",
      "bare, no strings", "bare, strings", "mem", "bare mem", "bare mem, copied", "io", "lfs",
      "luv" },
    notes = [[
*bare*: a C module without options, registry or messages, which shows what Lua itself costs.
*modfs*: plain paths, listdir sorted. *modfs fs:*: fs:get_children, unsorted like C, bare and lfs.
*modfs dir*: a loop over modfs.dir, with a table for each entry. *modfs buffer*: readinto the same
Buffer. *modfs region*: sub of a mapped file. *bare dir*: the least that such a loop does. *C,
touched*: with a read of both ends, as modfs does. *C, checked*, *bare, checked*: with a call that
tells a file from a directory, as open promises. *bare, no strings*: the same loop over the lines,
without a string of each; *bare, strings*: nothing but those. *mem*: mem://. *bare mem*: a method
that does the same with a block of memory; *copied*: by way of a block that is filled first, as a
plugin fills the host's.]],
  },
  {
    name = "trees", title = "trees, per file", cases = "bench.tree_cases", layout = "matrix",
    columns = { "C", "C, kept", "C 2, kept", "bare", "modfs", "modfs 1", "modfs {}", "mem", "find",
      "rm", "cp", "luv", "lfs" },
    notes = [[
CPU time of all threads and of the programs. *C, kept*: files have time and mode of their sources,
as modfs's copies have. *C 2, kept*: two threads, each with directories of its own. *bare*: a C
module that makes the same strings and tables, not sorted. *modfs 1*: threads = 1. *modfs {}*: entry
by entry, as for filesystems without a recursive delete. *mem*: mem://. walk and glob return sorted
names, C and find do not.]],
  },
  {
    name = "records", title = "streams and records", cases = "bench.record_cases",
    layout = "matrix", needs = "record_limit",
    columns = { "C", "bare", "bare, called", "modfs", "modfs buffer", "ahead", "portable", "io",
      "lua-zlib" },
    notes = [[
*C*: zlib alone, or the checksums and a copy of each record; for the checksums themselves, memcpy.
*bare*: an iterator in C that makes the same strings, and nothing else. *bare, called*: the same as
an object, which Lua calls by its metatable, as a reader with methods needs it. *io* reads records
without verifying a checksum. *portable*: the checksum in plain C. *ahead*: with prefetch, by the
wall.]],
  },
  {
    name = "async", title = "without waiting", cases = "bench.async_cases", layout = "rows",
    notes = [[
By the wall, as threads use several processors, or else the CPU time of all threads. *bare*: a C
module with one thread that reads, a mutex and two condition variables; *C, two threads*: the same
without Lua.]],
  },
  {
    name = "devices", title = "devices", cases = "bench.device_cases", layout = "rows",
    notes = [[
*ring*: one thread puts an item into a ring and takes it. *two rings*: an item goes to another
thread and back. *flag*: lock, set, broadcast, unlock; lock, test, unlock. *condition*: an item
goes to a thread and its reply comes back. *thread*: a memcpy by such a thread. *bare*: a method
of a userdata that does a memcpy, or creates a string; for waits, *condition* in three calls of
methods. *bare, two copies*: through a block that it keeps. *core*: the core without Lua. *read*: a
`pread` of the file in pieces of 1 MiB. *copy*: a memcpy of as many bytes. *C*: both at once, by a
thread each. *one thread*: both, one after the other. *two readers*: two threads that do both, out
of order. *slower*: the slower of reading and copying. CPU time of the process; of the calling
thread alone where a callback is enqueued; wall time for waiting on two cores and for the file.]],
  },
  {
    name = "s3", title = "s3", cases = "bench.s3_cases", layout = "matrix", apart = true,
    columns = { "curl", "C", "modfs", "s3cmd", "rclone" },
    notes = [[
Wall time with the start of each program; bold: above 1 it is faster than modfs. *C*: the same
requests by libcurl in plain C, over as many connections, and with the content signed; small objects
without a listing of them.]],
  },
  {
    name = "az", title = "az", cases = "bench.az_cases", layout = "matrix", apart = true,
    columns = { "modfs", "sdk", "sdk x4" },
    notes = [[
Wall time with the start of each program; bold: above 1 it is faster than modfs. *sdk*:
azure-storage-blob for Python, with one thread and with four.]],
  },
  {
    name = "commands", title = "commands", cases = "bench.command_cases", layout = "matrix",
    apart = true,
    columns = { "system", "modfs", "rsync", "rclone" },
    notes = "Wall time with the start of each program; bold: above 1 it is faster than modfs.",
  },
  {
    name = "archives", title = "archives", cases = "bench.archive_cases", layout = "rows",
    apart = true,
    notes = "With the start of each program; the ratio is to modfs: above 1 it is cheaper.",
  },
}
