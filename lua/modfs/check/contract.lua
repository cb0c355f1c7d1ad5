-- What include/modfs/filesystem.h and extension.h say of each operation, in their words; extension:
-- it is a slot of the latter.
return {
  read = {
    does = "Reads n bytes at offset into buffer; returns the number of bytes read, or -1.",
    errors = "OK if and only if all n bytes were read; OUT_OF_RANGE at the end of the file, "
      .. "with the bytes that were left; any other code with -1. n may be 0.",
  },
  append = {
    does = "Appends n bytes of buffer; n may be 0, and buffer may be NULL then.",
    errors = "RESOURCE_EXHAUSTED if fewer than n bytes could be written.",
  },
  tell = {
    does = "Returns the position of the next append, in bytes from the start of the file, "
      .. "or -1.",
  },
  flush = {
    does = "Writes the plugin's buffers to the storage, without waiting until the bytes "
      .. "are durable.",
  },
  sync = {
    does = "Returns once everything written so far is on stable storage.",
  },
  close = {
    does = "Flushes and closes the file; a host calls it at most once or not at all, and "
      .. "then cleanup.",
    errors = "any failure that was held back until now.",
  },
  data = {
    does = "Returns the address of the first byte, always the same.",
  },
  length = {
    does = "Returns the length in bytes, always the same.",
  },
  new_random_access_file = {
    does = "Opens a file for reading.",
    errors = "NOT_FOUND for a missing file or parent; FAILED_PRECONDITION for a directory "
      .. "or an invalid path.",
  },
  new_writable_file = {
    does = "Opens a new, empty file for writing; replaces an existing file.",
    errors = "NOT_FOUND for a missing parent; FAILED_PRECONDITION for a directory or an "
      .. "invalid path.",
  },
  new_appendable_file = {
    does = "Opens a file for writing at its end; creates it if it is missing.",
    errors = "NOT_FOUND for a missing parent; FAILED_PRECONDITION for a directory or an "
      .. "invalid path.",
  },
  new_read_only_memory_region_from_file = {
    does = "Maps a file, or reads it into memory.",
    errors = "NOT_FOUND for a missing file or parent; FAILED_PRECONDITION for a directory "
      .. "or an invalid path; INVALID_ARGUMENT for an empty file.",
  },
  create_dir = {
    does = "Creates one directory.",
    errors = "NOT_FOUND for a missing parent; FAILED_PRECONDITION for an invalid path; "
      .. "ALREADY_EXISTS if there is an entry of any kind.",
  },
  recursively_create_dir = {
    does = "Creates a directory and all missing parents; an existing directory is OK.",
    errors = "FAILED_PRECONDITION if the path or one of its parents is a file, or for an "
      .. "invalid path.",
  },
  delete_file = {
    does = "Deletes a file.",
    errors = "NOT_FOUND if it is missing; FAILED_PRECONDITION for a directory or an invalid "
      .. "path.",
  },
  delete_dir = {
    does = "Deletes an empty directory.",
    errors = "NOT_FOUND if it is missing; FAILED_PRECONDITION for a file, a directory that "
      .. "is not empty, or an invalid path.",
  },
  delete_recursively = {
    does = "Deletes a directory and everything in it, or one file; stores the numbers of "
      .. "files and directories that it could not delete.",
    errors = "the first failure, with both counts; OK if and only if both are 0; 0 files and "
      .. "1 directory if it could not start; NOT_FOUND for a missing path; links are not "
      .. "followed.",
  },
  rename_file = {
    does = "Renames a file; replaces an existing file. On failure nothing has changed.",
    errors = "NOT_FOUND for a missing source or parent; FAILED_PRECONDITION if either is a "
      .. "directory or an invalid path.",
  },
  copy_file = {
    does = "Copies a file; replaces an existing file. On failure nothing has changed.",
    errors = "NOT_FOUND for a missing source or parent; FAILED_PRECONDITION if either is a "
      .. "directory (TensorFlow's header allows a directory as target, its tests do not) "
      .. "or an invalid path.",
  },
  path_exists = {
    does = "Succeeds if the path is an existing file or directory.",
    errors = "NOT_FOUND if it does not exist; FAILED_PRECONDITION for an invalid path.",
  },
  paths_exist = {
    does = "Returns whether path_exists would succeed for all paths; if statuses is not "
      .. "NULL, sets the result for each of them with TF_SetStatus.",
  },
  stat = {
    does = "Stores length, type and modification time in stats, which is unchanged on "
      .. "failure.",
    errors = "NOT_FOUND if the path does not exist; FAILED_PRECONDITION for an invalid path.",
  },
  is_directory = {
    does = "Returns whether path is a directory.",
    errors = "for a file false with FAILED_PRECONDITION (or, in some plugins, with OK: hosts "
      .. "accept both); NOT_FOUND if the path does not exist; FAILED_PRECONDITION for an "
      .. "invalid path.",
  },
  get_file_size = {
    does = "Returns the length of a file in bytes, or -1 on failure.",
    errors = "NOT_FOUND if the path does not exist; FAILED_PRECONDITION for a directory or "
      .. "an invalid path.",
  },
  translate_name = {
    does = "Converts a URI or path to the filesystem's own form (without //, . and ..); "
      .. "never returns NULL.",
  },
  get_children = {
    does = "Lists the bare names in a directory, in any order; returns their number, or "
      .. "-1.",
    errors = "NOT_FOUND if the directory or a parent is missing; FAILED_PRECONDITION for a "
      .. "file or an invalid path; on failure the plugin frees everything itself.",
  },
  get_matching_paths = {
    does = "Lists the paths that match a pattern: * ? [list] [^list] never match a slash, "
      .. "\\c is c itself.",
    errors = "no match is OK; on failure the plugin frees everything itself.",
  },
  flush_caches = {
    does = "Discards all caches.",
  },
  start_transaction = {
    does = "Starts a transaction; returns 0, or -1.",
    errors = "FAILED_PRECONDITION if one is open and only one is possible.",
  },
  end_transaction = {
    does = "Commits a transaction: makes all changes under its paths visible at once and "
      .. "frees the token; returns 0, or -1.",
    errors = "NOT_FOUND for an unknown token.",
  },
  add_to_transaction = {
    does = "Adds a path, existing or not, to a transaction; a directory includes "
      .. "everything below it.",
    errors = "NOT_FOUND for an unknown token; FAILED_PRECONDITION if the path belongs to "
      .. "another transaction.",
  },
  get_transaction_for_path = {
    does = "Finds the transaction that a path belongs to; returns 0, or -1.",
    errors = "NOT_FOUND if it belongs to none.",
  },
  get_or_start_transaction_for_path = {
    does = "Finds the transaction that a path belongs to, or starts one and adds the path "
      .. "to it.",
    errors = "FAILED_PRECONDITION if it belongs to none and no other can be started.",
  },
  decode_transaction_token = {
    does = "Returns a description of a token for display, never NULL.",
  },
  get_filesystem_configuration = {
    does = "Lists the options with their current values.",
  },
  set_filesystem_configuration = {
    does = "Sets options; the second parameter is an array of num_options structs, as "
      .. "TensorFlow passes it (its oldest header declared an array of pointers; "
      .. "binaries built for that cannot be recognized and are misread).",
    errors = "NOT_FOUND for an unknown name; INVALID_ARGUMENT for an invalid value; then no "
      .. "option is set.",
  },
  get_filesystem_configuration_option = {
    does = "Finds one option by name.",
    errors = "NOT_FOUND for an unknown name.",
  },
  set_filesystem_configuration_option = {
    does = "Sets one option.",
    errors = "NOT_FOUND for an unknown name; INVALID_ARGUMENT for an invalid value.",
  },
  get_filesystem_configuration_keys = {
    does = "Never called, because a char ** cannot return a list that the host could free. "
      .. "The host uses get_filesystem_configuration.",
  },
  open_subdirectory = {
    extension = true,
    does = 'Opens a subdirectory; the name ".." opens the parent directory.',
    errors = "NOT_FOUND; FAILED_PRECONDITION if name is not a directory, or is a link.",
  },
  entry_attributes = {
    extension = true,
    does = 'Stores the attributes of an entry itself, or of the directory if name is "".',
    errors = "those of stat.",
  },
  open_reader = {
    extension = true,
    does = "Opens a file for reading.",
    errors = "those of new_random_access_file; FAILED_PRECONDITION if the entry is a link.",
  },
  create_private_dir = {
    extension = true,
    does = "Creates a directory that only its owner can access.",
    errors = "those of create_dir.",
  },
  open_writer = {
    extension = true,
    does = "Opens an empty file for writing; if directory is not NULL, path is an entry in it; a "
      .. "link is never followed.",
    errors = "those of new_writable_file; UNIMPLEMENTED for a flag the storage cannot honour.",
  },
  create_subdirectory = {
    extension = true,
    does = "Creates a subdirectory.",
    errors = "those of create_dir; ALREADY_EXISTS if an entry of any kind exists.",
  },
  delete_entry = {
    extension = true,
    does = "Deletes an entry: an empty directory if is_directory is true, otherwise any other "
      .. "kind.",
    errors = "those of delete_dir and delete_file.",
  },
  rename_entry = {
    extension = true,
    does = "Renames an entry, also into another directory of the same filesystem; replaces an "
      .. "existing file.",
    errors = "those of rename_file.",
  },
  copy_entry = {
    extension = true,
    does = "Copies a file; replaces an existing file in one step and follows no link on either "
      .. "side.",
    errors = "those of copy_file; FAILED_PRECONDITION if either entry is a link.",
  },
  copy_entry_keeping = {
    extension = true,
    does = "Copies a file as copy_entry does, stores the attributes that it had before its content "
      .. "was read, and gives those in which to the copy, the mode without set-id bits. Returns "
      .. "the bits of those that the copy has; one that it cannot have is no failure, as the host "
      .. "tries set_attributes then.",
    errors = "those of copy_entry.",
  },
  get_attributes = {
    extension = true,
    does = "Stores the attributes of what a path leads to; links are followed.",
    errors = "those of stat.",
  },
  set_attributes = {
    extension = true,
    does = "Sets the attributes whose bits are in which, and no other; follows a link, except "
      .. 'with OF_LINK. If directory is not NULL, path is an entry in it, or "" for the directory '
      .. "itself, and a link is not followed.",
    errors = "those of stat; UNIMPLEMENTED, with nothing set, for an attribute that the storage "
      .. "does not have, or cannot set.",
  },
  create_link = {
    extension = true,
    does = 'Creates a symbolic link that holds target, any text but "", as it is; if directory is '
      .. "not NULL, path is an entry in it. An absolute target begins at the filesystem's root, a "
      .. "relative one at the link's directory; neither is a URI, and neither need exist.",
    errors = "NOT_FOUND for a missing parent; ALREADY_EXISTS if an entry of any kind exists.",
  },
  read_link = {
    extension = true,
    does = "Returns the target of a symbolic link as it was given, or NULL on failure; if "
      .. "directory is not NULL, path is an entry in it.",
    errors = "NOT_FOUND; FAILED_PRECONDITION if the entry is not a link.",
  },
  set_writer_attributes = {
    extension = true,
    does = "Sets the attributes whose bits are in which of a file that is open for writing. They "
      .. "hold once the file is closed; a write that follows does not change an mtime set here.",
    errors = "those of set_attributes.",
  },
  stored_hash = {
    extension = true,
    does = "Returns a checksum of a file's content that the storage keeps, or NULL on failure; the "
      .. 'content is not read. The algorithm "etag" is the entity tag of HTTP, without its quotes.',
    errors = "those of get_file_size; UNIMPLEMENTED for an algorithm that the storage does not "
      .. "keep.",
  },
  reader_attributes = {
    extension = true,
    does = "Stores the attributes that a file had when it was opened for reading, as opening it "
      .. "has told them already: no further request.",
    errors = "UNIMPLEMENTED.",
  },
  accept_interruption = {
    extension = true,
    does = "Passes a function that says whether the call on the asking thread is to end. Calls "
      .. "that wait or take long ask it every 50 ms or more often, fail with CANCELLED when it "
      .. "returns true, and end the threads that they have started.",
  },
  get_xattrs = {
    extension = true,
    does = "Returns the extended attributes that a copy keeps in one block, or NULL if there are "
      .. "none and on failure: for each a uint32_t, the length of its value, then its name with "
      .. "NUL, then the value; sorted by name, unaligned. Links are followed; if directory is not "
      .. 'NULL, path is an entry in it, or "" for the directory itself, and a link is not '
      .. "followed.",
    errors = "those of stat; FAILED_PRECONDITION for a link that is not followed.",
  },
  set_xattrs = {
    extension = true,
    does = "Makes the attributes of such a block, from any filesystem, the only ones that "
      .. "get_xattrs returns.",
    errors = "those of get_xattrs; UNIMPLEMENTED for an attribute that cannot be kept, others may "
      .. "be set then.",
  },
  get_space = {
    extension = true,
    does = "Stores the room of the storage that a path is on.",
    errors = "those of stat; UNIMPLEMENTED for storage without limits.",
  },
  accept_host = {
    extension = true,
    does = "Passes functions that read and write what other plugins store. URIs with a scheme that "
      .. "is joined to the plugin's own, as in zip+s3://bucket/a.zip, then come to this plugin as "
      .. "they are.",
  },
  presign = {
    extension = true,
    does = 'Returns a URL with which anybody can "GET" or "PUT" the file for so many seconds, or '
      .. "NULL on failure. Nothing is asked of the storage: the file need not exist.",
    errors = "INVALID_ARGUMENT for another method or time; UNAUTHENTICATED.",
  },
  plugin_memory_allocate = {
    does = "The pair for all memory that changes hands; free takes NULL.",
  },
}
