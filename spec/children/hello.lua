-- The contract in the corners of the example plugin (plugin_example_spec.lua).
local modfs = require "modfs"
assert(modfs.load "./hello.so")
local function fails(code, ...)
  local value, message, got = ...
  assert(not value and got == code, message)
end
local file = assert(modfs.open "hello:///english.txt")
assert(file:size() == 14 and file:pread(0, 5) == "Hello" and file:pread(7, 100) == "world!\n")
assert(file:pread(14, 1) == nil and file:pread(1000, 1) == nil)
assert(modfs.isdir "hello:///" and not modfs.isdir "hello:///english.txt")
fails("NOT_FOUND", modfs.stat "hello:///missing")
fails("FAILED_PRECONDITION", modfs.stat "hello:///english.txt/below")
fails("FAILED_PRECONDITION", modfs.open "hello:///")
fails("FAILED_PRECONDITION", modfs.listdir "hello:///english.txt")
fails("UNIMPLEMENTED", modfs.write("hello:///new", "x"))
fails("UNIMPLEMENTED", modfs.remove "hello:///english.txt")
assert(modfs.read "hello:///english.txt" == "Hello, world!\n")
