#include "schema/pattern_dfa.hpp"

#include <algorithm>

#include "base/utf8.hpp"
#include "schema/pattern_budget.hpp"
#include "schema/pattern_determinise.hpp"

namespace interline::schema::pattern {

std::optional<Dfa> Dfa::build(const Nfa& nfa, std::size_t max_bytes, std::size_t max_work,
                              std::size_t& work) {
  const auto whole = determinise(nfa, max_bytes, max_work, work);
  if (!whole) return std::nullopt;
  work += whole->targets.size();
  TransitionTable table = trim(*whole);
  Dfa dfa;
  dfa.stride_ = table.stride;
  dfa.start_ = table.start * table.stride;
  dfa.chains_end_ = table.chains_end * table.stride;
  dfa.loops_end_ = table.loops_end * table.stride;
  dfa.table_ = std::move(table.targets);
  for (Row& target : dfa.table_) target *= dfa.stride_;
  dfa.alphabet_ = nfa.alphabet;
  dfa.alphabet_.forget_members();
  return dfa;
}

/// The three ways to read ASCII. Each reads at least one character, and goes on while it is the
/// right one, up to `end` and to the first character beyond ASCII.
class Dfa::AsciiReader {
 public:
  AsciiReader(const Dfa& dfa, Place place, const char* end)
      : dfa_(dfa), table_(dfa.table_.data()), at_(place.at), end_(end), row_(place.row) {}

  Place read() {
    while (row_ > dfa_.stride_ && is_ascii()) {
      if (row_ < dfa_.chains_end_) {
        along_chain();
      } else if (row_ < dfa_.loops_end_) {
        round_loop();
      } else {
        step_by_step();
      }
    }
    return {at_, row_};
  }

 private:
  [[nodiscard]] bool is_ascii() const {
    return at_ < end_ && static_cast<unsigned char>(*at_) < 0x80;
  }
  [[nodiscard]] Symbol symbol() const {
    return dfa_.alphabet_.of_ascii(static_cast<unsigned char>(*at_));
  }

  /// Only one row can follow, if any: the next in the table. So it is guessed rather than waited
  /// for, and the processor looks up several characters at once.
  void along_chain() {
    while (is_ascii() && row_ < dfa_.chains_end_) {
      const Row next = table_[row_ + symbol()];
      ++at_;
      if (next != row_ + dfa_.stride_) {
        row_ = next;
        return;
      }
      row_ += dfa_.stride_;
    }
  }

  /// The row is guessed to stay what it is.
  void round_loop() {
    const Row* const targets = table_ + row_;
    while (is_ascii()) {
      const Row next = targets[symbol()];
      ++at_;
      if (next != row_) {
        row_ = next;
        return;
      }
    }
  }

  /// Nothing is guessed, unless the row has stayed what it is for a while.
  void step_by_step() {
    const Row before = row_;
    for (int i = 0; i < 16; ++i) {
      if (!is_ascii()) return;
      const Row* const column = table_ + symbol();
      row_ = column[row_];
      ++at_;
      if (row_ < dfa_.loops_end_) return;
    }
    if (row_ == before) round_loop();
  }

  const Dfa& dfa_;
  const Row* table_;
  const char* at_;
  const char* end_;
  Row row_;
};

Dfa::Place Dfa::read_beyond_ascii(Place place, const char* end) const {
  Stretch here{1, 0, 0};  // most characters are neighbours of the one before
  while (place.row > stride_ && place.at < end && static_cast<unsigned char>(*place.at) >= 0x80) {
    const Utf8CodePoint next = decode_valid_utf8(place.at);
    if (next.value < here.first || next.value > here.last) here = alphabet_.stretch(next.value);
    place.row = table_[place.row + here.symbol];
    place.at += next.size;
  }
  return place;
}

Match Dfa::search(std::string_view text, std::size_t& steps) const {
  // What lies beyond the budget need not be looked at.
  const std::size_t affordable =
      steps > text.size() / kCharactersPerStep ? text.size() : steps * kCharactersPerStep;
  const char* const end = text.data() + affordable;
  const Row accept = stride_;
  Place place{text.data(), start_};
  while (place.row > accept && place.at < end) {
    place = AsciiReader(*this, place, end).read();
    place = read_beyond_ascii(place, end);
  }
  if (place.row > accept) {
    if (affordable < text.size()) return charge(steps, steps + 1, Match::no);
    place.row = table_[place.row + stride_ - 1];
  }
  const auto taken = static_cast<std::size_t>(place.at - text.data());
  return charge(steps, scan_cost(taken), place.row == accept ? Match::yes : Match::no);
}

}  // namespace interline::schema::pattern
