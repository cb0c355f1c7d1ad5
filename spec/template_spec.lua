-- The template of a plugin does what its README says, and the tour of docs/writing-a-plugin.md
-- prints what it shows.
local build = require "spec.fixtures.build"
local child = require "spec.support.child"
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local here = shell.output "pwd -P"
local root = os.getenv "BUILD" or "build"
local tree = root:find "^/" and root or here .. "/" .. root
local template = "examples/template"

-- Without what somebody may have built there.
local function copy_of_template(place)
  shell.output(("umask 022; mkdir %s/template; cp %s/template.c %s/Makefile %s/README.md"):format(
    place.folder, template, template, template), place.folder .. "/template")
  return place.folder .. "/template"
end

-- The command of this checkout, by the Lua and the build that the specs run with.
local function command_folder(place)
  shell.output("mkdir", place.folder .. "/bin")
  tmpdir.write(place.folder .. "/bin/modfs", ("#!/bin/sh\nBUILD=%s exec %s %s/bin/modfs \"$@\"\n")
    :format(root, os.getenv "LUA" or "lua5.4", shell.quote(here)))
  shell.output("chmod 755", place.folder .. "/bin/modfs")
  return place.folder .. "/bin"
end

-- A shell in which make is nobody's child and has its own compiler.
local plain_shell = "env -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u CC -u CFLAGS sh -e"

describe("the template of a plugin", function()
  local place, folder

  setup(function()
    place = build.shelf()
    folder = copy_of_template(place)
  end)

  teardown(function()
    place:remove()
  end)

  -- The tour below shows all levels.
  it("is built as its README says, and is tested to be right", function()
    local block = tmpdir.content(template .. "/README.md"):match "```sh\n(.-)```"
    block = block:gsub(" check ", " check OPTIONS='--strict 1' ")
    local status, out, err = shell.run("cd " .. shell.quote(folder) .. " && umask 022 && "
      .. plain_shell .. "c", (block:gsub("/path/to/modfs", function() return here end)))
    assert.equal(0, status, out .. err)
    assert.equal("", err)
    assert.is_truthy(out:find('scheme "template",[^\n]* level 1'), out)
    assert.is_truthy(out:find "%d%d passed, 0 failed, %d+ refused; %d+ assertions", out)
  end)

  it("has no warnings, however strict the compiler", function()
    shell.output("cc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror "
      .. "-fsyntax-only -Iinclude", template .. "/template.c")
  end)

  it("lacks nothing but transactions and options", function()
    local status, out, err = child([[
      local modfs = require "modfs"
      assert(modfs.load "./template.so")
      for name, source in pairs(modfs.filesystem("template"):operations()) do
        local allowed = name:find "transaction" or name:find "configuration"
        assert(source ~= "missing" or allowed, name)
      end
    ]], { cwd = folder })
    assert.equal(0, status, out .. err)
  end)

  it("keeps files as its README shows", function()
    local block = tmpdir.content(template .. "/README.md"):match "```lua\n(.-)```"
    local status, _, err = child(block, { cwd = folder })
    assert.equal(0, status, err)
    assert.equal("Hello\n", tmpdir.content(folder .. "/template.files/notes.txt"))
  end)

  it("takes another folder, and fails where it has none", function()
    local code = 'local modfs = require "modfs"; assert(modfs.load "./template.so") '
      .. 'assert(modfs.write("template:///a", "b"))'
    assert.equal(0, (child(code, { cwd = folder, before = "export TEMPLATE_FOLDER=$PWD/other" })))
    assert.equal("b", tmpdir.content(folder .. "/other/a"))
    local status, _, err = child(code, { cwd = folder,
      before = "export TEMPLATE_FOLDER=/dev/null" })
    assert.equal(1, status)
    assert.is_truthy(err:find("FAILED_PRECONDITION: load ./template.so: /dev/null", 1, true), err)
  end)
end)

local whole = "modfs check template.so"

-- The tour: each command, with the lines that the guide shows below it. What runs all of
-- `modfs check` does so once: the second time it is the same plugin again.
local function tour()
  local steps, seen = {}, {}
  for block in tmpdir.content("docs/writing-a-plugin.md"):gmatch "```console\n(.-)```" do
    for line in block:gmatch "[^\n]+" do
      local command = line:match "^%$ (.*)$"
      if command then
        local again = command == whole and seen[command]
        steps[#steps + 1] = { command = command .. (again and " --strict 1" or ""), shown = {} }
        seen[command] = true
      else
        table.insert(steps[#steps].shown, line)
      end
    end
  end
  return steps
end

-- All steps in one shell; what each prints comes back as its lines.
local function walk(steps, place, names)
  local script = { "umask 022; cd " .. shell.quote(place.folder) }
  for i, step in ipairs(steps) do
    local command = step.command
    for _, name in ipairs(names) do
      command = command:gsub(name[1], function() return name[2] end)
    end
    script[#script + 1] = ("{ %s\n} >%s/out.%d 2>&1"):format(command, place.folder, i)
  end
  tmpdir.write(place.folder .. "/tour.sh", table.concat(script, "\n") .. "\n")
  shell.run((plain_shell:gsub(" -e$", "")), place.folder .. "/tour.sh")
  for i, step in ipairs(steps) do
    step.printed = tmpdir.content(("%s/out.%d"):format(place.folder, i))
  end
end

-- A pattern for what the guide shows: "…" stands for any text in a line, alone for any lines.
local function pattern_of(shown)
  local parts = {}
  for _, line in ipairs(shown) do
    parts[#parts + 1] = line == "…" and ".-" or line:gsub("%p", "%%%0")
      :gsub("…", "[^\n]-") .. "\n"
  end
  return "^" .. table.concat(parts) .. "$"
end

describe("the tour of the guide", function()
  if not math.type then
    it("prints what it shows", function()
      pending "the fault that it makes shows at offsets that this Lua has no numbers for"
    end)
    return
  end

  local place, steps = nil, tour()

  setup(function()
    place = build.shelf()
    walk(steps, place, { { "/path/to/modfs/examples/template", copy_of_template(place) },
      { "/path/to/modfs/bin", command_folder(place) }, { "/path/to/modfs", here } })
  end)

  teardown(function()
    place:remove()
  end)

  it("has all its steps", function()
    assert.is_true(#steps >= 12)
  end)

  it("tests the template in all levels but those that are asked for", function()
    local out
    for _, step in ipairs(steps) do
      out = step.command == whole and step.printed or out
    end
    assert.is_truthy(out:find('scheme "template",[^\n]* level [3-9]'), out)
    assert.is_truthy(out:find "%d%d%d passed, 0 failed, %d+ refused; %d%d%d%d+ assertions", out)
    assert.is_nil(out:find("advice", 1, true), out)
  end)

  for i, step in ipairs(steps) do
    it(("prints what it shows: %d. %s"):format(i, step.command), function()
      local text = step.printed:gsub(place.folder:gsub("%p", "%%%0"), "/home/you")
      text = text:gsub(tree:gsub("%p", "%%%0"), "/path/to/modfs/build")
      text = text:gsub(here:gsub("%p", "%%%0"), "/path/to/modfs")
      assert.is_truthy(text:find(pattern_of(step.shown)), text)
    end)
  end
end)
