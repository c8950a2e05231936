// Short words for the tests of this folder.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "schema/schema.hpp"

namespace interline::schema::testing {

inline json::Document parsed(std::string_view text) {
  json::Limits limits;
  limits.depth = 10'000;
  limits.bytes = 64U << 20U;
  limits.string_bytes = limits.bytes;
  limits.members = 1'000'000;
  limits.elements = 1'000'000;
  limits.nodes = 10'000'000;
  auto document = json::parse(text, limits, json::Numbers::faithful);
  EXPECT_TRUE(document) << json::to_string(document.error()) << " in " << text.substr(0, 200);
  return std::move(*document);
}

inline std::expected<Schema, CompileError> compiled(std::string_view text,
                                                    const CompileOptions& options = {}) {
  const json::Document document = parsed(text);
  return Schema::compile(document.root(), options);
}

/// A schema that must compile.
inline Schema schema_of(std::string_view text, const CompileOptions& options = {}) {
  auto schema = compiled(text, options);
  EXPECT_TRUE(schema) << to_string(schema.error());
  return std::move(*schema);
}

inline Verdict verdict(const Schema& schema, std::string_view instance,
                       const ValidateLimits& limits = {}) {
  const json::Document document = parsed(instance);
  return schema.validate(document.root(), limits);
}

inline CompileOptions draft_07() {
  CompileOptions options;
  options.default_dialect = Dialect::draft_07;
  return options;
}

/// An allowlist of a few documents.
class Documents {
 public:
  Documents& add(std::string uri, std::string_view text) {
    documents_.emplace(std::move(uri), parsed(text));
    return *this;
  }
  [[nodiscard]] CompileOptions options() const {
    CompileOptions options;
    options.documents = [this](std::string_view uri) -> const json::Value* {
      const auto found = documents_.find(std::string(uri));
      return found == documents_.end() ? nullptr : &found->second.root();
    };
    return options;
  }

 private:
  std::map<std::string, json::Document> documents_;
};

}  // namespace interline::schema::testing
