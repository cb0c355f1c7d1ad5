#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <termios.h>
#include <unistd.h>

#include "binding.h"

/* modfs.interrupt: Ctrl-C for the command line, which owns its process. came[] is the only mutable
 * static of core.so's binding; the handler sets it and does nothing else, since it may run at any
 * time. */

static volatile sig_atomic_t came[NSIG];

static void note(int signal) {
  came[signal] = 1;
}

/* Makes a waiting read end at SIGINT on every Lua, as it does on 5.4. */
static int interrupt_ends_reads(lua_State *L) {
  (void)L;
  struct sigaction action;
  if (sigaction(SIGINT, NULL, &action) != 0) return 0;
  action.sa_flags &= ~SA_RESTART;
  sigaction(SIGINT, &action, NULL);
  return 0;
}

/* Waits for input or SIGINT. After the process was stopped and continued, the terminal has the
 * shell's settings. */
static void await_input(void) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  struct termios settings;
  bool terminal = tcgetattr(STDIN_FILENO, &settings) == 0;
  came[SIGINT] = came[SIGCONT] = 0;
  while (!came[SIGINT] && poll(&input, 1, -1) < 0 && errno == EINTR) {
    if (came[SIGCONT] && terminal) tcsetattr(STDIN_FILENO, TCSANOW, &settings);
    came[SIGCONT] = 0;
  }
}

/* Whether input arrives before a SIGINT. Afterwards the handler of `lua`, which resets itself when
 * it is called, is installed again. */
static int interrupt_await_input(lua_State *L) {
  static struct sigaction handler;
  struct sigaction own = {.sa_handler = note}, interrupt, resume;
  sigaction(SIGINT, &own, &interrupt);
  sigaction(SIGCONT, &own, &resume);
  if (interrupt.sa_handler != SIG_DFL) handler = interrupt;
  await_input();
  sigaction(SIGCONT, &resume, NULL);
  sigaction(SIGINT, &handler, NULL);
  lua_pushboolean(L, !came[SIGINT]);
  return 1;
}

void modfs_lua_open_interrupt(lua_State *L) {
  lua_getfield(L, LUA_REGISTRYINDEX, "_LOADED");
  lua_newtable(L);
  set_functions(
      L, FUNCTIONS({"ends_reads", interrupt_ends_reads}, {"await_input", interrupt_await_input}));
  lua_setfield(L, -2, "modfs.interrupt");
  lua_pop(L, 1);
}
