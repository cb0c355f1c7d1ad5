-- What devices want to reach: at_least of cost(against) / cost(who), or at_most_more nanoseconds
-- that who may take beyond against.
--   [key of the case] = { { who, against, at_least= | at_most_more= } … }
return {
  ["write small"] = { { "modfs", "memcpy", at_most_more = 90 } },
  ["read small"] = { { "modfs", "bare", at_least = 0.9 } },
  ["write middle"] = { { "modfs", "memcpy", at_least = 0.97 } },
  ["write large"] = { { "modfs", "memcpy", at_least = 0.97 } },
  ["stream middle"] = { { "modfs", "thread", at_least = 0.97 } },
  ["stream large"] = { { "modfs", "memcpy", at_least = 0.97 } },
  ["enqueue in C"] = { { "plugin", "ring", at_least = 0.8 }, { "core", "ring", at_least = 0.8 } },
  ["event"] = { { "modfs", "flag", at_most_more = 130 } },
  ["wait in C, one core"] = { { "plugin", "condition", at_least = 0.9 } },
  ["round trip, one core"] = { { "modfs", "condition", at_least = 0.9 } },
  -- Reading and copying at a time needs two idle cores: C says what is to be had.
  ["load"] = { { "modfs", "slower", at_least = 1 / 1.15 }, { "modfs", "C", at_least = 0.95 } },
}
