-- Reading with a thread that reads ahead, against reading without: time on the clock and of the
-- CPU, the least of the rounds. The clock shows what the machine had free.
local modfs = require "modfs"
local tfrecord = require "modfs.tfrecord"
local uv = require "luv"
local measure = require "bench.measure"

local size, count = 1024, 40000

local function write(path, kind)
  local source = assert(modfs.read "/proc/self/exe")
  local writer = assert(tfrecord.writer(path, { compression = kind }))
  for i = 1, count do
    local at = i * 7919 % (#source - size)
    writer:write(source:sub(at + 1, at + size))
  end
  assert(writer:close())
end

-- Seconds on the clock and of the CPU for one record.
local function read(path, kind, prefetch)
  local clock, cpu = uv.hrtime(), os.clock()
  local reader, n = assert(tfrecord.reader(path, { compression = kind, prefetch = prefetch })), 0
  for _ in reader do
    n = n + 1
  end
  reader:close()
  assert(n == count)
  return (uv.hrtime() - clock) / 1e9 / count, (os.clock() - cpu) / count
end

return function(place, rounds)
  local path = place .. "/ahead"
  print "| records of 1024 B | clock | CPU | ahead: clock | CPU | faster by |"
  print "|---|---|---|---|---|---|"
  for _, kind in ipairs { "", "GZIP" } do
    write(path, kind)
    local ratios, least = {}, { 1, 1, 1, 1 }
    for round = 1, rounds do
      local clock, cpu = read(path, kind, false)
      local ahead_clock, ahead_cpu = read(path, kind, true)
      ratios[round] = clock / ahead_clock
      for i, value in ipairs { clock, cpu, ahead_clock, ahead_cpu } do
        least[i] = math.min(least[i], value)
      end
    end
    local cells = { kind == "" and "plain" or kind }
    for _, seconds in ipairs(least) do
      cells[#cells + 1] = ("%.0f ns"):format(seconds * 1e9)
    end
    print(("| %s | **%.2f** |"):format(table.concat(cells, " | "), measure.median(ratios)))
  end
end
