// Sets of code points, as a regular expression's classes and escapes denote them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace interline::schema::pattern {

inline constexpr char32_t kLastCodePoint = 0x10FFFF;

/// Both ends belong to the range.
struct CodePointRange {
  char32_t first;
  char32_t last;
  friend bool operator==(const CodePointRange&, const CodePointRange&) = default;
};

/// An immutable set: ranges in ascending order, neither overlapping nor adjacent, so that equal
/// sets have equal ranges.
class CodePointSet {
 public:
  CodePointSet() = default;
  /// `ranges` in any order, overlapping or not; each with first <= last <= kLastCodePoint.
  explicit CodePointSet(std::vector<CodePointRange> ranges);

  [[nodiscard]] std::span<const CodePointRange> ranges() const { return ranges_; }
  [[nodiscard]] bool contains(char32_t code_point) const;
  [[nodiscard]] CodePointSet complement() const;
  [[nodiscard]] std::uint64_t hash() const;
  [[nodiscard]] std::size_t memory() const { return ranges_.capacity() * sizeof(CodePointRange); }

  friend bool operator==(const CodePointSet&, const CodePointSet&) = default;

 private:
  std::vector<CodePointRange> ranges_;
};

/// The sets that ECMA-262 22.2.2.9 (CharacterClassEscape) and 22.2.2.7 (Atom `.`) define.
[[nodiscard]] const CodePointSet& digits();           ///< \d
[[nodiscard]] const CodePointSet& white_space();      ///< \s: WhiteSpace and LineTerminator
[[nodiscard]] const CodePointSet& word_characters();  ///< \w without the i flag: ASCII alone
[[nodiscard]] const CodePointSet& line_terminators();

/// WordCharacters(rer) without the i flag, ECMA-262 22.2.2.9.3.
[[nodiscard]] constexpr bool is_word_character(char32_t c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

}  // namespace interline::schema::pattern
