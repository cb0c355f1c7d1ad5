-- What the Threads: tags of the contract allow, done: four threads in C call the plugin at once and
-- check what each of them gets. A deadlock ends with the case's limit.
local races = {
  { "one_file", "read", "reading_one_file" },
  { "one_region", "data", "reading_one_region" },
  { "apart", "new_writable_file", "working_on_names_of_their_own" },
  { "together", "new_writable_file", "working_on_the_same_names" },
  { "one_directory", "create_dir", "making_one_directory" },
  { "one_deletion", "delete_file", "deleting_one_file" },
  { "one_tree", "recursively_create_dir", "making_one_tree" },
  { "lists", "get_children", "listing_while_names_come_and_go" },
  { "globs", "get_matching_paths", "matching_while_names_come_and_go" },
  { "transactions", "start_transaction", "committing_each_its_own" },
  { "questions", "is_directory", "asking_while_others_ask_and_write" },
  { "entries", "open_subdirectory", "working_in_one_open_directory" },
  { "settings", "create_dir", "setting_and_asking_each_its_own" },
}

return function(case)
  for _, row in ipairs(races) do
    case(row[3], row[2], function(t)
      t:race(row[1])
      t.journal:meet(row[2], "OK")
    end)
  end
end
