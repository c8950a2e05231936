#include "runtimes/script/placeholders.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::runtimes::script {
namespace {

Known known() {
  Known::Parts parts;
  parts.arguments =
      R"({"city":"Riga","count":3,"tags":["a","b"],"deep":{"x":null},"quote":"\"\n"})";
  parts.answers = R"({"name":{"action":"accept","value":{"name":"Ada"}}})";
  parts.uri = "notes://today";
  return Known(parts);
}

std::string fill(std::string_view text) {
  return TextTemplate::read(text).value().fill(known());
}

std::string fill_json(std::string_view json, Whole whole) {
  const auto parsed = json::parse(json);
  return JsonTemplate::read(parsed->root(), whole).value().fill(known());
}

TEST(Placeholders, StandForWhatACallBrings) {
  EXPECT_EQ(fill("Hello, ${answers.name.value.name}, in ${arguments.city}!"),
            "Hello, Ada, in Riga!");
  EXPECT_EQ(fill("${uri}"), "notes://today");
}

TEST(Placeholders, WhatIsNoTextIsWrittenAsJson) {
  EXPECT_EQ(fill("${arguments.count} ${arguments.tags} ${arguments.deep}"),
            R"(3 ["a","b"] {"x":null})");
}

TEST(Placeholders, ElementsOfArraysGoByTheirNumbers) {
  EXPECT_EQ(fill("${arguments.tags.1}"), "b");
  EXPECT_EQ(fill("${arguments.tags.2}${arguments.tags.-1}${arguments.tags.x}"), "");
}

TEST(Placeholders, WhatIsNotThereIsEmpty) {
  EXPECT_EQ(fill("[${arguments.none.at.all}]"), "[]");
}

TEST(Placeholders, ADollarMoreMakesItPlain) {
  EXPECT_EQ(fill("$${arguments.city} costs $5 and $$"), "${arguments.city} costs $5 and $$");
}

TEST(Placeholders, AnUnknownNameIsAMistake) {
  EXPECT_FALSE(TextTemplate::read("${city}"));
  EXPECT_FALSE(TextTemplate::read("${arguments.city"));
  EXPECT_FALSE(TextTemplate::read("${}"));
  EXPECT_TRUE(TextTemplate::read("${arguments}"));
}

TEST(Placeholders, InJsonTheyAreEscaped) {
  EXPECT_EQ(fill_json(R"({"a":["say ${arguments.quote}"],"n":1.50})", Whole::text),
            R"({"a":["say \"\n"],"n":1.50})");
}

TEST(Placeholders, AWholeTextMayBecomeTheValueItNames) {
  EXPECT_EQ(fill_json(R"({"n":"${arguments.count}","m":"${arguments.none}"})", Whole::value),
            R"({"n":3,"m":null})");
  EXPECT_EQ(fill_json(R"({"n":"${arguments.count}"})", Whole::text), R"({"n":"3"})");
}

TEST(Placeholders, JsonWithoutAnyKeepsItsBytes) {
  EXPECT_EQ(fill_json(R"({ "a" : 1.00 })", Whole::value), R"({ "a" : 1.00 })");
}

TEST(Placeholders, TextsOfFilesComeThroughUnchanged) {
  for (const std::string_view text : {"${x}", "$${x}", "a ${ b } $", "", "$$${"}) {
    EXPECT_EQ(fill(without_placeholders(text)), text);
  }
}

}  // namespace
}  // namespace interline::runtimes::script
