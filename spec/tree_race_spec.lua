-- No operation on a tree reaches outside its roots while another process exchanges what is in it
-- with links. RACE_ROUNDS is for `make race-trees`; the control goes by paths, and leaves.
local bare = require "spec.support.bare"
local cli = require "modfs.cli"
local merged = require "spec.support.merged"
local modfs = require "modfs"
local race = require "spec.support.race"
local tmpdir = require "spec.support.tmpdir"

local rounds = tonumber(os.getenv "RACE_ROUNDS") or 15
local full = os.getenv "RACE_ROUNDS" ~= nil
local CONTROL_ROUNDS = 2000

local function command(...)
  local stderr = io.stderr
  io.stderr = io.tmpfile() -- luacheck: ignore 122
  pcall(cli.main, { ... }, {})
  io.stderr:close()
  io.stderr = stderr -- luacheck: ignore 122
end

local function tell() end

-- What was copied from a canary: a file that only a link leads to.
local function leak(top)
  for path, _, files in modfs.walk(top, { onerror = tell }) do
    for _, name in ipairs(files) do
      if modfs.read(path .. "/" .. name) == "canary" then
        return path .. "/" .. name .. " is the canary's"
      end
    end
  end
end

local with = {
  { "alone", { threads = 1 } },
  { "with threads", { threads = 4 } },
  { "with progress", { threads = 2, progress = tell } },
  { "with a choice", { threads = 4, exclude = "none", newer_than = 1 } },
  { "with a filter", { filter = function() return true end } },
}

-- For copies, which keep links, times and modes in all of the above.
local with_more = {
  { "with the content alone", { threads = 2, preserve = {} } },
  { "with the owner", { threads = 2, preserve = { "mtime", "mode", "owner" } } },
}
for i, mode in ipairs(with) do
  table.insert(with_more, i, mode)
end

-- Each takes a race, and options; it returns what else is wrong.
local operations = {
  { "rmtree", function(self, opts)
    modfs.rmtree(self:tree("src", true), opts)
  end, with },
  { "rmtree as the plugin does it", function(self)
    modfs.rmtree(self:tree("src", true))
  end },
  { "copytree", function(self, opts)
    modfs.copytree(self:tree "src", self:tree "to/src", opts)
  end, with_more },
  { "sync", function(self, opts)
    modfs.sync(self:tree "src", self:tree("to/src", true), merged(opts, { delete = true }))
  end, with_more },
  { "sync with checksums", function(self)
    modfs.sync(self:tree "src", self:tree("to/src", true), { delete = true, checksum = true })
  end },
  { "copytree to memory", function(self, opts)
    modfs.copytree(self:tree("src", true), "mem://race", opts)
    return leak "mem://race"
  end, with_more },
  { "sync to memory", function(self, opts)
    modfs.sync(self:tree("src", true), "mem://race", merged(opts, { delete = true }))
    return leak "mem://race"
  end, with_more },
  { "copytree from memory", function(self, opts)
    modfs.makedirs "mem://race/a/sub/x/y"
    modfs.makedirs "mem://race/b"
    for _, name in ipairs { "a/sub/1", "a/sub/x/y/1", "a/sub/x/y/new", "b/1" } do
      modfs.write("mem://race/" .. name, "memory")
    end
    modfs.copytree("mem://race", self:tree "to/src", opts)
  end, with_more },
  { "sync from memory", function(self, opts)
    modfs.makedirs "mem://race/a/sub/x"
    modfs.makedirs "mem://race/b"
    modfs.write("mem://race/a/sub/x/1", "memory")
    modfs.write("mem://race/b/1", "memory")
    modfs.sync("mem://race", self:tree("to/src", true), merged(opts, { delete = true }))
  end, with_more },
  { "cp -r", function(self)
    local src = self:tree "src"
    self:tree "to/src"
    command("cp", "-r", src, self.place .. "/to")
  end },
  { "rm -r", function(self)
    command("rm", "-r", self:tree("src", true))
  end },
  { "mv", function(self)
    command("mv", self:tree("src", true), "mem://race")
    return leak "mem://race"
  end },
}

-- By paths: bare:// is posix without operations on open directories.
local controls = {
  { "rmtree", function(self, opts)
    modfs.rmtree("bare://" .. self:tree("src", true), opts)
  end },
  { "copytree", function(self, opts)
    modfs.copytree("bare://" .. self:tree "src", "bare://" .. self:tree "to/src", opts)
  end },
  { "sync", function(self, opts)
    modfs.sync("bare://" .. self:tree "src", "bare://" .. self:tree("to/src", true),
      merged(opts, { delete = true }))
  end },
}

describe("while directories are exchanged with links,", function()
  local place, self

  setup(function()
    place = tmpdir.large()
    self = race.new(place)
  end)
  teardown(function()
    self:stop()
    tmpdir.remove(place)
  end)
  after_each(function()
    modfs.rmtree "mem://race"
  end)

  -- How many rounds left the tree, of how many, and what was wrong first.
  local function run(call, opts, most, enough)
    local left, first, done = 0, nil, 0
    while done < most and left < enough do
      modfs.rmtree "mem://race"
      local wrong = call(self, opts)
      wrong = self:damage() or wrong
      left, first, done = left + (wrong and 1 or 0), first or wrong, done + 1
    end
    return left, done, first
  end

  for _, operation in ipairs(operations) do
    local name, call, modes = (table.unpack or unpack)(operation)
    for _, mode in ipairs(modes or { { "" } }) do
      it(("%s %s stays in its tree"):format(name, mode[1]), function()
        local left, done, first = run(call, mode[2], rounds, rounds)
        if full then
          io.stderr:write(("  %s %s: %d of %d rounds left the tree\n"):format(name, mode[1], left,
            done))
        end
        assert.equal(0, left, first)
      end)
    end
  end

  -- Without this the specs above could be green because nobody exchanges anything.
  it("the same by paths leaves its tree (the control)", function()
    local shelf = bare()
    finally(function() shelf:remove() end)
    local all = 0
    for _, control in ipairs(controls) do
      local left, done, first = run(control[2], with[1][2], full and rounds or CONTROL_ROUNDS,
        full and rounds or 1)
      if full then
        io.stderr:write(("  %s by paths: %d of %d rounds left the tree, first: %s\n"):format(
          control[1], left, done, first))
      end
      all = all + left
    end
    assert.is_true(all > 0)
  end)
end)
