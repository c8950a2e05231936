// That no text costs more than its size allows: steps and bytes are counted, never time.
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include <gtest/gtest.h>

#include "json/hash.hpp"
#include "json/name_index.hpp"
#include "json/parse.hpp"

namespace interline::json {
namespace {

Limits unlimited() {
  Limits limits;
  for (std::size_t* const limit : {&limits.bytes, &limits.depth, &limits.string_bytes,
                                   &limits.members, &limits.elements, &limits.nodes}) {
    *limit = std::size_t{1} << 40U;
  }
  return limits;
}

std::string object_of(std::size_t members, const std::function<std::string(std::size_t)>& name) {
  std::string text = "{";
  for (std::size_t i = 0; i < members; ++i) {
    text += (i == 0 ? "\"" : ",\"") + name(i) + "\":0";
  }
  return text + "}";
}

/// Slots looked at to find each name of the object once.
std::size_t probes(const Value& object) {
  const std::span<const Member> members = object.members();
  const std::size_t slots = detail::slot_count(members.size());
  const auto* table = reinterpret_cast<const std::uint32_t*>(members.data()) - slots;
  std::size_t total = 0;
  for (std::size_t i = 0; i < members.size(); ++i) {
    std::size_t at = members[i].name_hash & (slots - 1);
    for (; table[at] != i + 1; at = (at + 1) & (slots - 1)) ++total;
    ++total;
  }
  return total;
}

TEST(Cost_Names, AMemberTakesAFewProbesHoweverNamesLook) {
  const std::function<std::string(std::size_t)> kNamings[] = {
      [](std::size_t i) { return std::to_string(i); },
      [](std::size_t i) { return std::string(40, 'a') + std::to_string(i); },
      [](std::size_t i) { return std::to_string(i) + std::string(40, 'z'); },
      [](std::size_t i) { return std::string(i % 500, 'x') + std::to_string(i / 500); },
      // All the same to the multiplicative hashes of old: "Aa" and "BB" collide.
      [](std::size_t i) {
        std::string name;
        for (int bit = 0; bit < 16; ++bit) name += (i >> bit & 1U) != 0 ? "Aa" : "BB";
        return name;
      },
  };
  for (const auto& naming : kNamings) {
    for (const std::size_t count : {100U, 10'000U, 50'000U}) {
      const auto document = parse(object_of(count, naming), unlimited());
      ASSERT_TRUE(document) << to_string(document.error());
      // Expected for linear probing at half load: 1.5 a member. Far more would be no chance.
      EXPECT_LT(probes(document->root()), 2 * count + 100);
    }
  }
}

TEST(Cost_Names, HashesDoNotFollowFromTheNamesAlone) {
  // Two keys, two hashes: one drawn key would be of no use if it did not matter.
  const SipKey a{1, 2};
  const SipKey b{1, 3};
  EXPECT_NE(name_hash(a, "name"), name_hash(b, "name"));
  EXPECT_NE(name_key().k0, name_key().k1);
  EXPECT_EQ(name_hash("name"), name_hash(name_key(), "name"));
}

TEST(Cost_Memory, EveryTextsDocumentIsInProportion) {
  constexpr std::size_t kCount = 200'000;
  const auto repeated = [](std::string_view piece, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += piece;
    return text;
  };
  const std::string texts[] = {
      "[0" + repeated(",0", kCount) + "]",
      "[[]" + repeated(",[]", kCount) + "]",
      "[{\"\":0}" + repeated(",{\"\":0}", kCount) + "]",
      repeated("[", kCount) + repeated("]", kCount),
      repeated("{\"\":", kCount) + "0" + repeated("}", kCount),
      "\"" + repeated("\\u0000", kCount) + "\"",
      "[\"\\n\"" + repeated(",\"\\n\"", kCount) + "]",
      object_of(kCount, [](std::size_t i) { return std::to_string(i); }),
      repeated(" ", kCount) + "1" + repeated("\n", kCount),
  };
  for (const std::string& text : texts) {
    const auto document = parse(text, unlimited());
    ASSERT_TRUE(document) << text.substr(0, 20) << to_string(document.error());
    // A value takes 24 bytes and needs two bytes of text ("0,"); blocks are at most half empty.
    EXPECT_LT(document->memory(), 28 * text.size() + 4096) << text.substr(0, 20);
  }
}

TEST(Cost_Depth, AMillionBracketsStopAtTheLimit) {
  const std::string text(1'000'000, '[');
  const auto limited = parse(text);
  ASSERT_FALSE(limited);
  EXPECT_EQ(limited.error().code, ParseErrorCode::too_deep);
  EXPECT_EQ(limited.error().offset, 64U);
  const auto unbounded = parse(text, unlimited());
  ASSERT_FALSE(unbounded);
  EXPECT_EQ(unbounded.error().code, ParseErrorCode::unexpected_end);
  EXPECT_EQ(unbounded.error().offset, text.size());
}

TEST(Cost_Depth, AMillionNestedObjectsThatNeverClose) {
  std::string text;
  while (text.size() < 8'000'000) text += "{\"a\":0,\"b\":";
  const auto open = parse(text, unlimited());
  ASSERT_FALSE(open);
  EXPECT_EQ(open.error().code, ParseErrorCode::unexpected_end);
  // And with a duplicate at the outermost: still the first error of the text.
  const auto twice = parse("{\"a\":0,\"a\":" + text, unlimited());
  ASSERT_FALSE(twice);
  EXPECT_EQ(twice.error().code, ParseErrorCode::duplicate_name);
  EXPECT_EQ(twice.error().offset, 7U);
}

}  // namespace
}  // namespace interline::json
