// A compiled schema as its text has it: every subschema with its keywords, identifiers and
// references resolved, patterns compiled. reports and outputs are made from this; validate() runs a
// Program (program.hpp) that is lowered from it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "json/value.hpp"
#include "schema/dialect.hpp"
#include "schema/format.hpp"
#include "schema/keywords.hpp"
#include "schema/pattern.hpp"

namespace interline::schema {

using NodeId = std::uint32_t;
inline constexpr NodeId kNoNode = std::numeric_limits<NodeId>::max();
inline constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// How a subschema hangs below the one it is written in: `/keyword`, `/keyword/name`,
/// `/keyword/index`; or `name` is a whole pointer, already escaped, where the place is no subschema
/// by itself and a reference made it one.
struct Step {
  enum class Kind : std::uint8_t { root, keyword, name, index, pointer };
  Kind kind = Kind::root;
  std::uint32_t index = 0;
  std::string_view keyword{};
  std::string_view name{};
};

struct Child {
  NodeId node = kNoNode;
  std::uint32_t pattern = kNone;       ///< patternProperties: into Model::patterns
  std::string_view name{};             ///< properties and the like: the member's name
  const json::Value* names = nullptr;  ///< dependencies: the array, where there is no schema
};

struct Keyword {
  KeywordId id = KeywordId::annotation;
  std::string_view name{};
  const json::Value* value = nullptr;
  std::uint32_t first = 0;  ///< children, into Model::children
  std::uint32_t count = 0;
  std::uint32_t index = kNone;  ///< reference, pattern or Format, as the keyword has it
};

struct Node {
  const json::Value* schema = nullptr;  ///< an object or a boolean
  NodeId parent = kNoNode;
  Step step{};
  std::uint32_t resource = 0;
  std::uint32_t document = 0;
  std::uint32_t first_keyword = 0;
  std::uint32_t keyword_count = 0;
};

/// A schema resource (Core 4.3.5): a root or an embedded `$id`.
struct Resource {
  /// Without fragment; "" for a root without any, relative if it must be. In Model::uris.
  std::string_view uri;
  NodeId root = kNoNode;
  ResourceDialect dialect;
  std::map<std::string, NodeId, std::less<>> anchors;  ///< dynamic ones included
  std::map<std::string_view, NodeId> dynamic_anchors;
};

struct Reference {
  NodeId from = kNoNode;
  NodeId target = kNoNode;
  std::string_view text;
  std::string_view dynamic_anchor;  ///< not empty: resolved in the dynamic scope (Core 8.2.3.2)
  bool dynamic = false;             ///< written as $dynamicRef
};

/// The resources that have a $dynamicAnchor of one name, in their order.
using DynamicAnchors = std::vector<std::pair<std::uint32_t, NodeId>>;

struct LoadedDocument {
  std::string uri;
  json::Document document;
};

struct Model {
  std::deque<LoadedDocument> documents;
  std::vector<Resource> resources;
  std::vector<Node> nodes;
  std::vector<Keyword> keywords;
  std::vector<Child> children;
  std::vector<Reference> references;
  std::vector<Pattern> patterns;
  std::map<std::string_view, DynamicAnchors> dynamic_anchors;
  std::deque<std::string> uris;      ///< what Resource::uri looks at
  std::deque<std::string> pointers;  ///< what Step::Kind::pointer looks at
  NodeId root = kNoNode;
  bool has_unevaluated = false;
  std::size_t enum_values = 0;

  [[nodiscard]] std::span<const Keyword> keywords_of(NodeId node) const {
    const Node& n = nodes[node];
    return std::span(keywords).subspan(n.first_keyword, n.keyword_count);
  }
  [[nodiscard]] const Keyword* keyword_of(NodeId node, KeywordId id) const {
    for (const Keyword& keyword : keywords_of(node)) {
      if (keyword.id == id) return &keyword;
    }
    return nullptr;
  }
  [[nodiscard]] std::span<const Child> children_of(const Keyword& keyword) const {
    return std::span(children).subspan(keyword.first, keyword.count);
  }
  [[nodiscard]] std::size_t memory() const;
};

/// Appends a step as JSON Pointer tokens.
void append_step(std::string& pointer, const Step& step);
/// The JSON Pointer of a subschema from its document's root, or from its resource's root.
[[nodiscard]] std::string pointer_in_document(const Model& model, NodeId node);
[[nodiscard]] std::string pointer_in_resource(const Model& model, NodeId node);

}  // namespace interline::schema
