---@meta modfs
-- Written by scripts/meta.lua from docs/reference.md and scripts/meta/types.lua.
-- luacheck: ignore

---@alias modfs.Bytes string|modfs.Buffer|modfs.Region

---@class modfs
---@field _VERSION string
---@field check table
---@field codes table<string, integer>
---@field io iolib
---@field lfs table
---@field plugin_path string
local modfs = {}

---Opens a file and returns a File for mode `"r"` or a WritableFile for `"w"` and `"a"`.
---@param path string
---@param mode? string
---@param options? table
---@return modfs.File|modfs.WritableFile?
---@return string? message
---@return string? code
function modfs.open(path, mode, options) end

---Returns the whole content of a file as a string.
---@param path string
---@return string?
---@return string? message
---@return string? code
function modfs.read(path) end

---Writes a string, number (as `io.write` does), Buffer or Region as the whole content of a file.
---@param path string
---@param data modfs.Bytes|number
---@param options? table
---@return true?
---@return string? message
---@return string? code
function modfs.write(path, data, options) end

---Iterates over a file with the formats of `file:read`; the default is lines without their newline.
---@param path string
---@param ... any
---@return fun(): any
function modfs.lines(path, ...) end

---Returns the content as a Region, without a copy where the filesystem supports it (posix maps the file, `mem://` exposes its own bytes).
---@param path string
---@return modfs.Region?
---@return string? message
---@return string? code
function modfs.map(path) end

---Returns whether a file or directory exists: `true` or `false`.
---@overload fun(list: table): boolean?, table|string?, string?
---@param path string
---@return boolean?
---@return table|string?
---@return string? code
function modfs.exists(path) end

---`true` for a directory, `false` for a file, a missing path and a path below a file.
---@param path string
---@return boolean?
---@return string? message
---@return string? code
function modfs.isdir(path) end

---Returns a table that describes a file or directory.
---@param path string
---@return modfs.Stat?
---@return string? message
---@return string? code
function modfs.stat(path) end

---Describes the entry itself, without following a link, in more detail than `stat`.
---@param path string
---@return modfs.Stat?
---@return string? message
---@return string? code
function modfs.lstat(path) end

---Returns the length of a file in bytes.
---@param path string
---@return integer?
---@return string? message
---@return string? code
function modfs.size(path) end

---`mkdir` creates one directory; `makedirs` creates a directory with all its missing parents.
---@param path string
---@param options? table
---@return true?
---@return string? message
---@return string? code
function modfs.mkdir(path, options) end

---`mkdir` creates one directory; `makedirs` creates a directory with all its missing parents.
---@param path string
---@return true?
---@return string? message
---@return string? code
function modfs.makedirs(path) end

---`remove` deletes a file; `rmdir` deletes an empty directory.
---@param path string
---@return true?
---@return string? message
---@return string? code
function modfs.remove(path) end

---`remove` deletes a file; `rmdir` deletes an empty directory.
---@param path string
---@return true?
---@return string? message
---@return string? code
function modfs.rmdir(path) end

---Deletes a directory with everything in it, or a single file.
---@param path string
---@param options? table
---@return true?
---@return integer|string?
---@return integer|string?
function modfs.rmtree(path, options) end

---Moves or copies a file, also from one filesystem to another.
---@param src string
---@param dst string
---@return true?
---@return string? message
---@return string? code
function modfs.rename(src, dst) end

---Moves or copies a file, also from one filesystem to another.
---@param src string
---@param dst string
---@param options? table
---@return true?
---@return string? message
---@return string? code
function modfs.copy(src, dst, options) end

---Returns the names in a directory, bare, sorted by bytes, without `.` and `..`.
---@param path string
---@return string[]?
---@return string? message
---@return string? code
function modfs.listdir(path) end

---Iterates over a directory in constant memory, in no particular order.
---@param path string
---@return fun(): (string?, modfs.Stat?)?
---@return modfs.Directory|string?
---@return string? code
function modfs.dir(path) end

---Iterates over a directory and everything below it.
---@param path string
---@param options? table
---@return fun(): (string, string[], string[])?
---@return string? message
---@return string? code
function modfs.walk(path, options) end

---Returns a table with the counts `files`, `dirs` (including the path itself) and `bytes`.
---@param path string
---@param options? table
---@return modfs.Counts?
---@return string? message
---@return string? code
function modfs.du(path, options) end

---Copies a directory with everything in it, or a file; entries of `dst` that are missing from `src` stay.
---@param src string
---@param dst string
---@param options? table
---@return modfs.Counts?
---@return string? message
---@return string? code
function modfs.copytree(src, dst, options) end

---Makes `dst` like `src`, copying only what differs.
---@param src string
---@param dst string
---@param options? table
---@return modfs.Counts?
---@return string? message
---@return string? code
function modfs.sync(src, dst, options) end

---`tempname` returns an unused name; `tempdir` creates a fresh private directory and returns its name.
---@param prefix? string
---@param suffix? string
---@return string?
---@return string? message
---@return string? code
function modfs.tempname(prefix, suffix) end

---`tempname` returns an unused name; `tempdir` creates a fresh private directory and returns its name.
---@return string?
---@return string? message
---@return string? code
function modfs.tempdir() end

---Runs `"du"`, `"rmtree"`, `"copytree"` or `"sync"` step by step, for example from an event loop.
---@param operation string
---@param src string
---@param dst? string
---@param options? table
---@return modfs.Tree?
---@return string? message
---@return string? code
function modfs.tree(operation, src, dst, options) end

---Returns the paths that match a pattern, sorted, each once; no match gives an empty array.
---@param pattern string
---@return string[]?
---@return string? message
---@return string? code
function modfs.glob(pattern) end

---Returns the pattern that matches exactly `text`.
---@param text string
---@return string
function modfs.escape(text) end

---Makes every registered filesystem discard its caches.
---@return true?
---@return string? message
---@return string? code
function modfs.flush_caches() end

---Returns the type of a modfs object as a string, with `"closed "` before it for a closed object, or `nil` for any other value.
---@param value any
---@return string?
function modfs.type(value) end

---Runs `fn(object)`, closes the object whatever happens, and passes on the results or the error.
---@param object any
---@param fn function
---@return any
function modfs.with(object, fn) end

---Returns the CRC-32C (Castagnoli) of a string, Buffer or Region, as an integer.
---@param data modfs.Bytes
---@param crc? integer
---@return integer
function modfs.crc32c(data, crc) end

---Lua's own `loadfile` and `dofile`, for any path; `loadfile` returns the chunk.
---@param path? string
---@param mode? string
---@param env? table
---@return function?
---@return string? message
---@return string? code
function modfs.loadfile(path, mode, env) end

---Lua's own `loadfile` and `dofile`, for any path; `loadfile` returns the chunk.
---@param path? string
---@param options? table
---@return any
function modfs.dofile(path, options) end

---Returns a Buffer of `size` zero bytes, or with the bytes of a string, Buffer or Region.
---@overload fun(content: string): modfs.Buffer?, string?, string?
---@param size integer
---@return modfs.Buffer?
---@return string? message
---@return string? code
function modfs.buffer(size) end

---Returns the Filesystem of a scheme (`""`, `"mem"`) or of a path, and loads its plugin if necessary.
---@param scheme_or_path string
---@return modfs.Filesystem?
---@return string? message
---@return string? code
function modfs.filesystem(scheme_or_path) end

---Returns the present options of a filesystem as `{ name = value }`, or sets those in `values`.
---@param scheme string
---@param values? table
---@return table|true?
---@return string? message
---@return string? code
function modfs.config(scheme, values) end

---Loads a plugin and returns it; loading the same file again returns the same Plugin.
---@param file string
---@param options? table
---@return modfs.Plugin|modfs.Plugin[]?
---@return table|string?
---@return string? code
function modfs.load(file, options) end

---`plugins` returns the loaded plugins, `schemes` the registered schemes, and `available` the plugins that the plugin path offers, loaded or not: an array of `{ name =, path = }`.
---@return modfs.Plugin[]
function modfs.plugins() end

---`plugins` returns the loaded plugins, `schemes` the registered schemes, and `available` the plugins that the plugin path offers, loaded or not: an array of `{ name =, path = }`.
---@return string[]
function modfs.schemes() end

---`plugins` returns the loaded plugins, `schemes` the registered schemes, and `available` the plugins that the plugin path offers, loaded or not: an array of `{ name =, path = }`.
---@return table[]
function modfs.available() end

---Loads the device plugins of the shipped directory, and returns an array of all platforms.
---@return table[]?
---@return string? message
---@return string? code
function modfs.platforms() end

---Returns an array of all Devices, or of those of a type or platform.
---@param type_or_platform? string
---@return modfs.Device[]?
---@return string? message
---@return string? code
function modfs.devices(type_or_platform) end

---Returns one Device; it is the same object while the device or an object of it is in use.
---@param name string
---@return modfs.Device?
---@return string? message
---@return string? code
function modfs.device(name) end

---`poll` runs the callbacks that are due and returns how many; `pollfd` returns a descriptor for an event loop.
---@param timeout_seconds? number
---@return integer?
---@return string? message
---@return string? code
function modfs.poll(timeout_seconds) end

---`poll` runs the callbacks that are due and returns how many; `pollfd` returns a descriptor for an event loop.
---@return integer?
---@return string? message
---@return string? code
function modfs.pollfd() end

---@class modfs.path
modfs.path = {}

---scheme, host, path; the first two are `""` for a plain path
---@param uri string
---@return string?
---@return string|string?
---@return string|string?
function modfs.path.parse(uri) end

---the path without `//`, `.` and `..`; scheme and host stay
---@param uri string
---@return string?
---@return string? message
---@return string? code
function modfs.path.clean(uri) end

---the parts with one slash between them; `file:///a` for `file://` and `a`
---@param ... any
---@return string?
---@return string? message
---@return string? code
function modfs.path.join(...) end

---the part before the last slash; scheme and host stay
---@param uri string
---@return string?
---@return string? message
---@return string? code
function modfs.path.dirname(uri) end

---the part after the last slash
---@param uri string
---@return string?
---@return string? message
---@return string? code
function modfs.path.basename(uri) end

---the part after the last dot of the basename, or `""`
---@param uri string
---@return string?
---@return string? message
---@return string? code
function modfs.path.extension(uri) end

---whether it is a URI or starts with a slash
---@param uri string
---@return boolean?
---@return string? message
---@return string? code
function modfs.path.is_absolute(uri) end

---whether a name matches a pattern of `modfs.glob`, including `**`
---@param name string
---@param pattern string
---@return boolean?
---@return string? message
---@return string? code
function modfs.path.match(name, pattern) end

---@class modfs.codec
modfs.codec = {}

---Opens a compressed file, on any filesystem, as an ordinary File or WritableFile with all their methods.
---@param path string
---@param mode? string
---@param codec? string
---@param options? table
---@return modfs.File|modfs.WritableFile?
---@return string? message
---@return string? code
function modfs.codec.open(path, mode, codec, options) end

---Stacks a codec on an open object: reads from a File, Region or Buffer as a File, or writes to a WritableFile as a WritableFile.
---@param object modfs.File|modfs.WritableFile|modfs.Region|modfs.Buffer
---@param codec string
---@param options? table
---@return modfs.File|modfs.WritableFile?
---@return string? message
---@return string? code
function modfs.codec.wrap(object, codec, options) end

---Returns `true`, or the failure that `open` would return: `UNIMPLEMENTED`.
---@param codec string
---@return true?
---@return string? message
---@return string? code
function modfs.codec.available(codec) end

---@class modfs.tfrecord
modfs.tfrecord = {}

---Returns a RecordReader over a TFRecord file.
---@param path string
---@param options? table
---@return modfs.RecordReader?
---@return string? message
---@return string? code
function modfs.tfrecord.reader(path, options) end

---Returns a RecordWriter.
---@param path string
---@param options? table
---@return modfs.RecordWriter?
---@return string? message
---@return string? code
function modfs.tfrecord.writer(path, options) end

---Verifies all checksums of a file.
---@param path string
---@param options? table
---@return true?
---@return integer|string?
---@return string? code
function modfs.tfrecord.verify(path, options) end

---Copies every intact record, and returns a table.
---@param src string
---@param dst string
---@param options? table
---@return table?
---@return string? message
---@return string? code
function modfs.tfrecord.salvage(src, dst, options) end

---a writer of `count` shards
---@param base string
---@param count integer
---@param options? table
---@return table?
---@return string? message
---@return string? code
function modfs.tfrecord.shard_writer(base, count, options) end

---a reader of all shards, in order
---@param base string
---@param options? table
---@return table?
---@return string? message
---@return string? code
function modfs.tfrecord.shard_reader(base, options) end

---the array of their paths
---@param base string
---@return string[]?
---@return string? message
---@return string? code
function modfs.tfrecord.shards(base) end

---the name of one shard
---@param base string
---@param index integer
---@param count integer
---@return string
function modfs.tfrecord.shard_name(base, index, count) end

---@class modfs.searcher
modfs.searcher = {}

---@param template string
---@param ... any
---@return function
function modfs.searcher.install(template, ...) end

---@param that function
---@return boolean
function modfs.searcher.uninstall(that) end

---@param name string
---@param path string
---@param separator? string
---@param replacement? string
---@return string?
---@return string?
function modfs.searcher.searchpath(name, path, separator, replacement) end

---@class modfs.Stat
---@field is_directory boolean
---@field length integer
---@field mtime number
---@field mtime_nsec integer
local Stat = {}

---@class modfs.Counts
---@field bytes integer
---@field copied integer?
---@field deleted integer?
---@field dirs integer?
---@field errors table[]?
---@field files integer?
---@field kept integer?
local Counts = {}

---@class modfs.Option
---@field description string
---@field name string
---@field per_file boolean
---@field type "int"|"real"|"buffer"
---@field value any
local Option = {}

---@class modfs.File
local File = {}

---a value for each format; `nil` at the end of the file, or `""` for the format `"a"`
---@param ... any
---@return any?
---@return string? message
---@return string? code
function File:read(...) end

---an iterator over `read(...)` that leaves the file open and raises on failure
---@param ... any
---@return fun(): any
function File:lines(...) end

---moves the position of `read` and returns it
---@param whence? "set"|"cur"|"end"
---@param offset? integer
---@return integer?
---@return string? message
---@return string? code
function File:seek(whence, offset) end

---up to `n` bytes at an offset, as a string; the position stays
---@param offset integer
---@param n integer
---@return string?
---@return string? message
---@return string? code
function File:pread(offset, n) end

---reads into a Buffer; the byte count, 0 at the end
---@param buffer modfs.Buffer
---@param offset? integer
---@param n? integer
---@param position? integer
---@return integer?
---@return string? message
---@return string? code
function File:readinto(buffer, offset, n, position) end

---the length in bytes, queried by the file's name
---@return integer?
---@return string? message
---@return string? code
function File:size() end

---the path that it was opened with
---@return string
function File:name() end

---`true`
---@return true?
---@return string? message
---@return string? code
function File:close() end

---@class modfs.WritableFile
local WritableFile = {}

---the file itself; accepts strings, numbers, Buffers and Regions
---@param ... any
---@return modfs.WritableFile?
---@return string? message
---@return string? code
function WritableFile:write(...) end

---the position of the next byte, from the start of the file
---@return integer?
---@return string? message
---@return string? code
function WritableFile:tell() end

---passes buffered data to the filesystem, so that readers see it. `true`
---@return true?
---@return string? message
---@return string? code
function WritableFile:flush() end

---returns when all of it is durable. `true`
---@return true?
---@return string? message
---@return string? code
function WritableFile:sync() end

---the path that it was opened with
---@return string
function WritableFile:name() end

---closes the file and reports the first failure that was held back. `true`
---@return true?
---@return string? message
---@return string? code
function WritableFile:close() end

---closes the file, without publishing its content where that is possible. `true`
---@return true?
---@return string? message
---@return string? code
function WritableFile:abort() end

---@class modfs.Region
local Region = {}

---a string, as `string.sub`
---@param i integer
---@param j? integer
---@return string
function Region:sub(i, j) end

---numbers, as `string.byte`
---@param i? integer
---@param j? integer
---@return integer
function Region:byte(i, j) end

---first and last position of the first match, or `nil`
---@param needle modfs.Bytes
---@param init? integer
---@return integer?
---@return integer?
function Region:find(needle, init) end

---values and the next position, as `string.unpack`
---@param format string
---@param position? integer
---@return any
function Region:unpack(format, position) end

---an iterator over lines, `"l"` without and `"L"` with their newline
---@param format? string
---@return fun(): string?
function Region:lines(format) end

---a Region or Buffer that shares these bytes and keeps them alive
---@param i integer
---@param j? integer
---@return modfs.Region?
---@return string? message
---@return string? code
function Region:slice(i, j) end

---the address as light userdata, for FFI
---@return lightuserdata
function Region:pointer() end

---`true`; live slices keep the bytes
---@return true?
---@return string? message
---@return string? code
function Region:close() end

---@class modfs.Buffer: modfs.Region
local Buffer = {}

---copies a string, Buffer or Region into the Buffer. `true`
---@param position integer
---@param data modfs.Bytes
---@return true?
---@return string? message
---@return string? code
function Buffer:set(position, data) end

---sets every byte, to 0 by default. `true`
---@param byte? integer
---@return true?
---@return string? message
---@return string? code
function Buffer:fill(byte) end

---writes values as `string.pack` formats them. `true`
---@param position integer
---@param format string
---@param ... any
---@return true?
---@return string? message
---@return string? code
function Buffer:pack(position, format, ...) end

---@class modfs.Directory
local Directory = {}

---@return string?
---@return modfs.Stat|string?
---@return string? code
function Directory:next() end

---@return true?
---@return string? message
---@return string? code
function Directory:close() end

---@class modfs.Tree
local Tree = {}

---works until a file is done: bytes done, bytes in total, its path; `nil` when all is done
---@return integer?
---@return integer|string?
---@return string|string?
function Tree:step() end

---starts no new operation. `true`
---@return true?
---@return string? message
---@return string? code
function Tree:cancel() end

---a table of counts
---@return modfs.Counts
function Tree:result() end

---cancels the remaining work and ends its threads. `true`
---@return true?
---@return string? message
---@return string? code
function Tree:close() end

---@class modfs.Filesystem
---@field scheme string
local Filesystem = {}

---@return true?
---@return string? message
---@return string? code
function Filesystem:close() end

---Returns a table with 33 entries that says how each operation of the ABI is implemented.
---@param of? "tables"|"extension"
---@return table
function Filesystem:operations(of) end

---File
---@param path string
---@return modfs.File?
---@return string? message
---@return string? code
function Filesystem:new_random_access_file(path) end

---WritableFile, truncated
---@param path string
---@return modfs.WritableFile?
---@return string? message
---@return string? code
function Filesystem:new_writable_file(path) end

---WritableFile, at the end
---@param path string
---@return modfs.WritableFile?
---@return string? message
---@return string? code
function Filesystem:new_appendable_file(path) end

---Region; an empty file is `INVALID_ARGUMENT`
---@param path string
---@return modfs.Region?
---@return string? message
---@return string? code
function Filesystem:new_read_only_memory_region_from_file(path) end

---`true`
---@param path string
---@return true?
---@return string? message
---@return string? code
function Filesystem:create_dir(path) end

---`true`
---@param path string
---@return true?
---@return string? message
---@return string? code
function Filesystem:recursively_create_dir(path) end

---`true`
---@param path string
---@return true?
---@return string? message
---@return string? code
function Filesystem:delete_file(path) end

---`true`
---@param path string
---@return true?
---@return string? message
---@return string? code
function Filesystem:delete_dir(path) end

---as `modfs.rmtree`
---@param path string
---@return true?
---@return integer|string?
---@return integer|string?
function Filesystem:delete_recursively(path) end

---`true`
---@param src string
---@param dst string
---@return true?
---@return string? message
---@return string? code
function Filesystem:rename_file(src, dst) end

---`true`
---@param src string
---@param dst string
---@return true?
---@return string? message
---@return string? code
function Filesystem:copy_file(src, dst) end

---`true`; a missing path is the failure `NOT_FOUND`
---@param path string
---@return true?
---@return string? message
---@return string? code
function Filesystem:path_exists(path) end

---as `modfs.exists{…}`
---@param list table
---@return boolean?
---@return table|string?
---@return string? code
function Filesystem:paths_exist(list) end

---as `modfs.stat`
---@param path string
---@return modfs.Stat?
---@return string? message
---@return string? code
function Filesystem:stat(path) end

---`true`, or `false` for a file; a missing path is a failure
---@param path string
---@return boolean?
---@return string? message
---@return string? code
function Filesystem:is_directory(path) end

---bytes
---@param path string
---@return integer?
---@return string? message
---@return string? code
function Filesystem:get_file_size(path) end

---the path in the filesystem's own form
---@param uri string
---@return string?
---@return string? message
---@return string? code
function Filesystem:translate_name(uri) end

---bare names, in the plugin's order
---@param path string
---@return string[]?
---@return string? message
---@return string? code
function Filesystem:get_children(path) end

---paths, in the plugin's order
---@param pattern string
---@return string[]?
---@return string? message
---@return string? code
function Filesystem:get_matching_paths(pattern) end

---`true`
---@return true?
---@return string? message
---@return string? code
function Filesystem:flush_caches() end

---Transaction
---@return modfs.Transaction?
---@return string? message
---@return string? code
function Filesystem:start_transaction() end

---`true`: commits
---@param tx modfs.Transaction
---@return true?
---@return string? message
---@return string? code
function Filesystem:end_transaction(tx) end

---`true`
---@param path string
---@param tx modfs.Transaction
---@return true?
---@return string? message
---@return string? code
function Filesystem:add_to_transaction(path, tx) end

---the Transaction that holds the path; `NOT_FOUND` if none does
---@param path string
---@return modfs.Transaction?
---@return string? message
---@return string? code
function Filesystem:get_transaction_for_path(path) end

---that one, or a new one that holds the path
---@param path string
---@return modfs.Transaction?
---@return string? message
---@return string? code
function Filesystem:get_or_start_transaction_for_path(path) end

---the plugin's description of it
---@param tx modfs.Transaction
---@return string?
---@return string? message
---@return string? code
function Filesystem:decode_transaction_token(tx) end

---an array of options
---@return modfs.Option[]?
---@return string? message
---@return string? code
function Filesystem:get_filesystem_configuration() end

---`true`: sets all of them, or none
---@param list table
---@return true?
---@return string? message
---@return string? code
function Filesystem:set_filesystem_configuration(list) end

---one option; `NOT_FOUND` for an unknown name
---@param name string
---@return modfs.Option?
---@return string? message
---@return string? code
function Filesystem:get_filesystem_configuration_option(name) end

---`true`
---@param option modfs.Option
---@return true?
---@return string? message
---@return string? code
function Filesystem:set_filesystem_configuration_option(option) end

---an array of names
---@return string[]?
---@return string? message
---@return string? code
function Filesystem:get_filesystem_configuration_keys() end

---@class modfs.Transaction
local Transaction = {}

---adds a path to the transaction. `true`
---@param path string
---@return true?
---@return string? message
---@return string? code
function Transaction:add(path) end

---makes everything visible and closes the object. `true`
---@return true?
---@return string? message
---@return string? code
function Transaction:commit() end

---discard all changes. `true`
---@return true?
---@return string? message
---@return string? code
function Transaction:abort() end

---discard all changes. `true`
---@return true?
---@return string? message
---@return string? code
function Transaction:close() end

---@class modfs.Plugin
---@field author string?
---@field path string
---@field platforms string[]
---@field schemes string[]
---@field url string?
---@field version string?
---@field versions table
local Plugin = {}

---@return true?
---@return string? message
---@return string? code
function Plugin:close() end

---@class modfs.Device
---@field gflops number?
---@field hardware_name string?
---@field memory_bandwidth number?
---@field name string
---@field numa_node integer?
---@field ordinal integer
---@field pci_bus_id string?
---@field platform string
---@field type string
---@field vendor string?
local Device = {}

---free and total bytes; free includes what modfs holds in reserve
---@return integer?
---@return integer|string?
---@return string? code
function Device:memory_usage() end

---a table of counts and bytes (`num_allocs`, `bytes_in_use`, …), or `nil`
---@return table?
---@return string? message
---@return string? code
function Device:allocator_stats() end

---Memory of `n` bytes
---@param n integer
---@return modfs.Memory?
---@return string? message
---@return string? code
function Device:allocate(n) end

---a Buffer in host memory that the device copies from and to
---@param n integer
---@return modfs.Buffer?
---@return string? message
---@return string? code
function Device:host_allocate(n) end

---a Buffer in memory that host and device share
---@param n integer
---@return modfs.Buffer?
---@return string? message
---@return string? code
function Device:unified_allocate(n) end

---Stream, Event, Timer
---@return modfs.Stream?
---@return string? message
---@return string? code
function Device:stream() end

---Stream, Event, Timer
---@return modfs.Event?
---@return string? message
---@return string? code
function Device:event() end

---Stream, Event, Timer
---@return modfs.Timer?
---@return string? message
---@return string? code
function Device:timer() end

---waits for all work, and runs callbacks that are due. `true`
---@return true?
---@return string? message
---@return string? code
function Device:synchronize() end

---Memory with the content of a file, and bytes per second
---@param path string
---@return modfs.Memory?
---@return number|string?
---@return string? code
function Device:load(path) end

---`true`; `FAILED_PRECONDITION` while objects of it are in use: the message says how many
---@return true?
---@return string? message
---@return string? code
function Device:close() end

---@class modfs.Memory
local Memory = {}

---copies a string, Buffer or Region to the device. `true`
---@param data modfs.Bytes
---@param position? integer
---@return true?
---@return string? message
---@return string? code
function Memory:write(data, position) end

---a string; all by default
---@param position? integer
---@param n? integer
---@return string?
---@return string? message
---@return string? code
function Memory:read(position, n) end

---copies from other Memory, and waits. `true`
---@param source modfs.Memory
---@param options? table
---@return true?
---@return string? message
---@return string? code
function Memory:copy(source, options) end

---sets every byte, to 0 by default. `true`
---@param byte? integer
---@return true?
---@return string? message
---@return string? code
function Memory:fill(byte) end

---frees it. `true`
---@return true?
---@return string? message
---@return string? code
function Memory:close() end

---@class modfs.Stream
local Stream = {}

---enqueues a copy of `n` bytes, of all of `src` by default
---@param dst modfs.Memory|modfs.Buffer
---@param src modfs.Memory|modfs.Buffer|modfs.Region|string
---@param n? integer
---@return modfs.Stream?
---@return string? message
---@return string? code
function Stream:copy(dst, src, n) end

---enqueues a fill, with 0 by default
---@param memory modfs.Memory
---@param byte? integer
---@return modfs.Stream?
---@return string? message
---@return string? code
function Stream:fill(memory, byte) end

---work that is enqueued later waits for it
---@param event_or_stream modfs.Event|modfs.Stream
---@return modfs.Stream?
---@return string? message
---@return string? code
function Stream:wait(event_or_stream) end

---marks this place with an Event
---@param event modfs.Event
---@return modfs.Stream?
---@return string? message
---@return string? code
function Stream:record(event) end

---calls `fn` when all work before it is done
---@param fn fun()
---@return modfs.Stream?
---@return string? message
---@return string? code
function Stream:callback(fn) end

---`true`, or the failure
---@return true?
---@return string? message
---@return string? code
function Stream:status() end

---waits for all of it and runs callbacks that are due. `true`, or the stream's failure
---@return true?
---@return string? message
---@return string? code
function Stream:synchronize() end

---`true`
---@return true?
---@return string? message
---@return string? code
function Stream:close() end

---@class modfs.Event
local Event = {}

---@return "unknown"|"pending"|"complete"|"error"
function Event:status() end

---@return true?
---@return string? message
---@return string? code
function Event:wait() end

---@return true?
---@return string? message
---@return string? code
function Event:close() end

---@class modfs.Timer
local Timer = {}

---@param stream modfs.Stream
---@return true?
---@return string? message
---@return string? code
function Timer:start(stream) end

---@param stream modfs.Stream
---@return true?
---@return string? message
---@return string? code
function Timer:stop(stream) end

---@return integer?
---@return string? message
---@return string? code
function Timer:nanoseconds() end

---@return true?
---@return string? message
---@return string? code
function Timer:close() end

---@class modfs.RecordReader
local RecordReader = {}

---the next record and its offset; `nil` at the end
---@return string?
---@return integer|string?
---@return string? code
function RecordReader:read() end

---the record that begins there, and the offset of the next one; the position stays
---@param offset integer
---@return string?
---@return integer|string?
---@return string? code
function RecordReader:at(offset) end

---record `index`, from 1, and its offset; the position stays
---@param index integer
---@return string?
---@return integer|string?
---@return string? code
function RecordReader:get(index) end

---skips `n` records by their headers; how many there were
---@param n integer
---@return integer?
---@return string? message
---@return string? code
function RecordReader:skip(n) end

---moves the position to the record at an offset, and returns it
---@param offset integer
---@return integer?
---@return string? message
---@return string? code
function RecordReader:seek(offset) end

---the position: the offset of the next record
---@return integer?
---@return string? message
---@return string? code
function RecordReader:tell() end

---how many records the file has, by their headers
---@return integer?
---@return string? message
---@return string? code
function RecordReader:count() end

---as `tfrecord.verify`
---@return true?
---@return integer|string?
---@return string? code
function RecordReader:verify() end

---as `tfrecord.salvage`, into an open RecordWriter
---@param writer modfs.RecordWriter
---@return table?
---@return string? message
---@return string? code
function RecordReader:salvage(writer) end

---the path
---@return string
function RecordReader:name() end

---`true`
---@return true?
---@return string? message
---@return string? code
function RecordReader:close() end

---@class modfs.RecordWriter: modfs.WritableFile
local RecordWriter = {}

---@param record modfs.Bytes|number
---@return modfs.RecordWriter?
---@return string? message
---@return string? code
function RecordWriter:write(record) end

return modfs
