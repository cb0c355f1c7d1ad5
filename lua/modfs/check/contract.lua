-- What include/modfs/filesystem.h says of each operation, in its words.
return {
  read = {
    does = "Reads n bytes at offset into buffer; returns how many came, or -1.",
    errors = "OK exactly when all n came; OUT_OF_RANGE at the end of the file, with the "
      .. "bytes that were left; any other code with -1. n may be 0.",
  },
  append = {
    does = "Writes n bytes of buffer at the end; n may be 0, and buffer NULL then.",
    errors = "RESOURCE_EXHAUSTED when fewer than n bytes could be written.",
  },
  tell = {
    does = "The position that the next append writes to, in bytes from the start of the "
      .. "file, or -1.",
  },
  flush = {
    does = "Hands what the plugin still buffers to the storage, without waiting for it "
      .. "to be durable.",
  },
  sync = {
    does = "Returns when everything written so far is durable.",
  },
  close = {
    does = "Flushes and ends the file; a host calls it at most once, or not at all, and "
      .. "cleanup after it.",
    errors = "whatever was held back until now.",
  },
  data = {
    does = "The first byte; the same answer each time.",
  },
  length = {
    does = "The length in bytes; the same answer each time.",
  },
  new_random_access_file = {
    does = "Opens a file for reading.",
    errors = "NOT_FOUND for a missing file or parent; FAILED_PRECONDITION for a directory "
      .. "or an invalid path.",
  },
  new_writable_file = {
    does = "Opens a new, empty file for writing; what stood there is replaced.",
    errors = "NOT_FOUND for a missing parent; FAILED_PRECONDITION for a directory or an "
      .. "invalid path.",
  },
  new_appendable_file = {
    does = "Opens a file for writing at its end; makes it when it is missing.",
    errors = "NOT_FOUND for a missing parent; FAILED_PRECONDITION for a directory or an "
      .. "invalid path.",
  },
  new_read_only_memory_region_from_file = {
    does = "Brings the content of a file into memory.",
    errors = "NOT_FOUND for a missing file or parent; FAILED_PRECONDITION for a directory "
      .. "or an invalid path; INVALID_ARGUMENT for an empty file.",
  },
  create_dir = {
    does = "Makes one directory.",
    errors = "NOT_FOUND for a missing parent; FAILED_PRECONDITION for an invalid path; "
      .. "ALREADY_EXISTS when anything is there.",
  },
  recursively_create_dir = {
    does = "Makes a directory and all missing parents; an existing directory is OK.",
    errors = "FAILED_PRECONDITION for a file at or above the path, or an invalid path.",
  },
  delete_file = {
    does = "Deletes a file.",
    errors = "NOT_FOUND when it is missing; FAILED_PRECONDITION for a directory or an "
      .. "invalid path.",
  },
  delete_dir = {
    does = "Deletes an empty directory.",
    errors = "NOT_FOUND when it is missing; FAILED_PRECONDITION for a file, a directory "
      .. "that is not empty, or an invalid path.",
  },
  delete_recursively = {
    does = "Deletes a directory with all that is in it, or one file, and counts what it "
      .. "could not delete.",
    errors = "the first one met, with both counts; OK exactly when both are 0; 0 files and "
      .. "1 directory when it could not start; NOT_FOUND for a missing path; links are "
      .. "not followed.",
  },
  rename_file = {
    does = "Gives a file another name; a file of that name is replaced. On failure "
      .. "nothing has changed.",
    errors = "NOT_FOUND for a missing source or parent; FAILED_PRECONDITION when either is "
      .. "a directory or an invalid path.",
  },
  copy_file = {
    does = "Copies a file; a file of that name is replaced. On failure nothing has "
      .. "changed.",
    errors = "NOT_FOUND for a missing source or parent; FAILED_PRECONDITION when either is "
      .. "a directory (upstream's words also offer to copy into it: its tests do not) "
      .. "or an invalid path.",
  },
  path_exists = {
    does = "OK when there is a file or a directory.",
    errors = "NOT_FOUND when there is none; FAILED_PRECONDITION for an invalid path.",
  },
  paths_exist = {
    does = "Returns whether path_exists would be OK for all of paths; statuses, unless "
      .. "NULL, gets the answer for each through TF_SetStatus.",
  },
  stat = {
    does = "Fills stats; leaves it alone on failure.",
    errors = "NOT_FOUND when nothing is there; FAILED_PRECONDITION for an invalid path.",
  },
  is_directory = {
    does = "Returns whether path is a directory.",
    errors = "a file is false with FAILED_PRECONDITION (or, in other plugins, with OK: "
      .. "hosts look at both); NOT_FOUND when nothing is there; FAILED_PRECONDITION "
      .. "for an invalid path.",
  },
  get_file_size = {
    does = "The length of a file in bytes; -1 on failure.",
    errors = "NOT_FOUND when nothing is there; FAILED_PRECONDITION for a directory or an "
      .. "invalid path.",
  },
  translate_name = {
    does = "Brings a URI or path to the filesystem's own form (no //, no . and no ..); "
      .. "never NULL.",
  },
  get_children = {
    does = "Lists the names in a directory, without the path, in any order; returns how "
      .. "many, or -1.",
    errors = "NOT_FOUND when it or a parent is missing; FAILED_PRECONDITION for a file or "
      .. "an invalid path; on failure the plugin frees everything itself.",
  },
  get_matching_paths = {
    does = "Lists what matches a pattern: * ? [list] [^list] never match a slash, \\c is "
      .. "c itself.",
    errors = "no match is OK; on failure the plugin frees everything itself.",
  },
  flush_caches = {
    does = "Forgets whatever was cached.",
  },
  start_transaction = {
    does = "Begins a transaction; returns 0, or -1.",
    errors = "FAILED_PRECONDITION when one is open and there can be only one.",
  },
  end_transaction = {
    does = "Makes everything under the token's paths visible at once, and frees the "
      .. "token; 0, or -1.",
    errors = "NOT_FOUND for an unknown token.",
  },
  add_to_transaction = {
    does = "Puts a path, there or not, under a transaction; a directory covers what is "
      .. "below it.",
    errors = "NOT_FOUND for an unknown token; FAILED_PRECONDITION when another one holds "
      .. "the path.",
  },
  get_transaction_for_path = {
    does = "Finds the transaction that a path is under; 0, or -1.",
    errors = "NOT_FOUND when it is under none.",
  },
  get_or_start_transaction_for_path = {
    does = "Finds the transaction that a path is under, or begins one and puts the path "
      .. "under it.",
    errors = "FAILED_PRECONDITION when it is under none and no other can be begun.",
  },
  decode_transaction_token = {
    does = "Describes a token for people; never NULL.",
  },
  get_filesystem_configuration = {
    does = "Lists the options with their present values.",
  },
  set_filesystem_configuration = {
    does = "Sets options; the second parameter is an array of num_options structs, as "
      .. "TensorFlow passes it (its oldest header wrote an array of pointers; binaries "
      .. "with that meaning cannot be told apart and are misread).",
    errors = "NOT_FOUND for an unknown name; INVALID_ARGUMENT for a bad value; then none "
      .. "is set.",
  },
  get_filesystem_configuration_option = {
    does = "Finds one option by name.",
    errors = "NOT_FOUND for an unknown name.",
  },
  set_filesystem_configuration_option = {
    does = "Sets one option.",
    errors = "NOT_FOUND for an unknown name; INVALID_ARGUMENT for a bad value.",
  },
  get_filesystem_configuration_keys = {
    does = "Never called: a char ** cannot carry a list that the host could free. The "
      .. "host answers from get_filesystem_configuration.",
  },
  plugin_memory_allocate = {
    does = "The pair for all memory that changes hands; free takes NULL.",
  },
}
