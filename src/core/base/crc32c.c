#include "crc32c.h"

#include <string.h>

/* Portable C: slices of eight bytes, one table for each ---------------------------- */

static uint32_t slices[8][256];

static void fill_slices(void) {
  const uint32_t polynomial = UINT32_C(0x82f63b78);
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++)
      crc = crc >> 1 ^ (crc & 1 ? polynomial : 0);
    slices[0][byte] = crc;
  }
  for (int slice = 1; slice < 8; slice++)
    for (int byte = 0; byte < 256; byte++) {
      uint32_t before = slices[slice - 1][byte];
      slices[slice][byte] = before >> 8 ^ slices[0][before & 0xff];
    }
}

static inline uint32_t load_little(const unsigned char *from) {
  return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
         (uint32_t)from[3] << 24;
}

static inline uint32_t sum_eight(uint32_t crc, const unsigned char *from) {
  uint32_t low = crc ^ load_little(from), high = load_little(from + 4);
  return slices[7][low & 0xff] ^ slices[6][low >> 8 & 0xff] ^ slices[5][low >> 16 & 0xff] ^
         slices[4][low >> 24] ^ slices[3][high & 0xff] ^ slices[2][high >> 8 & 0xff] ^
         slices[1][high >> 16 & 0xff] ^ slices[0][high >> 24];
}

uint32_t crc32c_portable(uint32_t crc, const void *data, size_t n) {
  const unsigned char *from = data;
  crc = ~crc;
  for (; n >= 8; n -= 8, from += 8)
    crc = sum_eight(crc, from);
  for (; n > 0; n--)
    crc = crc >> 8 ^ slices[0][(crc ^ *from++) & 0xff];
  return ~crc;
}

/* x86-64: the SSE 4.2 instruction for eight bytes has a latency of three cycles and a throughput of
 * one, so long runs are cut into three stretches that are computed in parallel ------ */

#if defined(__x86_64__)
#include <immintrin.h>

#define NATIVE __attribute__((target("sse4.2,pclmul")))

/* A run is three stretches of "stretch" bytes. Moving a checksum over n bytes is a multiplication
 * by x^(8n) modulo the polynomial; the product and its reduction contribute 33 powers. */
typedef struct run {
  size_t stretch;
  uint32_t over_two; /* x^(8 * 2 * stretch - 33) */
  uint32_t over_one; /* x^(8 * stretch - 33) */
} run;

NATIVE static inline uint64_t load_eight(const unsigned char *from) {
  uint64_t value;
  memcpy(&value, from, sizeof value);
  return value;
}

NATIVE static inline __m128i multiply(uint64_t sum, uint32_t power) {
  return _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)sum), _mm_cvtsi32_si128((int)power), 0);
}

NATIVE static inline uint64_t sum_run(uint64_t first, const unsigned char *from, const run *cut) {
  uint64_t second = 0, third = 0;
  const unsigned char *end = from + cut->stretch;
  for (; from < end; from += 8) {
    first = _mm_crc32_u64(first, load_eight(from));
    second = _mm_crc32_u64(second, load_eight(from + cut->stretch));
    third = _mm_crc32_u64(third, load_eight(from + 2 * cut->stretch));
  }
  __m128i moved = _mm_xor_si128(multiply(first, cut->over_two), multiply(second, cut->over_one));
  return third ^ _mm_crc32_u64(0, (unsigned long long)_mm_cvtsi128_si64(moved));
}

NATIVE static inline uint64_t sum_rest(uint64_t sum, const unsigned char *from, size_t n) {
  for (; n >= 8; n -= 8, from += 8)
    sum = _mm_crc32_u64(sum, load_eight(from));
  for (; n > 0; n--)
    sum = _mm_crc32_u8((uint32_t)sum, *from++);
  return sum;
}

NATIVE static uint32_t crc32c_native(uint32_t crc, const void *data, size_t n) {
  static const run runs[] = {
      {4096, 0x54a86326, 0x82f89c77}, {336, 0xcec3662e, 0xa60ce07b}, {256, 0xdd7e3b0c, 0xb9e02b86}};
  const unsigned char *from = data;
  uint64_t sum = ~crc;
  for (size_t i = 0; n >= 768 && i < sizeof runs / sizeof *runs; i++)
    for (size_t length = 3 * runs[i].stretch; n >= length; n -= length, from += length)
      sum = sum_run(sum, from, &runs[i]);
  return ~(uint32_t)sum_rest(sum, from, n);
}

static uint32_t (*extend)(uint32_t crc, const void *data, size_t n) = crc32c_portable;

static void choose(void) {
  __builtin_cpu_init();
  if (__builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul")) extend = crc32c_native;
}
#else
#define extend crc32c_portable
static void choose(void) {
}
#endif

/* Runs once, when the library is loaded: the tables do not change afterwards, so no lock is needed.
 */
__attribute__((constructor)) static void crc32c_start(void) {
  fill_slices();
  choose();
}

uint32_t crc32c_extend(uint32_t crc, const void *data, size_t n) {
  return extend(crc, data, n);
}
