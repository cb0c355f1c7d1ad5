/* plugins/common/options: one change of values and secrets is seen as a whole. The sources are a part of
 * this program. */
#include "../../plugins/common/options/get.c"
#include "../../plugins/common/options/options.c"
#include "../../plugins/common/options/secret.c"
#include "../../plugins/common/options/values.c"

#include <pthread.h>

#include "check.h"

enum { NUMBER, SECRET, COUNT, CHANGES = 20000 };

static const option_known known[COUNT] = {
    [NUMBER] = {.name = "number", .description = "a number", .most = CHANGES},
    [SECRET] = {.name = "secret", .description = "the same, as text", .kind = OPTION_SECRET},
};
static const option_table table = {known, COUNT, "MODFS_NONE_", "no manual"};
static option_set options;
static atomic_bool finished;

/* Sets both options by one call. */
static bool set_both(int64_t n, TF_Status *status) {
  char text[32];
  snprintf(text, sizeof text, "%lld", (long long)n);
  TF_Filesystem_Option_Value_Union number = {.int_val = n};
  TF_Filesystem_Option_Value_Union secret = {
      .buffer_val = {.buf = text, .buf_length = (int)strlen(text)}};
  TF_Filesystem_Option_Value values[] = {{TF_Filesystem_Option_Type_Int, 1, &number},
                                         {TF_Filesystem_Option_Type_Buffer, 1, &secret}};
  const TF_Filesystem_Option list[] = {{"number", NULL, 0, &values[0]},
                                       {"secret", NULL, 0, &values[1]}};
  const TF_Filesystem filesystem = {&options};
  options_set_configuration(&filesystem, list, COUNT, status);
  return TF_GetCode(status) == TF_OK;
}

static void *change(void *unused) {
  TF_Status *status = TF_NewStatus();
  bool good = true;
  for (int64_t n = 1; good && n <= CHANGES; n++)
    good = set_both(n, status);
  atomic_store(&finished, true);
  TF_DeleteStatus(status);
  return good ? unused : NULL;
}

/* A state that stays the same around the copy of the secret is the secret's. */
static void read_both(int *compared, int *mixed) {
  char secret[OPTION_SECRET_SIZE];
  const option_values *before = options_here(&options);
  options_secrets(&options, SECRET, 1, secret);
  if (options_here(&options) != before) return;
  ++*compared;
  *mixed += strtoll(secret, NULL, 10) != before->items[NUMBER].number;
}

static void test_whole(void) {
  pthread_t thread;
  int compared = 0, mixed = 0;
  void *good = NULL;
  pthread_create(&thread, NULL, change, &options);
  while (!atomic_load(&finished))
    read_both(&compared, &mixed);
  pthread_join(thread, &good);
  read_both(&compared, &mixed);
  CHECK(good != NULL, "%d changes are made", CHANGES);
  CHECK(compared > 0, "values and secrets are compared");
  CHECK_INT(mixed, 0, "values and secrets are of one change");
}

static void test_state(void) {
  char secret[OPTION_SECRET_SIZE];
  const option_values *values = options_secrets(&options, SECRET, 1, secret);
  CHECK_INT(values->items[NUMBER].number, CHANGES, "the last number");
  CHECK_INT(strtoll(secret, NULL, 10), CHANGES, "and its secret");
}

int main(void) {
  TF_Status *status = TF_NewStatus();
  CHECK(options_init(&options, &table, status) && set_both(0, status), "the options are there");
  test_whole();
  test_state();
  options_fini(&options);
  TF_DeleteStatus(status);
  return check_end();
}
