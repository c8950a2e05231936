#include "json/name_index.hpp"

#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace interline::json::detail {
namespace {

/// An object's members behind their table, as the parser lays them out, all with one hash: what
/// chance does with 32 bits now and then, and a test cannot ask for when the key is secret.
class Colliding {
 public:
  explicit Colliding(std::vector<std::string> names)
      : names_(std::move(names)), slots_(slot_count(names_.size())) {
    memory_ = std::make_unique<std::uint64_t[]>(slots_ / 2 + names_.size() * sizeof(Member) / 8);
    auto* const first = reinterpret_cast<Member*>(memory_.get() + slots_ / 2);
    for (std::size_t i = 0; i < names_.size(); ++i) {
      auto* const member = new (first + i) Member;
      member->name_text = names_[i].data();
      member->name_size = static_cast<std::uint32_t>(names_[i].size());
      member->name_hash = kHash;
    }
    members_ = {first, names_.size()};
  }

  [[nodiscard]] std::size_t first_duplicate() {
    if (slots_ == 0) return first_duplicate_scanned(members_);
    return first_duplicate_indexed(members_,
                                   {reinterpret_cast<std::uint32_t*>(memory_.get()), slots_});
  }
  [[nodiscard]] std::span<const Member> members() const { return members_; }

  static constexpr std::uint32_t kHash = 0xDEADBEEF;

 private:
  std::vector<std::string> names_;
  std::size_t slots_;
  std::unique_ptr<std::uint64_t[]> memory_;
  std::span<const Member> members_;
};

std::vector<std::string> names(std::size_t count) {
  std::vector<std::string> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back("n" + std::to_string(i));
  return result;
}

TEST(NameIndex, CollidingHashesAreNoDuplicates) {
  for (const std::size_t count : {0U, 1U, 2U, 16U, 17U, 100U}) {
    Colliding object(names(count));
    EXPECT_EQ(object.first_duplicate(), count);
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(find_member(object.members(), "n" + std::to_string(i), Colliding::kHash),
                &object.members()[i]);
    }
    EXPECT_EQ(find_member(object.members(), "absent", Colliding::kHash), nullptr);
  }
}

TEST(NameIndex, TheFirstNameThatOccursTwiceIsFound) {
  for (const std::size_t count : {4U, 16U, 17U, 100U}) {
    std::vector<std::string> repeated = names(count);
    repeated[count - 1] = repeated[0];
    repeated[count - 2] = repeated[1];
    Colliding object(repeated);
    EXPECT_EQ(object.first_duplicate(), count - 2);
  }
}

TEST(NameIndex, TablesAreAtMostHalfFull) {
  EXPECT_EQ(slot_count(16), 0U);
  EXPECT_EQ(slot_count(17), 64U);
  EXPECT_EQ(slot_count(32), 64U);
  EXPECT_EQ(slot_count(33), 128U);
}

}  // namespace
}  // namespace interline::json::detail
