-- The calls that a trial of io may make, each with what it may be given at random.
local calls = require "spec.support.io_calls"
local values = require "spec.support.io_values"
local world = require "spec.support.io_world"

local unpack = table.unpack or unpack -- luacheck: ignore 113 143
local jit = rawget(_G, "jit")
local version = tonumber(_VERSION:match "%d+%.%d+")
local NIL = values.NIL

local moves = {}

function moves.open(self)
  local path, mode = self:random_path(), self:random_mode()
  if not self:may_open(path, mode) then
    return
  end
  local list = { path, mode, n = mode == nil and self.random(2) or 2 }
  local done, file = self:call("open", list)
  if done and self.lib.type(file) == "file" then
    local name = self:name_of(path)
    if name then
      self:keep(#self.slots + 1, file, name, world.kind_of(mode))
    else
      file:close()
    end
  end
end

function moves.read(self)
  local slot = self:any_slot()
  if slot then
    self:call_method(slot.file, "read", world.without_bulk(slot, self:random_formats(3)))
  end
end

moves.read_again = moves.read

function moves.write(self)
  local slot = self:any_slot()
  if slot then
    self:call_method(slot.file, "write", self:random_values(slot.file))
  end
end

moves.write_again = moves.write

function moves.seek(self)
  local slot = self:any_slot()
  if not slot then
    return
  end
  local whence, offset = self:pick(values.whences), self:pick(values.offsets)
  if self.elsewhere and slot.kind == "w" then
    whence, offset = self:pick({ "cur", NIL }), self:pick({ 0, NIL })
  end
  if self.random(6) == 1 then
    whence = self:pick(values.wrong_whences)
  elseif self.random(6) == 1 then
    offset = self:pick(values.wrong_offsets)
    if self.elsewhere and slot.kind == "w" and offset == 1.5 then
      offset = "x"
    end
  end
  self:call_method(slot.file, "seek", { whence, offset,
    n = offset ~= nil and 2 or whence ~= nil and 1 or 0 })
end

function moves.setvbuf(self)
  local slot = self:any_slot()
  if slot then
    local mode = self:pick(self.random(5) == 1 and values.wrong_bufferings or values.bufferings)
    local size = self:pick({ NIL, NIL, 100, "12", -1, "x", {}, 1.5 })
    self:call_method(slot.file, "setvbuf", { mode, size, n = size ~= nil and 2 or 1 })
  end
end

function moves.flush(self)
  local slot = self:any_slot()
  if slot then
    self:call_method(slot.file, "flush", { n = 0 })
  end
end

function moves.close(self)
  local slot = self:any_slot()
  if not slot or self.random(2) == 1 then
    return
  elseif self.random(3) == 1 then
    self:call("close", { slot.file, n = 1 })
  else
    self:call_method(slot.file, "close", { n = 0 })
  end
  self:note_closed(slot.file)
end

function moves.wrong_self(self)
  local slot = self:any_slot()
  if slot then
    local name = self:pick({ "read", "write", "lines", "seek", "setvbuf", "flush", "close" })
    local list = { self:pick(values.odd), n = name == "close" and 1 or self.random(2) - 1 }
    self:attempt("f." .. name, list, calls.field, slot.file, name, unpack(list, 1, list.n))
  end
end

function moves.type(self)
  local slot = self:any_slot()
  self:call("type", { self:pick(values.odd), n = self.random(2) - 1 })
  if slot then
    self:call("type", { slot.file, n = 1 })
    self:note("tostring", (tostring(slot.file):gsub("^file %([^c].*", "file")))
  end
end

-- Lines --------------------------------------------------------------------------

function moves.lines(self)
  local slot = self:any_slot()
  if not slot then
    return
  end
  local done, step = self:call_method(slot.file, "lines",
      world.without_bulk(slot, self:random_formats(2, true)))
  if done then
    self.steps[#self.steps + 1] = step
  end
end

local function lines_of(self)
  local path = self:random_path()
  local name = self:name_of(path)
  if path == nil or name and not self:free_for(name, "r") then
    return nil
  end
  local list = self:random_formats(self.elsewhere and jit and 0 or 2, true) -- LuaJIT closes no file
  list = { path, list[1], list[2], n = list.n + 1 }
  if name then
    self.users[name].r = self.users[name].r + 1 -- nobody can close it
  end
  return list
end

function moves.lines_of_path(self)
  local list = lines_of(self)
  if not list then
    return
  end
  local done, step = self:call("lines", list)
  if done then
    self.steps[#self.steps + 1] = step
  end
end

function moves.loop_of_path(self)
  local list, seen = lines_of(self), {}
  if list then
    self:attempt("for lines", list, calls.loop_of, self.lib, self.random(5), seen,
      unpack(list, 1, list.n))
    self:note("seen", unpack(seen))
  end
end

-- With the fourth value of Lua 5.4, which a break closes.
function moves.loop_of_four(self)
  local list, seen = lines_of(self), {}
  local done, step, state, start, file
  if list then
    done, step, state, start, file = self:call("lines", list)
  end
  if done then
    self:attempt("for", { n = 0 }, calls.loop, self.random(5), seen, step, state, start, file)
    self:note("seen", unpack(seen))
    self:note("left", self.lib.type(file))
  end
end

function moves.loop(self)
  local slot, seen = self:any_slot(), {}
  if slot then
    local done, step = self:call_method(slot.file, "lines",
      world.without_bulk(slot, self:random_formats(2, true)))
    if done then
      self:attempt("for", { n = 0 }, calls.loop, self.random(5), seen, step)
      self:note("seen", unpack(seen))
    end
  end
end

local function call_step(step)
  local one, two, three = step()
  return one, two, three
end

function moves.step(self)
  if #self.steps > 0 then
    local step = self.steps[self.random(#self.steps)]
    if self.random(3) == 1 then
      self:attempt("pcall step", { n = 0 }, step)
    else
      self:attempt("step", { n = 0 }, call_step, step)
    end
  end
end

function moves.many_formats(self)
  local slot, list = self:any_slot(), { n = self:pick({ 14, 20, 70, 249, 250, 251, 252 }) }
  if slot and not (self.elsewhere and version == 5.1 and not jit) then
    for i = 1, list.n do
      list[i] = 1
    end
    self:call_method(slot.file, "lines", list)
  end
end

-- Default files --------------------------------------------------------------------

local function set_default(self, name, kind)
  local chance = self.random(6)
  if chance == 1 then
    return self:call(name, { n = 0 })
  elseif chance == 2 then
    return self:call(name, { self:pick({ {}, true, print, self.folder .. "/none/x" }), n = 1 })
  elseif chance <= 4 then
    local slot = self:any_slot()
    return slot and self:call(name, { slot.file, n = 1 })
  end
  local path = self.folder .. "/" .. self:pick(world.names)
  if self:free_for(self:name_of(path), kind) then
    local done, file = self:call(name, { path, n = 1 })
    if done then
      self:keep(#self.slots + 1, file, self:name_of(path), kind)
    end
  end
end

function moves.input(self)
  set_default(self, "input", "r")
end

function moves.output(self)
  set_default(self, "output", "w")
end

-- The process's own streams stay as they are.
local function is_own(self, name)
  local file = self.lib[name]()
  return file == io.stdin or file == io.stdout
end

function moves.read_input(self)
  if not is_own(self, "input") then
    self:call("read", world.without_bulk(self:slot_of(self.lib.input()), self:random_formats(3)))
  end
end

function moves.write_output(self)
  if not is_own(self, "output") then
    self:call("write", self:random_values(self.lib.output()))
    if self.random(3) == 1 then
      self:call("flush", { n = 0 })
    end
  end
end

function moves.lines_of_input(self)
  if not is_own(self, "input") then
    local list = world.without_bulk(self:slot_of(self.lib.input()), self:random_formats(2, true))
    list = { nil, list[1], list[2], n = list.n > 0 and list.n + 1 or self.random(2) - 1 }
    local done, step = self:call("lines", list)
    if done then
      self.steps[#self.steps + 1] = step
    end
  end
end

function moves.close_output(self)
  if self.random(2) == 1 then
    self:call("close", { self:pick({ NIL, {}, true, 1, print }), n = 1 })
  elseif not is_own(self, "output") then
    local file = self.lib.output()
    self:call("close", { n = 0 })
    self:note_closed(file)
  end
end

-- Those that are no file of the folder's.
function moves.others(self)
  if self.random(8) > 1 then
    return
  elseif self.random(4) > 1 then
    local _, file = self:call("tmpfile", { n = 0 })
    self:call_method(file, "write", { "1 two\n", n = 1 })
    self:call_method(file, "seek", { "set", n = 1 })
    self:call_method(file, "read", self:random_formats(3))
    return self:call("close", { file, n = 1 })
  end
  local _, pipe = self:call("popen", { "echo 12 word; exit 3", n = 1 })
  self:call_method(pipe, "read", { "*n", "*l", n = 2 })
  self:call_method(pipe, "close", { n = 0 })
end

return moves
