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

class Alphabet {
 public:
  Alphabet() = default;
  /// With `tell_words`, \w is one of the sets. Linear in the ranges of the sets, except that each
  /// set visits the stretches that it covers; `work` grows by that. More symbols than Symbol can
  /// count, or more work than `limit`: size() is 0.
  Alphabet(std::span<const CodePointSet> sets, std::span<const char32_t> characters,
           bool tell_words, std::size_t& work, std::size_t limit);

  [[nodiscard]] std::size_t size() const { return symbols_; }

  [[nodiscard]] Symbol of(char32_t code_point) const {
    return code_point < ascii_.size() ? ascii_[code_point] : beyond_ascii(code_point);
  }
  [[nodiscard]] Symbol of_ascii(unsigned char byte) const { return ascii_[byte]; }
  [[nodiscard]] Symbol beyond_ascii(char32_t code_point) const {
    const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), code_point);
    return symbols_at_[static_cast<std::size_t>(after - starts_.begin()) - 1];
  }
  /// Whether all characters beyond ASCII are the same symbol, so that none needs decoding.
  [[nodiscard]] bool is_flat_beyond_ascii() const { return starts_.size() == 1; }

  [[nodiscard]] bool contains(std::size_t set, Symbol symbol) const {
    return members_[set * symbols_ + symbol];
  }
  /// Only where words are told apart; else `other`.
  [[nodiscard]] Edge edge_of(Symbol symbol) const { return edges_[symbol]; }

  [[nodiscard]] std::size_t memory() const;

  /// Drops what only building an automaton and simulating one need.
  void forget_members();

 private:
  std::size_t symbols_ = 0;
  std::array<Symbol, 128> ascii_{};
  std::vector<char32_t> starts_;    ///< of stretches beyond ASCII; the first is U+0080
  std::vector<Symbol> symbols_at_;  ///< beside starts_
  std::vector<bool> members_;       ///< a row of symbols for each set
  std::vector<Edge> edges_;         ///< by symbol
};

}  // namespace interline::schema::pattern
