-- The one range that a request asks for. Several ranges at once, and what is none, get the whole
-- object, as RFC 9110 (section 14.2) allows.

-- of(header, length) -> first, last (bytes from 0); nil: the whole object; false: out of reach. The
-- third result is true for several ranges, which nginx can send.
local function of(header, length)
  if (header or ""):find "^bytes=[%d%s,-]*%d[%d%s-]*,[%d%s,-]*$" then
    return nil, nil, true
  end
  local first, last = (header or ""):match "^bytes=(%d*)%-(%d*)$"
  first, last = tonumber(first), tonumber(last)
  if not first and not last then
    return nil
  elseif not first then
    first, last = math.max(0, length - last), last > 0 and length - 1 or -1
  elseif last and last < first then
    return nil
  end
  last = math.min(last or length - 1, length - 1)
  if first > last then
    return false
  end
  return first, last
end

return { of = of }
