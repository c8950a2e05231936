// The proof of the upgrade: draft-07 schemas, rewritten, still give the verdicts of draft-07.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "schema/schema_test_support.hpp"
#include "schema/suite.hpp"
#include "schema/upgrade.hpp"

namespace interline::schema {
namespace {

const std::filesystem::path kSuite = INTERLINE_SOURCE_DIR "/tests/vectors/json-schema-test-suite";

std::string file_text(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The suite's remotes. Those of draft-07 do not say so, hence `default_dialect` below.
class Remotes {
 public:
  [[nodiscard]] const json::Value* find(std::string_view uri) {
    constexpr std::string_view kHost = "http://localhost:1234/";
    if (!uri.starts_with(kHost)) return nullptr;
    const std::string name(uri.substr(kHost.size()));
    const std::filesystem::path path = kSuite / "remotes" / name;
    if (!std::filesystem::is_regular_file(path)) return nullptr;
    auto known = documents_.find(name);
    if (known == documents_.end()) {
      known = documents_.emplace(name, testing::parsed(file_text(path))).first;
    }
    return &known->second.root();
  }

 private:
  std::map<std::string, json::Document> documents_;
};

/// The upgraded schema as 2020-12, whatever the dialect of documents that it refers to.
std::expected<Schema, CompileError> compile_upgraded(std::string text, Remotes& remotes) {
  if (text.starts_with("{") && text.find("\"$schema\"") == std::string::npos) {
    const std::string_view rest = std::string_view(text).substr(1);
    text = "{\"$schema\":\"" + std::string(uri_of(Dialect::draft_2020_12)) + "\"" +
           (rest == "}" ? "" : ",") + std::string(rest);
  }
  CompileOptions options;
  options.default_dialect = Dialect::draft_07;
  options.documents = [&remotes](std::string_view uri) { return remotes.find(uri); };
  const json::Document document = testing::parsed(text);
  return Schema::compile(document.root(), options);
}

/// Upgrades every schema of a folder and validates its instances: the verdict is the one that the
/// original gives as draft-07. Returns the refused groups.
std::vector<std::string> run(const std::string& folder, std::size_t& cases) {
  Remotes remotes;
  std::vector<std::string> refused;
  std::string last;
  std::optional<std::expected<Schema, CompileError>> compiled;
  const auto done = for_each_case(kSuite / "tests" / folder, {}, [&](const SuiteCase& one) {
    const std::string name = std::string(one.file) + ": " + std::string(one.group);
    if (name != last) {
      last = name;
      compiled.reset();
      const auto upgraded = upgrade_draft_07(one.schema);
      if (!upgraded) {
        refused.push_back(name + ": " + to_string(upgraded.error()));
      } else {
        compiled = compile_upgraded(upgraded->text, remotes);
        EXPECT_EQ(compiled->has_value(), one.compiled.has_value()) << name << upgraded->text;
      }
    }
    if (!compiled || !*compiled || !one.compiled) return;
    ++cases;
    EXPECT_EQ((*compiled)->validate(one.instance), one.compiled->validate(one.instance))
        << name << ": " << one.test;
  });
  EXPECT_TRUE(done);
  return refused;
}

TEST(Upgrade_Draft07Suite, EveryRequiredCaseKeepsItsVerdict) {
  std::size_t cases = 0;
  EXPECT_EQ(run("draft7", cases), std::vector<std::string>{});
  EXPECT_EQ(cases, 927U);
}

TEST(Upgrade_Draft07Suite, EveryOptionalCaseKeepsItsVerdict) {
  std::size_t cases = 0;
  EXPECT_EQ(run("draft7/optional", cases), std::vector<std::string>{});
  EXPECT_EQ(cases, 116U);
}

/// What zod-to-json-schema makes of a recursive object with a tuple, a map and an empty tuple.
constexpr std::string_view kGenerated = R"({
  "$ref": "#/definitions/Args",
  "definitions": {
    "Color": {"type": "string", "enum": ["red", "green"]},
    "Args": {
      "type": "object",
      "properties": {
        "color": {"$ref": "#/definitions/Color", "description": "How to paint", "default": "red"},
        "node": {
          "type": "object",
          "properties": {
            "name": {"type": "string", "minLength": 1},
            "children": {"type": "array", "items": {"$ref": "#/definitions/Args/properties/node"}},
            "at": {
              "type": "array",
              "minItems": 2,
              "items": [{"type": "number"}, {"type": "number"}],
              "additionalItems": {"type": "string"}
            }
          },
          "required": ["name", "at"],
          "additionalProperties": false
        },
        "map": {
          "type": "array",
          "maxItems": 125,
          "items": {
            "type": "array",
            "items": [{"type": "string"}, {"type": "boolean"}],
            "minItems": 2,
            "maxItems": 2
          }
        },
        "none": {"type": "array", "minItems": 0, "maxItems": 0, "items": []}
      },
      "required": ["node"],
      "additionalProperties": false
    }
  },
  "$schema": "http://json-schema.org/draft-07/schema#"
})";

TEST(Upgrade_GeneratedSchemas, KeepTheirMeaning) {
  const auto upgraded = upgrade_draft_07(testing::parsed(kGenerated).root());
  ASSERT_TRUE(upgraded) << to_string(upgraded.error());
  const Schema schema = testing::schema_of(upgraded->text);
  EXPECT_EQ(schema.dialect(), Dialect::draft_2020_12);
  for (const char* valid :
       {R"({"node":{"name":"a","at":[1,2]}})", R"({"node":{"name":"a","at":[1,2,"x","y"]}})",
        R"({"node":{"name":"a","at":[1,2],"children":[{"name":"b","at":[1,2]}]},"color":"red"})",
        R"({"node":{"name":"a","at":[1,2]},"map":[["k",true]],"none":[]})"}) {
    EXPECT_EQ(testing::verdict(schema, valid), Verdict::valid) << valid;
  }
  for (const char* invalid :
       {R"({"node":{"name":"a","at":[1]}})", R"({"node":{"name":"a","at":[1,2,3]}})",
        R"({"node":{"name":"a","at":[1,2],"children":[{"name":"","at":[1,2]}]}})",
        R"({"node":{"name":"a","at":[1,2]},"color":"blue"})",
        R"({"node":{"name":"a","at":[1,2]},"map":[["k",1]]})",
        R"({"node":{"name":"a","at":[1,2]},"none":[1]})",
        R"({"node":{"name":"a","at":[1,2]},"more":1})"}) {
    EXPECT_EQ(testing::verdict(schema, invalid), Verdict::invalid) << invalid;
  }
}

}  // namespace
}  // namespace interline::schema
