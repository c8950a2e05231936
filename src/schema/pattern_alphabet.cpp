#include "schema/pattern_alphabet.hpp"

#include <limits>
#include <utility>

namespace interline::schema::pattern {
namespace {

/// The code points, cut into stretches at every place where some set begins or ends, and the
/// stretches gathered into classes that no set tells apart.
class Partition {
 public:
  Partition(std::span<const std::pair<std::size_t, const CodePointSet*>> sets,
            std::span<const char32_t> characters) {
    cuts_ = {0, 0x80};
    for (const auto& [index, set] : sets) {
      for (const CodePointRange range : set->ranges()) {
        cuts_.push_back(range.first);
        cuts_.push_back(range.last + 1);
      }
    }
    for (const char32_t c : characters) {
      cuts_.push_back(c);
      cuts_.push_back(c + 1);
    }
    std::ranges::sort(cuts_);
    const auto repeated = std::ranges::unique(cuts_);
    cuts_.erase(repeated.begin(), repeated.end());
    if (cuts_.back() > kLastCodePoint) cuts_.pop_back();
    class_of_.assign(cuts_.size(), 0);
  }

  [[nodiscard]] std::span<const char32_t> cuts() const { return cuts_; }
  [[nodiscard]] std::span<const std::uint32_t> classes() const { return class_of_; }
  [[nodiscard]] std::uint32_t class_of(std::size_t stretch) const { return class_of_[stretch]; }

  template <class Visit>
  void for_each_stretch(CodePointRange range, Visit visit) const {
    const auto first = std::ranges::lower_bound(cuts_, range.first);
    for (auto i = static_cast<std::size_t>(first - cuts_.begin());
         i < cuts_.size() && cuts_[i] <= range.last; ++i) {
      visit(i);
    }
  }

  /// Parts what is inside the ranges from what is outside.
  std::size_t refine(std::span<const CodePointRange> ranges) {
    const std::uint32_t before = classes_;
    inside_.resize(classes_, kNone);
    std::size_t visited = 0;
    for (const CodePointRange range : ranges) {
      for_each_stretch(range, [&](std::size_t i) {
        std::uint32_t& now = inside_[class_of_[i]];
        if (now == kNone) {
          touched_.push_back(class_of_[i]);
          now = classes_++;
        }
        class_of_[i] = now;
        ++visited;
      });
    }
    for (const std::uint32_t c : touched_) inside_[c] = kNone;
    touched_.clear();
    return visited + (classes_ - before);
  }

  /// Numbers the classes that are left from 0, in the order of their first code points.
  std::uint32_t number() {
    std::vector<std::uint32_t> numbers(classes_, kNone);
    std::uint32_t count = 0;
    for (std::uint32_t& c : class_of_) {
      if (numbers[c] == kNone) numbers[c] = count++;
      c = numbers[c];
    }
    return count;
  }

 private:
  static constexpr std::uint32_t kNone = 0xFFFF'FFFF;
  std::vector<char32_t> cuts_;  ///< where each stretch begins
  std::vector<std::uint32_t> class_of_;
  std::uint32_t classes_ = 1;
  std::vector<std::uint32_t> inside_;   ///< old class -> its part inside the set at hand
  std::vector<std::uint32_t> touched_;  ///< entries of inside_ in use
};

}  // namespace

Alphabet::Alphabet(std::span<const CodePointSet> sets, const std::vector<bool>& used,
                   std::span<const char32_t> characters, bool tell_words, std::size_t& work,
                   std::size_t limit) {
  std::vector<std::pair<std::size_t, const CodePointSet*>> all;
  for (std::size_t set = 0; set < sets.size(); ++set) {
    if (used[set]) all.emplace_back(set, &sets[set]);
  }
  if (tell_words) all.emplace_back(sets.size(), &word_characters());
  Partition partition(all, characters);
  work += 4 * partition.cuts().size();
  for (const auto& [index, set] : all) {
    work += partition.refine(set->ranges());
    if (work > limit) return;
  }
  for (const char32_t c : characters) {
    const CodePointRange alone[] = {{c, c}};
    work += 8 + partition.refine(alone);
  }
  const std::size_t count = partition.number();
  if (work > limit || count >= std::numeric_limits<Symbol>::max()) return;

  members_.resize((sets.size() + 1) * count);
  for (const auto& [index, set] : all) {
    for (const CodePointRange range : set->ranges()) {
      partition.for_each_stretch(
          range, [&](std::size_t i) { members_[index * count + partition.class_of(i)] = true; });
    }
  }
  symbols_ = count;
  assign_symbols(partition.cuts(), partition.classes(), tell_words);
}

void Alphabet::assign_symbols(std::span<const char32_t> cuts,
                              std::span<const std::uint32_t> classes, bool tell_words) {
  edges_.assign(symbols_, Edge::other);
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const auto symbol = static_cast<Symbol>(classes[i]);
    if (tell_words && is_word_character(cuts[i])) edges_[symbol] = Edge::word;
    if (cuts[i] < ascii_.size()) {
      std::fill(ascii_.begin() + cuts[i], ascii_.end(), symbol);
    } else if (symbols_at_.empty() || symbols_at_.back() != symbol) {
      starts_.push_back(cuts[i]);
      symbols_at_.push_back(symbol);
    }
  }
}

std::size_t Alphabet::memory() const {
  return starts_.capacity() * sizeof(char32_t) + symbols_at_.capacity() * sizeof(Symbol) +
         members_.capacity() / 8 + edges_.capacity() * sizeof(Edge);
}

void Alphabet::forget_members() {
  members_ = {};
  edges_ = {};
}

}  // namespace interline::schema::pattern
