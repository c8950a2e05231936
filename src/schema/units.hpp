// What a Collector gathers: the tree of Core 12.4.3, an evaluated schema or keyword a unit.
// Locations are kept as steps and become text only for the units that are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "schema/model.hpp"

namespace interline::schema {

/// One token of a JSON Pointer, or none.
struct Token {
  enum class Kind : std::uint8_t { none, name, index };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
  std::string_view name;

  [[nodiscard]] static Token of_name(std::string_view name) { return {Kind::name, 0, name}; }
  [[nodiscard]] static Token of_index(std::size_t index) {
    return {Kind::index, static_cast<std::uint32_t>(index), {}};
  }
};

struct Unit {
  std::uint32_t parent = kNone;
  NodeId node = kNoNode;     ///< the schema, or the one that has the keyword
  std::string_view keyword;  ///< of a keyword's unit; empty for a schema's
  Token schema_token;        ///< from the parent's keyword location to this one
  Token instance_token;      ///< from the parent's instance location to this one
  std::string error;         ///< not empty: what failed here
  std::string annotation;    ///< not empty: JSON text
};

/// In the order of evaluation; a parent stands before its children.
using Units = std::vector<Unit>;

/// JSON Pointers of at most `limit` bytes, cut in the middle with "...".
[[nodiscard]] std::string keyword_location(const Units& units, std::uint32_t unit,
                                           std::size_t limit);
[[nodiscard]] std::string instance_location(const Units& units, std::uint32_t unit,
                                            std::size_t limit);

/// The URI of the keyword or schema; "" where its resource has no absolute URI, or the URI would be
/// longer than the limit.
[[nodiscard]] std::string absolute_location(const Model& model, const Unit& unit,
                                            std::size_t limit);

}  // namespace interline::schema
