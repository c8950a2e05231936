#include "schema/pattern_dfa.hpp"

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
  dfa.table_ = std::move(table.targets);
  for (Row& target : dfa.table_) target *= dfa.stride_;
  dfa.alphabet_ = nfa.alphabet;
  dfa.alphabet_.forget_members();
  return dfa;
}

Match Dfa::search(std::string_view text, std::size_t& steps) const {
  // What lies beyond the budget need not be looked at.
  const std::size_t affordable =
      steps > text.size() / kCharactersPerStep ? text.size() : steps * kCharactersPerStep;
  const char* const begin = text.data();
  const char* const end = begin + affordable;
  const char* at = begin;
  const Row accept = stride_;
  const Row* const table = table_.data();
  Row row = start_;
  while (row > accept && at < end) {
    const auto byte = static_cast<unsigned char>(*at);
    Symbol symbol = 0;
    if (byte < 0x80) {
      symbol = alphabet_.of_ascii(byte);
      ++at;
    } else {
      const Utf8CodePoint next = decode_valid_utf8(at);
      symbol = alphabet_.beyond_ascii(next.value);
      at += next.size;
    }
    row = table[row + symbol];
  }
  const auto taken = static_cast<std::size_t>(at - begin);
  if (row > accept) {
    if (affordable < text.size()) return charge(steps, steps + 1, Match::no);
    row = table[row + stride_ - 1];
  }
  return charge(steps, scan_cost(taken), row == accept ? Match::yes : Match::no);
}

}  // namespace interline::schema::pattern
