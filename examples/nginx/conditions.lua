-- What a request is to be answered only if: RFC 9110, section 13.
local conditions = {}

-- Whether a list of tags has this one; nil, for no object, is in none, and in none is "*". A weak
-- tag (W/"…") stands for content that may differ in bytes: only a reader may ask for it.
local function has(list, tag, takes_weak)
  if list == "*" then
    return tag ~= nil
  end
  for weak, one in list:gmatch '(W?/?)("[^"]*")' do
    if one == tag and (takes_weak or weak ~= "W/") then
      return true
    end
  end
  return false
end

local function is_newer(object, date)
  local seconds = ngx.parse_http_time(date)
  return seconds and object and math.floor(object.mtime) > seconds
end

-- 412 or 304 where a condition is not met; nil where all are. object: nil if there is none.
function conditions.unmet(object, is_reading)
  local tag = object and object.tag
  local match, none = ngx.var.http_if_match, ngx.var.http_if_none_match
  local before, since = ngx.var.http_if_unmodified_since, ngx.var.http_if_modified_since
  if match and not has(match, tag) or not match and before and is_newer(object, before) then
    return 412
  elseif none then
    return has(none, tag, true) and (is_reading and 304 or 412) or nil
  elseif is_reading and since and ngx.parse_http_time(since) and not is_newer(object, since) then
    return 304
  end
end

-- Whether a range is wanted of this state of the object.
function conditions.wants_range(object)
  local wanted = ngx.var.http_if_range
  return not wanted or wanted == object.tag or
    wanted == ngx.http_time(math.floor(object.mtime))
end

return conditions
