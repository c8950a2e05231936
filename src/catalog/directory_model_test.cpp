// The directory against a sorted vector, over random lives.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "catalog/case_fold.hpp"
#include "catalog/directory.hpp"

namespace interline::catalog {
namespace {

using Anchor = PageRequest::Anchor;
using policy::Principal;

constexpr std::string_view kHome = "agents.example.test";

/// The obvious way: all entries filtered and sorted for each question.
class Naive {
 public:
  void activate(const std::string& name, const std::string& title) {
    active_[name] = title;
    known_.insert(name);
  }
  void deactivate(const std::string& name) {
    active_.erase(name);
    known_.insert(name);
  }

  struct Answer {
    bool found = false;
    std::vector<std::pair<std::string, std::string>> entries;
    std::size_t first = 0;
    std::size_t count = 0;
  };

  [[nodiscard]] Answer list(const policy::Policy& rules, const Principal& who,
                            const std::string& word, const PageRequest& page) const {
    std::vector<std::pair<std::string, std::string>> all;  // address, name
    for (const auto& [name, title] : active_) {
      const std::string local = name.substr(0, name.find('@'));
      const bool matches = fold_case(local).find(fold_case(word)) != std::string::npos ||
                           fold_case(title).find(fold_case(word)) != std::string::npos;
      if (rules.visible(who, name) && matches) all.emplace_back(address(name), name);
    }
    std::ranges::sort(all);
    Answer answer;
    answer.count = all.size();
    const bool named = page.anchor == Anchor::after || page.anchor == Anchor::before;
    answer.found = !named || (known_.contains(page.id) && rules.visible(who, page.id));
    if (!answer.found) return answer;
    std::size_t begin = 0;
    std::size_t end = all.size();
    const auto position = [&all](const std::string& at, bool behind) {
      std::size_t count = 0;
      for (const auto& entry : all) count += entry.first < at || (behind && entry.first == at);
      return count;
    };
    if (page.anchor == Anchor::after) begin = position(address(page.id), true);
    if (page.anchor == Anchor::before) end = position(address(page.id), false);
    if (page.anchor == Anchor::index) begin = std::min(page.index, end);
    const bool backward = page.anchor == Anchor::before || page.anchor == Anchor::last;
    if (backward) begin = end - std::min(end, page.maximum);
    end = std::min(end, begin + page.maximum);
    answer.first = begin;
    for (std::size_t i = begin; i < end; ++i) {
      answer.entries.emplace_back(all[i].second, active_.at(all[i].second));
    }
    return answer;
  }

 private:
  static std::string address(const std::string& name) {
    return name.find('@') == std::string::npos ? name + "@" + std::string(kHome) : name;
  }
  std::map<std::string, std::string> active_;
  std::set<std::string> known_;
};

policy::Policy rules(int variant) {
  policy::Configuration configuration;
  const std::vector<std::vector<std::string>> lists = {
      {"*"}, {"a*", "!ab*"}, {"*b", "c.*", "*@*"}, {"a", "b", "c"}, {"*", "!*@*"}};
  for (std::size_t i = 0; i < lists.size(); ++i) {
    policy::Grant grant;
    grant.principals = {"key:" + std::to_string(i)};
    grant.endpoints = lists[(i + static_cast<std::size_t>(variant)) % lists.size()];
    grant.visible = true;
    configuration.grants.push_back(grant);
  }
  return *policy::Policy::compile(std::move(configuration));
}

TEST(DirectoryModel, RandomLivesAgreeWithASortedVector) {
  std::mt19937 random(20'261'130);
  const auto below = [&random](std::size_t n) { return random() % n; };
  const auto random_name = [&below] {
    constexpr std::string_view kLetters = "abc-.";
    std::string name(1, kLetters[below(3)]);
    while (below(3) != 0) name.push_back(kLetters[below(kLetters.size())]);
    if (below(6) == 0) name.append(below(2) == 0 ? "@aa.test" : "@zz.test");
    return name;
  };
  const std::vector<std::string> titles = {"", "Help", "HELPER", "\u00C9t\u00E9", "a title"};
  const std::vector<std::string> words = {"", "help", "\u00E9T", "ab", "title"};

  std::size_t pages = 0;
  for (int life = 0; life < 60; ++life) {
    Directory directory{std::string(kHome)};
    Naive naive;
    int variant = 0;
    policy::Policy policy = rules(variant);
    for (int step = 0; step < 250; ++step) {
      const auto action = below(20);
      const std::string name = random_name();
      if (action < 7) {
        const std::string& title = titles[below(titles.size())];
        directory.activate(name, title);
        naive.activate(name, title);
      } else if (action < 10) {
        directory.deactivate(name);
        naive.deactivate(name);
      } else if (action == 10) {
        policy = rules(++variant);
        if (below(2) == 0) directory.forget_classes();
      } else {
        const Principal who("key:" + std::to_string(below(6)));
        PageRequest page;
        page.anchor = static_cast<Anchor>(below(5));
        page.id = name;
        page.index = below(40);
        page.maximum = below(12);
        const std::string& word = words[below(words.size())];
        const auto expected = naive.list(policy, who, word, page);
        const auto found = word.empty() && below(2) == 0
                               ? directory.list(policy.visibility_class(who), page)
                               : directory.search(policy.visibility_class(who), word, page);
        ASSERT_EQ(found.has_value(), expected.found) << name;
        if (!found) continue;
        ++pages;
        ASSERT_EQ(found->count, expected.count);
        ASSERT_EQ(found->entries.size(), expected.entries.size());
        if (!expected.entries.empty()) {
          ASSERT_EQ(found->first_index, expected.first);
        }
        for (std::size_t i = 0; i < found->entries.size(); ++i) {
          ASSERT_EQ(found->entries[i].name, expected.entries[i].first);
          ASSERT_EQ(found->entries[i].title, expected.entries[i].second);
        }
      }
    }
  }
  EXPECT_GT(pages, 4'000U);
}

}  // namespace
}  // namespace interline::catalog
