/* What a device's work costs without modfs: memcpy, a ring under a mutex, a flag under a mutex, a
 * thread to hand work to. The same work in plain C, without safety or choice. */
#include <fcntl.h>
#include <lauxlib.h>
#include <lua.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static double clock_seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int limit_wall(lua_State *L) {
  lua_pushnumber(L, clock_seconds(CLOCK_MONOTONIC));
  return 1;
}

/* Of the calling thread alone. */
static int limit_thread_cpu(lua_State *L) {
  lua_pushnumber(L, clock_seconds(CLOCK_THREAD_CPUTIME_ID));
  return 1;
}

/* pin(number): this thread, and those that it starts, stay on the first core, or the second: the
 * last one where there is but one. pin(): wherever they may. */
static int limit_pin(lua_State *L) {
  static cpu_set_t allowed;
  cpu_set_t one;
  lua_Integer left = luaL_optinteger(L, 1, 0);
  if (CPU_COUNT(&allowed) == 0 && sched_getaffinity(0, sizeof allowed, &allowed))
    return luaL_error(L, "affinity");
  CPU_ZERO(&one);
  for (size_t core = 0; core < CPU_SETSIZE && left > 0; core++) {
    if (!CPU_ISSET(core, &allowed)) continue;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    left--;
  }
  const cpu_set_t *wanted = CPU_COUNT(&one) > 0 ? &one : &allowed;
  if (sched_setaffinity(0, sizeof *wanted, wanted)) return luaL_error(L, "affinity");
  return 0;
}

/* A ring under a mutex ---------------------------------------------------------- */

enum { ROOM = 1 << 17 };

typedef struct item {
  char *to;
  const char *from;
  size_t size;
} item;

typedef struct ring {
  pthread_mutex_t lock;
  pthread_cond_t arrival;
  bool sleeping;
  size_t first, count;
  item *items;
} ring;

static void ring_init(ring *self) {
  *self = (ring){.items = calloc(ROOM, sizeof(item))};
  if (!self->items) abort();
  pthread_mutex_init(&self->lock, NULL);
  pthread_cond_init(&self->arrival, NULL);
}

static void ring_put(ring *self, item it) {
  pthread_mutex_lock(&self->lock);
  if (self->count == ROOM) abort();
  self->items[(self->first + self->count++) % ROOM] = it;
  bool wakes = self->sleeping;
  self->sleeping = false;
  pthread_mutex_unlock(&self->lock);
  if (wakes) pthread_cond_signal(&self->arrival);
}

static item ring_take(ring *self) {
  pthread_mutex_lock(&self->lock);
  while (self->count == 0) {
    self->sleeping = true;
    pthread_cond_wait(&self->arrival, &self->lock);
  }
  item it = self->items[self->first];
  self->first = (self->first + 1) % ROOM;
  self->count--;
  pthread_mutex_unlock(&self->lock);
  return it;
}

/* ring(n): put and take, one thread. */
static int limit_ring(lua_State *L) {
  static ring alone;
  if (!alone.items) ring_init(&alone);
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--) {
    ring_put(&alone, (item){.size = (size_t)n});
    if (ring_take(&alone).size != (size_t)n) abort();
  }
  return 0;
}

/* Set and test a flag that others could wait for. */
static int limit_event(lua_State *L) {
  static struct {
    pthread_mutex_t lock;
    pthread_cond_t change;
    lua_Integer set;
  } event = {.lock = PTHREAD_MUTEX_INITIALIZER, .change = PTHREAD_COND_INITIALIZER};
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--) {
    pthread_mutex_lock(&event.lock);
    event.set = n;
    pthread_cond_broadcast(&event.change);
    pthread_mutex_unlock(&event.lock);
    pthread_mutex_lock(&event.lock);
    if (event.set != n) abort();
    pthread_mutex_unlock(&event.lock);
  }
  return 0;
}

/* Memory -------------------------------------------------------------------------- */

typedef struct block {
  char *bytes;
  size_t size;
} block;

static block *check_block(lua_State *L, int arg, size_t least) {
  block *self = luaL_checkudata(L, arg, "limit.Block");
  luaL_argcheck(L, self->size >= least, arg, "block too small");
  return self;
}

/* block(size): memory that has been touched. */
static int limit_block(lua_State *L) {
  size_t size = (size_t)luaL_checkinteger(L, 1);
  block *self = lua_newuserdatauv(L, sizeof *self, 0);
  *self = (block){.size = size};
  luaL_setmetatable(L, "limit.Block");
  void *bytes = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return luaL_error(L, "memory");
  self->bytes = memset(bytes, 1, size);
  return 1;
}

static int block_gc(lua_State *L) {
  block *self = check_block(L, 1, 0);
  if (self->bytes) munmap(self->bytes, self->size);
  *self = (block){NULL, 0};
  return 0;
}

/* What Lua itself costs: a method that copies, and one that makes a string. */
static int block_write(lua_State *L) {
  size_t size;
  const char *data = luaL_checklstring(L, 2, &size);
  memcpy(check_block(L, 1, size)->bytes, data, size);
  lua_pushboolean(L, 1);
  return 1;
}

static int block_read(lua_State *L) {
  size_t offset = (size_t)luaL_optinteger(L, 2, 1) - 1;
  size_t size = (size_t)luaL_checkinteger(L, 3);
  lua_pushlstring(L, check_block(L, 1, offset + size)->bytes + offset, size);
  return 1;
}

/* The same for bytes that can only be had by copying them into memory of the host's, here another block. */
static int block_read_through(lua_State *L) {
  size_t offset = (size_t)luaL_optinteger(L, 2, 1) - 1;
  size_t size = (size_t)luaL_checkinteger(L, 3);
  const block *through = check_block(L, 4, size);
  memcpy(through->bytes, check_block(L, 1, offset + size)->bytes + offset, size);
  lua_pushlstring(L, through->bytes, size);
  return 1;
}

/* copy(block, data, n): n times. The barrier keeps each of them. */
static int limit_copy(lua_State *L) {
  size_t size;
  const char *data = luaL_checklstring(L, 2, &size);
  const block *to = check_block(L, 1, size);
  for (lua_Integer n = luaL_checkinteger(L, 3); n > 0; n--) {
    memcpy(to->bytes, data, size);
    __asm__ volatile("" ::: "memory");
  }
  return 0;
}

/* copy_pieces(block, piece): fills the block from a piece of that size. */
static int limit_copy_pieces(lua_State *L) {
  const block *to = check_block(L, 1, 0);
  const block *piece = check_block(L, 2, 1);
  for (size_t done = 0; done < to->size; done += piece->size)
    memcpy(to->bytes + done, piece->bytes,
           to->size - done < piece->size ? to->size - done : piece->size);
  return 0;
}

/* A thread to hand work to ---------------------------------------------------------- */

static ring tasks, answers;

/* An item without a target ends it. */
static void *work(void *context) {
  (void)context;
  for (item it = ring_take(&tasks); it.to; it = ring_take(&tasks)) {
    if (it.size > 0) memcpy(it.to, it.from, it.size);
    ring_put(&answers, it);
  }
  return NULL;
}

/* start() -> a function that ends it. */
static int worker_stop(lua_State *L) {
  const pthread_t *thread = lua_touserdata(L, lua_upvalueindex(1));
  ring_put(&tasks, (item){NULL, NULL, 0});
  pthread_join(*thread, NULL);
  return 0;
}

static int limit_start(lua_State *L) {
  if (!tasks.items) ring_init(&tasks);
  if (!answers.items) ring_init(&answers);
  pthread_t *thread = lua_newuserdatauv(L, sizeof *thread, 0);
  if (pthread_create(thread, NULL, work, NULL)) return luaL_error(L, "thread");
  lua_pushcclosure(L, worker_stop, 1);
  return 1;
}

static const item nothing = {.to = (char *)&tasks};

/* hand(n): a task, and its answer, one after the other. */
static int limit_hand(lua_State *L) {
  for (lua_Integer n = luaL_checkinteger(L, 1); n > 0; n--) {
    ring_put(&tasks, nothing);
    ring_take(&answers);
  }
  return 0;
}

/* The same, in the three calls that a script makes of it: a method that hands the task over, one that
 * does nothing, and one that waits. */
static int block_hand(lua_State *L) {
  check_block(L, 1, (size_t)luaL_checkinteger(L, 2));
  ring_put(&tasks, nothing);
  lua_settop(L, 1);
  return 1;
}

static int block_mark(lua_State *L) {
  check_block(L, 1, 0);
  check_block(L, 2, 0);
  lua_settop(L, 1);
  return 1;
}

/* A method that hands a task over with a function, which run(n) calls when its answer has come: the least
 * that a callback from Lua does. */
static const char waiting_key = 0;

static void push_waiting(lua_State *L) {
  if (lua_rawgetp(L, LUA_REGISTRYINDEX, &waiting_key) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_newtable(L);
  lua_pushvalue(L, -1);
  lua_rawsetp(L, LUA_REGISTRYINDEX, &waiting_key);
}

static lua_Integer given, run;

static int block_callback(lua_State *L) {
  check_block(L, 1, 0);
  luaL_checktype(L, 2, LUA_TFUNCTION);
  push_waiting(L);
  lua_pushvalue(L, 2);
  lua_rawseti(L, -2, ++given);
  ring_put(&tasks, nothing);
  lua_settop(L, 1);
  return 1;
}

static int limit_run(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 1);
  push_waiting(L);
  for (; n > 0; n--) {
    ring_take(&answers);
    lua_rawgeti(L, -1, ++run);
    lua_pushnil(L);
    lua_rawseti(L, -3, run);
    lua_call(L, 0, 0);
  }
  return 0;
}

static int block_wait(lua_State *L) {
  check_block(L, 1, 0);
  ring_take(&answers);
  lua_pushboolean(L, 1);
  return 1;
}

/* hand_all(n): all tasks, then all answers. */
static int limit_hand_all(lua_State *L) {
  lua_Integer n = luaL_checkinteger(L, 1);
  for (lua_Integer i = 0; i < n; i++)
    ring_put(&tasks, nothing);
  for (lua_Integer i = 0; i < n; i++)
    ring_take(&answers);
  return 0;
}

/* hand_copy(block, data, n): copies, done by the thread, waited for one by one. */
static int limit_hand_copy(lua_State *L) {
  item it = {0};
  it.from = luaL_checklstring(L, 2, &it.size);
  it.to = check_block(L, 1, it.size)->bytes;
  for (lua_Integer n = luaL_checkinteger(L, 3); n > 0; n--) {
    ring_put(&tasks, it);
    ring_take(&answers);
  }
  return 0;
}

/* Files ------------------------------------------------------------------------------- */

static int check_open(lua_State *L) {
  int fd = open(luaL_checkstring(L, 1), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return luaL_error(L, "cannot open");
  return fd;
}

/* read_pieces(path, piece): the whole file through one buffer. -> bytes */
static int limit_read_pieces(lua_State *L) {
  const block *piece = check_block(L, 2, 1);
  int fd = check_open(L);
  lua_Integer total = 0;
  for (ssize_t got; (got = pread(fd, piece->bytes, piece->size, (off_t)total)) > 0;)
    total += got;
  close(fd);
  lua_pushinteger(L, total);
  return 1;
}

/* load(path, block, buffers): reads into the buffers in turn while the thread copies. -> bytes */
static int limit_load(lua_State *L) {
  enum { BUFFERS = 3 };
  const block *to = check_block(L, 2, 0), *buffers = check_block(L, 3, BUFFERS);
  size_t piece = buffers->size / BUFFERS, total = 0, begun = 0;
  int fd = check_open(L);
  for (ssize_t got; total < to->size; total += (size_t)got) {
    char *buffer = buffers->bytes + begun % BUFFERS * piece;
    if (begun >= BUFFERS) ring_take(&answers);
    got = pread(fd, buffer, piece < to->size - total ? piece : to->size - total, (off_t)total);
    if (got <= 0) return luaL_error(L, "the file is too short");
    ring_put(&tasks, (item){to->bytes + total, buffer, (size_t)got});
    begun++;
  }
  for (size_t left = begun < BUFFERS ? begun : BUFFERS; left > 0; left--)
    ring_take(&answers);
  close(fd);
  lua_pushinteger(L, (lua_Integer)total);
  return 1;
}

/* What one thread, or each of several, reads and copies: piece by piece, whichever is next. */
typedef struct share {
  const block *to;
  atomic_size_t *next;
  char *buffer;
  size_t piece;
  int fd;
  bool failed;
} share;

static void *load_share(void *context) {
  share *self = context;
  for (;;) {
    size_t begin = atomic_fetch_add(self->next, self->piece);
    if (begin >= self->to->size) return NULL;
    size_t n = self->to->size - begin < self->piece ? self->to->size - begin : self->piece;
    if (pread(self->fd, self->buffer, n, (off_t)begin) != (ssize_t)n) self->failed = true;
    memcpy(self->to->bytes + begin, self->buffer, n);
  }
}

/* load_shared(path, block, buffers, n): n threads, 3 at most, that read and copy, each into a buffer of its
 * own; out of order, as no filesystem but a local one likes it. */
static int limit_load_shared(lua_State *L) {
  enum { MOST = 3 };
  const block *to = check_block(L, 2, 0), *buffers = check_block(L, 3, MOST);
  lua_Integer count = luaL_checkinteger(L, 4);
  luaL_argcheck(L, count >= 1 && count <= MOST, 4, "too many");
  atomic_size_t next = 0;
  size_t piece = buffers->size / MOST;
  share shares[MOST];
  pthread_t threads[MOST];
  int fd = check_open(L);
  bool failed = false;
  for (lua_Integer i = 0; i < count; i++) {
    shares[i] = (share){to, &next, buffers->bytes + (size_t)i * piece, piece, fd, false};
    if (i > 0 && pthread_create(&threads[i], NULL, load_share, &shares[i])) abort();
  }
  load_share(&shares[0]);
  for (lua_Integer i = 0; i < count; i++) {
    if (i > 0) pthread_join(threads[i], NULL);
    failed = failed || shares[i].failed;
  }
  close(fd);
  if (failed) return luaL_error(L, "the file is too short");
  lua_pushinteger(L, (lua_Integer)to->size);
  return 1;
}

__attribute__((visibility("default"))) int luaopen_device_limit(lua_State *L);
int luaopen_device_limit(lua_State *L) {
  static const luaL_Reg methods[] = {
      {"write", block_write},       {"read", block_read}, {"hand", block_hand},
      {"mark", block_mark},         {"wait", block_wait}, {"read_through", block_read_through},
      {"callback", block_callback}, {"__gc", block_gc},   {NULL, NULL}};
  static const luaL_Reg functions[] = {{"wall", limit_wall},
                                       {"thread_cpu", limit_thread_cpu},
                                       {"pin", limit_pin},
                                       {"ring", limit_ring},
                                       {"event", limit_event},
                                       {"block", limit_block},
                                       {"copy", limit_copy},
                                       {"copy_pieces", limit_copy_pieces},
                                       {"start", limit_start},
                                       {"hand", limit_hand},
                                       {"hand_all", limit_hand_all},
                                       {"run", limit_run},
                                       {"hand_copy", limit_hand_copy},
                                       {"read_pieces", limit_read_pieces},
                                       {"load", limit_load},
                                       {"load_shared", limit_load_shared},
                                       {NULL, NULL}};
  /* Thresholds that move make equal programs differ: strings keep the pages they had. */
  mallopt(M_MMAP_THRESHOLD, 1 << 25);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  luaL_newmetatable(L, "limit.Block");
  luaL_setfuncs(L, methods, 0);
  lua_pushvalue(L, -1);
  lua_setfield(L, -2, "__index");
  luaL_newlib(L, functions);
  return 1;
}
