/* Slots of transactions; a token is light userdata. */
#include "runner_fs.h"

#include <string.h>

static TF_TransactionToken *check_token(lua_State *L, int arg) {
  luaL_checktype(L, arg, LUA_TLIGHTUSERDATA);
  return lua_touserdata(L, arg);
}

static int begun(lua_State *L, TF_Status *status, int value, TF_TransactionToken *token) {
  answer_value(L, status, value);
  answer_pointer(L, "pointer", token);
  lua_pushlightuserdata(L, token);
  lua_setfield(L, -2, "token");
  return 1;
}

static int start_transaction(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  TF_TransactionToken *token = poison();
  if (!p->ops.start_transaction) return 0;
  TF_Status *status = call_begin();
  int value = p->ops.start_transaction(&p->fs, &token, status);
  return begun(L, status, value, token);
}

#define FIND_METHOD(name)                                                                          \
  static int name(lua_State *L) {                                                                  \
    runner_plugin *p = check_plugin(L);                                                            \
    const char *path = luaL_checkstring(L, 2);                                                     \
    TF_TransactionToken *token = poison();                                                         \
    if (!p->ops.name) return 0;                                                                    \
    TF_Status *status = call_begin();                                                              \
    int value = p->ops.name(&p->fs, path, &token, status);                                         \
    return begun(L, status, value, token);                                                         \
  }

FIND_METHOD(get_transaction_for_path)
FIND_METHOD(get_or_start_transaction_for_path)

static int end_transaction(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  TF_TransactionToken *token = check_token(L, 2);
  if (!p->ops.end_transaction) return 0;
  TF_Status *status = call_begin();
  int value = p->ops.end_transaction(&p->fs, token, status);
  return answer_value(L, status, value);
}

static int abort_transaction(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  TF_TransactionToken *token = check_token(L, 2);
  if (!p->extension.abort_transaction) return 0;
  TF_Status *status = call_begin();
  p->extension.abort_transaction(&p->fs, token, status);
  return call_end(L, status);
}

static int add_to_transaction(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const char *path = luaL_checkstring(L, 2);
  TF_TransactionToken *token = check_token(L, 3);
  if (!p->ops.add_to_transaction) return 0;
  TF_Status *status = call_begin();
  int value = p->ops.add_to_transaction(&p->fs, path, token, status);
  return answer_value(L, status, value);
}

static int decode_transaction_token(lua_State *L) {
  runner_plugin *p = check_plugin(L);
  const TF_TransactionToken *token = check_token(L, 2);
  if (!p->ops.decode_transaction_token) return 0;
  runner_enter();
  char *text = p->ops.decode_transaction_token(&p->fs, token);
  return answer_text(L, p, text, "the description", NULL);
}

/* A token that no plugin has returned. */
static int foreign_token(lua_State *L) {
  TF_TransactionToken *token = compat_newuserdata(L, sizeof *token);
  *token = (TF_TransactionToken){poison(), &check_plugin(L)->fs};
  lua_pushlightuserdata(L, token);
  lua_insert(L, -2);
  return 2;
}

const luaL_Reg runner_transaction_methods[] = {
    {"start_transaction", start_transaction},
    {"end_transaction", end_transaction},
    {"abort_transaction", abort_transaction},
    {"add_to_transaction", add_to_transaction},
    {"get_transaction_for_path", get_transaction_for_path},
    {"get_or_start_transaction_for_path", get_or_start_transaction_for_path},
    {"decode_transaction_token", decode_transaction_token},
    {"foreign_token", foreign_token},
    {NULL, NULL}};
