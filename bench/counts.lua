-- Counts for one operation, exact where times are not: system calls (strace), heap blocks
-- (malloc_count.so) and instructions outside the kernel (callgrind). Each is the difference between
-- a run of n and one of 2n operations.
local modfs = require "modfs"
local program = require "bench.program"

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

-- What one.lua does, which runs n operations, or n and then 2n.
local function one(context, case, who, n, twice)
  return ("lua5.4 %s %s %s %s %d %s"):format(quote(context.here .. "/bench/one.lua"),
    quote(context.counted), quote(case), quote(who), n, twice and "twice" or "")
end

-- The system calls of one run, or nil where strace may not trace.
local function system_calls(context, case, who, n)
  local command = "strace -f -c -o /dev/stdout " .. one(context, case, who, n) .. " 2>&1"
  for _, line in ipairs(lines_of(command)) do
    local calls = line:match("^100%.00%s+%S+%s+%S+%s+(%d+)")
    if calls then
      return tonumber(calls)
    end
  end
end

-- Blocks and bytes asked of the heap for one operation.
local function blocks(context, case, who, n)
  local library = quote(context.build .. "/bench/malloc_count.so")
  local lines = lines_of("LD_PRELOAD=" .. library .. " " .. one(context, case, who, n, true))
  local calls, bytes = {}, {}
  for i = 1, 2 do
    calls[i], bytes[i] = lines[i]:match("(%d+) (%d+)")
  end
  return (calls[2] - calls[1]) / n, (bytes[2] - bytes[1]) / n
end

-- By the beginning of the case's name.
local shown = {
  { "read 64 B", 3000, "C", "bare", "modfs", "mem", "io" },
  { "read 4096 B", 1000, "C", "bare", "modfs", "mem", "io", "luv" },
  { "read a file", 200, "C", "bare, checked", "modfs", "io", "luv" },
  { "append 64 B", 20000, "C", "bare", "modfs", "io" },
  { "lines", 40000, "C", "bare", "modfs", "io" },
  { "in order by 64 KiB", 100, "C", "bare", "modfs", "io" },
  { "in order by 1 MiB", 8, "C", "bare", "modfs" },
  { "stat", 3000, "C", "bare", "modfs", "lfs" },
  { "exists", 3000, "C", "bare", "modfs" },
  { "open + close", 3000, "C, checked", "bare, checked", "modfs", "io" },
  { "map + close", 100, "C, touched", "modfs" },
  { "list", 50, "C", "bare", "modfs fs:", "modfs" },
}

-- Two counts for each row, in order; nothing where valgrind is not installed, or may not run.
local function instruction_counts(context, rows)
  local list = {}
  if not program.is_installed "valgrind" then
    return list
  end
  local place = lines_of("mktemp -d")[1]
  local command = { ("valgrind -q --tool=callgrind --toggle-collect=limit_counted "
    .. "--dump-after=limit_counted --callgrind-out-file=%s/counts lua5.4 %s %s"):format(place,
    quote(context.here .. "/bench/instructions.lua"), quote(context.counted)) }
  for _, row in ipairs(rows) do
    command[#command + 1] = ("%s %s %d"):format(quote(row.case), quote(row.who), row.n)
  end
  os.execute(table.concat(command, " ") .. " >/dev/null 2>&1")
  for i = 1, 2 * #rows do
    local line = lines_of(("grep -s '^summary: ' %s/counts.%d"):format(place, i))[1] or ""
    list[i] = tonumber(line:match "%d+")
  end
  program.run("rm -r " .. place)
  return list
end

-- The same files, and a directory of 1,000 names, in a directory of their own.
local function prepare(context)
  context.counted = context.disk .. "/counted"
  assert(modfs.makedirs(context.counted .. "/many"))
  program.run(("cd %s && ln file whole lines sparse counted"):format(quote(context.disk)))
  for i = 1, 1000 do
    assert(modfs.write(("%s/many/entry%06d"):format(context.counted, i), ""))
  end
end

-- Array of { case, who, n, calls, blocks, bytes, instructions }; calls and instructions are false
-- where strace may not trace, and where there is no valgrind. cases: instead of those in shown.
function counts.rows(context, cases)
  local rows = {}
  prepare(context)
  for _, case in ipairs(cases or shown) do
    local name, n = case[1], case[2]
    for i = 3, #case do
      local few = system_calls(context, name, case[i], n)
      local many = few and system_calls(context, name, case[i], 2 * n)
      local row = { case = name, who = case[i], n = n }
      row.calls = many and (many - few) / n or false
      row.blocks, row.bytes = blocks(context, name, case[i], n)
      rows[#rows + 1] = row
    end
  end
  local instructions = instruction_counts(context, rows)
  for i, row in ipairs(rows) do
    local few, many = instructions[2 * i - 1], instructions[2 * i]
    row.instructions = few and many and math.max((many - few) / row.n, 0) or false
  end
  return rows
end

local function told(value, form, otherwise)
  return value and form:format(value) or otherwise
end

function counts.table(rows)
  local lines = {
    "| one operation | who | system calls | heap blocks | heap bytes | instructions |",
    "|---|---|---|---|---|---|" }
  for _, row in ipairs(rows) do
    lines[#lines + 1] = ("| %s | %s | %s | %.3f | %.0f | %s |"):format(row.case, row.who,
      told(row.calls, "%.3f", "strace may not trace here"), row.blocks, row.bytes,
      told(row.instructions, "%.0f", "no valgrind"))
  end
  lines[#lines + 1] = [[

A list is of 1,000 names. Instructions are those outside the kernel, with the collection of what is
made.]]
  return lines
end

return counts
