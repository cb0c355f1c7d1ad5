-- A tree on disk whose names are odd: for comparing commands with the system's own.
local shell = require "spec.support.shell"
local tmpdir = require "spec.support.tmpdir"

local odd_tree = {}

odd_tree.names = { "plain", "with space", " lead", "end ", "new\nline", "it's", 'dou"ble', "-dash",
  "--all", "\195\164\226\130\172", "bad\255utf", "ctrl\1\27[31m", "tab\there", "back\\slash",
  "star*", "q?", "[x]", "#hash", "a#b", "~tilde", "{", "}", "{a}", "$HOME", "it's $x", "semi;colon",
  "it's\nx", "\194\133c1", "per%dcent", "colon:x", "eq=", "!", "^", "`", "a'b\"c", "\127", "\n\t\n",
  "it's\195\164", "(p)", "a&b", "<>", "|", "@", "+x", "A.TXT", "b.txt", "c.tar" }

odd_tree.hidden = { ".hidden", "..two", ".with space" }

-- Makes it: each name is a file, with a size and a time of its own, and again in the directories
-- "sub", "sub/deep er" and ".dot". Returns its path.
function odd_tree.new()
  local top = tmpdir.new()
  shell.output(("cd %s && mkdir -p 'sub/deep er/empty' .dot/x"):format(shell.quote(top)))
  local lines = {}
  for _, names in ipairs { odd_tree.names, odd_tree.hidden } do
    for i, name in ipairs(names) do
      for at, folder in ipairs { "", "sub/", "sub/deep er/", ".dot/x/" } do
        local path = top .. "/" .. folder .. name
        tmpdir.write(path, ("x\n"):rep(i * i * i % (700 * at)))
        lines[#lines + 1] = ("touch -d @%d.%d %s\n"):format(1e9 + i * 7919 % 31 * 86400, at * 11,
          shell.quote(path))
      end
    end
  end
  lines[#lines + 1] = ("cd %s && chmod 755 plain && chmod 4711 b.txt && chmod 2770 sub "
    .. "&& mkdir tmp open stuck && chmod 1777 tmp && chmod 777 open && chmod 1755 stuck "
    .. "&& touch -d @1500000000 . sub tmp open stuck\n"):format(shell.quote(top))
  local script = os.tmpname()
  tmpdir.write(script, table.concat(lines))
  shell.output("sh -e", script)
  os.remove(script)
  return top
end

return odd_tree
