#include "spare.h"

static bool enter(spare_list *list) {
  return !atomic_flag_test_and_set_explicit(&list->busy, memory_order_acquire);
}

static void leave(spare_list *list) {
  atomic_flag_clear_explicit(&list->busy, memory_order_release);
}

void *spare_take(spare_list *list) {
  if (!enter(list)) return NULL;
  void **block = list->first;
  if (block) {
    list->first = *block;
    list->count--;
  }
  leave(list);
  return block;
}

bool spare_put(spare_list *list, void *block) {
  if (!enter(list)) return false;
  bool kept = list->count < list->most;
  if (kept) {
    *(void **)block = list->first;
    list->first = block;
    list->count++;
  }
  leave(list);
  return kept;
}
