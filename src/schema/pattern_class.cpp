#include "schema/pattern_class.hpp"

#include <algorithm>

namespace interline::schema::pattern {

CodePointSet::CodePointSet(std::vector<CodePointRange> ranges) : ranges_(std::move(ranges)) {
  if (!std::ranges::is_sorted(ranges_, {}, &CodePointRange::first)) {
    std::ranges::sort(ranges_, {}, &CodePointRange::first);
  }
  std::size_t kept = 0;
  for (const CodePointRange range : ranges_) {
    if (kept > 0 && range.first <= ranges_[kept - 1].last + 1) {
      ranges_[kept - 1].last = std::max(ranges_[kept - 1].last, range.last);
    } else {
      ranges_[kept++] = range;
    }
  }
  ranges_.resize(kept);
  ranges_.shrink_to_fit();
}

bool CodePointSet::contains(char32_t code_point) const {
  const auto after = std::ranges::upper_bound(ranges_, code_point, {}, &CodePointRange::first);
  return after != ranges_.begin() && code_point <= std::prev(after)->last;
}

CodePointSet CodePointSet::complement() const {
  std::vector<CodePointRange> gaps;
  gaps.reserve(ranges_.size() + 1);
  char32_t next = 0;
  for (const CodePointRange range : ranges_) {
    if (range.first > next) gaps.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= kLastCodePoint) gaps.push_back({next, kLastCodePoint});
  return CodePointSet(std::move(gaps));
}

std::uint64_t CodePointSet::hash() const {
  std::uint64_t hash = 0xCBF2'9CE4'8422'2325;  // FNV-1a, a range at a time
  for (const CodePointRange range : ranges_) {
    hash = (hash ^ (std::uint64_t{range.first} << 32U | range.last)) * 0x100'0000'01B3;
  }
  return hash;
}

const CodePointSet& digits() {
  static const CodePointSet set({{'0', '9'}});
  return set;
}

const CodePointSet& white_space() {
  // Tables "White Space Code Points" (ECMA-262 12.2; USP is General_Category Zs, which is closed
  // enough to be written out: U+180E left it in Unicode 6.3 and none has joined since 5.1) and
  // "Line Terminator Code Points" (12.3).
  static const CodePointSet set({{'\t', '\r'},
                                 {' ', ' '},
                                 {0xA0, 0xA0},
                                 {0x1680, 0x1680},
                                 {0x2000, 0x200A},
                                 {0x2028, 0x2029},
                                 {0x202F, 0x202F},
                                 {0x205F, 0x205F},
                                 {0x3000, 0x3000},
                                 {0xFEFF, 0xFEFF}});
  return set;
}

const CodePointSet& word_characters() {
  static const CodePointSet set({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}});
  return set;
}

const CodePointSet& line_terminators() {
  static const CodePointSet set({{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}});
  return set;
}

}  // namespace interline::schema::pattern
