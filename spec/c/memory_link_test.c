/* The memory plugin: links, what is refused of them, and in many threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "filesystem_ops.h"

static TF_Code set(const modfs_directory *directory, const char *path, uint64_t which) {
  modfs_attributes attributes = {.struct_size = sizeof attributes, .mode = 0107777};
  ext->set_attributes(&here, directory, path, &attributes, which, fresh());
  return TF_GetCode(status);
}

static void test_refusals(void) {
  modfs_directory directory = {NULL};
  char *long_target = calloc(1, 4097);
  memset(long_target, 'x', 4096);
  start_tree();
  CHECK_INT(make_link("mem://t/link", ""), TF_INVALID_ARGUMENT, "no link without a target");
  CHECK_INT(make_link("mem://t/link", long_target), TF_INVALID_ARGUMENT, "nor with 4096 bytes");
  long_target[4095] = '\0';
  CHECK_INT(make_link("mem://t/link", long_target), TF_OK, "but with 4095");
  CHECK_STR(target_of("mem://t/link"), long_target, "which are kept");
  CHECK_INT(make_link("mem://", "t"), TF_ALREADY_EXISTS, "the root is there already");
  ext->create_link(&here, &directory, "link", "t", fresh());
  CHECK_INT(TF_GetCode(status), TF_UNIMPLEMENTED, "no links in open directories");
  CHECK(!ext->read_link(&here, &directory, "link", fresh()), "nor targets of them");
  CHECK_INT(TF_GetCode(status), TF_UNIMPLEMENTED, "which is said");
  CHECK_INT(set(&directory, "x", MODFS_ATTRIBUTE_MODE), TF_UNIMPLEMENTED, "nor attributes");
  CHECK_INT(set(NULL, "/t", MODFS_ATTRIBUTE_MODE | MODFS_ATTRIBUTE_OWNER), TF_UNIMPLEMENTED,
            "there are no owners");
  modfs_attributes attributes = {.struct_size = sizeof attributes};
  ext->get_attributes(&here, "/t", &attributes, fresh());
  CHECK_INT(attributes.mode, 0755, "and then nothing is set");
  CHECK_INT(set(NULL, "/t", UINT64_C(1) << 40), TF_UNIMPLEMENTED, "nor what nobody knows");
  CHECK_INT(set(NULL, "/t", MODFS_ATTRIBUTE_MODE), TF_OK, "a mode is set");
  ext->get_attributes(&here, "/t", &attributes, fresh());
  CHECK_INT(attributes.mode, 07777, "as far as it is one");
  free(long_target);
}

static void test_ways(void) {
  char name[257] = "";
  start_tree();
  memset(name, 'n', 256);
  CHECK_INT(make_link("mem://t/way", name), TF_OK, "a target may be no name");
  CHECK_INT(put("mem://t/way", "x"), TF_INVALID_ARGUMENT, "but no file gets it");
  make_link("mem://t/dots", "d/./sub/..//../d/old");
  CHECK_STR(get("mem://t/dots"), "old", "dots in a target lead where they lead");
  make_link("mem://t/top", "../../../../t/d/old");
  CHECK_STR(get("mem://t/top"), "old", "and stay at the root");
  make_link("mem://t/none", "d/none/../old");
  CHECK_STR(get("mem://t/none"), "!5", "but lead nowhere behind what does not exist");
}

/* Long targets that go up and down at the bottom of a deep tree: no walk begins anew for each "..". */
static void test_cost(void) {
  enum { DEPTH = 3000, LINKS = 30 };
  static char path[2 * DEPTH + 64], target[4096] = "bottom/";
  struct timespec start, end;
  char name[32];
  clear();
  for (int i = 0; i < DEPTH; i++)
    strcpy(path + 2 * i, "/d");
  CHECK_INT(make_link("/bottom", path), TF_INVALID_ARGUMENT, "a target that is too long");
  CHECK_INT(try_make_all(path), TF_OK, "a deep tree");
  path[4000] = '\0';
  CHECK_INT(make_link("/bottom", path), TF_OK, "a link into it");
  while (strlen(target) + 5 < sizeof target)
    strcat(target, "d/../");
  for (int i = 0; i < LINKS; i++) {
    snprintf(name, sizeof name, "/way%d", i);
    CHECK_INT(make_link(name, target), TF_OK, "link %d", i);
  }
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (int i = 0; i < LINKS; i++) {
    snprintf(name, sizeof name, "/way%d", i);
    CHECK_INT(exists(name), TF_OK, "way %d", i);
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  double took = (double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec);
  CHECK(took < 1, "%d long targets take %.3f seconds", LINKS, took);
}

/* Threads ------------------------------------------------------------------------ */

enum { THREADS = 4, ROUNDS = 500 };
static atomic_int wrong;

static void expect(bool good) {
  if (!good) atomic_fetch_add(&wrong, 1);
}

/* Changes a link by renaming another over it, and looks at what it leads to. */
static void *run_worker(void *context) {
  char own[64];
  snprintf(own, sizeof own, "mem://w/own%d", (int)(intptr_t)context);
  for (int i = 0; i < ROUNDS; i++) {
    expect(make_link(own, i % 2 ? "one" : "two") == TF_OK);
    expect(on_two(fs.rename_file, own, "mem://w/shared") == TF_OK);
    const char *target = target_of("mem://w/shared");
    expect(!strcmp(target, "one") || !strcmp(target, "two"));
    expect(exists("mem://w/shared") == TF_OK);
    expect(put_end("mem://w/shared", "x") == TF_OK);
    expect(set(NULL, "/w/shared", MODFS_ATTRIBUTE_MTIME) == TF_OK);
  }
  host_leave();
  return NULL;
}

static void test_threads(void) {
  pthread_t workers[THREADS];
  TF_FileStatistics one = {0}, two = {0};
  clear();
  make("mem://w");
  put("mem://w/one", "");
  put("mem://w/two", "");
  make_link("mem://w/shared", "one");
  for (int i = 0; i < THREADS; i++)
    pthread_create(&workers[i], NULL, run_worker, (void *)(intptr_t)i);
  for (int i = 0; i < THREADS; i++)
    pthread_join(workers[i], NULL);
  stat_of("mem://w/one", &one);
  stat_of("mem://w/two", &two);
  CHECK_INT(atomic_load(&wrong), 0, "threads that change and follow one link");
  CHECK_INT(one.length + two.length, THREADS * ROUNDS, "lose no append");
}

int main(int argc, char **argv) {
  if (!host_open(argc, argv, 1, "mem")) return check_end();
  test_refusals();
  test_ways();
  test_cost();
  test_threads();
  return host_close();
}
