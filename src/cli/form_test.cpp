// Questions of tasks as a conversation of lines.
#include "cli/form.hpp"

#include <gtest/gtest.h>

#include "json/parse.hpp"

namespace interline::cli {
namespace {

Form form_of(const std::string& questions) {
  return Form(json::parse(questions)->root());
}

std::string one(const std::string& schema, const std::string& rest = "") {
  return R"([{"id":"q1","kind":"form","text":"Who?","schema":)" + schema + rest + "}]";
}

/// Feeds lines that are all taken; the answer's body.
std::string answered(const std::string& questions, const std::vector<std::string>& lines) {
  Form form = form_of(questions);
  for (const std::string& line : lines) EXPECT_EQ(form.feed(line), "") << line;
  EXPECT_TRUE(form.finished());
  return form.finished() ? form.answer("r1") : "";
}

std::string accepted(const std::string& value) {
  return R"({"request":"r1","answers":[{"question":"q1","action":"accept","value":)" + value +
         "}]}";
}

TEST(Form, AStringIsTypedWithoutQuotes) {
  EXPECT_EQ(answered(one(R"({"type":"string"})"), {"Ada \"the\" first"}),
            accepted(R"("Ada \"the\" first")"));
}

TEST(Form, LinesOfAQuestionStayLines) {
  const Form form = form_of(R"([{"id":"q1","kind":"form","text":"One?\nTwo\u001b?","schema":{}}])");
  EXPECT_EQ(form.prompt().find("One?\nTwo\\u{1b}?\n"), 0U) << form.prompt();
}

TEST(Form, AnObjectIsAskedPropertyByProperty) {
  const std::string questions =
      one(R"({"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},)"
          R"("member":{"type":"boolean"},"note":{"type":"string"}},"required":["name","age"]})");
  EXPECT_EQ(answered(questions, {"Ada", "36", "Yes", ""}),
            accepted(R"({"name":"Ada","age":36,"member":true})"));
}

TEST(Form, WhatDoesNotFitIsSaidAndAskedAgain) {
  Form form = form_of(one(R"({"type":"integer","minimum":3})"));
  EXPECT_NE(form.feed("x"), "");
  EXPECT_NE(form.feed("1.5"), "");
  EXPECT_NE(form.feed("2"), "");
  EXPECT_FALSE(form.finished());
  EXPECT_EQ(form.feed("3"), "");
  EXPECT_EQ(form.answer("r1"), accepted("3"));
}

TEST(Form, WhatDoesNotFitTogetherIsAskedFromTheStart) {
  Form form = form_of(one(R"({"type":"object","properties":{"a":{"type":"integer"},)"
                          R"("b":{"type":"integer"}},"maxProperties":1})"));
  EXPECT_EQ(form.feed("1"), "");
  EXPECT_NE(form.feed("2"), "");
  EXPECT_EQ(form.feed("1"), "");
  EXPECT_EQ(form.feed(""), "");
  EXPECT_EQ(form.answer("r1"), accepted(R"({"a":1})"));
}

TEST(Form, AChoiceIsItsNumberOrItself) {
  const std::string colours = one(R"({"enum":["red","green",7]})");
  EXPECT_EQ(answered(colours, {"2"}), accepted(R"("green")"));
  EXPECT_EQ(answered(colours, {"red"}), accepted(R"("red")"));
  EXPECT_EQ(answered(colours, {"7"}), accepted("7"));
  Form form = form_of(colours);
  EXPECT_NE(form.feed("4"), "");
  EXPECT_NE(form.prompt().find("  2) green\n"), std::string::npos);
}

TEST(Form, TitledChoicesAreConstants) {
  EXPECT_EQ(answered(one(R"({"oneOf":[{"const":"a","title":"A"},{"const":"b"}]})"), {"2"}),
            accepted(R"("b")"));
}

TEST(Form, AnEmptyLineIsTheDefaultOrLeavesOut) {
  EXPECT_EQ(answered(one(R"({"type":"object","properties":{"unit":{"type":"string",)"
                         R"("default":"C"},"note":{"type":"string"}}})"),
                     {"", ""}),
            accepted(R"({"unit":"C"})"));
}

TEST(Form, AnyQuestionCanBeDeclinedOrDismissed) {
  const std::string two =
      R"([{"id":"q1","kind":"form","text":"A?","schema":{"type":"string"}},)"
      R"({"id":"q2","kind":"form","text":"B?","schema":{"type":"object","properties":{)"
      R"("x":{"type":"string"},"y":{"type":"string"}}}}])";
  EXPECT_EQ(answered(two, {"/decline", "half", "/cancel"}),
            R"({"request":"r1","answers":[{"question":"q1","action":"decline"},)"
            R"({"question":"q2","action":"cancel"}]})");
}

TEST(Form, AUrlIsOpenedAndConfirmed) {
  const std::string url =
      R"([{"id":"q1","kind":"url","text":"Sign in","schema":{},"url":"https://id.example"}])";
  EXPECT_NE(form_of(url).prompt().find("Open https://id.example\n"), std::string::npos);
  EXPECT_EQ(answered(url, {""}), accepted("null"));
}

TEST(Form, WithoutATypeJsonIsJsonAndTheRestIsText) {
  EXPECT_EQ(answered(one("{}"), {R"({"a":1})"}), accepted(R"({"a":1})"));
  EXPECT_EQ(answered(one("{}"), {"plain words"}), accepted(R"("plain words")"));
}

TEST(Form, AQuestionCannotMoveTheCursor) {
  Form form =
      form_of(R"([{"id":"q1","kind":"form","text":"a\u001b[2Jb\rc","schema":{"type":"object",)"
              R"("properties":{"x":{"type":"string","title":"t\u001b]0;z\u0007"}}}}])");
  const std::string prompt = form.prompt();
  for (const char c : {'\x1b', '\r', '\x07'}) EXPECT_EQ(prompt.find(c), std::string::npos);
}

TEST(Form, TextThatIsNoUtf8IsRefused) {
  Form form = form_of(one(R"({"type":"string"})"));
  EXPECT_NE(form.feed("\xff"), "");
  EXPECT_FALSE(form.finished());
}

TEST(Form, ASchemaThatCannotBeReadStopsNobody) {
  EXPECT_EQ(answered(one(R"({"type":"string","pattern":"("})"), {"x"}), accepted(R"("x")"));
  EXPECT_EQ(answered(one(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/a"}},)"
                         R"("$defs":{"a":{"type":"integer"}}})"),
                     {"5"}),
            accepted(R"({"a":5})"));
}

TEST(FormExample, HasWhatIsRequired) {
  const auto example = [](const std::string& schema) {
    return example_value(json::parse(schema)->root());
  };
  EXPECT_EQ(example(R"({"type":"string"})"), R"("...")");
  EXPECT_EQ(example(R"({"enum":[3,4]})"), "3");
  EXPECT_EQ(example(R"({"type":"object","properties":{"a":{"type":"integer"},)"
                    R"("b":{"type":"string"}},"required":["a"]})"),
            R"({"a":1})");
  EXPECT_EQ(example(R"({"type":"integer","minimum":18})"), "18");
  EXPECT_EQ(example(R"({"type":"number","exclusiveMaximum":0})"), "-1");
  EXPECT_EQ(example(R"({"type":"string","minLength":5})"), R"(".....")");
  EXPECT_EQ(example(R"({"type":"string","maxLength":1})"), R"(".")");
  EXPECT_EQ(example(R"({"type":"string","format":"email"})"), R"("somebody@example.org")");
  EXPECT_EQ(example(R"({"type":"array","minItems":2,"items":{"type":"boolean"}})"), "[true,true]");
  EXPECT_EQ(example(R"({"type":"object","properties":{"a":{"type":"object","properties":)"
                    R"({"b":{"const":7}},"required":["b"]}},"required":["a"]})"),
            R"({"a":{"b":7}})");
  EXPECT_EQ(example("true"), R"("...")");
}

}  // namespace
}  // namespace interline::cli
