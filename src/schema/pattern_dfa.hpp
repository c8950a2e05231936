// The deterministic automaton of a regular expression: one table look-up a character, and an end as
// soon as nothing that follows could change the answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "schema/pattern.hpp"
#include "schema/pattern_nfa.hpp"

namespace interline::schema::pattern {

class Dfa {
 public:
  /// Nothing where the table would take more than `max_bytes` or building it more than `max_work`
  /// (`work` grows by what it took, also then).
  [[nodiscard]] static std::optional<Dfa> build(const Nfa& nfa, std::size_t max_bytes,
                                                std::size_t max_work, std::size_t& work);

  [[nodiscard]] Match search(std::string_view text, std::size_t& steps) const;

  [[nodiscard]] std::size_t memory() const {
    return table_.capacity() * sizeof(std::uint32_t) + alphabet_.memory();
  }
  [[nodiscard]] std::size_t states() const { return table_.size() / stride_; }

 private:
  Dfa() = default;

  /// Where a state's row begins in the table. Row 0 is the state from which nothing matches any
  /// more, row 1 the one that has matched; both stay what they are.
  using Row = std::uint32_t;

  struct Place {
    const char* at;
    Row row;
  };
  class AsciiReader;
  [[nodiscard]] Place read_beyond_ascii(Place place, const char* end) const;

  std::uint32_t stride_ = 0;  ///< entries in a row: one a symbol, and one for the end of the text
  Row start_ = 0;
  Row chains_end_ = 0;  ///< rows before it: see TransitionTable::chains_end
  Row loops_end_ = 0;   ///< and between the two: TransitionTable::loops_end
  std::vector<Row> table_;
  Alphabet alphabet_;
};

}  // namespace interline::schema::pattern
