#include "cli/schema_input.hpp"

#include <array>
#include <map>
#include <string_view>
#include <utility>

#include "schema/registration.hpp"

namespace interline::cli {
namespace {

struct CodeRow {
  std::string_view word;
  std::string_view advice;
};

// In the order of schema::CompileErrorCode.
constexpr std::array<CodeRow, 10> kCodes = {{
    {"not_a_schema", "a schema is an object, true or false"},
    {"invalid_keyword", ""},  // the message says all
    {"unsupported_dialect", "let $schema name 2020-12 or draft-07, or leave it out for 2020-12"},
    {"unsupported_vocabulary",
     "leave the vocabulary out, or set it to false where it may be ignored"},
    {"unsupported_keyword", ""},
    {"unresolved_reference", "give the document it names with --document FILE"},
    {"endless_loop", "a reference has to come with something that goes deeper"},
    {"invalid_pattern", "patterns are ECMA-262 with the u flag"},
    {"duplicate_identifier", "each $id, $anchor and $dynamicAnchor is given once"},
    {"too_large", "make the schema smaller"},
}};
static_assert(kCodes.size() == static_cast<std::size_t>(schema::CompileErrorCode::too_large) + 1);

const CodeRow& row_of(schema::CompileErrorCode code) {
  return kCodes.at(static_cast<std::size_t>(code));
}

/// What to do next. A tool's schema has one dialect, where a schema has two to choose from.
std::string_view advice_for(const schema::CompileError& error, bool for_tool) {
  if (for_tool && error.code == schema::CompileErrorCode::unsupported_dialect) {
    return "a tool's schema is one of 2020-12";
  }
  return row_of(error.code).advice;
}

std::string sentence(const std::string& path, const schema::CompileError& error, bool for_tool) {
  const std::string_view advice = advice_for(error, for_tool);
  return display_name(path) + ": " + to_string(error) + (advice.empty() ? "" : "; ") +
         std::string(advice);
}

/// The URI that references name a document by: its $id, without an empty fragment; "" if it has
/// none that stands alone.
std::string identifier_of(const json::Document& document) {
  const json::Value* id = document.root().find("$id");
  std::string uri(id == nullptr ? std::string_view() : id->get_string().value_or(""));
  if (uri.ends_with('#')) uri.pop_back();
  const bool absolute = uri.find(':') != std::string::npos && uri.find('#') == std::string::npos;
  return absolute ? uri : std::string();
}

SchemaFailure failure(const InputFailure& input) {
  return {input.unreadable ? kUsage : kNo, input.message, std::nullopt};
}

using Documents = std::map<std::string, json::Document, std::less<>>;

std::expected<Documents, SchemaFailure> load_documents(const std::vector<std::string>& paths,
                                                       const json::Limits& limits) {
  Documents found;
  for (const std::string& path : paths) {
    auto document = load_json(path, limits);
    if (!document) return std::unexpected(failure(document.error()));
    std::string id = identifier_of(*document);
    if (id.empty()) {
      return std::unexpected(
          SchemaFailure{kUsage, path + ": has no absolute $id that a reference could name", {}});
    }
    if (!found.emplace(std::move(id), std::move(*document)).second) {
      return std::unexpected(SchemaFailure{kUsage, path + ": another document has its $id", {}});
    }
  }
  return found;
}

}  // namespace

void SchemaInput::declare(Arguments& arguments) {
  arguments.required("SCHEMA", path_,
                     "A JSON Schema, 2020-12 or draft-07 by its $schema; - is stdin");
  arguments.list("--document", documents_,
                 "A schema file that references may name by its $id; nothing is ever fetched");
  arguments.flag("--format", format_, "Let `format` decide, instead of only annotating");
  limits_.declare(arguments);
}

std::expected<schema::Schema, SchemaFailure> SchemaInput::compile(const std::string& tool) const {
  const auto documents = load_documents(documents_, limits());
  if (!documents) return std::unexpected(documents.error());
  const auto document = load_json(path_, limits());
  if (!document) return std::unexpected(failure(document.error()));

  schema::CompileOptions options;
  options.assert_format = format_;
  options.documents = [&documents](std::string_view uri) -> const json::Value* {
    const auto found = documents->find(uri);
    return found == documents->end() ? nullptr : &found->second.root();
  };
  auto compiled =
      tool.empty()
          ? schema::Schema::compile(document->root(), options)
          : schema::compile_for_registration(
                document->root(),
                tool == "input" ? schema::Direction::input : schema::Direction::output, options);
  if (!compiled) {
    return std::unexpected(
        SchemaFailure{kNo, sentence(path_, compiled.error(), !tool.empty()), compiled.error()});
  }
  return std::move(*compiled);
}

std::string_view word_of(schema::CompileErrorCode code) {
  return row_of(code).word;
}

std::string_view word_of(schema::Dialect dialect) {
  return dialect == schema::Dialect::draft_07 ? "draft-07" : "2020-12";
}

}  // namespace interline::cli
