// The symbols an automaton tells apart: code points that belong to exactly the same sets of one
// expression are one symbol. Most expressions need fewer than ten.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/utf8.hpp"
#include "schema/pattern_class.hpp"

namespace interline::schema::pattern {

using Symbol = std::uint16_t;

/// What stands on one side of a position, as assertions see it.
enum class Edge : std::uint8_t { other, word, text };  ///< a character, a \w, or nothing

/// Both ends belong to it.
struct Stretch {
  char32_t first;
  char32_t last;
  Symbol symbol;
};

class Alphabet {
 public:
  Alphabet() = default;
  /// Of the sets only the `used` ones count; with `tell_words`, \w does too. Linear in the ranges
  /// of the sets, except that each set visits the stretches that it covers; `work` grows by that.
  /// More symbols than Symbol can count, or more work than `limit`: size() is 0.
  Alphabet(std::span<const CodePointSet> sets, const std::vector<bool>& used,
           std::span<const char32_t> characters, bool tell_words, std::size_t& work,
           std::size_t limit);

  [[nodiscard]] std::size_t size() const { return symbols_; }

  [[nodiscard]] Symbol of(char32_t code_point) const {
    return code_point < ascii_.size() ? ascii_[code_point] : stretch(code_point).symbol;
  }
  [[nodiscard]] Symbol of_ascii(unsigned char byte) const { return ascii_[byte]; }
  /// The code points around one beyond ASCII that are the same symbol.
  [[nodiscard]] Stretch stretch(char32_t code_point) const {
    const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), code_point);
    const auto index = static_cast<std::size_t>(after - starts_.begin()) - 1;
    return {starts_[index], after == starts_.end() ? kLastCodePoint : *after - 1,
            symbols_at_[index]};
  }

  [[nodiscard]] bool contains(std::size_t set, Symbol symbol) const {
    return members_[set * symbols_ + symbol];
  }
  /// Only where words are told apart; else `other`.
  [[nodiscard]] Edge edge_of(Symbol symbol) const { return edges_[symbol]; }

  [[nodiscard]] std::size_t memory() const;

  /// Drops what only building an automaton and simulating one need.
  void forget_members();

 private:
  void assign_symbols(std::span<const char32_t> cuts, std::span<const std::uint32_t> classes,
                      bool tell_words);

  std::size_t symbols_ = 0;
  std::array<Symbol, 128> ascii_{};
  std::vector<char32_t> starts_;    ///< of stretches beyond ASCII; the first is U+0080
  std::vector<Symbol> symbols_at_;  ///< beside starts_
  std::vector<bool> members_;       ///< a row of symbols for each set
  std::vector<Edge> edges_;         ///< by symbol
};

}  // namespace interline::schema::pattern
