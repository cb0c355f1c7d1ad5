-- The bench: run.lua [options] [section …] [-- words …]; make bench sets the paths. Without a
-- section, all that need no servers or other programs; with words only the cases with one of them
-- in their names. Each section is measured in a process of its own (section.lua), and printed when
-- it is done.
--   --rounds N      7, unless it is told
--   --check         prints aims that are missed alone, and fails if there are any
--   --json FILE     writes all figures
--   --svg DIR       writes a chart of each section's aims
--   --docs FILE     puts the tables between the marks of their sections in a document
--   --short         once, with little of everything, to see that it works
local here = arg[0]:match("^(.*)/bench/[^/]*$") or "."
package.path = here .. "/?.lua;" .. package.path
package.cpath = (os.getenv "BUILD" or "build") .. "/bench/?.so;" .. package.cpath

local aims = require "bench.aims"
local chart = require "bench.chart"
local counts = require "bench.counts"
local json = require "modfs.cli.json"
local sections = require "bench.sections"
local tables = require "bench.tables"

local options = { rounds = 7 }
local chosen, words = {}, {}

local function usage(message)
  io.stderr:write("bench: ", message, "\n")
  os.exit(2)
end

local function parse()
  local list, i = chosen, 1
  local takes = { rounds = true, json = true, svg = true, docs = true }
  local flags = { check = true, short = true }
  while arg[i] do
    local name = list == chosen and arg[i]:match "^%-%-(.+)$"
    if arg[i] == "--" then
      list = words
    elseif not name then
      list[#list + 1] = arg[i]
    elseif takes[name] then
      i = i + 1
      options[name] = arg[i] or usage(name .. " needs a value")
    elseif flags[name] then
      options[name] = true
    else
      usage("unknown option --" .. name)
    end
    i = i + 1
  end
  options.rounds = options.short and 1 or tonumber(options.rounds) or usage "rounds: a number"
end

local function is_chosen(section)
  for _, name in ipairs(chosen) do
    if name == section.name then
      return true
    end
  end
  return #chosen == 0 and not section.apart
end

local function quote(text)
  return "'" .. text:gsub("'", "'\\''") .. "'"
end

local function output(command)
  local pipe = assert(io.popen(command))
  local all = pipe:read "a"
  return pipe:close() and all or nil
end

local function measure(section)
  local command = { "lua5.4", quote(here .. "/bench/section.lua"), section.name,
    ("%d"):format(options.rounds), options.short and "short" or "" }
  for _, word in ipairs(words) do
    command[#command + 1] = quote(word)
  end
  local printed = output(table.concat(command, " "))
  return assert(load(printed or usage(section.name .. " failed")))()
end

-- The lines that the document has of a section.
local function lines_of(section, results, verdicts)
  local lines = tables[section.layout](section.title, section.columns, results)
  local function add(more)
    lines[#lines + 1] = ""
    table.move(more, 1, #more, #lines + 1, lines)
  end
  add { section.notes }
  if #verdicts > 0 then
    add(tables.aims(verdicts))
  end
  if results.counts then
    add(counts.table(results.counts))
  end
  return lines
end

local function machine()
  local system = output "sed -n 's/^PRETTY_NAME=//p' /etc/os-release | tr -d '\"\\n'" or "?"
  local kernel, compiler = output "uname -r" or "?", output "cc --version" or "?"
  return ("%s, kernel %s, %s, %d rounds; median; **bold**: the ratio of C, or of the first, to it")
    :format(system, kernel:gsub("\n", ""), compiler:match "[^\n]*", options.rounds)
end

local function write_file(path, content)
  local file = assert(io.open(path, "w"))
  assert(file:write(content))
  assert(file:close())
end

-- Only ratios have a place in a chart. Returns the line that shows it in the document, or nil.
local function write_chart(section, verdicts)
  local bars = {}
  for _, verdict in ipairs(verdicts) do
    local mark = tonumber(verdict.wanted:match "^≥ (.*)$")
    if mark then
      local label = ("%s: %s / %s"):format(verdict.case, verdict.against, verdict.who)
      bars[#bars + 1] = { label = label,
        value = tonumber(verdict.reached), mark = mark, fine = verdict.fine,
        limit = verdict.limit and tonumber(verdict.limit.reached) }
    end
  end
  if #bars == 0 then
    return nil
  end
  write_file(("%s/%s.svg"):format(options.svg, section.name),
    chart.bars(section.title .. ": how many times as cheap", bars))
  return ("![%s](performance/%s.svg)"):format(section.title, section.name)
end

-- Replaces what stands between <!-- bench:NAME --> and <!-- bench -->.
local function write_docs(name, lines)
  local file = assert(io.open(options.docs))
  local content = file:read "a"
  file:close()
  local start = ("<!-- bench:%s -->\n"):format(name)
  local _, from = content:find(start, 1, true)
  local to = from and content:find("<!-- bench -->", from, true)
  if not to then
    return
  end
  write_file(options.docs, content:sub(1, from) .. "\n" .. table.concat(lines, "\n") .. "\n\n"
    .. content:sub(to))
end

parse()
local all, held = {}, {}
local title = machine()
if not options.check then
  print(title .. "\n")
end
if options.docs then
  write_docs("machine", { title })
end
for _, section in ipairs(sections) do
  if is_chosen(section) and (not section.needs or pcall(require, section.needs)) then
    local results = measure(section)
    local verdicts = tables.verdicts(aims[section.name] or {}, results)
    local lines = lines_of(section, results, verdicts)
    if not options.check then
      print(table.concat(lines, "\n") .. "\n")
    end
    table.move(verdicts, 1, #verdicts, #held + 1, held)
    local picture = options.svg and write_chart(section, verdicts)
    if picture then
      table.move({ "", picture }, 1, 2, #lines + 1, lines)
    end
    if options.docs and #words == 0 then
      write_docs(section.name, lines)
    end
    all[#all + 1] = { section = section.name, results = results, counts = results.counts,
      aims = verdicts }
    results.counts = nil
  end
end
if options.json then
  write_file(options.json,
    json.encode { machine = title, rounds = options.rounds, sections = all } .. "\n")
end
if options.check then
  for _, verdict in ipairs(held) do
    if not verdict.fine then
      print(("%s: %s against %s: %s, reached %s; %s"):format(verdict.case, verdict.who,
        verdict.against, verdict.wanted, verdict.reached, tables.missed(verdict)))
    end
  end
end
local missed, sum = tables.sum(held)
print(("%d aims in all, %s"):format(#held, sum))
os.exit(not (options.check and missed > 0))
