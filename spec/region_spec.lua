local modfs = require "modfs"
local alike = require "spec.support.alike"
local fails = require "spec.support.fails"
local tmpdir = require "spec.support.tmpdir"

local unpack = table.unpack or unpack -- luacheck: ignore 143
local describe_values, same = alike.describe, alike.same

local directory

setup(function() directory = tmpdir.new() end)
teardown(function() tmpdir.remove(directory) end)

local contents = { "", "a", "\0", "ab\0c\0\0d", "line\nline\n", "\n", "\n\nx", "no newline",
  ("0123456789"):rep(30) }
local positions = { 0, 1, 2, 5, 9, 10, 300, 301, -1, -2, -9, -10, -300, -301 }
local jit = rawget(_G, "jit")
if jit then
  jit.off() -- compiled, ("a"):sub(-2, -2) is "a" in Debian's
else -- LuaJIT's string.sub takes 32 bits
  for _, position in ipairs { 2 ^ 31, -2 ^ 31, 2 ^ 53, -2 ^ 53 } do
    positions[#positions + 1] = position
  end
end
if math.maxinteger then
  positions[#positions + 1] = math.maxinteger
  positions[#positions + 1] = math.mininteger
end

-- The lines of a text, with their newlines or without.
local function split(text, keep)
  local lines, start = {}, 1
  while start <= #text do
    local newline = text:find("\n", start, true)
    lines[#lines + 1] = text:sub(start, (newline or #text + 1) - (keep and newline and 0 or 1))
    start = (newline or #text) + 1
  end
  return lines
end

-- How each kind of bytes comes to be.
local makers = {
  { "a mapped Region", function(content)
    local path = directory .. "/r"
    assert.is_true(modfs.write(path, content))
    return assert(modfs.map(path))
  end },
  { "a Region of mem", function(content)
    assert.is_true(modfs.write("mem://region_spec", content))
    return assert(modfs.map "mem://region_spec")
  end },
  { "a slice", function(content)
    assert.is_true(modfs.write("mem://region_spec", "before" .. content .. "after"))
    local whole = assert(modfs.map "mem://region_spec")
    local slice = whole:slice(7, 6 + #content)
    whole:close()
    return slice
  end },
  { "a Buffer", function(content)
    return assert(modfs.buffer(content))
  end },
}

for _, maker in ipairs(makers) do
  local make = maker[2]

  describe(maker[1], function()
    it("has the length and the bytes of its file", function()
      for _, content in ipairs(contents) do
        local bytes = make(content)
        assert.equal(#content, #bytes)
        assert.is_true(bytes:sub(1) == content)
        assert.is_true(bytes:close())
      end
    end)

    it("is cut by sub, byte and slice as string cuts", function()
      for _, content in ipairs(contents) do
        local bytes = make(content)
        for _, i in ipairs(positions) do
          same(content:sub(i), bytes:sub(i))
          same(describe_values(content:byte(i)), describe_values(bytes:byte(i)))
          for _, j in ipairs(positions) do
            local part = content:sub(i, j)
            same(part, bytes:sub(i, j))
            local slice = bytes:slice(i, j)
            same(part, slice:sub(1))
            same(#part, #slice)
            if #slice < 200 then
              same(describe_values(content:byte(i, j)), describe_values(bytes:byte(i, j)))
            end
          end
        end
        same(describe_values(content:byte()), describe_values(bytes:byte()))
      end
    end)

    it("is searched by find as string.find does, plainly", function()
      local needles = { "", "a", "\0", "line", "e\n", "89", "9012345", ".", "%d", "\0\0", "zz" }
      for _, content in ipairs(contents) do
        local bytes = make(content)
        for _, needle in ipairs(needles) do
          same(describe_values(content:find(needle, 1, true)),
            describe_values(bytes:find(needle)))
          for _, init in ipairs(positions) do
            -- Before 5.4 an init far before the start, or behind the end, has other answers.
            if init >= -#content and init <= #content + 1 then
              same(describe_values(content:find(needle, init, true)),
                describe_values(bytes:find(needle, init)))
            end
          end
        end
        assert.equal(1, (bytes:find(bytes)))
        assert.is_nil((bytes:find("", #content + 2)))
      end
    end)

    it("gives its lines", function()
      for _, content in ipairs(contents) do
        local bytes = make(content)
        for _, format in ipairs { "l", "L", "*l", "*L" } do
          local lines = {}
          for line in bytes:lines(format) do
            lines[#lines + 1] = line
          end
          assert.same(split(content, format:find "L"), lines)
        end
      end
      local bytes = make "a\nb"
      local step = bytes:lines()
      assert.equal("a", step())
      assert.equal("b", step())
      assert.is_nil(step())
      assert.is_nil(step())
      assert.error_matches(function() bytes:lines "n" end, "invalid format")
      bytes:close()
      assert.error_matches(step, "attempt to use a closed")
    end)

    it("unpacks as string.unpack does, errors included", function()
      if not string.unpack then
        pending "string.unpack came with 5.3"
        return
      end
      local data = ""
      for i = 1, 64 do
        data = data .. string.char((i * 37 + 11) % 256)
      end
      data = data .. "text\0" .. ("\255"):rep(40) .. ("\0"):rep(20)
      local bytes = make(data)
      local parts = { "b", "B", "h", "H", "l", "L", "j", "J", "T", "i", "I", "f", "d", "n", "z",
        "x", "i1", "i3", "I5", "i7", "i8", "I8", "i9", "I9", "i16", "I16", "s1", "s2", "c0", "c5",
        " ",
        "<", ">", "=", "!", "!1", "!2", "!4", "!16", "!3", "Xi", "Xd", "Xh", "X", "Xz", "Xc1", "i0",
        "i17", "I17", "s0", "s17", "!0", "!17", "c", "q", "%", "i99", "s", "s4", "<s4", "Xi3",
        "\0" }
      math.randomseed(7)
      local function compare(format, position)
        local theirs = { pcall(string.unpack, format, data, position) }
        local ours = { pcall(bytes.unpack, bytes, format, position) }
        local label = format .. " at " .. tostring(position)
        if _VERSION == "Lua 5.3" and theirs[1] and not ours[1] then
          -- It reads on to the NUL that Lua keeps behind a string.
          assert.truthy(format:find "z" and ours[2]:find "unfinished string", label)
          return
        end
        same(theirs[1], ours[1], label)
        if theirs[1] then
          same(describe_values(unpack(theirs)), describe_values(unpack(ours)), label)
        elseif _VERSION ~= "Lua 5.3" then -- which words some of them in its own way
          local function bare(text)
            return text:gsub("^bad argument #%d to '[%w?.]+' ", ""):gsub("^.-:%d+: ", "")
          end
          same(bare(theirs[2]), bare(ours[2]), label)
        end
      end
      for _, part in ipairs(parts) do
        for _, position in ipairs { 1, 2, 60, 64, 65, #data, #data + 1, -5, -1 } do
          compare(part, position)
        end
        compare(part)
      end
      for _, position in ipairs { 0, #data + 2, -1000, 1000, math.maxinteger, math.mininteger } do
        -- Before 5.4 what lies before the start is an error, not the start.
        if _VERSION ~= "Lua 5.3" or position > #data then
          compare("B", position)
        end
      end
      for _ = 1, 600 do
        local format = {}
        for i = 1, math.random(6) do
          format[i] = parts[math.random(#parts)]
        end
        compare(table.concat(format), math.random(#data + 1))
      end
    end)

    it("shows what it is, and raises once it is closed", function()
      local bytes = make "twelve bytes"
      local kind = modfs.type(bytes)
      local name = kind == "buffer" and "modfs.Buffer" or "modfs.Region"
      assert.equal(name .. " (12 bytes)", tostring(bytes))
      assert.equal("userdata", type(bytes:pointer()))
      assert.is_nil(modfs.type(bytes:pointer()))
      assert.is_true(bytes:close())
      assert.equal(name .. " (closed)", tostring(bytes))
      assert.equal("closed " .. kind, modfs.type(bytes))
      assert.error_matches(function() return #bytes end, "attempt to use a closed " .. kind)
    end)

    it("raises for more bytes than a stack holds", function()
      local bytes = make(("x"):rep(2000000))
      assert.error_matches(function() bytes:byte(1, -1) end, "string slice too long")
      assert.equal(1000, select("#", bytes:byte(1, 1000)))
    end)
  end)
end

describe("modfs.map", function()
  it("has an empty Region for an empty file, the operation of the ABI has not", function()
    for _, path in ipairs { directory .. "/empty", "mem://region_spec" } do
      assert.is_true(modfs.write(path, ""))
      assert.equal(0, #modfs.map(path))
      local fs = modfs.filesystem(path)
      fails("INVALID_ARGUMENT", fs:new_read_only_memory_region_from_file(path))
    end
  end)
end)
