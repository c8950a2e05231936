// For tests: expressions and subjects made at random from a seed, valid and invalid ones.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace interline::schema::pattern {

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : random_(seed) {}

  /// Mostly valid, by the grammar; one in four is damaged afterwards.
  [[nodiscard]] std::string expression();
  /// Syntax thrown together: mostly invalid.
  [[nodiscard]] std::string token_soup();
  /// Over the few characters that the last expression was made of, so that it often matches.
  [[nodiscard]] std::string subject();

 private:
  [[nodiscard]] std::size_t below(std::size_t bound) { return random_() % bound; }
  [[nodiscard]] bool one_in(std::size_t n) { return below(n) == 0; }
  template <class Table>
  [[nodiscard]] auto any(const Table& table) {
    return table[below(std::size(table))];
  }

  void disjunction(std::size_t depth);
  void term(std::size_t depth);
  void group(std::size_t depth);
  void character();
  void character_class();
  void back_reference();
  void quantifier();
  void damage();

  std::mt19937_64 random_;
  std::string out_;
  std::vector<std::string_view> alphabet_;
  std::size_t groups_ = 0;
  std::vector<std::string> names_;
};

}  // namespace interline::schema::pattern
