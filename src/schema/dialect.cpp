#include "schema/dialect.hpp"

#include <array>

namespace interline::schema {
namespace {

struct VocabularyRow {
  std::string_view uri;
  Vocabulary vocabulary;
  bool standard;  ///< in the 2020-12 meta-schema
};

using enum Vocabulary;
constexpr auto kVocabularies = std::to_array<VocabularyRow>({
    {"https://json-schema.org/draft/2020-12/vocab/core", core, true},
    {"https://json-schema.org/draft/2020-12/vocab/applicator", applicator, true},
    {"https://json-schema.org/draft/2020-12/vocab/unevaluated", unevaluated, true},
    {"https://json-schema.org/draft/2020-12/vocab/validation", validation, true},
    {"https://json-schema.org/draft/2020-12/vocab/meta-data", meta_data, true},
    {"https://json-schema.org/draft/2020-12/vocab/format-annotation", format_annotation, true},
    {"https://json-schema.org/draft/2020-12/vocab/format-assertion", format_assertion, false},
    {"https://json-schema.org/draft/2020-12/vocab/content", content, true},
});

constexpr std::string_view kDraft202012 = "https://json-schema.org/draft/2020-12/schema";
constexpr std::string_view kDraft07 = "http://json-schema.org/draft-07/schema";
constexpr std::string_view kDraft07Https = "https://json-schema.org/draft-07/schema";

}  // namespace

std::string_view uri_of(Dialect dialect) {
  return dialect == Dialect::draft_07 ? "http://json-schema.org/draft-07/schema#" : kDraft202012;
}

ResourceDialect standard_dialect(Dialect base) {
  ResourceDialect dialect{.base = base};
  for (const VocabularyRow& row : kVocabularies) {
    if (row.standard) dialect.vocabularies.add(row.vocabulary);
  }
  return dialect;
}

std::optional<Dialect> builtin_dialect(std::string_view schema_uri) {
  if (schema_uri.ends_with('#')) schema_uri.remove_suffix(1);
  if (schema_uri == kDraft202012) return Dialect::draft_2020_12;
  if (schema_uri == kDraft07 || schema_uri == kDraft07Https) return Dialect::draft_07;
  return std::nullopt;
}

std::optional<Vocabulary> vocabulary_named(std::string_view uri) {
  for (const VocabularyRow& row : kVocabularies) {
    if (row.uri == uri) return row.vocabulary;
  }
  return std::nullopt;
}

std::expected<ResourceDialect, std::string> dialect_of_vocabularies(const json::Value* vocabulary) {
  if (vocabulary == nullptr) return standard_dialect(Dialect::draft_2020_12);
  ResourceDialect dialect{.base = Dialect::draft_2020_12};
  dialect.vocabularies.add(core);  // Core 8.1.2.1: always on
  for (const json::Member& member : vocabulary->members()) {
    const bool required = member.value.get_bool().value_or(true);
    const std::optional<Vocabulary> known = vocabulary_named(member.name());
    if (!known) {
      if (required) return std::unexpected(std::string(member.name()));
      continue;
    }
    dialect.vocabularies.add(*known);
    // Validation 7.2.2: asserting is allowed whenever the vocabulary is named, and due when it is
    // required; then unknown formats must fail, too.
    if (*known == format_assertion) {
      dialect.asserts_format = true;
      dialect.refuses_unknown_formats = required;
    }
  }
  return dialect;
}

const KeywordRow* find_keyword(std::string_view name, const ResourceDialect& dialect) {
  const KeywordRow* row = find_keyword(name, dialect.base);
  if (row == nullptr) return nullptr;
  const bool on = dialect.vocabularies.has(row->vocabulary) ||
                  (row->id == KeywordId::format && dialect.vocabularies.has(format_assertion));
  return on ? row : nullptr;
}

}  // namespace interline::schema
