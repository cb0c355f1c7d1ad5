-- reads_anywhere(file, content, count): as many seeded offsets and lengths of a File have what
-- content has there.
return function(file, content, count)
  local seed = 4711
  for _ = 1, count do
    seed = (seed * 1103515245 + 12345) % 2147483648
    local offset, n = seed % #content, seed % 70000
    assert(content:sub(offset + 1, offset + n) == (file:pread(offset, n) or ""),
      ("%d bytes at %d"):format(n, offset))
  end
end
