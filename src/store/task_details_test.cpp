#include "store/task_details.hpp"

#include <random>

#include <gtest/gtest.h>

#include "store/byte_codec.hpp"
#include "store/testing/random_task.hpp"
#include "store/testing/works.hpp"

namespace interline::store {
namespace {

using testing::describe;
using testing::random_details;

tasks::Task empty_task() {
  return tasks::admitted(std::make_shared<const tasks::Admission>(testing::admission(1)), false);
}

TEST(TaskDetails, ATaskWithoutAnyTakesNoBytes) {
  const tasks::Task task = empty_task();
  EXPECT_EQ(encode_details(task, {}), "");
  tasks::Task read = empty_task();
  ASSERT_TRUE(decode_details("", read));
  EXPECT_EQ(describe(read), describe(task));
}

TEST(TaskDetails, WhateverIsWrittenIsReadBack) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 2'000; ++round) {
    tasks::Task task = empty_task();
    random_details(random, task);
    const std::string bytes = encode_details(task, task.outcome);
    tasks::Task read = empty_task();
    ASSERT_TRUE(decode_details(bytes, read));
    ASSERT_EQ(describe(read), describe(task));
    ASSERT_TRUE(same_details(read, task));
  }
}

TEST(TaskDetails, EachPartMakesADifference) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    tasks::Task a = empty_task();
    tasks::Task b = empty_task();
    random_details(random, a);
    random_details(random, b);
    EXPECT_EQ(same_details(a, b), encode_details(a, {}) == encode_details(b, {}));
  }
}

TEST(TaskDetails, BytesCutShortAreRefused) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 50; ++round) {
    tasks::Task task = empty_task();
    random_details(random, task);
    const std::string bytes = encode_details(task, task.outcome);
    for (std::size_t size = 1; size < bytes.size(); ++size) {
      tasks::Task read = empty_task();
      ASSERT_FALSE(decode_details(std::string_view(bytes).substr(0, size), read));
    }
  }
}

TEST(TaskDetails, BytesBehindTheEndAreRefused) {
  tasks::Task task = empty_task();
  task.memory = "handle";
  tasks::Task read = empty_task();
  EXPECT_FALSE(decode_details(encode_details(task, {}) + '\0', read));
}

TEST(TaskDetails, AnotherVersionIsRefused) {
  tasks::Task task = empty_task();
  task.memory = "handle";
  std::string bytes = encode_details(task, {});
  bytes[0] = 2;
  tasks::Task read = empty_task();
  EXPECT_FALSE(decode_details(bytes, read));
}

TEST(TaskDetails, TheBytesOfVersion1) {
  tasks::Task task = empty_task();
  task.cancel = tasks::CancelRecord{std::nullopt, 3, "no"};
  task.memory = "m";
  task.resume_from = 300;
  // version, cancel and memory, [reason only, revision 3, 2 bytes "no"], 1 byte "m", 300
  EXPECT_EQ(encode_details(task, {}), std::string("\x01\x28\x02\x03\x02no\x01m\xAC\x02", 11));
}

TEST(ByteCodec, NumbersHaveOneForm) {
  for (const std::uint64_t number : {std::uint64_t{0}, std::uint64_t{127}, std::uint64_t{128},
                                     std::uint64_t{16'383}, std::uint64_t{16'384}, UINT64_MAX}) {
    ByteWriter out;
    out.number(number);
    const std::string bytes = out.take();
    ByteReader in(bytes);
    EXPECT_EQ(in.number(), number);
    EXPECT_TRUE(in.at_end());
  }
  for (const std::string_view bytes :
       {std::string_view("\x80\x00", 2), std::string_view("\x80"),
        std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x02"),
        std::string_view("\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01")}) {
    ByteReader in(bytes);
    EXPECT_EQ(in.number(), 0U);
    EXPECT_FALSE(in.ok());
  }
}

TEST(ByteCodec, SignedNumbersKeepTheirSign) {
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{-1}, std::int64_t{1}, INT64_MIN, INT64_MAX}) {
    ByteWriter out;
    out.signed_number(number);
    const std::string bytes = out.take();
    ByteReader in(bytes);
    EXPECT_EQ(in.signed_number(), number);
    EXPECT_TRUE(in.at_end());
  }
}

TEST(ByteCodec, ACountIsNeverMoreThanTheBytesLeft) {
  ByteWriter out;
  out.number(1'000'000);
  out.text("only this");
  const std::string bytes = out.take();
  ByteReader in(bytes);
  EXPECT_EQ(in.count(), 0U);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace interline::store
