-- What the tables of the bench say of aims: reached, missed, and whose fault that is.
local build = os.getenv "BUILD" or "build"
local sanitized = (os.getenv "LD_PRELOAD" or ""):find "san"

describe("the tables of the bench", function()
  if _VERSION ~= "Lua 5.4" then
    pending("tell what is missed: the bench is for Lua 5.4")
    return
  elseif sanitized then
    pending("tell what is missed: the bench's C modules are built without the sanitizer")
    return
  end

  local tables
  local before = package.cpath

  setup(function()
    package.cpath = build .. "/bench/?.so;" .. before
    tables = require "bench.tables"
  end)

  teardown(function()
    package.cpath = before
  end)

  -- A case of two rounds, in which everybody costs the same.
  local function result(costs)
    local all = { name = "a case", key = "case", order = {}, costs = {}, walls = {} }
    for who, cost in pairs(costs) do
      all.costs[who], all.walls[who] = { cost, cost }, { cost, cost }
    end
    return { all }
  end

  local function least(who, against, ratio)
    return { who, against, at_least = ratio }
  end

  local function verdict(aim, limit, costs)
    local list = tables.verdicts({ case = { aim, limit = limit } }, result(costs))
    assert.equal(1, #list)
    return list[1]
  end

  it("ask nothing of a limit where the aim is reached", function()
    local aim = least("modfs", "C", 0.5)
    local one = verdict(aim, { modfs = "bare" }, { C = 1, modfs = 1, bare = 4 })
    assert.is_true(one.fine)
    assert.is_nil(one.limit)
  end)

  it("tell that the limit misses an aim, too, and what it reaches", function()
    local aim = least("modfs", "C", 0.5)
    local one = verdict(aim, { modfs = "bare" }, { C = 1, modfs = 4, bare = 3 })
    assert.is_false(one.fine)
    assert.same({ who = "bare", reached = "0.33", misses = true }, one.limit)
    assert.equal("missed, by its limit, too: bare reaches 0.33", tables.missed(one))
  end)

  it("tell that the limit reaches what is missed", function()
    local aim = least("modfs", "C", 0.5)
    local one = verdict(aim, { modfs = "bare" }, { C = 1, modfs = 4, bare = 2 })
    assert.is_false(one.limit.misses)
    assert.equal("missed, ours to mend: bare reaches 0.50", tables.missed(one))
  end)

  it("do not tell what a limit reaches of itself", function()
    local one = verdict(least("modfs", "C", 0.5), { modfs = "C" }, { C = 1, modfs = 4 })
    assert.equal("missed, ours to mend", tables.missed(one))
  end)

  it("tell what is reached with the digits that show it is missed", function()
    local one = verdict(least("modfs", "C", 0.5), nil, { C = 4999, modfs = 10000 })
    assert.equal("0.4999", one.reached)
    assert.equal("0.50", verdict(least("modfs", "C", 0.5), nil, { C = 5, modfs = 10 }).reached)
  end)

  it("hold the limit against whatever the aim is about, by the clock of the aim", function()
    local aim = { "modfs", "luv", at_least = 2, wall = true }
    local costs = result { luv = 1, modfs = 1, bare = 1 }
    costs[1].walls.bare = { 0.4, 0.4 }
    local list = tables.verdicts({ case = { aim, limit = { modfs = "bare" } } }, costs)
    assert.same({ who = "bare", reached = "2.50", misses = false }, list[1].limit)
  end)

  it("know limits of aims that allow some time more", function()
    local aim = { "modfs", "memcpy", at_most_more = 10e-9 }
    local one = verdict(aim, { modfs = "bare" }, { memcpy = 0, modfs = 30e-9, bare = 20e-9 })
    assert.same({ who = "bare", reached = "+ 20 ns", misses = true }, one.limit)
  end)

  it("take the first limit that was measured, and that of nobody else", function()
    local costs = { C = 1, modfs = 4, bare = 3 }
    local one = verdict(least("modfs", "C", 0.5), { modfs = { "sdk", "bare" } }, costs)
    assert.equal("bare", one.limit.who)
    for _, limit in ipairs { { modfs = "sdk" }, { mem = "bare" } } do
      one = verdict(least("modfs", "C", 0.5), limit, costs)
      assert.is_nil(one.limit)
      assert.equal("missed", tables.missed(one))
    end
  end)

  it("leave out an aim whose other side was not measured", function()
    local aims = { case = { least("modfs", "lfs", 1) } }
    assert.same({}, tables.verdicts(aims, result { modfs = 1 }))
  end)

  it("count what is missed, and what of it by the limits", function()
    local aims = { case = { least("modfs", "C", 0.1), least("modfs", "C", 0.3),
      least("modfs", "C", 0.5), least("mem", "C", 2), limit = { modfs = "bare" } } }
    local list = tables.verdicts(aims, result { C = 1, modfs = 4, bare = 3, mem = 1 })
    local lines = tables.aims(list)
    assert.equal("| a case | modfs | C | ≥ 0.10 | 0.25 |  |", lines[3])
    assert.equal(
      "| a case | modfs | C | ≥ 0.30 | 0.25 | **missed**, ours to mend: *bare* reaches 0.33 |",
      lines[4])
    assert.equal(
      "| a case | modfs | C | ≥ 0.50 | 0.25 | **missed**, by its limit, too: *bare* reaches 0.33 |",
      lines[5])
    assert.equal("| a case | mem | C | ≥ 2.00 | 1.00 | **missed** |", lines[6])
    assert.equal("4 aims, 3 missed, 1 of them by their limit, too", lines[#lines])
    assert.equal("0 missed", (select(2, tables.sum {})))
  end)

  it("tell what grows from what grows in C, too", function()
    for _, case in ipairs {
      { "**1.20**", "", 1.2 },
      { "**1.20**", "1.20", 1.2, 1 },
      { "**1.31** grows", "", 1.31 },
      { "**2.00** grows, as C does", "1.11", 2, 1.8 },
      { "**2.00** **grows**", "1.25", 2, 1.6 },
      { "**2.00**", "1.25", 2, 1.6, true },
      { "", "" },
    } do
      assert.same({ case[1], case[2] }, { tables.growth(case[3], case[4], case[5]) })
    end
  end)

  it("round a time before they choose its unit", function()
    assert.same({ "1 µs", "999 ns", "12.3 ms" },
      { tables.time(999.9e-9), tables.time(999.4e-9), tables.time(12.34e-3) })
  end)
end)

describe("the aims of the bench", function()
  if _VERSION ~= "Lua 5.4" then
    pending("name limits that the tables show: the bench is for Lua 5.4")
    return
  end

  -- Whether a matrix has a column of who, or the cases of a section name them.
  local function shows(section, who)
    if section.layout == "matrix" then
      return (";" .. table.concat(section.columns, ";") .. ";"):find(";" .. who .. ";", 1, true)
    end
    local file = assert(io.open((section.cases:gsub("%.", "/")) .. ".lua"))
    local text = file:read "a"
    file:close()
    return text:find(('"%s"'):format(who), 1, true) or text:find("[^%w]" .. who .. " = ")
  end

  -- Calls visit(section, case, who, limit) for each limit.
  local function each_limit(visit)
    local aims = require "bench.aims"
    for _, section in ipairs(require "bench.sections") do
      for case, list in pairs(aims[section.name] or {}) do
        for who, limits in pairs(list.limit or {}) do
          for _, limit in ipairs(type(limits) == "table" and limits or { limits }) do
            visit(section, case, who, limit)
          end
        end
      end
    end
  end

  it("name limits that the tables show", function()
    local count = 0
    each_limit(function(section, case, who, limit)
      count = count + 1
      local name = ("%s, %s, %s: %s"):format(section.name, case, who, limit)
      assert.truthy(shows(section, who) and shows(section, limit), name)
      assert.falsy(shows(section, limit .. "s"), name)
    end)
    assert.truthy(count > 20)
  end)
end)
