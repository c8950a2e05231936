// For tests: random JSON from a seed, and many spellings of one and the same value.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "json/value.hpp"

namespace interline::json::testing {

struct TreeMember;

/// A value apart from how it is spelled. Names are unique, as in I-JSON.
struct Tree {
  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<Tree> items;
  std::vector<TreeMember> members;
};

struct TreeMember {
  std::string name;
  Tree value;
};

class RandomJson {
 public:
  explicit RandomJson(std::uint64_t seed) : engine_(seed) {}

  [[nodiscard]] Tree tree(unsigned max_depth = 5);
  /// The tree as JSON text: white space, escapes, exponents and the order of members are chance,
  /// but every number is spelled as the same exact decimal.
  [[nodiscard]] std::string spell(const Tree& tree);
  [[nodiscard]] double number();
  [[nodiscard]] std::string text(std::size_t max_code_points);
  /// 0 to bound - 1.
  [[nodiscard]] std::size_t below(std::size_t bound) { return engine_() % bound; }

 private:
  void spell(const Tree& tree, std::string& out);
  void spell_number(double number, std::string& out);
  void spell_text(std::string_view text, std::string& out);
  void spell_object(const Tree& tree, std::string& out);
  void space(std::string& out);
  void fill_object(Tree& tree, unsigned max_depth);
  [[nodiscard]] bool one_in(std::size_t n) { return below(n) == 0; }
  [[nodiscard]] char32_t code_point();

  std::mt19937_64 engine_;
};

}  // namespace interline::json::testing
