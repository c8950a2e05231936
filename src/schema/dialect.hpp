// What a schema resource is written in: the draft, and which vocabularies its meta-schema turns on
// (Core 8.1).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "json/value.hpp"
#include "schema/keywords.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

class VocabularySet {
 public:
  constexpr void add(Vocabulary vocabulary) { bits_ |= bit(vocabulary); }
  [[nodiscard]] constexpr bool has(Vocabulary vocabulary) const {
    return (bits_ & bit(vocabulary)) != 0;
  }
  friend constexpr bool operator==(VocabularySet, VocabularySet) = default;

 private:
  static constexpr std::uint32_t bit(Vocabulary vocabulary) {
    return 1U << static_cast<std::uint32_t>(vocabulary);
  }
  std::uint32_t bits_ = 0;
};

struct ResourceDialect {
  Dialect base = Dialect::draft_2020_12;
  VocabularySet vocabularies{};
  bool asserts_format = false;           ///< by vocabulary or by option
  bool refuses_unknown_formats = false;  ///< the format-assertion vocabulary is required

  friend bool operator==(const ResourceDialect&, const ResourceDialect&) = default;
};

/// The dialect as its own meta-schema describes it; `format` annotates.
[[nodiscard]] ResourceDialect standard_dialect(Dialect base);

/// The built-in dialect whose meta-schema has this URI (draft-07: http or https, with or without
/// the empty fragment).
[[nodiscard]] std::optional<Dialect> builtin_dialect(std::string_view schema_uri);

/// The vocabulary of that URI, if it is one of 2020-12's.
[[nodiscard]] std::optional<Vocabulary> vocabulary_named(std::string_view uri);

/// What `$vocabulary` of a custom 2020-12 meta-schema turns on; the error is the URI of a required
/// vocabulary that is not known. Without `$vocabulary` (nullptr): the standard dialect.
[[nodiscard]] std::expected<ResourceDialect, std::string> dialect_of_vocabularies(
    const json::Value* vocabulary);

/// The row, if the keyword exists in this dialect and its vocabulary is on.
[[nodiscard]] const KeywordRow* find_keyword(std::string_view name, const ResourceDialect& dialect);

}  // namespace interline::schema
