/* CRC-32C of plugins/common/checksum: by the instruction and by tables it is the same, whatever the length and the
 * alignment. Its source is a part of this program. */
#include "../../plugins/common/checksum/crc32c.c"

#include "check.h"

static void test_text(uint32_t sum, const char *expected) {
  char text[CHECKSUM_TEXT_SIZE];
  checksum_write(sum, text);
  CHECK_STR(text, expected, "%08x in base 64", sum);
}

int main(void) {
  unsigned char bytes[300];
  int differ = 0;
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (unsigned char)(i * i + 7 * i);
  CHECK(checksum_crc32c("123456789", 9) == 0xe3069283u, "the check value");
  CHECK(by_tables((const unsigned char *)"123456789", 9) == 0xe3069283u, "the same by tables");
  CHECK(checksum_crc32c("", 0) == 0, "of nothing");
  for (size_t start = 0; start < 9; start++)
    for (size_t n = 0; start + n <= sizeof bytes; n++)
      differ += checksum_crc32c(bytes + start, n) != by_tables(bytes + start, n);
  CHECK_INT(differ, 0, "all lengths and alignments");
  test_text(0xe3069283u, "4waSgw==");
  test_text(0, "AAAAAA==");
  test_text(UINT32_MAX, "/////w==");
  return check_end();
}
