-- modfs.io as the io of a program (io_spec.lua).
-- luacheck: globals io
local modfs = require "modfs"
io = require "modfs.io"
package.loaded.io = io
assert(io.open("mem://f", "w")):write("one\n2\n"):close()
for line in io.lines "mem://f" do
  print(line)
end
io.input "mem://f"
io.write(io.read(), " ", io.read "*n", "\n")
io.output "mem://out"
io.write "x"
io.close()
print(modfs.read "mem://out")
