-- Kinds and permission bits as letters: drwxr-xr-x.
local modes = {}

local letters = { file = "-", directory = "d", link = "l", other = "?" }

-- A bit is asked for by its number, as not every Lua has operators for bits.
local function has(mode, bit)
  return math.floor(mode / bit) % 2 == 1
end

modes.has = has

local function triple(mode, shift, special, letter)
  local executes = has(mode, shift)
  local last = executes and "x" or "-"
  if has(mode, special) then
    last = executes and letter or letter:upper()
  end
  return (has(mode, shift * 4) and "r" or "-") .. (has(mode, shift * 2) and "w" or "-") .. last
end

-- The letter of a kind.
function modes.letter(kind)
  return letters[kind]
end

-- The nine letters of permission bits: 0644 is rw-r--r--.
function modes.permissions(mode)
  return triple(mode, 64, 2048, "s") .. triple(mode, 8, 1024, "s") .. triple(mode, 1, 512, "t")
end

return modes
