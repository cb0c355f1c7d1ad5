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
  return ("lua5.4 %s %s %s %s %d"):format(quote(here .. "/bench/one.lua"), quote(disk), quote(case),
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
local function slope(context, case, who, n)
  local here, build, disk = context.here, context.build, context.disk
  local few = system_calls(here, disk, case, who, n)
  local many = system_calls(here, disk, case, who, 2 * n)
  local calls1, bytes1 = blocks(here, build, disk, case, who, n)
  local calls2, bytes2 = blocks(here, build, disk, case, who, 2 * n)
  return few and many and (many - few) / n, (calls2 - calls1) / n, (bytes2 - bytes1) / n
end

-- By the beginning of the case's name.
local shown = {
  { "read 64 B", "modfs", 1000 }, { "read 64 B", "io", 1000 },
  { "read 4096 B", "modfs", 1000 }, { "read 4096 B", "mem", 1000 }, { "read 4096 B", "io", 1000 },
  { "read 4096 B", "luv", 1000 },
  { "read a file", "modfs", 200 }, { "read a file", "io", 200 }, { "read a file", "luv", 200 },
  { "append 64 B", "modfs", 20000 }, { "append 64 B", "io", 20000 },
  { "lines", "modfs", 40000 }, { "lines", "io", 40000 },
  { "in order by 64 KiB", "modfs", 100 }, { "in order by 64 KiB", "io", 100 },
  { "in order by 1 MiB", "modfs", 8 },
  { "stat", "modfs", 1000 }, { "stat", "lfs", 1000 },
  { "exists", "modfs", 1000 },
  { "open + close", "modfs", 1000 }, { "open + close", "io", 1000 },
  { "map + close", "modfs", 100 },
  { "list", "modfs", 2 },
}

-- Array of { case, who, calls, blocks, bytes }; calls is false where strace may not trace.
function counts.rows(context)
  local rows = {}
  for i, row in ipairs(shown) do
    local calls, heap_blocks, bytes = slope(context, table.unpack(row))
    rows[i] = { case = row[1], who = row[2], calls = calls or false, blocks = heap_blocks,
      bytes = bytes }
  end
  return rows
end

function counts.table(rows)
  local lines = { "| one operation | who | system calls | heap blocks | heap bytes |",
    "|---|---|---|---|---|" }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("| %s | %s | %s | %.3f | %.0f |"):format(row.case, row.who,
      row.calls and ("%.3f"):format(row.calls) or "strace may not trace here", row.blocks,
      row.bytes)
  end
  return lines
end

return counts
