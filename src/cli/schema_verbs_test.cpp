// interline schema check | validate | suite.
#include <string>

#include "cli/shell.hpp"

namespace interline::cli {
namespace {

constexpr const char* kForecast = R"({
  "$schema": "https://json-schema.org/draft/2020-12/schema",
  "type": "object",
  "required": ["city"],
  "properties": {
    "city": {"type": "string", "minLength": 2},
    "days": {"type": "integer", "maximum": 10},
    "from": {"type": "string", "format": "date"}
  },
  "additionalProperties": false
})";

class Cli_Schema : public Shell {
 protected:
  Cli_Schema() { write("forecast.json", kForecast); }
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_F(Cli_Schema, CheckAcceptsASchemaAndNamesItsDialect) {
  const Ran ran = run("interline schema check forecast.json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "forecast.json: a valid JSON Schema (2020-12)\n");
  write("old.json", R"({"$schema": "http://json-schema.org/draft-07/schema#", "items": [true]})");
  EXPECT_EQ(run("interline schema check old.json").out,
            "old.json: a valid JSON Schema (draft-07)\n");
}

TEST_F(Cli_Schema, CheckSaysWhereASchemaIsWrong) {
  write("bad.json", R"({"properties": {"a/b": {"type": "strnig"}}})");
  const Ran ran = run("interline schema check bad.json");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out, "");
  EXPECT_TRUE(has(ran.err, "interline: bad.json: ")) << ran.err;
  EXPECT_TRUE(has(ran.err, "/properties/a~1b/type")) << ran.err;
  EXPECT_FALSE(has(ran.err, "strnig")) << ran.err;
}

TEST_F(Cli_Schema, CheckPrintsJsonForPrograms) {
  EXPECT_EQ(run("interline schema check --json forecast.json").out,
            "{\"valid\":true,\"dialect\":\"2020-12\"}\n");
  write("bad.json", R"({"$ref": "https://elsewhere.example/x"})");
  const Ran ran = run("interline schema check --json bad.json");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.out, R"({"valid":false,"error":{"code":"unresolved_reference")")) << ran.out;
  EXPECT_EQ(ran.err, "");
}

TEST_F(Cli_Schema, CheckForAToolAppliesTheRegistrationRules) {
  write("list.json", R"({"type": "array"})");
  EXPECT_EQ(run("interline schema check --tool input list.json").code, 1);
  EXPECT_EQ(run("interline schema check --tool output list.json").code, 0);
  EXPECT_EQ(run("interline schema check list.json").code, 0);
  EXPECT_EQ(run("interline schema check --tool input forecast.json").out,
            "forecast.json: a valid JSON Schema (2020-12), fit for a tool's input\n");
}

TEST_F(Cli_Schema, ReferencesResolveToGivenDocumentsOnly) {
  write("city.json", R"({"$id": "https://example.test/city", "type": "string"})");
  write("trip.json", R"({"properties": {"to": {"$ref": "https://example.test/city"}}})");
  const Ran refused = run("interline schema check trip.json");
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "--document")) << refused.err;
  EXPECT_EQ(run("interline schema check --document city.json trip.json").code, 0);
  const std::string validate = "interline schema validate --document city.json trip.json";
  EXPECT_EQ(run("echo '{\"to\":\"Riga\"}' | " + validate).code, 0);
  EXPECT_EQ(run("echo '{\"to\":5}' | " + validate).code, 1);
}

TEST_F(Cli_Schema, ADocumentWithoutAnIdentifierIsAnErrorOfUsage) {
  write("city.json", R"({"type": "string"})");
  const Ran ran = run("interline schema check --document city.json forecast.json");
  EXPECT_EQ(ran.code, 2);
  EXPECT_TRUE(has(ran.err, "city.json: has no absolute $id")) << ran.err;
  write("city.json", R"({"$id": "https://example.test/city"})");
  EXPECT_EQ(
      run("interline schema check --document city.json --document city.json forecast.json").code,
      2);
}

TEST_F(Cli_Schema, ValidateSaysYes) {
  write("request.json", R"({"city": "Riga", "days": 3})");
  const Ran ran = run("interline schema validate forecast.json request.json");
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "request.json: valid\n");
}

TEST_F(Cli_Schema, ValidateSaysWhereAndWhatWasExpectedButNotWhatStoodThere) {
  write("request.json", R"({"city": "X", "days": 4711})");
  const Ran ran = run("interline schema validate forecast.json request.json");
  EXPECT_EQ(ran.code, 1);
  EXPECT_EQ(ran.out.find("request.json: not valid\n"), 0U) << ran.out;
  EXPECT_TRUE(has(ran.out, "/city: ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "/days: ")) << ran.out;
  EXPECT_TRUE(has(ran.out, "10")) << ran.out;
  EXPECT_TRUE(has(ran.out, "[/properties/days/maximum]")) << ran.out;
  EXPECT_FALSE(has(ran.out, "4711")) << ran.out;
}

TEST_F(Cli_Schema, FormatDecidesOnlyWhereAsked) {
  write("request.json", R"({"city": "Riga", "from": "yesterday"})");
  EXPECT_EQ(run("interline schema validate forecast.json request.json").code, 0);
  EXPECT_EQ(run("interline schema validate --format forecast.json request.json").code, 1);
}

TEST_F(Cli_Schema, OutputFormatsAreThoseOfTheSpecification) {
  const std::string validate = "echo '{\"city\":5}' | interline schema validate forecast.json ";
  const Ran flag = run(validate + "--output flag");
  EXPECT_EQ(flag.code, 1);
  EXPECT_EQ(flag.out, "{\"valid\":false}\n");
  const Ran basic = run(validate + "--output basic");
  EXPECT_TRUE(has(basic.out, R"("instanceLocation":"/city")")) << basic.out;
  EXPECT_EQ(run(validate + "--json").out, basic.out);
  EXPECT_TRUE(has(run(validate + "--output detailed").out, R"("valid":false)"));
}

TEST_F(Cli_Schema, ABrokenSchemaIsAnErrorOfUsageWhenValidating) {
  write("bad.json", R"({"type": "strnig"})");
  EXPECT_EQ(run("echo 1 | interline schema validate bad.json").code, 2);
  EXPECT_EQ(run("echo 1 | interline schema validate none.json").code, 2);
}

TEST_F(Cli_Schema, AnInstanceThatIsNoJsonIsNotValid) {
  const Ran ran = run("echo '{\"city\":' | interline schema validate forecast.json -");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "standard input: line ")) << ran.err;
  EXPECT_EQ(run("interline schema validate forecast.json none.json").code, 2);
}

TEST_F(Cli_Schema, OnlyOneOfBothCanBeStandardInput) {
  EXPECT_EQ(run("echo true | interline schema validate - -").code, 2);
  EXPECT_EQ(run("echo true | interline schema validate - forecast.json").code, 0);
}

// Names in texts of others must not forge lines or steer a terminal.
TEST_F(Cli_Schema, WhatPeopleReadHasNoControlCharacters) {
  const std::string hostile = "x\\n(root): valid\\u001b[2J\xc2\x9b\xe2\x80\xae";
  const std::string shown = "x\\u{a}(root): valid\\u{1b}[2J\\u{9b}\\u{202e}";
  write("closed.json", R"({"additionalProperties": {"type": "null"}})");
  write("request.json", "{\"" + hostile + "\": 1}");
  const Ran invalid = run("interline schema validate closed.json request.json");
  EXPECT_EQ(invalid.code, 1);
  EXPECT_TRUE(has(invalid.out, "\n/" + shown + ": must be of type null")) << invalid.out;
  write("named.json", "{\"properties\": {\"" + hostile + "\": {\"type\": 1}}}");
  const Ran refused = run("interline schema check named.json");
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(has(refused.err, "/properties/" + shown + "/type: ")) << refused.err;
  const Ran file =
      run("f=$(printf 'a\\nb\\233\\033.json'); echo 1 >\"$f\"; echo true >t.json\n"
          "interline schema validate t.json \"$f\"; interline schema check \"$f.none\"");
  EXPECT_EQ(file.out, "a\\u{a}b\xef\xbf\xbd\\u{1b}.json: valid\n");
  EXPECT_EQ(file.err.find("interline: a\\u{a}b\xef\xbf\xbd\\u{1b}.json.none: "), 0U) << file.err;
}

TEST_F(Cli_Schema, AToolsSchemaOfDraft07GetsOneHint) {
  write("old.json", R"({"$schema": "http://json-schema.org/draft-07/schema#", "type": "object"})");
  const Ran ran = run("interline schema check --tool input old.json");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(has(ran.err, "upgrade the schema to 2020-12")) << ran.err;
  EXPECT_FALSE(has(ran.err, "or draft-07")) << ran.err;
}

TEST_F(Cli_Schema, SuiteEndsWithItsCounts) {
  const Ran ran = run("interline schema suite " INTERLINE_SOURCE_DIR
                      "/tests/vectors/json-schema-test-suite/tests/draft2020-12 | tail -n 1");
  EXPECT_TRUE(has(ran.out, " passed, 0 failed\n")) << ran.out;
}

TEST_F(Cli_Schema, SuiteFailsWhereAnExpectationIsNotMet) {
  const Ran ran =
      run("mkdir -p s/tests/draft7; cat >s/tests/draft7/type.json <<'END'\n"
          R"([{"description": "type", "schema": {"type": "string"}, "tests": [)"
          R"({"description": "right", "data": "x", "valid": true},)"
          R"({"description": "wrong", "data": 1, "valid": true}]}])"
          "\nEND\ninterline schema suite s/tests/draft7");
  EXPECT_EQ(ran.code, 1);
  EXPECT_TRUE(ran.out.ends_with("\n1 passed, 1 failed\n")) << ran.out;
  EXPECT_TRUE(has(ran.out, "wrong")) << ran.out;
}

TEST_F(Cli_Schema, SuiteOfNothingIsAnErrorOfUsage) {
  EXPECT_EQ(run("mkdir -p s/tests/draft7; interline schema suite s/tests/draft7").code, 2);
  EXPECT_EQ(run("interline schema suite none").code, 2);
}

}  // namespace
}  // namespace interline::cli
