/* Where there is no libFuzzer: driver ROUNDS SEED FILE...; each file, then that many mutations of them. */
#include <string.h>

#include "fuzz.h"

enum { MOST = 64 * 1024, MOST_FILES = 64 };

typedef struct text {
  uint8_t *bytes;
  size_t n;
} text;

static uint64_t state;

static size_t pick(size_t n) {
  state = state * 6364136223846793005u + 1442695040888963407u;
  return n == 0 ? 0 : (size_t)(state >> 33) % n;
}

static text load(const char *path) {
  FILE *file = fopen(path, "rb");
  text loaded = {malloc(MOST), 0};
  MUST(file && loaded.bytes);
  loaded.n = fread(loaded.bytes, 1, MOST, file);
  fclose(file);
  return loaded;
}

/* Puts m bytes in the place of those from at to at + cut. */
static void replace(text *t, size_t at, size_t cut, const void *bytes, size_t m) {
  if (cut > t->n - at) cut = t->n - at;
  if (t->n - cut + m > MOST) return;
  memmove(t->bytes + at + m, t->bytes + at + cut, t->n - at - cut);
  if (m > 0) memcpy(t->bytes + at, bytes, m);
  t->n = t->n - cut + m;
}

static void mutate(text *t, const text *files, size_t count) {
  size_t at = pick(t->n + 1), words = 0;
  uint8_t byte = (uint8_t)pick(256), flipped;
  const text *other = &files[pick(count)];
  while (fuzz_words[words])
    words++;
  const char *word = words > 0 ? fuzz_words[pick(words)] : "";
  uint8_t run[300];
  memset(run, byte, sizeof run);
  switch (pick(8)) {
  case 0:
    flipped = at < t->n ? (uint8_t)(t->bytes[at] ^ (1u << pick(8))) : byte;
    replace(t, at, 1, &flipped, 1);
    break;
  case 1:
    replace(t, at, 1, &byte, 1);
    break;
  case 2:
    replace(t, at, pick(9), NULL, 0);
    break;
  case 3:
    replace(t, at, 0, &byte, 1);
    break;
  case 4:
    replace(t, at, pick(5), word, strlen(word));
    break;
  case 5: {
    size_t from = pick(other->n + 1);
    replace(t, at, t->n, other->bytes + from, other->n - from);
    break;
  }
  case 6:
    t->n = at;
    break;
  default:
    replace(t, at, 0, run, pick(sizeof run));
  }
}

/* In a block of its own size, so that a checker sees who reads beyond it. */
static void run_one(const text *t) {
  uint8_t *exact = malloc(t->n > 0 ? t->n : 1);
  MUST(exact);
  memcpy(exact, t->bytes, t->n);
  LLVMFuzzerTestOneInput(exact, t->n);
  free(exact);
}

int main(int argc, char **argv) {
  text files[MOST_FILES], work = {malloc(MOST + 1), 0};
  MUST(argc > 3 && argc - 3 <= MOST_FILES && work.bytes);
  size_t count = (size_t)argc - 3;
  long rounds = strtol(argv[1], NULL, 10);
  state = strtoull(argv[2], NULL, 10);
  for (size_t i = 0; i < count; i++) {
    files[i] = load(argv[3 + i]);
    run_one(&files[i]);
  }
  for (long i = 0; i < rounds; i++) {
    const text *from = &files[pick(count)];
    memcpy(work.bytes, from->bytes, from->n);
    work.n = from->n;
    for (size_t k = 0; k <= pick(4); k++)
      mutate(&work, files, count);
    run_one(&work);
  }
  for (size_t i = 0; i < count; i++)
    free(files[i].bytes);
  free(work.bytes);
  printf("%ld inputs\n", rounds + (long)count);
  return 0;
}
