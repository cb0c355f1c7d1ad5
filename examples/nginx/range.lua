-- The one range that a request asks for. Several ranges at once get the whole object, as RFC 9110
-- (section 14.2) allows.

-- of(header, length) -> first, last (bytes from 0); nil: the whole object; false: out of reach.
local function of(header, length)
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
