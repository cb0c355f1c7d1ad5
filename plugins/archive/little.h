/* Numbers in little-endian order, as zip files and TensorFlow's packages have them. */
#ifndef ARCHIVE_LITTLE_H
#define ARCHIVE_LITTLE_H

#include <stdint.h>

static inline uint16_t little_16(const void *bytes) {
  const unsigned char *b = bytes;
  return (uint16_t)(b[0] | b[1] << 8);
}

static inline uint32_t little_32(const void *bytes) {
  const unsigned char *b = bytes;
  return little_16(b) | (uint32_t)little_16(b + 2) << 16;
}

static inline uint64_t little_64(const void *bytes) {
  const unsigned char *b = bytes;
  return little_32(b) | (uint64_t)little_32(b + 4) << 32;
}

#endif
