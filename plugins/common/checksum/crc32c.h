/* CRC-32C, the checksum that stores compare with what they receive. */
#ifndef CHECKSUM_CRC32C_H
#define CHECKSUM_CRC32C_H

#include <stddef.h>
#include <stdint.h>

enum { CHECKSUM_TEXT_SIZE = 9 };

/* Of n bytes. Threads: any. */
uint32_t checksum_crc32c(const void *bytes, size_t n);

/* As headers have it: the four bytes, the highest first, in base 64. */
void checksum_write(uint32_t sum, char text[CHECKSUM_TEXT_SIZE]);

#endif
