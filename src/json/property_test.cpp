// What holds for all JSON, tried on a few thousand random texts. Seeds are fixed: a failure names
// the seed, which brings it back.
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/random_json.hpp"

namespace interline::json {
namespace {

using testing::RandomJson;
using testing::Tree;

constexpr std::uint64_t kSeeds = 3000;

Document read(std::string_view text) {
  auto document = parse(text);
  EXPECT_TRUE(document) << to_string(document.error()) << "\n" << text;
  return document ? std::move(*document) : std::move(*parse("null"));
}

/// Whether the value reads as the tree it was made from.
bool matches(const Value& value, const Tree& tree) {
  if (value.kind() != tree.kind) return false;
  switch (tree.kind) {
    case Kind::null:
      return true;
    case Kind::boolean:
      return value.as_bool() == tree.boolean;
    case Kind::number:
      return value.as_double() == tree.number;
    case Kind::string:
      return value.as_string() == tree.text;
    case Kind::array:
      if (value.size() != tree.items.size()) return false;
      for (std::size_t i = 0; i < value.size(); ++i) {
        if (!matches(value.items()[i], tree.items[i])) return false;
      }
      return true;
    case Kind::object:
      if (value.size() != tree.members.size()) return false;
      for (const auto& [name, member] : tree.members) {
        const Value* const found = value.find(name);
        if (found == nullptr || !matches(*found, member)) return false;
      }
      return true;
  }
  return false;
}

void expect_sources_reparse(const Value& value) {
  const Document again = read(value.source());
  EXPECT_TRUE(equal(value, again.root())) << value.source();
  EXPECT_EQ(again.root().source(), value.source());
  if (value.is_array()) {
    for (const Value& item : value.items()) expect_sources_reparse(item);
  } else if (value.is_object()) {
    for (const Member& member : value.members()) expect_sources_reparse(member.value);
  }
}

TEST(Property, ReadingIsTheInverseOfSpelling) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    RandomJson random(seed);
    const Tree tree = random.tree();
    const std::string text = random.spell(tree);
    ASSERT_TRUE(matches(read(text).root(), tree)) << "seed " << seed << "\n" << text;
  }
}

TEST(Property, SpellingAndOrderDoNotChangeTheCanonicalForm) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    RandomJson random(seed);
    const Tree tree = random.tree();
    const Document a = read(random.spell(tree));
    const Document b = read(random.spell(tree));
    ASSERT_EQ(canonical(a.root()), canonical(b.root())) << "seed " << seed;
    ASSERT_TRUE(equal(a.root(), b.root())) << "seed " << seed;
  }
}

TEST(Property, CanonicalFormIsAFixedPointAndEqual) {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    RandomJson random(seed);
    const Document document = read(random.spell(random.tree()));
    const std::string once = canonical(document.root());
    const Document again = read(once);
    ASSERT_EQ(canonical(again.root()), once) << "seed " << seed;
    ASSERT_TRUE(equal(again.root(), document.root())) << "seed " << seed;
  }
}

TEST(Property, DifferentCanonicalFormsAreDifferentValues) {
  // Neighbouring seeds with little room for chance: many are equal, many are not.
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    RandomJson random(seed);
    const Document a = read(random.spell(random.tree(1)));
    const Document b = read(random.spell(random.tree(1)));
    ASSERT_EQ(equal(a.root(), b.root()), canonical(a.root()) == canonical(b.root()))
        << "seed " << seed;
  }
}

TEST(Property, SourcesReparseToTheSameValue) {
  for (std::uint64_t seed = 0; seed < kSeeds / 10; ++seed) {
    RandomJson random(seed);
    expect_sources_reparse(read(random.spell(random.tree(4))).root());
  }
}

TEST(Property, BorrowedTakenAndCopiedTextsReadAlike) {
  for (std::uint64_t seed = 0; seed < kSeeds / 10; ++seed) {
    RandomJson random(seed);
    const std::string text = random.spell(random.tree());
    const Document copied = read(text);
    const auto borrowed = parse_borrowed(text);
    const auto taken = parse(std::string(text));
    ASSERT_TRUE(borrowed && taken);
    ASSERT_TRUE(equal(copied.root(), borrowed->root()));
    ASSERT_TRUE(equal(copied.root(), taken->root()));
    ASSERT_EQ(taken->text(), text);
  }
}

TEST(Property, EveryPrefixEndsTooEarlyAndIsNotReadBeyond) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    RandomJson random(seed);
    const std::string text = "[" + random.spell(random.tree(3)) + "]";
    for (std::size_t size = 0; size < text.size(); ++size) {
      // A buffer of just this size: AddressSanitizer sees any byte read after it.
      const auto prefix = std::make_unique<char[]>(size);
      std::memcpy(prefix.get(), text.data(), size);
      const auto result = parse_borrowed({prefix.get(), size});
      ASSERT_FALSE(result) << "seed " << seed << " size " << size;
      if (result.error().code == ParseErrorCode::invalid_utf8) {
        // Cut inside a code point.
        ASSERT_GT(result.error().offset + 4, size) << "seed " << seed;
        continue;
      }
      ASSERT_EQ(result.error().code, ParseErrorCode::unexpected_end) << "seed " << seed;
      ASSERT_EQ(result.error().offset, size) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace interline::json
