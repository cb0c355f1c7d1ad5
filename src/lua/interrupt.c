#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "binding.h"
#include "core/base/interruption.h"

/* modfs.interrupt: Ctrl-C for the command line, which owns its process.
 *
 * came[] and running are the only mutable statics of core.so's binding, as a signal handler has no
 * other way to them. running.state is the one whose prompt runs something, or NULL; the handler,
 * which is installed only meanwhile, writes the others.
 *
 * SIGINT ends what runs in two ways, and whichever notices first ends both (raise_interruption). Lua
 * code meets a hook, which is set in the running state; a coroutine has a hook of its own, which
 * looks at intervals, if it was made within `inherit`. A call of the core fails with CANCELLED, and
 * push.c turns that into the same error. */

enum { EVENTS = LUA_MASKCALL | LUA_MASKRET | LUA_MASKLINE | LUA_MASKCOUNT, INTERVAL = 10000 };

static volatile sig_atomic_t came[NSIG];

static struct {
  lua_State *volatile state;
  volatile double wall, cpu; /* when the last signal came, in seconds of both clocks */
} running;

static double seconds_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void note(int signal) {
  came[signal] = 1;
}

/* Reading ----------------------------------------------------------------------- */

/* Makes a waiting read end at SIGINT on every Lua, as it does on 5.4. */
static int interrupt_ends_reads(lua_State *L) {
  (void)L;
  struct sigaction action;
  if (sigaction(SIGINT, NULL, &action) != 0) return 0;
  action.sa_flags &= ~SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  return 0;
}

/* Waits for input, SIGINT, or another descriptor (-1: none). After the process was stopped and
 * continued, the terminal has the shell's settings. Whether there is input. */
static bool await_input(int other) {
  struct pollfd ready[] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = other, .events = POLLIN}};
  struct termios settings;
  bool terminal = tcgetattr(STDIN_FILENO, &settings) == 0;
  came[SIGINT] = came[SIGCONT] = 0;
  while (!came[SIGINT] && poll(ready, 2, -1) < 0 && errno == EINTR) {
    if (came[SIGCONT] && terminal) tcsetattr(STDIN_FILENO, TCSANOW, &settings);
    came[SIGCONT] = 0;
  }
  return ready[0].revents != 0;
}

/* await_input([descriptor]): true when input arrives, false at a SIGINT, nil when the descriptor can
 * be read before. Afterwards the handler of `lua`, which resets itself when it is called, is
 * installed again. */
static int interrupt_await_input(lua_State *L) {
  static struct sigaction handler;
  struct sigaction own = {.sa_handler = note}, interrupt, resume;
  int other = lua_isnoneornil(L, 1) ? -1 : (int)lua_tointeger(L, 1);
  sigaction(SIGINT, &own, &interrupt);
  sigaction(SIGCONT, &own, &resume);
  if (interrupt.sa_handler != SIG_DFL) handler = interrupt;
  bool input = await_input(other);
  sigaction(SIGCONT, &resume, NULL);
  sigaction(SIGINT, &handler, NULL);
  if (input || came[SIGINT])
    lua_pushboolean(L, !came[SIGINT]);
  else
    lua_pushnil(L);
  return 1;
}

/* Running ----------------------------------------------------------------------- */

void accept_interruption(void) {
  if (running.state) lua_sethook(running.state, NULL, 0, 0);
  interruption_allow();
}

int raise_interruption(lua_State *L) {
  accept_interruption();
  return luaL_error(L, "interrupted!");
}

static void meet_signal(lua_State *L, lua_Debug *event) {
  (void)event;
  raise_interruption(L);
}

static void look_for_signal(lua_State *L, lua_Debug *event) {
  (void)event;
  if (interruption_is_wanted()) raise_interruption(L);
}

static void end_what_runs(int signal) {
  came[signal] = 1;
  running.wall = seconds_of(CLOCK_MONOTONIC);
  running.cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
  interruption_want();
  lua_sethook(running.state, meet_signal, EVENTS, 1);
}

static int collect(lua_State *L) {
  lua_gc(L, LUA_GCCOLLECT, 0);
  return 0;
}

/* What was read before a signal is freed, and the time that all took since then is kept. Closing a file
 * that was being written waits for no server meanwhile (writable_collect). */
static void settle_signal(lua_State *L) {
  modfs_state *state = state_here(L);
  lua_pushcfunction(L, collect); /* a finalizer may raise */
  state->settles = true;
  if (lua_pcall(L, 0, 0, 0) != 0) lua_pop(L, 1);
  state->settles = false;
  running.wall = seconds_of(CLOCK_MONOTONIC) - running.wall;
  running.cpu = seconds_of(CLOCK_PROCESS_CPUTIME_ID) - running.cpu;
}

/* Calls a function as pcall does; SIGINT ends it with the error "interrupted!". */
static int interrupt_run(lua_State *L) {
  struct sigaction own = {.sa_handler = end_what_runs}, before;
  lua_State *outer = running.state;
  luaL_checkany(L, 1);
  came[SIGINT] = 0;
  running.state = L;
  interruption_allow();
  sigaction(SIGINT, &own, &before);
  int failed = lua_pcall(L, lua_gettop(L) - 1, LUA_MULTRET, 0);
  sigaction(SIGINT, &before, NULL);
  lua_sethook(L, NULL, 0, 0);
  running.state = outer;
  if (!outer) interruption_allow();
  if (lua_checkstack(L, LUA_MINSTACK) && came[SIGINT]) settle_signal(L);
  if (!outer) interruption_forbid();
  luaL_checkstack(L, LUA_MINSTACK, "too many results");
  lua_pushboolean(L, failed == 0);
  lua_insert(L, 1);
  return lua_gettop(L);
}

/* How long the last SIGINT took to end what ran: seconds, and seconds of the process's CPU time. */
static int interrupt_delay(lua_State *L) {
  lua_pushnumber(L, running.wall);
  lua_pushnumber(L, running.cpu);
  return 2;
}

/* Calls a function; a coroutine that it makes can be ended, too, as it inherits the hook. */
static int interrupt_inherit(lua_State *L) {
  lua_Hook hook = lua_gethook(L);
  int mask = lua_gethookmask(L), count = lua_gethookcount(L);
  lua_sethook(L, look_for_signal, LUA_MASKCOUNT, INTERVAL);
  lua_call(L, lua_gettop(L) - 1, LUA_MULTRET);
  lua_sethook(L, hook, mask, count);
  if (interruption_is_wanted()) return raise_interruption(L); /* its hook may have been replaced */
  return lua_gettop(L);
}

void modfs_lua_open_interrupt(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_newtable(L);
  set_functions(L, FUNCTIONS({"ends_reads", interrupt_ends_reads},
                             {"await_input", interrupt_await_input}, {"run", interrupt_run},
                             {"delay", interrupt_delay}, {"inherit", interrupt_inherit}));
  lua_setfield(L, -2, "modfs.interrupt");
  lua_pop(L, 1);
}
