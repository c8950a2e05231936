#include "catalog/ordered_index.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace interline::catalog {
namespace {

/// Addresses that live as long as the test.
class Entries {
 public:
  const Listed* make(std::string address) {
    auto& text = texts_.emplace_back(std::make_unique<std::string>(std::move(address)));
    auto& entry = entries_.emplace_back(std::make_unique<Listed>());
    entry->address = *text;
    entry->name_bytes = text->size();
    return entry.get();
  }

 private:
  std::vector<std::unique_ptr<std::string>> texts_;
  std::vector<std::unique_ptr<Listed>> entries_;
};

void expect_same(const OrderedIndex& index, const std::vector<const Listed*>& model) {
  ASSERT_EQ(index.size(), model.size());
  std::vector<const Listed*> all;
  index.visit(0, index.size(), [&all](const Listed& entry) { all.push_back(&entry); });
  ASSERT_EQ(all, model);
  for (std::size_t i = 0; i < model.size(); i += 97) {
    EXPECT_EQ(index.find(model[i]->address).below, i);
    index.visit(i, 1, [&model, i](const Listed& entry) { EXPECT_EQ(&entry, model[i]); });
  }
}

TEST(OrderedIndex, AnEmptyOneHasNoPositions) {
  OrderedIndex index;
  EXPECT_EQ(index.size(), 0U);
  EXPECT_EQ(index.find("x").below, 0U);
  EXPECT_FALSE(index.find("x").present);
  index.visit(0, 0, [](const Listed&) { FAIL(); });
}

TEST(OrderedIndex, AnIndexBuiltInOrderIsTheSameAsOneOfInsertions) {
  Entries entries;
  std::vector<const Listed*> model;
  for (int i = 10'000; i < 15'000; ++i) model.push_back(entries.make(std::to_string(i)));
  OrderedIndex built;
  for (const Listed* entry : model) built.append(entry);
  built.seal();
  expect_same(built, model);
  OrderedIndex inserted;
  std::vector<const Listed*> shuffled = model;
  std::ranges::shuffle(shuffled, std::mt19937(1));
  for (const Listed* entry : shuffled) inserted.insert(entry);
  expect_same(inserted, model);
}

TEST(OrderedIndex, OctetsAreUnsigned) {
  Entries entries;
  OrderedIndex index;
  index.insert(entries.make("\xC3\xA9@x"));
  index.insert(entries.make("z@x"));
  EXPECT_EQ(index.find("\xC3\xA9@x").below, 1U);
}

TEST(OrderedIndex, RandomInsertionsAndRemovalsAgreeWithASortedVector) {
  std::mt19937 random(7);
  Entries entries;
  std::vector<const Listed*> pool;
  for (int i = 0; i < 3'000; ++i) pool.push_back(entries.make(std::to_string(random())));
  const auto by_address = [](const Listed* a, const Listed* b) { return a->address < b->address; };
  std::ranges::sort(pool, by_address);
  const auto surplus = std::ranges::unique(pool, {}, [](const Listed* e) { return e->address; });
  pool.erase(surplus.begin(), surplus.end());

  OrderedIndex index;
  std::vector<const Listed*> model;
  for (int round = 0; round < 40; ++round) {
    const bool growing = round % 8 < 5;
    for (int i = 0; i < 400; ++i) {
      const Listed* entry = pool[random() % pool.size()];
      const auto at = std::ranges::lower_bound(model, entry, by_address);
      const bool present = at != model.end() && *at == entry;
      ASSERT_EQ(index.find(entry->address).present, present);
      ASSERT_EQ(index.find(entry->address).below, static_cast<std::size_t>(at - model.begin()));
      if (growing && !present) {
        index.insert(entry);
        model.insert(at, entry);
      } else if (!growing) {
        index.erase(entry);
        if (present) model.erase(at);
      }
    }
    expect_same(index, model);
  }
  while (!model.empty()) {
    index.erase(model.front());
    model.erase(model.begin());
  }
  expect_same(index, model);
  index.insert(pool.front());
  expect_same(index, {pool.front()});
}

}  // namespace
}  // namespace interline::catalog
