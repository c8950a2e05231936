// Records that are kept in memory, and when they are not.
#include "engine/record_cache.hpp"

#include <gtest/gtest.h>

namespace interline::engine {
namespace {

store::RecordKey key_of(std::string key) {
  store::RecordKey made;
  made.binding = "keys";
  made.kind = "id";
  made.key = std::move(key);
  return made;
}
store::Record record_of(std::string key, std::string bytes) {
  store::Record made;
  made.binding = "keys";
  made.kind = "id";
  made.key = std::move(key);
  made.bytes = std::move(bytes);
  return made;
}

TEST(RecordCache, GivesWhatWasPut) {
  RecordCache cache("keys");
  EXPECT_FALSE(cache.find(key_of("a")));
  cache.put(cache.ticket(), record_of("a", "1"));
  ASSERT_TRUE(cache.find(key_of("a")));
  EXPECT_EQ(cache.find(key_of("a"))->bytes, "1");
  EXPECT_FALSE(cache.find(key_of("b")));
}

TEST(RecordCache, KeepsOneBindingAlone) {
  const RecordCache cache("keys");
  EXPECT_TRUE(cache.keeps(key_of("a")));
  store::RecordKey other = key_of("a");
  other.binding = "sessions";
  EXPECT_FALSE(cache.keeps(other));
}

TEST(RecordCache, WhatIsChangedIsForgotten) {
  RecordCache cache("keys");
  cache.put(cache.ticket(), record_of("a", "1"));
  cache.forget("id", "a");
  EXPECT_FALSE(cache.find(key_of("a")));
}

TEST(RecordCache, WhatWasReadBeforeAChangeIsNotKept) {
  RecordCache cache("keys");
  const auto before = cache.ticket();
  cache.forget("id", "a");
  cache.put(before, record_of("a", "old"));
  EXPECT_FALSE(cache.find(key_of("a")));
}

TEST(RecordCache, WhatGoesByItselfIsNotKept) {
  RecordCache cache("keys");
  store::Record expiring = record_of("a", "1");
  expiring.expires = SystemTime();
  cache.put(cache.ticket(), expiring);
  store::Record of_a_task = record_of("b", "1");
  of_a_task.task = "t";
  cache.put(cache.ticket(), of_a_task);
  EXPECT_FALSE(cache.find(key_of("a")));
  EXPECT_FALSE(cache.find(key_of("b")));
}

TEST(RecordCache, IsBounded) {
  RecordCache cache("keys", 2);
  for (const char* key : {"a", "b", "c"}) cache.put(cache.ticket(), record_of(key, "1"));
  EXPECT_FALSE(cache.find(key_of("a")));
  EXPECT_TRUE(cache.find(key_of("c")));
}

}  // namespace
}  // namespace interline::engine
