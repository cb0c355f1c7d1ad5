/* The prefix cache of plugins/common/store: an entry is fresh for two seconds and never again, however long the
 * process runs. The source is a part of this program, with a clock that the test sets. */
#include "../../plugins/common/store/prefix_cache.c"

#include "check.h"

static int64_t clock_ms;

int64_t net_now(void) {
  return clock_ms;
}

/* Tests of the store show what lies above a name. */
bool objects_name_to_parent(objects_name *above) {
  (void)above;
  return false;
}

static objects_filesystem state;
static const TF_Filesystem filesystem = {&state};
static const objects_name name = {.bucket = "bucket", .prefix = "directory/"};

static bool is_fresh_after(int64_t ms) {
  clock_ms += ms;
  bool fresh = store_prefix_cache_has_keys(&filesystem, &name);
  clock_ms -= ms;
  return fresh;
}

static void test_age(int64_t start) {
  clock_ms = start;
  store_prefix_cache_add(&filesystem, &name);
  CHECK(is_fresh_after(0) && is_fresh_after(1500), "fresh at first, added at %lld",
        (long long)start);
  CHECK(!is_fresh_after(2200), "not after two seconds");
  int stale = 0;
  for (int64_t age = 2200; age < 400LL * 86400 * 1000; age += 1000)
    if (is_fresh_after(age) && stale++ == 0) check_note("fresh after %lld ms", (long long)age);
  CHECK_INT(stale, 0, "nor at any second of the next 400 days");
}

int main(void) {
  test_age(0);
  test_age(1234567890);
  clock_ms = 5000;
  store_prefix_cache_add(&filesystem, &name);
  objects_name other = name;
  other.prefix[0] = 'D';
  CHECK(!store_prefix_cache_has_keys(&filesystem, &other), "another directory has no entry");
  store_prefix_cache_discard(&filesystem, &name);
  CHECK(!is_fresh_after(0), "a discarded entry is gone");
  store_prefix_cache_add(&filesystem, &name);
  store_prefix_cache_add(&filesystem, &other);
  store_prefix_cache_clear(&filesystem);
  CHECK(!is_fresh_after(0) && !store_prefix_cache_has_keys(&filesystem, &other), "and so are all");
  return check_end();
}
