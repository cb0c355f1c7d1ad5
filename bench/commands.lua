-- The part about commands of docs/performance.md: bench/commands.lua [rounds [files]], or make
-- bench-commands. Each program starts anew; wall and CPU time, of all its threads.
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local fixtures = require "bench.fixtures"
local limit = require "tree_limit"
local measure = require "bench.measure"
local modfs = require "modfs"
local uv = require "luv"

local rounds, files = tonumber(arg[1]) or 5, tonumber(arg[2]) or 100000
local columns = { "system", "modfs", "rsync", "rclone" }
local command = (os.getenv "LUA" or "lua5.4") .. " " .. here .. "/bin/modfs "

local function sh(line)
  assert(os.execute(line), line)
end

uv.os_setenv("RCLONE_CONFIG", "/dev/null")

local function is_installed(program)
  return os.execute("command -v " .. program .. " >/dev/null") == true
end

-- files files of 1 KiB, in folders of 100, in two levels.
local function plant(root)
  for i = 1, files do
    local folder = ("%s/%02d/%04d"):format(root, i // 100 % 20, i // 100)
    if i % 100 == 0 or i == 1 then
      assert(modfs.makedirs(folder))
    end
    assert(modfs.write(("%s/file%06d"):format(folder, i), ("x"):rep(1024)))
  end
end

-- What is measured: for each program a shell command; before: what is done before each of them and
-- is not measured.
local function cases_in(place)
  local src, copy, same = place .. "/src", place .. "/copy", place .. "/same"
  local function both(line, theirs, ours)
    return { system = theirs .. line, modfs = command .. (ours or theirs) .. line }
  end
  local copies = both((" %s %s"):format(src, copy), "cp -r")
  copies.rsync = ("rsync -r %s/ %s"):format(src, copy)
  copies.rclone = ("rclone copy %s %s"):format(src, copy)
  local deletes = both(" " .. copy, "rm -r")
  deletes.rclone = "rclone purge " .. copy
  local sizes = both(" " .. src .. " >/dev/null", "du -bs")
  sizes.rclone = "rclone size " .. src .. " >/dev/null"
  return {
    { name = "cp -r", who = copies, before = "rm -rf " .. copy },
    { name = "sync, nothing to do", who = {
      modfs = ("%s sync %s %s >/dev/null"):format(command, src, same),
      rsync = ("rsync -a %s/ %s"):format(src, same),
      rclone = ("rclone sync %s %s"):format(src, same),
    }, before = "true" },
    { name = "find", who = both(" " .. src .. " -name '*7' >/dev/null", "find"),
      before = "true" },
    { name = "du -bs", who = sizes, before = "true" },
    { name = "rm -r", who = deletes, before = ("rm -rf %s; cp -a %s %s"):format(copy, src, copy) },
  }
end

-- Wall and CPU seconds of a shell command.
local function cost(case, who)
  sh(case.before)
  local cpu, wall = limit.cpu(), uv.hrtime()
  sh(case.who[who])
  return (uv.hrtime() - wall) / 1e9, limit.cpu() - cpu
end

-- In each round everybody runs once, in rotating order.
local function run(case)
  local names, walls, cpus = {}, {}, {}
  for _, who in ipairs(columns) do
    if case.who[who] and (who == "system" or who == "modfs" or is_installed(who)) then
      names[#names + 1], walls[who], cpus[who] = who, {}, {}
      cost(case, who)
    end
  end
  for round = 1, rounds do
    for i = 1, #names do
      local who = names[(i + round) % #names + 1]
      walls[who][round], cpus[who][round] = cost(case, who)
    end
  end
  return walls, cpus
end

local function print_row(cells)
  print("| " .. table.concat(cells, " | ") .. " |")
end

local place = fixtures.place()
plant(place .. "/src")
sh(("cp -a %s/src %s/same"):format(place, place))
print_row { ("%d files"):format(files), table.unpack(columns) }
print("|---" .. ("|---"):rep(#columns) .. "|")
for _, case in ipairs(cases_in(place)) do
  local walls, cpus = run(case)
  local cells = { case.name }
  for _, who in ipairs(columns) do
    cells[#cells + 1] = walls[who] and ("%.2f s, %.2f s **%.2f**"):format(
      measure.median(walls[who]), measure.median(cpus[who]), measure.ratio(walls, "modfs", who))
      or ""
  end
  print_row(cells)
end
print(("\nWall and CPU time with the start of each program, median of %d rounds; place: %s.")
  :format(rounds, place:match "^/[^/]*/[^/]*"))
print "Bold: the ratio of wall times to modfs, of each round: above 1, modfs is faster."
sh("rm -rf " .. place)
