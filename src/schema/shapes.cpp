#include "schema/shapes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace interline::schema {
namespace {

constexpr std::array<std::string_view, 7> kTypes = {"array",  "boolean", "integer", "null",
                                                    "number", "object",  "string"};

bool is_type_name(const json::Value& value) {
  return value.is_string() && std::ranges::find(kTypes, value.as_string()) != kTypes.end();
}

bool is_string_set(const json::Value& value) {
  if (!value.is_array()) return false;
  std::unordered_set<std::string_view> seen;
  return std::ranges::all_of(value.items(), [&](const json::Value& item) {
    return item.is_string() && seen.insert(item.as_string()).second;
  });
}

bool is_types(const json::Value& value) {
  if (value.is_string()) return is_type_name(value);
  return is_string_set(value) && value.size() > 0 &&
         std::ranges::all_of(value.items(), is_type_name);
}

bool is_count(const json::Value& value) {
  return value.is_number() && value.as_double() >= 0 &&
         std::trunc(value.as_double()) == value.as_double();
}

bool is_string_set_map(const json::Value& value) {
  return value.is_object() && std::ranges::all_of(value.members(), [](const json::Member& member) {
           return is_string_set(member.value);
         });
}

bool is_vocabularies(const json::Value& value) {
  return value.is_object() && std::ranges::all_of(value.members(), [](const json::Member& member) {
           return member.value.is_boolean();
         });
}

/// draft-07 lets an $id carry an anchor, 2020-12 (Core 8.2.1) at most an empty fragment.
bool is_identifier(const json::Value& value, Dialect dialect) {
  if (!value.is_string()) return false;
  if (dialect == Dialect::draft_07) return true;
  const std::size_t hash = value.as_string().find('#');
  return hash == std::string_view::npos || hash + 1 == value.as_string().size();
}

std::optional<std::string_view> unless(bool good, std::string_view expected) {
  if (good) return std::nullopt;
  return expected;
}

std::optional<std::string_view> holder_mismatch(Holds holds, const json::Value& value) {
  const bool schema = value.is_object() || value.is_boolean();
  switch (holds) {
    case Holds::nothing:
      return std::nullopt;
    case Holds::schema:
      return unless(schema, "must be a schema: an object or a boolean");
    case Holds::schema_array:
      return unless(value.is_array() && value.size() > 0, "must be a non-empty array of schemas");
    case Holds::schema_map:
      return unless(value.is_object(), "must be an object of schemas");
    case Holds::pattern_map:
      return unless(value.is_object(),
                    "must be an object of schemas whose names are regular expressions");
    case Holds::items:
      return unless(schema || (value.is_array() && value.size() > 0),
                    "must be a schema or a non-empty array of schemas");
    case Holds::dependencies:
      return unless(value.is_object(), "must be an object of schemas and arrays of names");
  }
  return std::nullopt;
}

}  // namespace

bool is_anchor_name(std::string_view text) {
  const auto letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  if (text.empty() || !letter(text.front())) return false;
  return std::ranges::all_of(
      text, [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-' || c == '.'; });
}

std::uint64_t count_of(const json::Value& value) {
  const double number = value.as_double();
  constexpr double kTwo63 = 9223372036854775808.0;
  return number >= kTwo63 ? std::numeric_limits<std::uint64_t>::max()
                          : static_cast<std::uint64_t>(number);
}

std::optional<std::string_view> shape_mismatch(const KeywordRow& row, Dialect dialect,
                                               const json::Value& value) {
  switch (row.shape) {
    case Shape::anything:
      return std::nullopt;
    case Shape::string:
      return unless(value.is_string(), "must be a string");
    case Shape::anchor:
      return unless(value.is_string() && is_anchor_name(value.as_string()),
                    "must be a name: a letter or _, then letters, digits and - . _");
    case Shape::identifier:
      return unless(is_identifier(value, dialect), "must be a URI reference without fragment");
    case Shape::boolean:
      return unless(value.is_boolean(), "must be a boolean");
    case Shape::number:
      return unless(value.is_number(), "must be a number");
    case Shape::positive_number:
      return unless(value.is_number() && value.as_double() > 0, "must be a number above 0");
    case Shape::count:
      return unless(is_count(value), "must be a non-negative integer");
    case Shape::types:
      return unless(is_types(value),
                    "must be one of array, boolean, integer, null, number, object, string, or a "
                    "non-empty array of different ones");
    case Shape::array:
      return unless(value.is_array(), "must be an array");
    case Shape::string_set:
      return unless(is_string_set(value), "must be an array of different strings");
    case Shape::string_set_map:
      return unless(is_string_set_map(value), "must be an object of arrays of different strings");
    case Shape::vocabularies:
      return unless(is_vocabularies(value), "must be an object of booleans");
    case Shape::subschemas:
      break;
  }
  // An `items` array is draft-07's alone: in 2020-12 it is `prefixItems`.
  if (row.holds == Holds::items && dialect == Dialect::draft_2020_12) {
    return unless(value.is_object() || value.is_boolean(),
                  "must be a schema (an array of schemas is written as prefixItems)");
  }
  return holder_mismatch(row.holds, value);
}

}  // namespace interline::schema
