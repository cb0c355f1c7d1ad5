-- merged(options, more) -> a new table with the entries of both; those of more, if there is one,
-- come last.
return function(options, more)
  local all = {}
  for _, source in ipairs { options, more or {} } do
    for key, value in pairs(source) do
      all[key] = value
    end
  end
  return all
end
