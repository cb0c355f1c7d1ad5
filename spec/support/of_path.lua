-- The operations of a Filesystem whose one argument is the path of a file or directory.
return {
  "new_random_access_file", "new_writable_file", "new_appendable_file",
  "new_read_only_memory_region_from_file", "create_dir", "recursively_create_dir", "delete_file",
  "delete_dir", "delete_recursively", "path_exists", "stat", "is_directory", "get_file_size",
  "get_children",
}
