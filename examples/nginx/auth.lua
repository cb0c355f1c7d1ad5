-- An example of who may do what: everybody reads, and who knows a token writes.
local auth = {}

-- Takes as long for a wrong token as for a right one.
local function same(a, b)
  return ngx.hmac_sha1("compare", a) == ngx.hmac_sha1("compare", b)
end

-- writers(token) -> a function for the option auth of store.serve: returns true, or a status.
function auth.writers(token)
  return function(method)
    if method == "GET" or method == "HEAD" then
      return true
    end
    local scheme, given = (ngx.var.http_authorization or ""):match "^(%a+) +(.+)$"
    given = scheme and scheme:lower() == "bearer" and given
    if given and token and token ~= "" and same(given, token) then
      return true
    end
    ngx.header.www_authenticate = "Bearer"
    return given and 403 or 401
  end
end

function auth.everybody()
  return true
end

return auth
