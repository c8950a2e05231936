// The expressions of the official JSON Schema test suite that are about ECMA-262: `pattern`, and
// `patternProperties` with one expression.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "schema/pattern.hpp"

namespace interline::schema {
namespace {

json::Document suite_file(const std::string& name) {
  std::ifstream file(INTERLINE_SOURCE_DIR "/tests/vectors/json-schema-test-suite/tests/" + name);
  return json::parse(std::string(std::istreambuf_iterator<char>(file), {})).value();
}

bool matches(std::string_view expression, std::string_view text) {
  std::size_t steps = 1'000'000;
  return Pattern::compile(expression).value().search(text, steps) == Match::yes;
}

/// Whether the instance is valid, as far as the expression decides it. Values of the properties it
/// matches have to be integers, where the schema says that.
bool is_valid(const json::Value& schema, const json::Value& instance) {
  if (const json::Value* pattern = schema.find("pattern")) {
    return !instance.is_string() || matches(pattern->as_string(), instance.as_string());
  }
  const json::Member& property = schema.find("patternProperties")->members()[0];
  const bool allows_others = schema.find("additionalProperties") == nullptr;
  for (const json::Member& member : instance.members()) {
    const bool matched = matches(property.name(), member.name());
    if (!matched && !allows_others) return false;
    if (matched && property.value.is_object() && !member.value.is_number()) return false;
  }
  return true;
}

class JsonSchemaTestSuite : public testing::TestWithParam<std::string> {};

TEST_P(JsonSchemaTestSuite, ExpressionsDecideAsItSays) {
  std::size_t tests = 0;
  const json::Document file = suite_file(GetParam());
  for (const json::Value& group : file.root().items()) {
    for (const json::Value& test : group.find("tests")->items()) {
      EXPECT_EQ(is_valid(*group.find("schema"), *test.find("data")), test.find("valid")->as_bool())
          << group.find("description")->as_string() << ": "
          << test.find("description")->as_string();
      ++tests;
    }
  }
  EXPECT_GT(tests, 8U);
}

INSTANTIATE_TEST_SUITE_P(
    Files, JsonSchemaTestSuite,
    testing::Values("draft2020-12/pattern.json", "draft2020-12/optional/ecmascript-regex.json",
                    "draft2020-12/optional/non-bmp-regex.json", "draft7/pattern.json",
                    "draft7/optional/ecmascript-regex.json", "draft7/optional/non-bmp-regex.json"));

}  // namespace
}  // namespace interline::schema
