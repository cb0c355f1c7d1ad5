-- The options that choose entries, in all six operations alike.
local fails = require "spec.support.fails"
local merged = require "spec.support.merged"
local modfs = require "modfs"
local tmpdir = require "spec.support.tmpdir"

local files = { README = 3, ["a.c"] = 1, ["b.o"] = 2, ["src/x.c"] = 4, ["src/x.o"] = 5,
  ["src/gen/y.c"] = 6, ["src/gen/y.h"] = 7, ["build/out.o"] = 8, ["build/keep/k.c"] = 9 }

local function plant(top)
  assert(modfs.makedirs(top .. "/src/gen"))
  assert(modfs.makedirs(top .. "/build/keep"))
  assert(modfs.makedirs(top .. "/empty"))
  for name, size in pairs(files) do
    assert(modfs.write(top .. "/" .. name, ("x"):rep(size)))
  end
end

-- All entries below a directory, in one string; directories end in a slash.
local function listed(top, options)
  local list, prefix = {}, #top + 2
  for path, directories, names in modfs.walk(top, options) do
    for _, name in ipairs(directories) do
      list[#list + 1] = (path .. "/" .. name .. "/"):sub(prefix)
    end
    for _, name in ipairs(names) do
      list[#list + 1] = (path .. "/" .. name):sub(prefix)
    end
  end
  table.sort(list)
  return table.concat(list, " ")
end

local ALL = "README a.c b.o build/ build/keep/ build/keep/k.c build/out.o empty/ src/ src/gen/ "
  .. "src/gen/y.c src/gen/y.h src/x.c src/x.o"

local function names_of(text)
  local list = {}
  for name in text:gmatch "%S+" do
    list[#list + 1] = name
  end
  return list
end

-- What a deletion of the chosen entries leaves: the others, and the directories that hold one.
local function left_of(chosen)
  local is_chosen, left = {}, {}
  for _, name in ipairs(names_of(chosen)) do
    is_chosen[name] = true
  end
  for _, name in ipairs(names_of(ALL)) do
    if not is_chosen[name] then
      left[name] = true
      for above in name:gmatch "()/." do
        left[name:sub(1, above)] = true
      end
    end
  end
  local list = {}
  for name in pairs(left) do
    list[#list + 1] = name
  end
  table.sort(list)
  return table.concat(list, " ")
end

local DIRECTORIES = "build/ build/keep/ empty/ src/ src/gen/ "

local function with_directories(text)
  local list = names_of(DIRECTORIES .. text)
  table.sort(list)
  return table.concat(list, " ")
end

-- The options, and what they choose; a function makes the options.
local cases = {
  { "everything by default", {}, ALL },
  { "without what a pattern excludes", { exclude = "*.o" },
    "README a.c build/ build/keep/ build/keep/k.c empty/ src/ src/gen/ src/gen/y.c src/gen/y.h "
    .. "src/x.c" },
  { "without what one of several patterns excludes", { exclude = { "build/", "*.h", "/src/x.?" } },
    "README a.c b.o empty/ src/ src/gen/ src/gen/y.c" },
  { "what a later pattern takes back", { exclude = { "*.c", "!/src/*.c", "empty" } },
    "README b.o build/ build/keep/ build/out.o src/ src/gen/ src/gen/y.h src/x.c src/x.o" },
  { "nothing below an excluded directory", { exclude = { "/*", "!build/keep/k.c", "!a.c" } },
    "a.c" },
  { "patterns in one string, by lines", { exclude = "# a comment\n*.o\n\n*.h\n!b.o" },
    "README a.c b.o build/ build/keep/ build/keep/k.c empty/ src/ src/gen/ src/gen/y.c src/x.c" },
  { "what a pattern includes, in all directories", { include = "*.c" },
    with_directories "a.c build/keep/k.c src/gen/y.c src/x.c" },
  { "all of an included directory", { include = { "src/" } },
    with_directories "src/gen/y.c src/gen/y.h src/x.c src/x.o" },
  { "less what a later include takes back", { include = { "src/", "!gen", "*.h" } },
    with_directories "src/gen/y.h src/x.c src/x.o" },
  { "no file where no include can match", { include = "[" }, with_directories "" },
  { "everything where no exclude can match", { exclude = "[" }, ALL },
  { "what is included and not excluded", { include = "*.c", exclude = { "gen", "/build/" } },
    "a.c empty/ src/ src/x.c" },
  { "the root alone", { max_depth = 0 }, "" },
  { "to a depth", { max_depth = 1 }, "README a.c b.o build/ empty/ src/" },
  { "to a greater depth", { max_depth = 2, exclude = "*.o" },
    "README a.c build/ build/keep/ empty/ src/ src/gen/ src/x.c" },
  { "by size", { min_size = 3, max_size = 5 }, with_directories "README src/x.c src/x.o" },
  { "by size zero", { max_size = 0 }, with_directories "" },
  { "by time", { newer_than = 0 }, ALL },
  { "by a time to come", function()
    return { newer_than = (os.time() + 1000) * 1e9 }
  end, with_directories "" },
  { "by a filter", { filter = function(entry)
    return entry.kind == "directory" or entry.length % 2 == 0
  end }, with_directories "b.o build/out.o src/gen/y.c src/x.c" },
  { "by a filter for directories", { filter = function(entry)
    return entry.path ~= "src/gen" and entry.name ~= "build"
  end }, "README a.c b.o empty/ src/ src/x.c src/x.o" },
  { "by all together", { exclude = "x.o", include = { "*.c", "*.o" }, min_size = 2, max_depth = 2,
    filter = function(entry) return entry.name ~= "empty" end },
    "b.o build/ build/keep/ build/out.o src/ src/gen/ src/x.c" },
}

local function copy_of(options, more)
  return merged(type(options) == "function" and options() or options, more)
end

local function counts_of(text)
  local counts = { files = 0, dirs = 1, bytes = 0 }
  for _, name in ipairs(names_of(text)) do
    if name:sub(-1) == "/" then
      counts.dirs = counts.dirs + 1
    else
      counts.files = counts.files + 1
      counts.bytes = counts.bytes + files[name]
    end
  end
  return counts
end

for _, scheme in ipairs { "", "mem://" } do
  describe(("on %q,"):format(scheme), function()
    local base, top

    before_each(function()
      base = scheme == "" and tmpdir.new() or "mem://choosing"
      top = base .. "/top"
      plant(top)
    end)
    after_each(function()
      modfs.rmtree(base)
    end)

    for _, case in ipairs(cases) do
      local name, options, expected = case[1], case[2], case[3]

      it("walk takes " .. name, function()
        assert.equal(expected, listed(top, copy_of(options)))
        assert.equal(expected, listed(top, copy_of(options, { bottomup = true })))
      end)

      it("glob takes " .. name, function()
        local found = assert(modfs.glob(top .. "/**", copy_of(options)))
        local list = {}
        for i = 2, #found do
          list[i - 1] = found[i]:sub(#top + 2) .. (modfs.isdir(found[i]) and "/" or "")
        end
        table.sort(list)
        assert.equal(top .. "/", found[1])
        assert.equal(expected, table.concat(list, " "))
      end)

      for _, threads in ipairs { 1, 4 } do
        local function given(more)
          return copy_of(copy_of(options, more), { threads = threads })
        end
        local where = (" with %d threads"):format(threads)

        it("du counts " .. name .. where, function()
          assert.same(counts_of(expected), modfs.du(top, given()))
        end)

        it("copytree copies " .. name .. where, function()
          local counts = counts_of(expected)
          counts.errors = {}
          assert.same(counts, modfs.copytree(top, base .. "/to", given()))
          assert.equal(expected, listed(base .. "/to"))
        end)

        it("sync copies " .. name .. where, function()
          local report = assert(modfs.sync(top, base .. "/to", given()))
          assert.same({}, report.errors)
          assert.equal(counts_of(expected).files, report.copied)
          assert.equal(expected, listed(base .. "/to"))
        end)

        it("sync deletes " .. name .. where, function()
          assert(modfs.mkdir(base .. "/none"))
          local report = assert(modfs.sync(base .. "/none", top, given { delete = true,
            dry_run = true }))
          assert.equal(ALL, listed(top))
          assert.same(report, modfs.sync(base .. "/none", top, given { delete = true }))
          assert.equal(left_of(expected), listed(top))
          assert.equal(#names_of(ALL) - #names_of(left_of(expected)), report.deleted)
        end)

        it("rmtree deletes " .. name .. where, function()
          assert.same({ true, 0, 0 }, { modfs.rmtree(top, given()) })
          local left = left_of(expected)
          assert.equal(left, modfs.exists(top) and listed(top) or "")
          assert.equal(left ~= "", modfs.exists(top))
        end)

        it("progress knows the total of " .. name .. where, function()
          local last, all
          assert(modfs.copytree(top, base .. "/to", given { progress = function(done, total)
            last, all = done, total
          end }))
          local bytes = counts_of(expected).bytes
          assert.same(bytes > 0 and { bytes, bytes } or {}, { last, all })
        end)
      end
    end

    it("a list of patterns is read from a file", function()
      modfs.write("mem://patterns", "\239\187\191*.o\r\n# b\n/src/**\n!/src/gen/\n")
      local expected = listed(top, { exclude = { "*.o", "/src/**", "!/src/gen/" } })
      assert.equal("README a.c build/ build/keep/ build/keep/k.c empty/ src/ src/gen/", expected)
      assert.equal(expected, listed(top, { exclude_from = "mem://patterns" }))
      assert.same(counts_of(expected), modfs.du(top, { exclude_from = "mem://patterns" }))
      assert.equal("README a.c b.o build/ build/keep/ build/keep/k.c build/out.o empty/ src/ "
        .. "src/gen/ src/x.o", listed(top, { exclude_from = "mem://patterns", exclude = "!*.o" }))
    end)

    it("glob prunes by the directories on its way", function()
      assert.same({ top .. "/src/x.c" }, modfs.glob(top .. "/*/*.c", { exclude = "keep" }))
      assert.same({ top .. "/src/gen/y.c" }, modfs.glob(top .. "/*/gen/*.c", { include = "y.*" }))
      assert.same({}, modfs.glob(top .. "/*/gen/*.c", { exclude = "/src/gen" }))
      assert.same({ top .. "/build/", top .. "/src/" },
        modfs.glob(top .. "/*/", { filter = function(entry) return entry.name ~= "empty" end }))
    end)

    it("a filter gets path, name, kind, length and time", function()
      local seen = {}
      for _ in modfs.walk(top, { filter = function(entry)
        seen[entry.path] = entry
        return true
      end }) do end -- luacheck: ignore 542
      assert.equal(modfs.stat(top .. "/src/x.c").mtime_nsec, seen["src/x.c"].mtime_nsec)
      seen["src/x.c"].mtime_nsec = nil
      assert.same({ path = "src/x.c", name = "x.c", kind = "file", length = 4 }, seen["src/x.c"])
      assert.same({ path = "src/gen", name = "gen", kind = "directory" }, seen["src/gen"])
    end)

    it("time is compared in nanoseconds", function()
      local time, rounded = modfs.stat(top .. "/a.c").mtime_nsec, math.type and 0 or 1000
      assert.equal(0, modfs.du(top, { include = "a.c", newer_than = time + rounded }).files)
      assert.equal(1, modfs.du(top, { include = "a.c", newer_than = time - 1 - rounded }).files)
    end)

    it("sync leaves excluded entries of the target alone", function()
      local to = base .. "/to"
      plant(to)
      for _, name in ipairs { "x.log", "old/a", "old/x.log", "old/deep/b", "gone/c" } do
        modfs.makedirs((to .. "/" .. name):match "^(.*)/")
        modfs.write(to .. "/" .. name, "")
      end
      local options = { delete = true, exclude = { "*.log", "/empty/" }, dry_run = true }
      local would = assert(modfs.sync(top, to, options))
      options.dry_run = nil
      assert.same(would, modfs.sync(top, to, options))
      assert.equal(5, would.deleted)
      assert.equal(ALL .. " old/ old/x.log x.log", (listed(to):gsub("old/ old/x.log (.*) x.log$",
        "%1 old/ old/x.log x.log")))
    end)

    it("a dry run deletes nothing", function()
      local options = { dry_run = true, exclude = "*.o" }
      local tree = assert(modfs.tree("rmtree", top, options))
      assert.is_nil(tree:step())
      local would = tree:result()
      tree:close()
      assert.equal(ALL, listed(top))
      options.dry_run = nil
      tree = assert(modfs.tree("rmtree", top, options))
      assert.is_nil(tree:step())
      assert.same(would, tree:result())
      tree:close()
      assert.equal("b.o build/ build/out.o src/ src/x.o", listed(top))
    end)

    it("the root is chosen, whatever its name", function()
      local options = { exclude = { "*", "top", "a.c" }, max_size = 0 }
      assert.same({ files = 0, dirs = 1, bytes = 0 }, modfs.du(top, options))
      assert.same({ files = 1, dirs = 0, bytes = 1 }, modfs.du(top .. "/a.c", options))
    end)

    it("sync does not replace what it leaves out", function()
      local to = base .. "/to"
      assert(modfs.makedirs(to .. "/a.c/kept"))
      local report = modfs.sync(top, to, { delete = true, exclude = "a.c/" })
      assert.equal(1, #report.errors)
      assert.equal("FAILED_PRECONDITION", report.errors[1].code)
      assert.is_true(modfs.isdir(to .. "/a.c/kept"))
    end)

    describe("a filter that", function()
      local operations = {
        walk = function(filter)
          return listed(top, { filter = filter })
        end,
        bottomup = function(filter)
          return listed(top, { filter = filter, bottomup = true })
        end,
        glob = function(filter)
          return modfs.glob(top .. "/**", { filter = filter })
        end,
        du = function(filter)
          return modfs.du(top, { filter = filter })
        end,
        copytree = function(filter)
          return modfs.copytree(top, base .. "/to", { filter = filter })
        end,
        progress = function(filter)
          return modfs.copytree(top, base .. "/to", { filter = filter, progress = function() end })
        end,
        sync = function(filter)
          return modfs.sync(top, base .. "/to", { filter = filter })
        end,
        deleting = function(filter)
          modfs.mkdir(base .. "/none")
          return modfs.sync(base .. "/none", top, { filter = filter, delete = true })
        end,
        rmtree = function(filter)
          return modfs.rmtree(top, { filter = filter })
        end,
      }

      for name, operation in pairs(operations) do
        it("raises ends it: " .. name, function()
          local calls, reason = 0, {}
          local fine, raised = pcall(operation, function(entry)
            calls = calls + 1
            if entry.kind == "file" then
              error(reason)
            end
            return true
          end)
          assert.is_false(fine)
          assert.equal(reason, raised)
          local before = calls
          collectgarbage()
          assert.equal(before, calls)
          local _, text = pcall(operation, function() error "with a position" end)
          assert.is_truthy(text:find "^[^:]*choosing_spec.lua:%d+: with a position$", text)
        end)

        it("fails in modfs does no harm: " .. name, function()
          assert.has_no_error(function()
            operation(function(entry)
              fails("NOT_FOUND", modfs.read(top .. "/none"))
              fails("NOT_FOUND", modfs.du(top .. "/none"))
              return entry.kind == "directory" or modfs.read(top .. "/" .. entry.path) ~= "x"
            end)
          end)
        end)

        it("uses the same operation inside is fine: " .. name, function()
          local inner = 0
          operation(function(entry)
            modfs.du(top, { filter = function()
              inner = inner + 1
              return false
            end })
            return entry.kind == "directory"
          end)
          assert.is_true(inner > 0)
        end)

        it("deletes the entry leaves no error: " .. name, function()
          operation(function(entry)
            if entry.name == "a.c" then
              modfs.remove(top .. "/a.c")
            end
            return entry.name ~= "a.c"
          end)
          assert.is_false(modfs.exists(top .. "/a.c"))
        end)

        it("yields is an error: " .. name, function()
          local thread = coroutine.create(operation)
          local fine, message = coroutine.resume(thread, function() coroutine.yield() end)
          assert.is_false(fine)
          assert.is_truthy(tostring(message):find "attempt to yield", message)
          assert.equal("dead", coroutine.status(thread))
        end)

        it("returns false for everything leaves everything: " .. name, function()
          operation(function() return false end)
          assert.equal(ALL, listed(top))
        end)
      end

      it("deletes an entry and chooses it has its copy fail", function()
        local report = modfs.copytree(top, base .. "/to", { filter = function(entry)
          if entry.name == "a.c" then
            modfs.remove(top .. "/a.c")
          end
          return true
        end })
        assert.equal(1, #report.errors)
        assert.equal("NOT_FOUND", report.errors[1].code)
      end)

      it("closes its tree ends it", function()
        local tree
        tree = assert(modfs.tree("du", top, { filter = function()
          assert.is_true(tree:close())
          return true
        end }))
        assert.has_error(function() tree:step() end, "attempt to use a closed tree")
        assert.equal("closed tree", modfs.type(tree))
      end)

      it("steps, cancels or queries its tree", function()
        local tree, messages = nil, {}
        tree = assert(modfs.tree("du", top, { filter = function()
          messages[#messages + 1] = select(2, pcall(tree.step, tree))
          tree:result()
          return true
        end, threads = 8 }))
        assert.is_nil(tree:step())
        assert.equal(#names_of(ALL), #messages)
        assert.is_truthy(messages[1]:find("cannot continue", 1, true))
        assert.equal(9, tree:result().files)
        tree:close()

        tree = assert(modfs.tree("du", top, { filter = function() return tree:cancel() end }))
        assert.is_nil(tree:step())
        assert.is_true(tree:result().cancelled)
        tree:close()
      end)

      it("continues its walk is an error", function()
        local step
        local message
        step = modfs.walk(top, { filter = function()
          message = message or step and select(2, pcall(step))
          return true
        end })
        while step() do end -- luacheck: ignore 542
        assert.is_truthy(message:find("cannot continue", 1, true))
      end)

      it("is kept until its tree is closed, and no longer", function()
        local gone = setmetatable({}, { __mode = "k" })
        local function begin()
          local filter = function() return true end
          gone[filter] = true
          return assert(modfs.tree("du", top, { filter = filter }))
        end
        local tree = begin()
        collectgarbage()
        assert.is_truthy(next(gone))
        assert.is_nil(tree:step())
        tree:close()
        collectgarbage()
        collectgarbage()
        assert.is_nil(next(gone))
      end)
    end)

    it("wrong options raise, and name what is wrong", function()
      local calls = {
        walk = function(options) return modfs.walk(top, options) end,
        glob = function(options) return modfs.glob(top .. "/*", options) end,
        du = function(options) return modfs.du(top, options) end,
        copytree = function(options) return modfs.copytree(top, base .. "/to", options) end,
        sync = function(options) return modfs.sync(top, base .. "/to", options) end,
        rmtree = function(options) return modfs.rmtree(top, options) end,
        tree = function(options) return modfs.tree("du", top, options) end,
      }
      local wrong = { { "exclud", "*.o" }, { "exclude", 5 }, { "exclude", { "a", 5 } },
        { "include", true }, { "include", { {} } }, { "exclude", "a\0b" }, { "exclude_from", {} },
        { "filter", "*.o" }, { "max_depth", "1" }, { "max_depth", 1.5 }, { "min_size", {} },
        { "max_size", 0 / 0 }, { "newer_than", "now" } }
      for name, call in pairs(calls) do
        for _, pair in ipairs(wrong) do
          local fine, message = pcall(call, { [pair[1]] = pair[2] })
          assert.is_false(fine, name .. " " .. pair[1])
          assert.is_truthy(message:find("'" .. pair[1] .. "'", 1, true), message)
        end
        for _, key in ipairs { "max_depth", "min_size", "max_size" } do
          local message = fails("INVALID_ARGUMENT", call { [key] = -1 })
          assert.is_truthy(message:find(key, 1, true), message)
        end
        local message = fails("NOT_FOUND", call { exclude_from = base .. "/none" })
        assert.is_truthy(message:find(base .. "/none", 1, true), message)
        fails("UNIMPLEMENTED", call { exclude_from = "nobody://x" })
      end
      assert.equal(ALL, listed(top))
      assert.is_false(modfs.exists(base .. "/to"))
    end)
  end)
end

it("links are files of their own kind", function()
  local base = tmpdir.new()
  finally(function() tmpdir.remove(base) end)
  plant(base .. "/top")
  assert(os.execute(("ln -s src '%s/top/link'"):format(base)))
  local kinds = {}
  local counts = modfs.du(base .. "/top", { exclude = "link/", filter = function(entry)
    kinds[entry.kind] = (kinds[entry.kind] or 0) + 1
    return true
  end })
  assert.same({ file = 9, directory = 5, link = 1 }, kinds)
  assert.equal(10, counts.files)
  assert.equal(9, modfs.du(base .. "/top", { exclude = "/link" }).files)
end)
