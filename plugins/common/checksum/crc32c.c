/* By the instruction of SSE 4.2 where the processor has it, else by a table for each of eight bytes. The tables
 * are filled once, and then only read. */
#include "crc32c.h"

#include <pthread.h>
#include <string.h>

static uint32_t tables[8][256];

static void fill(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t sum = byte;
    for (int bit = 0; bit < 8; bit++)
      sum = sum >> 1 ^ (sum & 1 ? 0x82f63b78u : 0);
    tables[0][byte] = sum;
  }
  for (int i = 1; i < 8; i++)
    for (int byte = 0; byte < 256; byte++)
      tables[i][byte] = tables[i - 1][byte] >> 8 ^ tables[0][tables[i - 1][byte] & 0xff];
}

static uint32_t by_tables(const unsigned char *at, size_t n) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  uint32_t sum = UINT32_MAX;
  pthread_once(&once, fill);
  for (; n >= 8; n -= 8, at += 8) {
    sum ^= (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
    sum = tables[7][sum & 0xff] ^ tables[6][sum >> 8 & 0xff] ^ tables[5][sum >> 16 & 0xff] ^
          tables[4][sum >> 24] ^ tables[3][at[4]] ^ tables[2][at[5]] ^ tables[1][at[6]] ^
          tables[0][at[7]];
  }
  for (; n > 0; n--)
    sum = sum >> 8 ^ tables[0][(sum ^ *at++) & 0xff];
  return ~sum;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) static uint32_t by_instruction(const unsigned char *at,
                                                                 size_t n) {
  uint64_t sum = UINT32_MAX, eight;
  for (; n >= 8; n -= 8, at += 8) {
    memcpy(&eight, at, sizeof eight);
    sum = __builtin_ia32_crc32di(sum, eight);
  }
  uint32_t rest = (uint32_t)sum;
  for (; n > 0; n--)
    rest = __builtin_ia32_crc32qi(rest, *at++);
  return ~rest;
}
#endif

uint32_t checksum_crc32c(const void *bytes, size_t n) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return by_instruction(bytes, n);
#endif
  return by_tables(bytes, n);
}

void checksum_write(uint32_t sum, char text[CHECKSUM_TEXT_SIZE]) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  uint64_t bits = (uint64_t)sum << 4; /* six digits of six bits */
  for (int i = 5; i >= 0; i--, bits >>= 6)
    text[i] = digits[bits & 63];
  memcpy(text + 6, "==", 3);
}
