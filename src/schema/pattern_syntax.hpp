// The syntax tree of an ECMA-262 (2023) Pattern with [UnicodeMode] and [NamedCaptureGroups]
// (22.2.1), early errors (22.2.1.1) included.
#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <string_view>
#include <vector>

#include "schema/pattern.hpp"
#include "schema/pattern_class.hpp"

namespace interline::schema::pattern {

using NodeId = std::uint32_t;

/// As a quantifier's maximum: none. Counts too great for 32 bits are kMostRepeats: no text is long
/// enough to tell them apart.
inline constexpr std::uint32_t kNoMaximum = 0xFFFF'FFFF;
inline constexpr std::uint32_t kMostRepeats = 0xFFFF'FFFE;

/// Whatever PatternLimits::depth says: the compilers descend into groups.
inline constexpr std::size_t kDeepest = 500;

enum class NodeKind : std::uint8_t {
  empty,
  character,       ///< value: a code point
  set,             ///< value: an index into Syntax::sets
  sequence,        ///< children, in the order of the text
  alternation,     ///< children, in the order of preference
  repeat,          ///< one child
  capture,         ///< one child; value: the group's number, from 1
  assertion,       ///< value: an Assertion
  look,            ///< one child; behind, negative
  back_reference,  ///< value: the group's number
};

enum class Assertion : std::uint32_t { text_start, text_end, word_boundary, no_word_boundary };

struct Node {
  NodeKind kind = NodeKind::empty;
  bool greedy = true;        ///< repeat
  bool behind = false;       ///< look
  bool negative = false;     ///< look
  bool may_be_empty = true;  ///< could match without taking a character
  bool is_empty = true;      ///< never takes a character
  bool regular = true;       ///< neither look-around nor back-reference, here or inside
  bool anchored = false;     ///< matches at the start of the text or not at all
  std::uint32_t value = 0;
  std::uint32_t first_child = 0;  ///< into Syntax::children
  std::uint32_t children = 0;
  std::uint32_t min = 0;            ///< repeat
  std::uint32_t max = 0;            ///< repeat; at least min, or kNoMaximum
  std::uint32_t first_capture = 0;  ///< repeat: the groups inside are first_capture + 1, ...
  std::uint32_t captures = 0;       ///< repeat: how many they are
};

/// Children stand before their parents in `nodes`.
struct Syntax {
  std::vector<Node> nodes;
  std::vector<NodeId> children;
  std::vector<CodePointSet> sets;  ///< no two are equal
  NodeId root = 0;
  std::uint32_t captures = 0;
  std::uint32_t depth = 0;  ///< groups inside each other
  std::size_t work = 0;     ///< what parsing cost, in units of PatternLimits::work

  [[nodiscard]] std::span<const NodeId> children_of(const Node& node) const {
    return std::span(children).subspan(node.first_child, node.children);
  }
  [[nodiscard]] bool is_assertion(NodeId id, Assertion which) const {
    return nodes[id].kind == NodeKind::assertion &&
           nodes[id].value == static_cast<std::uint32_t>(which);
  }
  /// Adds a node, and derives what it can match from its children.
  NodeId add(Node node, std::span<const NodeId> with_children);
};

/// Linear in the expression and in the sets it names. Uses no stack in proportion to the input.
[[nodiscard]] std::expected<Syntax, PatternError> parse(std::string_view expression,
                                                        const PatternLimits& limits);

}  // namespace interline::schema::pattern
