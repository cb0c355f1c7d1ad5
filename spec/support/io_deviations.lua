-- What of modfs.io differs from io, for paths that are not the machine's own. Random calls of both
-- show no other difference; docs/reference.md has the same list for people.
return {
  '`"r+"`, `"w+"` and `"a+"` are refused, with 95: the interface of the plugins opens a '
    .. 'file for one of the two.',
  'A file that is being written cannot be sought: any place but the present one is 29 '
    .. '(ESPIPE).',
  'Opening a directory for reading fails at once, with 21; `io` fails at the first '
    .. '`read`.',
  'Where the C library reads the mode (5.1 and LuaJIT), `x` and `,ccs=` are refused, '
    .. 'with 22.',
  'A NUL in a path is refused, with 22; `io` takes what stands before it. This holds '
    .. 'for plain paths, too.',
  'A handle is a table, and only this module\'s functions and its methods know it: '
    .. '`io.type` says `nil`. `tostring` names the path.',
  '`setvbuf` takes a size, and it changes nothing; `"full"` gathers 64 KiB.',
  '`write` returns the handle on every Lua, and takes Buffers and Regions, too.',
  'Formats need no `*`, and there is `"L"`, and `lines` takes formats, on every Lua.',
  'Numerals are read by the rules of Lua 5.3 and later, and lines with NUL bytes whole, '
    .. 'on every Lua.',
  'A count takes no memory of its own: what is left is read where `io` says `not enough '
    .. 'memory`. An offset beyond 2^53 is 22.',
  'Reading in bulk from a file that is being written loses nothing; the C library drops '
    .. 'what it has gathered.',
  'An iterator of `lines` raises for its own failures alone; that of 5.1 does so for an '
    .. 'earlier `write`, too.',
  '`lines(path, format)` closes the file at its end on LuaJIT, too.',
  'Where Lua names a function by the module that it is in (since 5.2, under `pcall`), '
    .. 'the name is `modfs.io.open`, not `io.open`.',
}
