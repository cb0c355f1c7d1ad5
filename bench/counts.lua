-- Counts for one operation, exact where times are not: system calls (strace) and heap blocks
-- (malloc_count.so). Each is the difference between a run of n and one of 2n operations.
local counts = {}

local function quote(s)
  return "'" .. s:gsub("'", "'\\''") .. "'"
end

local function lines_of(command)
  local lines = {}
  local pipe = assert(io.popen(command))
  for line in pipe:lines() do
    lines[#lines + 1] = line
  end
  pipe:close()
  return lines
end

local function one(here, disk, case, who, n)
  return ("lua5.4 %s %s %d %s %d"):format(quote(here .. "/bench/one.lua"), quote(disk), case,
    quote(who), n)
end

-- The system calls of one run, or nil where strace may not trace.
local function system_calls(here, disk, case, who, n)
  local command = "strace -f -c -o /dev/stdout " .. one(here, disk, case, who, n) .. " 2>&1"
  for _, line in ipairs(lines_of(command)) do
    local calls = line:match("^100%.00%s+%S+%s+%S+%s+(%d+)")
    if calls then
      return tonumber(calls)
    end
  end
end

-- Calls and bytes asked of the heap in one run.
local function blocks(here, build, disk, case, who, n)
  local library = quote(build .. "/bench/malloc_count.so")
  local lines = lines_of("LD_PRELOAD=" .. library .. " " .. one(here, disk, case, who, n))
  local calls, bytes = (lines[1] or ""):match("(%d+) (%d+)")
  return tonumber(calls), tonumber(bytes)
end

-- System calls, heap blocks and heap bytes of one operation.
function counts.slope(here, build, disk, case, who, n)
  local few = system_calls(here, disk, case, who, n)
  local many = system_calls(here, disk, case, who, 2 * n)
  local calls1, bytes1 = blocks(here, build, disk, case, who, n)
  local calls2, bytes2 = blocks(here, build, disk, case, who, 2 * n)
  return few and many and (many - few) / n, (calls2 - calls1) / n, (bytes2 - bytes1) / n
end

local shown = {
  { 1, "modfs", 1000 }, { 1, "io", 1000 },
  { 2, "modfs", 1000 }, { 2, "mem", 1000 }, { 2, "io", 1000 }, { 2, "luv", 1000 },
  { 3, "modfs", 200 }, { 3, "io", 200 }, { 3, "luv", 200 },
  { 4, "modfs", 20000 }, { 4, "io", 20000 },
  { 5, "modfs", 40000 }, { 5, "io", 40000 },
  { 6, "modfs", 100 }, { 6, "io", 100 },
  { 7, "modfs", 8 },
  { 8, "modfs", 1000 }, { 8, "lfs", 1000 },
  { 9, "modfs", 1000 }, { 9, "io", 1000 },
  { 10, "modfs", 2 },
}

function counts.print(here, build, disk)
  local cases = require("bench.cases")(disk, "mem://bench")
  print("| one operation | who | system calls | heap blocks | heap bytes |")
  print("|---|---|---|---|---|")
  for _, row in ipairs(shown) do
    local calls, heap_blocks, bytes = counts.slope(here, build, disk, table.unpack(row))
    print(("| %s | %s | %s | %.3f | %.0f |"):format(cases[row[1]].name, row[2],
      calls and ("%.3f"):format(calls) or "strace may not trace here", heap_blocks, bytes))
  end
end

return counts
