# modfs. `make help` lists the targets.
ifeq ($(origin CC),default)
CC       = gcc
endif
CXX     ?= g++
LUA     ?= lua5.4
BUSTED  ?= /usr/bin/busted
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build$(OTHER:%=-%)
SANITIZE ?=

# lua5.1 lua5.2 lua5.3 lua5.4 luajit: all but lua5.4 build into a folder of their own.
LUA_NAME = $(notdir $(LUA))
OTHER    = $(filter-out lua5.4,$(LUA_NAME))
LUA_PC   = $(LUA_NAME)
LUA_V    = $(if $(findstring jit,$(LUA_NAME)),5.1,$(LUA_NAME:lua%=%))
LUA_CFLAGS ?= $$(pkg-config --cflags $(LUA_PC))
LUA_LIBS   ?= $$(pkg-config --libs $(LUA_PC))
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Werror
CFLAGS  ?= -O2 -g
STRICT   = -std=c11 -D_GNU_SOURCE $(WARN) -fPIC -fno-plt -fvisibility=hidden $(SANITIZE)
COMPILE  = $(CC) $(STRICT) $(CFLAGS) $(CPPFLAGS) -Iinclude -MMD -MP
SHARED   = -shared -Wl,-z,nodelete,-z,now,-z,relro -Wl,-Bsymbolic -pthread $(SANITIZE) $(LDFLAGS)
SONAME   = libtensorflow_framework.so.2

WITHOUT  ?=
OUT      = $(BUILD)/modfs
RUNTIME  = $(OUT)/$(SONAME)
CORE     = $(OUT)/core.so
RUNNER    = $(OUT)/runner.so
SHIM     = $(OUT)/shim.so
# Only the plugins of http and s3 link curl, and are built where curl is; s3 needs two libraries more.
CURL    := $(if $(filter curl,$(WITHOUT)),,$(shell pkg-config --libs 'libcurl >= 7.85' 2>/dev/null))
S3LIBS  := $(if $(filter s3,$(WITHOUT)),,$(if $(CURL),$(shell pkg-config --libs expat libcrypto 2>/dev/null)))
# Google's own protocol of gs needs another one; without it gs has that of S3 alone.
CJSON   := $(if $(filter cjson,$(WITHOUT)),,$(shell pkg-config --libs libcjson 2>/dev/null))
HDFSLIBS := $(if $(filter hdfs,$(WITHOUT)),,$(if $(CURL),$(shell pkg-config --libs expat libcjson 2>/dev/null)))
AZLIBS  := $(if $(filter az,$(WITHOUT)),,$(if $(CURL),$(shell pkg-config --libs expat libcrypto 2>/dev/null)))
MISSING  = $(if $(CURL),,http) $(if $(S3LIBS),,s3 gs) $(if $(AZLIBS),,az) $(if $(HDFSLIBS),,hdfs)
FOLDERS  = $(filter-out $(MISSING),$(patsubst plugins/%/,%,$(dir $(wildcard plugins/*/*.map))))
PLUGINS  = $(foreach folder,$(FOLDERS),$(call plugin,$(folder)))
# What stands in the place of a plugin that is not built: NAME.missing, one line with the Debian packages
# that plugins/NAME/packages lists.
NOTES    = $(MISSING:%=$(OUT)/plugins/%.missing) $(if $(CURL),,$(OUT)/plugins/https.missing) \
  $(if $(HDFSLIBS),,$(HDFS_LINKS:%=$(OUT)/plugins/%.missing)) $(if $(AZLIBS),,$(AZ_LINKS:%=$(OUT)/plugins/%.missing))
HDFS_LINKS = webhdfs swebhdfs viewfs
AZ_LINKS   = abfs abfss
ARCHIVE_LINKS = zip tar package har
# Second names of plugins with two schemes: NAME.so=TARGET.so
SECOND   = $(if $(CURL),https.so=http.so) $(ARCHIVE_LINKS:%=%.so=archive.so) \
  $(if $(HDFSLIBS),$(HDFS_LINKS:%=%.so=hdfs.so)) $(if $(AZLIBS),$(AZ_LINKS:%=%.so=az.so))
LINKS    = $(foreach link,$(SECOND),$(OUT)/plugins/$(firstword $(subst =, ,$(link))))
turned   = $(lastword $(subst =, ,$(1))) $(firstword $(subst =, ,$(1)))
plugin   = $(OUT)/plugins/$(patsubst memory,mem,$(1)).so
LIBRARY  = $(BUILD)/libmodfs.a
HOSTED   = $(BUILD)/libmodfs.so.0
BINDING_LIBRARY = $(BUILD)/libmodfs_lua.a
COMMAND  = $(BUILD)/bin/modfs
TYPES    = $(BUILD)/meta/modfs.lua

# Libraries of codecs, with their headers and Debian packages: each is built in where it is installed,
# unless it is named in WITHOUT.
CODECS   = $(call library,ZLIB,z,zlib.h,zlib1g-dev) $(call library,ZSTD,zstd,zstd.h,libzstd-dev) \
  $(call library,SNAPPY,snappy,snappy-c.h,libsnappy-dev)
library  = -DMODFS_PACKAGE_$(1)=\"$(4)\" $(if $(filter $(2),$(WITHOUT)),,$(if $(shell echo 'int main(void) { return 0; }' | \
  $(CC) -include $(3) -x c - -o /dev/null $(LDFLAGS) -l$(2) 2>/dev/null && echo yes),-DMODFS_WITH_$(1) -l$(2)))
CODECS  := $(CODECS)
# The library of modfs.hash, likewise, but it is loaded by the first call that needs it, as is snappy.
CRYPTO  := $(call library,CRYPTO,crypto,openssl/evp.h,libssl-dev)
CODEC_FLAGS = $(filter -D%,$(CODECS))
CODEC_LIBS  = $(filter -lz -lzstd,$(CODECS))

# One short line for each step; V=1 shows the commands.
step     = $(if $(V),,@echo '  $(1) $@' &&)

# Objects that see no lua.h may be those of another Lua's build with the same flags: PLAIN=build.
PLAIN   ?= $(BUILD)
SEE_LUA  = src/lua src/check/binding
objects  = $(patsubst %.c,$(if $(filter $(SEE_LUA),$(1)),$(BUILD),$(PLAIN))/o/%.o,$(wildcard $(1)/*.c))
CORE_OBJECTS = $(call objects,src/core/*)

##@ Everyday
.PHONY: all
all: $(RUNTIME) $(CORE) $(RUNNER) $(SHIM) $(PLUGINS) $(LINKS) $(NOTES) $(LIBRARY) $(HOSTED) $(BINDING_LIBRARY) $(COMMAND) $(TYPES) ## build everything (what bare `make` does)

.PHONY: run
run: ## install what is missing, build, and take the tour of examples/1_tour.lua
	@scripts/setup.sh run
	@$(MAKE) --no-print-directory all
	@$(ENV) $(LUA) examples/1_tour.lua

.PHONY: test
test: ## install what is missing, build, and run every test; on the other Luas a few
	@scripts/setup.sh test
	@$(SUITE) plain

.PHONY: test-all
test-all: ## every test on each of the five Luas
	@scripts/setup.sh test luas
	@MAKE='$(MAKE)' BUSTED='$(BUSTED)' scripts/test_all.sh

##@ More checks
.PHONY: check
check: ## formatting, clang-tidy, luacheck and the project's own rules, then the tests
	@scripts/setup.sh test check
	@$(MAKE) --no-print-directory all
	@LUA_CFLAGS="$(LUA_CFLAGS)" LUA=$(LUA) BUILD=$(BUILD) scripts/check.sh
	@$(SUITE) plain

.PHONY: asan
asan: ## the suite under AddressSanitizer, LeakSanitizer and UBSan; LUA=luajit on that, without leaks
	@scripts/setup.sh test
	@$(SUITE) asan BUILD=build-asan$(OTHER:%=-%) CFLAGS='-O1 -g -fno-omit-frame-pointer' \
	  SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined'

# GCC 12's ThreadSanitizer takes a thread-local block 16 bytes behind the start of a page for one of an
# old glibc, and ends the process; blocks of the initial-exec model are not looked up one by one.
.PHONY: tsan
tsan: ## the C tests, the host with many Lua states among them, under ThreadSanitizer
	@scripts/setup.sh test
	@$(SUITE) tsan BUILD=build-tsan CFLAGS='-O1 -g' SANITIZE='-fsanitize=thread -ftls-model=initial-exec'

.PHONY: coverage
coverage: ## the suite with gcov, and the shares of lines and branches that it reaches
	@scripts/setup.sh test
	@rm -rf build-coverage
	@$(SUITE) coverage BUILD=build-coverage CFLAGS='-O0 -g' SANITIZE='--coverage -fprofile-update=atomic'
	@$(LUA) scripts/coverage.lua build-coverage

.PHONY: valgrind
valgrind: ## the suite under valgrind
	@scripts/setup.sh test valgrind
	@$(SUITE) valgrind

.PHONY: collect
collect: ## the specs with a collector that collects at every chance
	@scripts/setup.sh test
	@$(SUITE) collect

.PHONY: nginx-kills
nginx-kills: all ## kills 200 workers of nginx during uploads: none that was acknowledged may be lost
	@scripts/setup.sh test
	@eval "$$(scripts/env.sh $(BUILD))"; NGINX_KILLS=200 BUILD=$(BUILD) LUA=$(LUA) \
	  $(LUA) /usr/bin/busted --cpath='$(BUILD)/?.so' --filter=killed spec/nginx_spec.lua

.PHONY: torture
torture: ## thousands of killed writers, every fault at every system call, power cuts (as root)
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all $(BUILD)/c/atomic_test $(BUILD)/c/power_cut
	ATOMIC_KILLS=2000 $(BUILD)/c/atomic_test
	$(ENV) ATOMIC_FAULTS='EIO ENOSPC EACCES EINTR ENOMEM KILL' BUILD=$(BUILD) $(LUA) $(BUSTED) -o plainTerminal \
	  --cpath='$(BUILD)/?.so' spec/atomic_fault_spec.lua
	$(BUILD)/c/power_cut 200 || [ $$? -eq 77 ]

.PHONY: trees
trees: ## the operations on trees against find, cp, diff and bash, at full size: 100,000 files, and wide and deep ones
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) for spec in tree_tools tree_size; do MODFS_TREE_FILES=100000 $(LUA) $(BUSTED) -o plainTerminal \
	  --cpath='$(BUILD)/?.so' spec/$${spec}_spec.lua || exit 1; done

.PHONY: kills
kills: ## sync, and writers of archives, killed at 100 random moments (COUNT=100): what the next run makes of it
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) MODFS_KILLS=$(COUNT) LUA=$(LUA) $(LUA) $(BUSTED) -o plainTerminal --cpath='$(BUILD)/?.so' spec/kills_spec.lua
	@$(ENV) MODFS_KILLS=$(COUNT) LUA=$(LUA) BUILD=$(BUILD) $(LUA) $(BUSTED) -o plainTerminal --cpath='$(BUILD)/?.so' \
	  --filter=killed spec/archive_kills_spec.lua

CANCELS ?= 2500
CANCELS_SEED ?= 1
.PHONY: cancels
cancels: ## 10,000 jobs cancelled at random moments (CANCELS=2500 on each filesystem, from CANCELS_SEED=1), 500 states closed and 2,000 forks with jobs under way
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all $(BUILD)/c/async_lua_test
	@$(ENV) MODFS_CANCELS=$(CANCELS) MODFS_CANCELS_SEED=$(CANCELS_SEED) BUILD=$(BUILD) $(LUA) $(BUSTED) \
	  -o plainTerminal --cpath='$(BUILD)/?.so' spec/cancels_spec.lua
	@$(ENV) ASYNC_CLOSINGS=500 ASYNC_FORKS=2000 $(BUILD)/c/async_lua_test

.PHONY: ignore
ignore: ## 10,000 random patterns and paths, chosen by modfs and by git; IGNORE_SEED=1
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) MODFS_IGNORE_PAIRS=10000 MODFS_IGNORE_SEED=$(or $(IGNORE_SEED),1) $(LUA) $(BUSTED) -o plainTerminal \
	  --cpath='$(BUILD)/?.so' spec/choosing_git_spec.lua

.PHONY: race-trees
race-trees: ## 2,000 rounds of each operation on trees while directories are exchanged with links
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) RACE_ROUNDS=2000 BUILD=$(BUILD) $(LUA) $(BUSTED) -o plainTerminal --cpath='$(BUILD)/?.so' \
	  spec/tree_race_spec.lua

.PHONY: finalizers
finalizers: ## every function and method, its objects ended by a finalizer at each point where one may run
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all $(BUILD)/control.so
	@$(ENV) MODFS_FINALIZERS=all LUA=$(LUA) BUILD=$(BUILD) $(LUA) $(BUSTED) -o plainTerminal \
	  --cpath='$(BUILD)/?.so' spec/finalizer_spec.lua

IO_CALLS ?= 100000
IO_SEED ?= 1
.PHONY: io-random
io-random: ## random calls of io and modfs.io side by side, IO_CALLS=100000 from seed IO_SEED=1; LUA= for another Lua
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) MODFS_IO_CALLS=$(IO_CALLS) MODFS_IO_SEED=$(IO_SEED) $(LUA) $(BUSTED) -o plainTerminal \
	  --cpath='$(BUILD)/?.so' spec/io_random_spec.lua

FUZZ_SECONDS ?= 60
FUZZER = clang -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined
.PHONY: fuzz
fuzz: ## libFuzzer on all that servers and files bring to s3, FUZZ_SECONDS=60 for each target
	@scripts/setup.sh test fuzz
	@$(MAKE) --no-print-directory all
	@for target in $(filter-out driver control,$(patsubst spec/fuzz/%.c,%,$(wildcard spec/fuzz/*.c))); do \
	  echo "== $$target" && mkdir -p $(BUILD)/fuzz/$$target.found && \
	  spec/fuzz/build.sh $$target $(BUILD)/fuzz/$$target $(FUZZER) && \
	  $(BUILD)/fuzz/$$target -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(BUILD)/fuzz/ -verbosity=0 \
	    -max_len=20000 $(BUILD)/fuzz/$$target.found spec/fuzz/corpus/$$target || exit 1; done

.PHONY: test-clouds
test-clouds: ## the specs whose servers Debian does not have, and all of `modfs check` on s3; installs these servers, in ~/.cache/modfs (MODFS_CLOUDS)
	@scripts/setup.sh run test clouds
	@$(SUITE) clouds

.PHONY: gallery
gallery: ## each broken plugin of the specs before the case meant for it, each good one before all
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) BUILD=$(BUILD) $(LUA) spec/check/full.lua

.PHONY: clauses
clauses: ## docs/clauses.md: the clauses of the headers, and the cases of `modfs check` that meet them
	@$(MAKE) --no-print-directory all
	@$(ENV) $(LUA) scripts/clauses.lua $(BUILD) >docs/clauses.md

COUNT   ?= 100
SEED    ?= 1
MUTATOR  = $(BUILD)/mutants/python/universalmutator
.PHONY: mutants
mutants: $(MUTATOR) ## random changes of our plugins, each before `modfs check`: COUNT=100|all SEED=1 PLUGIN='mem posix' LEVEL=5 RETRY=missed ONLY=CASES LIST=FILE
	@scripts/setup.sh test mutants
	@$(MAKE) --no-print-directory all
	@$(ENV) $(LUA) scripts/mutants.lua $(BUILD) $(COUNT) $(SEED) $(PLUGIN)

$(MUTATOR):
	@scripts/setup.sh mutants
	@pip install -q --no-deps --root-user-action=ignore --target $(@D) universalmutator==1.14.1

.PHONY: false-alarms
false-alarms: ## the good plugins before `modfs check`, built with -O0, -O3, ASan, TSan, under load: LOAD=8 FORMS='O0 asan'
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) scripts/false_alarms.sh $(BUILD) $(or $(LOAD),8) $(FORMS)

.PHONY: commands
commands: ## random command lines beside coreutils, findutils and diffutils, on odd trees: COUNT=1000 SEED=1
	@scripts/setup.sh test
	@$(MAKE) --no-print-directory all
	@$(ENV) MODFS_COMMANDS=$(if $(filter file,$(origin COUNT)),1000,$(COUNT)) MODFS_COMMANDS_SEED=$(SEED) LUA=$(LUA) \
	  BUILD=$(BUILD) $(LUA) $(BUSTED) -o plainTerminal --cpath='$(BUILD)/?.so' spec/cli_random_spec.lua

# $(1): options and sections of bench/run.lua.
define run_bench
@scripts/setup.sh run bench
@$(MAKE) --no-print-directory all $(BENCH)
@$(ENV) BUILD=$(BUILD) LUA=$(LUA) $(LUA) bench/$(1)
endef

.PHONY: bench
bench: ## the tables of docs/performance.md, measured here and now; BENCH_OPTIONS='--json FILE --svg DIR'
	$(call run_bench,run.lua $(BENCH_OPTIONS))

.PHONY: bench-check
bench-check: ## the same; prints the aims that are missed alone, and fails if there are any
	$(call run_bench,run.lua --check $(BENCH_OPTIONS))

.PHONY: bench-docs
bench-docs: ## puts the tables and charts of one run, with devices, s3, commands, archives and growth, into docs/performance.md
	@scripts/setup.sh test
	@mkdir -p docs/performance
	$(call run_bench,run.lua --docs docs/performance.md --svg docs/performance \
	  --json docs/performance/figures.json files trees records async devices s3 commands archives $(BENCH_OPTIONS))
	$(call run_bench,growth.lua --docs docs/performance.md --svg docs/performance)

.PHONY: bench-growth
bench-growth: ## what one unit costs as files, directories, depths, handles and threads grow, with charts
	$(call run_bench,growth.lua --svg $(BUILD)/bench $(BENCH_OPTIONS))

.PHONY: bench-device
bench-device: ## the bench of devices alone
	$(call run_bench,run.lua devices $(BENCH_OPTIONS))

.PHONY: bench-s3
bench-s3: ## the bench of s3, against a Ceph that it starts: curl, s3cmd and rclone
	@scripts/setup.sh test
	$(call run_bench,run.lua s3 $(BENCH_OPTIONS))

.PHONY: bench-az
bench-az: ## the bench of az, against an Azurite that it starts: azure-storage-blob
	@scripts/setup.sh run clouds sdks
	$(call run_bench,run.lua az $(BENCH_OPTIONS))

.PHONY: bench-hdfs
bench-hdfs: ## the bench of hdfs, against a Hadoop that it starts: hdfs dfs
	@scripts/setup.sh run test bench clouds
	$(call run_bench,hdfs.lua)

.PHONY: bench-commands
bench-commands: ## the bench of the command, beside coreutils, findutils and, where they are installed, rsync and rclone
	$(call run_bench,run.lua commands $(BENCH_OPTIONS))

.PHONY: bench-archives
bench-archives: ## the bench of archives, beside Info-ZIP, GNU tar and bsdtar
	@scripts/setup.sh test
	$(call run_bench,run.lua archives $(BENCH_OPTIONS))

.PHONY: bench-latency
bench-latency: ## how long small requests to nginx wait beside large ones, and docs/latency.svg
	@scripts/setup.sh run bench test
	@$(MAKE) --no-print-directory LUA=luajit BUILD=build-luajit all
	@JIT=build-luajit $(LUA) bench/latency.lua 3 docs/latency.svg

##@ Installing
LUADIR     ?= $(PREFIX)/share/lua/$(LUA_V)
LIBDIR     ?= $(PREFIX)/lib/lua/$(LUA_V)
INCLUDEDIR ?= $(PREFIX)/include
ARCHIVEDIR ?= $(PREFIX)/lib
BINDIR     ?= $(PREFIX)/bin
MANDIR     ?= $(PREFIX)/share/man
LINK       ?= ln -sf

.PHONY: install
install: all ## copy it below PREFIX (/usr/local), or DESTDIR/PREFIX
	cd lua && find modfs -name '*.lua' -exec install -D -m 644 {} '$(DESTDIR)$(LUADIR)'/{} \;
	install -d '$(DESTDIR)$(LIBDIR)/modfs/plugins' '$(DESTDIR)$(INCLUDEDIR)/modfs' '$(DESTDIR)$(ARCHIVEDIR)'
	install -m 755 $(CORE) $(RUNNER) $(SHIM) $(RUNTIME) '$(DESTDIR)$(LIBDIR)/modfs'
	install -m 755 $(PLUGINS) '$(DESTDIR)$(LIBDIR)/modfs/plugins'
	$(foreach link,$(SECOND),cd '$(DESTDIR)$(LIBDIR)/modfs/plugins' && $(LINK) $(call turned,$(link)) &&) true
	$(if $(strip $(NOTES)),install -m 644 $(NOTES) '$(DESTDIR)$(LIBDIR)/modfs/plugins')
	install -m 644 include/modfs/*.h '$(DESTDIR)$(INCLUDEDIR)/modfs'
	install -d '$(DESTDIR)$(ARCHIVEDIR)/modfs/plugins' '$(DESTDIR)$(ARCHIVEDIR)/pkgconfig'
	install -m 644 $(LIBRARY) $(BINDING_LIBRARY) '$(DESTDIR)$(ARCHIVEDIR)'
	install -m 755 $(HOSTED) $(RUNTIME) '$(DESTDIR)$(ARCHIVEDIR)/modfs'
	install -m 755 $(PLUGINS) '$(DESTDIR)$(ARCHIVEDIR)/modfs/plugins'
	$(if $(strip $(NOTES)),install -m 644 $(NOTES) '$(DESTDIR)$(ARCHIVEDIR)/modfs/plugins')
	$(foreach link,$(SECOND),cd '$(DESTDIR)$(ARCHIVEDIR)/modfs/plugins' && ln -sf $(call turned,$(link)) &&) true
	ln -sf modfs/libmodfs.so.0 '$(DESTDIR)$(ARCHIVEDIR)/libmodfs.so.0'
	ln -sf libmodfs.so.0 '$(DESTDIR)$(ARCHIVEDIR)/libmodfs.so'
	sed -e 's|@libdir@|$(ARCHIVEDIR)|' -e 's|@includedir@|$(INCLUDEDIR)|' modfs.pc.in \
	  >'$(DESTDIR)$(ARCHIVEDIR)/pkgconfig/modfs.pc'
	install -D -m 755 bin/modfs '$(DESTDIR)$(BINDIR)/modfs'
	install -D -m 644 $(TYPES) '$(DESTDIR)$(LUADIR)/modfs/meta/modfs.lua'
	install -D -m 644 docs/reference.md '$(DESTDIR)$(LUADIR)/modfs/reference.md'
	install -D -m 644 docs/modfs.1 '$(DESTDIR)$(MANDIR)/man1/modfs.1'
	$(call command_for,$(LUADIR),$(LIBDIR)) <bin/modfs >'$(DESTDIR)$(BINDIR)/modfs'
	$(if $(DESTDIR),,@scripts/installed.sh '$(LUADIR)' '$(LIBDIR)' '$(BINDIR)' '$(ARCHIVEDIR)')

.PHONY: env
env: ## shell lines that let lua and the shell find what was built: eval "$$(make -s env)"
	@$(MAKE) --no-print-directory -s all >&2
	@scripts/env.sh '$(BUILD)'

.PHONY: clean
clean: ## remove what was built
	rm -rf build build-*

.PHONY: help
help: ## this list
	@awk -f scripts/help.awk Makefile

# The build ----------------------------------------------------------------------
define compile_into
$(1)/o/%.o: %.c
	@mkdir -p $$(@D)
	$$(call step,cc  ) $$(COMPILE) $$(FOLDER_FLAGS) -Isrc -c $$< -o $$@
endef
$(foreach folder,$(sort $(BUILD) $(PLAIN)),$(eval $(call compile_into,$(folder))))

$(SEE_LUA:%=$(BUILD)/o/%/%.o): FOLDER_FLAGS = $(LUA_CFLAGS)
$(PLAIN)/o/src/core/codec/%.o $(PLAIN)/o/plugins/archive/%.o: FOLDER_FLAGS = $(CODEC_FLAGS)
$(PLAIN)/o/src/core/base/digest_crypto.o: FOLDER_FLAGS = $(filter -D%,$(CRYPTO))
$(PLAIN)/o/plugins/gs/%.o: FOLDER_FLAGS = $(if $(CJSON),-DMODFS_WITH_CJSON)
$(call objects,src/core/codec) $(call objects,plugins/archive): $(PLAIN)/codecs
$(PLAIN)/o/src/core/base/digest_crypto.o: $(PLAIN)/crypto
$(call objects,plugins/gs): $(PLAIN)/cjson

# Change when a library comes or goes.
.PHONY: FORCE
$(PLAIN)/codecs: NOW = $(CODECS)
$(PLAIN)/crypto: NOW = $(CRYPTO)
$(PLAIN)/cjson: NOW = $(CJSON)
$(PLAIN)/codecs $(PLAIN)/crypto $(PLAIN)/cjson: FORCE
	@mkdir -p $(@D)
	@echo '$(NOW)' | cmp -s - $@ || echo '$(NOW)' >$@

$(RUNTIME): $(call objects,src/runtime) src/runtime/libtensorflow_framework.map
	@mkdir -p $(@D)
	$(call step,link) $(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,-soname,$(SONAME) \
	  -Wl,--version-script=src/runtime/libtensorflow_framework.map

# Core and plugins link to an empty library of that soname: their references stay unversioned, so they load
# with our runtime and with TensorFlow's.
$(BUILD)/stub/$(SONAME):
	@mkdir -p $(@D)
	@echo "" | $(CC) -x c - -shared -o $@ -Wl,-soname,$(SONAME) -nostdlib

# What of gs its own protocol is made of, where that is not built.
GS_JSON  = bucket copy document error get head list metadata put remove request service session upload
LEFT_OUT = $(if $(CJSON),,$(GS_JSON:%=$(PLAIN)/o/plugins/gs/%.o))
# One folder, one plugin; the symbols that it exports are those of the .map file in it.
$(foreach folder,$(FOLDERS),$(eval $(call plugin,$(folder)): \
  $(filter-out $(LEFT_OUT),$(call objects,plugins/$(folder))) $(wildcard plugins/$(folder)/*.map)))
$(PLUGINS): $(BUILD)/stub/$(SONAME)
	@mkdir -p $(@D)
	$(call step,link) $(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,--version-script=$(filter %.map,$^) \
	  -Wl,--no-as-needed $(BUILD)/stub/$(SONAME) -Wl,--as-needed $(LIBS)
	@rm -f $(@:.so=.missing)

# What of plugins/common each is built from.
common = $(foreach folder,$(1),$(call objects,plugins/common/$(folder)))
REMOTE = remote located net blocks options parallel interrupt region fail
STORE = $(REMOTE) store objects glob xml xml_page
$(OUT)/plugins/posix.so: $(call common,located interrupt)
$(OUT)/plugins/mem.so: $(call common,located glob)
$(OUT)/plugins/archive.so: LIBS = $(CODEC_LIBS)
$(OUT)/plugins/archive.so: $(call common,located options fail read_only region)
$(OUT)/plugins/http.so: LIBS = $(CURL)
$(OUT)/plugins/http.so: $(call common,$(REMOTE) read_only)
# Google's objects are served by the protocol of S3, too.
S3_OBJECTS = $(call objects,plugins/s3) \
  $(call common,$(STORE) checksum)
$(OUT)/plugins/s3.so: LIBS = $(CURL) $(S3LIBS)
$(OUT)/plugins/gs.so: LIBS = $(CURL) $(S3LIBS) $(CJSON)
$(OUT)/plugins/s3.so: $(S3_OBJECTS)
$(OUT)/plugins/gs.so: $(filter-out %/s3/plugin.o,$(S3_OBJECTS)) $(if $(CJSON),$(call common,json))
$(OUT)/plugins/hdfs.so: LIBS = $(CURL) $(HDFSLIBS)
$(OUT)/plugins/hdfs.so: $(call common,$(REMOTE) json xml)
$(OUT)/plugins/az.so: LIBS = $(CURL) $(AZLIBS)
$(OUT)/plugins/az.so: $(call common,$(STORE))
$(LINKS): $(PLUGINS)
	@rm -f $(@:.so=.missing)
	@ln -sf $(firstword $(call turned,$(filter $(@F)=%,$(SECOND)))) $@

$(foreach name,$(MISSING),$(eval $(OUT)/plugins/$(name).missing: plugins/$(name)/packages))
$(OUT)/plugins/https.missing: plugins/http/packages
$(HDFS_LINKS:%=$(OUT)/plugins/%.missing): plugins/hdfs/packages
$(AZ_LINKS:%=$(OUT)/plugins/%.missing): plugins/az/packages
$(NOTES):
	@mkdir -p $(@D)
	$(call step,note) awk '{ name[NR] = $$0 } END { \
	  for (i = 1; i <= NR; i++) all = all (i == 1 ? "" : i < NR ? ", " : " and ") name[i]; \
	  print "its plugin is built where " all (NR > 1 ? " are" : " is") " installed" }' $< >$@

# The conformance runner's binding is a module of its own, with what it needs of the core.
BINDING = $(call objects,src/lua)
RUNNER_OBJECTS  = $(foreach folder,runner binding,$(call objects,src/check/$(folder)))
$(RUNNER): $(RUNNER_OBJECTS) $(LIBRARY) src/check/binding/runner.map $(BUILD)/stub/$(SONAME) $(RUNTIME)
	$(call step,link) $(CC) $(filter %.o,$^) $(LIBRARY) -o $@ $(SHARED) -Wl,--version-script=src/check/binding/runner.map \
	  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -Wl,--no-as-needed $(BUILD)/stub/$(SONAME) -ldl -lm

$(CORE): $(CORE_OBJECTS) $(BINDING) src/lua/core.map $(BUILD)/stub/$(SONAME) $(RUNTIME)
	$(call step,link) $(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,--version-script=src/lua/core.map \
	  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -Wl,--no-as-needed $(BUILD)/stub/$(SONAME) -Wl,--as-needed -ldl -lm

# What the conformance runner preloads into its children. It stands under a checker, so it has none itself.
$(SHIM) $(call objects,src/check/shim): SANITIZE =
$(call objects,src/check/shim): CFLAGS += -fno-builtin
$(SHIM): $(call objects,src/check/shim) src/check/shim/shim.map
	@mkdir -p $(@D)
	$(call step,link) $(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,--version-script=src/check/shim/shim.map

# For programs that hold Lua and modfs: luaopen_modfs_core.
$(BINDING_LIBRARY): $(BINDING)
$(LIBRARY): $(CORE_OBJECTS)
$(LIBRARY) $(BINDING_LIBRARY):
	@rm -f $@
	$(call step,ar  ) ar rcs $@ $^

# For C hosts. Installed in a folder beside its link, with the runtime and the plugins.
$(HOSTED): $(CORE_OBJECTS) src/core/libmodfs.map $(BUILD)/stub/$(SONAME) $(RUNTIME)
	$(call step,link) $(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,-soname,libmodfs.so.0 \
	  -Wl,--version-script=src/core/libmodfs.map -Wl,--disable-new-dtags,-rpath,'$$ORIGIN:$$ORIGIN/modfs' \
	  -Wl,--no-as-needed $(BUILD)/stub/$(SONAME) -Wl,--as-needed -ldl -lm

# The command, for the Lua that this is built for: command_for LUADIR,LIBDIR is a filter. env would take half a
# millisecond at each start, so it finds Lua only where the path cannot stand in a first line.
INTERPRETER = $(shell command -v $(LUA) | grep -x '/[^[:space:]|&\]\{1,100\}' || echo '/usr/bin/env $(LUA)')
command_for = sed -e '1s|.*|\#!$(INTERPRETER)|' -e '/^local function resolve/,/^local lua, lib = /c \
local lua, lib = "$(1)", "$(2)"'
$(COMMAND): bin/modfs Makefile
	@mkdir -p $(@D)
	$(call step,lua ) $(call command_for,$(CURDIR)/lua,$(abspath $(BUILD))) <$< >$@ && chmod +x $@

# The types for editors.
$(TYPES): docs/reference.md $(wildcard scripts/meta.lua scripts/meta/*.lua)
	@mkdir -p $(@D)
	$(call step,lua ) $(LUA) scripts/meta.lua >$@.new && mv $@.new $@

# The tests ----------------------------------------------------------------------
ENV   = eval "$$(scripts/env.sh '$(BUILD)')" &&
SUITE = MAKE='$(MAKE)' LUA='$(LUA)' BUILD='$(BUILD)' BUSTED='$(BUSTED)' scripts/test.sh

C_TESTS  = $(patsubst spec/c/%.c,$(BUILD)/c/%,$(filter-out spec/c/layout_test.c $(if $(CJSON),,spec/c/json_test.c),\
  $(wildcard spec/c/*_test.c)))
DIALECTS = c11 c17 c++11 c++17
LAYOUTS  = $(if $(wildcard spec/c/layout_test.c),$(DIALECTS:%=$(BUILD)/c/layout_test_%))
BENCH    = $(patsubst %,$(BUILD)/bench/%.so,bare limit tree_limit malloc_count device_limit device_core async_limit growth_limit) $(BUILD)/bench/archive_limit \
  $(if $(S3LIBS),$(BUILD)/bench/s3_limit) \
  $(if $(findstring WITH_ZLIB,$(CODECS)),$(BUILD)/bench/record_limit.so)
COMPILER_FOR = $(if $(findstring ++,$(1)),$(CXX) -x c++,$(CC) -x c)

.PHONY: test-programs
test-programs: all $(C_TESTS) $(LAYOUTS) $(BUILD)/control.so $(if $(filter lua5.4,$(notdir $(LUA))),$(BENCH))

$(BUILD)/o/spec/c/%.o: spec/c/%.c
	@mkdir -p $(@D)
	$(call step,cc  ) $(COMPILE) -Isrc $(LUA_CFLAGS) -c $< -o $@

# A host that holds the core looks for the plugins beside itself.
$(C_TESTS) $(BUILD)/c/power_cut: $(BUILD)/c/%: $(BUILD)/o/spec/c/%.o $(LIBRARY) $(RUNTIME)
	@mkdir -p $(@D)
	@ln -sfn ../modfs/plugins $(@D)/plugins
	$(call step,link) $(CC) $(filter %.o %.a,$^) -o $@ $(SANITIZE) $(LDFLAGS) -pthread -rdynamic \
	  -Wl,-rpath,'$$ORIGIN/../modfs' $(RUNTIME) -ldl -lm -Wl,--as-needed $(LUA_LIBS) $(TEST_LIBS)

$(BUILD)/c/json_test: TEST_LIBS = $(CJSON)

$(BUILD)/c/layout_test_%: spec/c/layout_test.c include/modfs/*.h
	@mkdir -p $(@D)
	$(call step,cc  ) $(call COMPILER_FOR,$*) -std=$* $(WARN) $(SANITIZE) -Iinclude $< -o $@

$(BUILD)/control.so: scripts/control.c
	$(call step,cc  ) $(COMPILE) $(LUA_CFLAGS) $< -shared -pthread -o $@

# A core of its own, as a C host has one.
$(BUILD)/bench/device_core.so: bench/device_core.c $(LIBRARY) $(RUNTIME)
	@mkdir -p $(@D)
	$(call step,cc  ) $(COMPILE) -Isrc $(LUA_CFLAGS) $< $(LIBRARY) -shared -o $@ -pthread \
	  -Wl,-rpath,'$$ORIGIN/../modfs' $(RUNTIME) -ldl -lm

$(BUILD)/bench/record_limit.so: bench/record_limit.c $(BUILD)/o/src/core/base/crc32c.o
	@mkdir -p $(@D)
	$(call step,cc  ) $(COMPILE) -Isrc $(LUA_CFLAGS) $^ -shared -o $@ -lz

$(BUILD)/bench/async_limit.so $(BUILD)/bench/growth_limit.so: LDFLAGS += -pthread

$(BUILD)/bench/archive_limit: bench/archive_limit.c
	@mkdir -p $(@D)
	$(call step,cc  ) $(COMPILE) $(CODEC_FLAGS) $< -o $@ $(CODEC_LIBS)

$(BUILD)/bench/s3_limit: bench/s3_limit.c
	@mkdir -p $(@D)
	$(call step,cc  ) $(COMPILE) $< -o $@ $(CURL) $(S3LIBS) -pthread

$(BUILD)/bench/%.so: bench/%.c
	@mkdir -p $(@D)
	$(call step,cc  ) $(COMPILE) $(LUA_CFLAGS) $< -shared -o $@

-include $(shell find $(sort $(BUILD) $(PLAIN)) -name '*.d' 2>/dev/null)
