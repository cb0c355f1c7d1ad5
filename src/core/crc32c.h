/* CRC-32C (Castagnoli), as TFRecord files use it. */
#ifndef MODFS_CORE_CRC32C_H
#define MODFS_CORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* The sum of what had the sum crc (0 for nothing) followed by n more bytes; by the processor's own
 * instructions where it has them. */
uint32_t crc32c_extend(uint32_t crc, const void *data, size_t n);

/* The same in plain C, eight bytes at a time. */
uint32_t crc32c_portable(uint32_t crc, const void *data, size_t n);

/* A sum that is stored beside what it sums up is masked, so that sums of sums stay sound. */
static inline uint32_t crc32c_mask(uint32_t crc) {
  return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

#endif
