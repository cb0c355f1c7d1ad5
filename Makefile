# modfs. `make help` lists the targets.
CC      ?= gcc
LUA     ?= lua5.4
PREFIX  ?= /usr/local
DESTDIR ?=
BUILD   ?= build
SANITIZE ?=

LUA_PC   = $(LUA)
LUA_V    = $(patsubst lua%,%,$(LUA))
WARN     = -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Werror
CFLAGS  ?= -O2 -g
STRICT   = -std=c11 -D_GNU_SOURCE $(WARN) -fPIC -fvisibility=hidden $(SANITIZE)
COMPILE  = $(CC) $(STRICT) $(CFLAGS) $(CPPFLAGS) -Iinclude -MMD -MP
SHARED   = -shared -Wl,-z,nodelete,-z,now,-z,relro -Wl,-Bsymbolic -pthread $(SANITIZE) $(LDFLAGS)
SONAME   = libtensorflow_framework.so.2

OUT      = $(BUILD)/modfs
RUNTIME  = $(OUT)/$(SONAME)
CORE     = $(OUT)/core.so
PLUGINS  = $(OUT)/plugins/posix.so $(OUT)/plugins/mem.so
LIBRARY  = $(BUILD)/libmodfs.a

objects  = $(patsubst %.c,$(BUILD)/o/%.o,$(wildcard $(1)/*.c))

.PHONY: all
all: $(RUNTIME) $(CORE) $(PLUGINS) $(LIBRARY)

$(BUILD)/o/src/lua/%.o: src/lua/%.c
	@mkdir -p $(@D)
	$(COMPILE) -Isrc $$(pkg-config --cflags $(LUA_PC)) -c $< -o $@

$(BUILD)/o/%.o: %.c
	@mkdir -p $(@D)
	$(COMPILE) -Isrc -c $< -o $@

$(RUNTIME): $(call objects,src/runtime) src/runtime/libtensorflow_framework.map
	@mkdir -p $(@D)
	$(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,-soname,$(SONAME) \
	  -Wl,--version-script=src/runtime/libtensorflow_framework.map

# Plugins link to an empty library of that soname: their references stay unversioned, so they load
# with our runtime and with TensorFlow's.
$(BUILD)/stub/$(SONAME):
	@mkdir -p $(@D)
	echo "" | $(CC) -x c - -shared -o $@ -Wl,-soname,$(SONAME) -nostdlib

$(OUT)/plugins/posix.so: $(call objects,plugins/posix) plugins/posix/posix.map
$(OUT)/plugins/mem.so: $(call objects,plugins/memory) plugins/memory/memory.map
$(PLUGINS): $(BUILD)/stub/$(SONAME)
	@mkdir -p $(@D)
	$(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,--version-script=$(filter %.map,$^) \
	  -Wl,--no-as-needed $(BUILD)/stub/$(SONAME)

$(CORE): $(call objects,src/core) $(call objects,src/lua) src/lua/core.map $(RUNTIME)
	$(CC) $(filter %.o,$^) -o $@ $(SHARED) -Wl,--version-script=src/lua/core.map \
	  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN' -Wl,--no-as-needed $(RUNTIME) -ldl

$(LIBRARY): $(call objects,src/core)
	@rm -f $@
	ar rcs $@ $^

-include $(shell find $(BUILD)/o -name '*.d' 2>/dev/null)

.PHONY: clean
clean:
	rm -rf build build-*
