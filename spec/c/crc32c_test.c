/* CRC-32C: published sums, and the processor's way against the plain one. */
#include <stdlib.h>
#include <time.h>

#include "check.h"
#include "core/base/crc32c.h"

enum { MOST = 40000 };

static unsigned char bytes[MOST + 64];

/* One bit at a time: the definition. */
static uint32_t define(const unsigned char *data, size_t n) {
  uint32_t crc = UINT32_MAX;
  for (size_t i = 0; i < n; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0x82f63b78) : 0);
  }
  return ~crc;
}

static void test_vectors(uint32_t (*sum)(uint32_t, const void *, size_t), const char *which) {
  unsigned char data[32];
  memset(data, 0, 32);
  CHECK_INT(sum(0, data, 32), 0x8a9136aa, "%s: 32 zeros", which);
  memset(data, 0xff, 32);
  CHECK_INT(sum(0, data, 32), 0x62a8ab43, "%s: 32 times 0xff", which);
  for (int i = 0; i < 32; i++)
    data[i] = (unsigned char)i;
  CHECK_INT(sum(0, data, 32), 0x46dd794e, "%s: 0 to 31", which);
  for (int i = 0; i < 32; i++)
    data[i] = (unsigned char)(31 - i);
  CHECK_INT(sum(0, data, 32), 0x113fdb5c, "%s: 31 to 0", which);
  CHECK_INT(sum(0, "123456789", 9), 0xe3069283, "%s: 123456789", which);
  CHECK_INT(sum(0, "foo", 3), 0xcfc4ae1d, "%s: foo", which);
  CHECK_INT(sum(0, "", 0), 0, "%s: nothing", which);
  CHECK_INT(sum(sum(0, "1234", 4), "56789", 5), 0xe3069283, "%s: in two parts", which);
}

static void test_mask(void) {
  CHECK_INT(crc32c_mask(0xcfc4ae1d), 0xfebe8a61, "foo, masked");
  CHECK_INT(crc32c_mask(0), 0xa282ead8, "nothing, masked");
}

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  return *state ^= *state << 17;
}

static void test_lengths(void) {
  size_t wrong = 0;
  for (size_t n = 0; n < 1400; n++)
    for (size_t at = 0; at < 8; at += 3) {
      uint32_t expected = define(bytes + at, n);
      wrong += crc32c_extend(0, bytes + at, n) != expected;
      wrong += crc32c_portable(0, bytes + at, n) != expected;
    }
  CHECK_INT(wrong, 0, "every length up to 1400, at odd addresses");
}

static void test_random(uint64_t seed) {
  size_t wrong = 0;
  for (int i = 0; i < 2000; i++) {
    size_t n = next_random(&seed) % MOST, at = next_random(&seed) % 64;
    uint32_t before = (uint32_t)next_random(&seed);
    size_t cut = n > 0 ? next_random(&seed) % n : 0;
    uint32_t whole = crc32c_extend(before, bytes + at, n);
    wrong += whole != crc32c_portable(before, bytes + at, n);
    uint32_t part = crc32c_extend(before, bytes + at, cut);
    wrong += whole != crc32c_extend(part, bytes + at + cut, n - cut);
  }
  CHECK_INT(wrong, 0, "2000 random runs, whole and in two parts");
}

static void test_control(void) {
  uint32_t right = crc32c_extend(0, bytes, MOST);
  size_t unseen = 0;
  for (size_t i = 0; i < MOST; i += 997) {
    bytes[i] ^= 1;
    unseen += crc32c_extend(0, bytes, MOST) == right;
    bytes[i] ^= 1;
  }
  CHECK_INT(unseen, 0, "a bit that is wrong changes the sum");
}

int main(void) {
  uint64_t seed = (uint64_t)time(NULL) | 1, state = seed;
  printf("# seed %" PRIu64 "\n", seed);
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)next_random(&state);
  test_vectors(crc32c_extend, "extend");
  test_vectors(crc32c_portable, "portable");
  test_mask();
  test_lengths();
  test_random(seed);
  test_control();
  return check_end();
}
