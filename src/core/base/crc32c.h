/* CRC-32C (Castagnoli), as TFRecord files use it. */
#ifndef MODFS_CORE_CRC32C_H
#define MODFS_CORE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Extends crc, the checksum of the bytes so far (0: none), by n bytes; uses the processor's CRC
 * instructions where it has them. */
uint32_t crc32c_extend(uint32_t crc, const void *data, size_t n);

/* The same in portable C, eight bytes at a time. */
uint32_t crc32c_portable(uint32_t crc, const void *data, size_t n);

/* Checksums are stored masked, since the CRC of data that contains its own CRC is a weak check. */
static inline uint32_t crc32c_mask(uint32_t crc) {
  return (crc >> 15 | crc << 17) + UINT32_C(0xa282ead8);
}

#endif
