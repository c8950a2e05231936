#include "json/value.hpp"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "json/hash.hpp"
#include "json/parse.hpp"

namespace interline::json {
namespace {

Document read(std::string_view text, Numbers numbers = Numbers::ieee754) {
  auto document = parse(text, {}, numbers);
  if (!document) ADD_FAILURE() << to_string(document.error());
  return document ? std::move(*document) : std::move(*parse("null"));
}

bool equal_texts(std::string_view a, std::string_view b) {
  const Document x = read(a, Numbers::faithful);
  const Document y = read(b, Numbers::faithful);
  const bool result = equal(x.root(), y.root());
  EXPECT_EQ(result, equal(y.root(), x.root())) << "not symmetric: " << a << " and " << b;
  return result;
}

std::optional<std::int64_t> int64(std::string_view text) {
  return read(text, Numbers::faithful).root().get_int64();
}

TEST(Value, ReadsEveryKind) {
  const Document document = read(R"([null, true, false, -1.5e3, "a\u0062c", [], {}, {"x": [1]}])");
  const auto items = document.root().items();
  ASSERT_EQ(items.size(), 8U);
  EXPECT_TRUE(items[0].is_null());
  EXPECT_TRUE(items[1].as_bool());
  EXPECT_FALSE(items[2].as_bool());
  EXPECT_EQ(items[3].as_double(), -1500);
  EXPECT_EQ(items[3].as_number_text(), "-1.5e3");
  EXPECT_EQ(items[4].as_string(), "abc");
  EXPECT_TRUE(items[5].items().empty());
  EXPECT_TRUE(items[6].members().empty());
  EXPECT_EQ(items[7].find("x")->items()[0].as_double(), 1);
}

TEST(Value, GettersAnswerOnlyTheirKind) {
  const Document document = read(R"([true, 1, "s", [1, 2], {"a": 1}])");
  const auto items = document.root().items();
  EXPECT_EQ(items[0].get_bool(), true);
  EXPECT_EQ(items[1].get_bool(), std::nullopt);
  EXPECT_EQ(items[1].get_double(), 1.0);
  EXPECT_EQ(items[1].get_int64(), 1);
  EXPECT_EQ(items[2].get_double(), std::nullopt);
  EXPECT_EQ(items[2].get_int64(), std::nullopt);
  EXPECT_EQ(items[2].get_string(), "s");
  EXPECT_EQ(items[3].get_string(), std::nullopt);
  EXPECT_EQ(items[3].size(), 2U);
  EXPECT_EQ(items[4].size(), 1U);
  EXPECT_EQ(items[2].size(), 0U);
  EXPECT_EQ(items[1].size(), 0U);
  EXPECT_EQ(items[3].find("a"), nullptr);
}

TEST(Value, DefaultIsNullWithoutSource) {
  const Value value{};
  EXPECT_TRUE(value.is_null());
  EXPECT_TRUE(value.source().empty());
}

TEST(Value, KindsHaveTheirSchemaWords) {
  EXPECT_EQ(to_string(Kind::null), "null");
  EXPECT_EQ(to_string(Kind::boolean), "boolean");
  EXPECT_EQ(to_string(Kind::number), "number");
  EXPECT_EQ(to_string(Kind::string), "string");
  EXPECT_EQ(to_string(Kind::array), "array");
  EXPECT_EQ(to_string(Kind::object), "object");
}

TEST(Value, SourceIsByteExactAtEveryDepth) {
  const Document document = read(" { \"a\" : [ 1.50 , \"x\\n\" , { } ] ,\t\"b\":-0 } \n");
  EXPECT_EQ(document.root().source(), "{ \"a\" : [ 1.50 , \"x\\n\" , { } ] ,\t\"b\":-0 }");
  const Value& a = *document.root().find("a");
  EXPECT_EQ(a.source(), "[ 1.50 , \"x\\n\" , { } ]");
  EXPECT_EQ(a.items()[0].source(), "1.50");
  EXPECT_EQ(a.items()[1].source(), "\"x\\n\"");
  EXPECT_EQ(a.items()[2].source(), "{ }");
  EXPECT_EQ(document.root().find("b")->source(), "-0");
  EXPECT_EQ(document.text(), " { \"a\" : [ 1.50 , \"x\\n\" , { } ] ,\t\"b\":-0 } \n");
}

TEST(Value_Find, SmallAndLargeObjectsAlike) {
  for (const int count : {0, 1, 2, 15, 16, 17, 18, 31, 32, 33, 64, 65, 1000}) {
    std::string text = "{";
    for (int i = 0; i < count; ++i) {
      text += (i == 0 ? "\"" : ",\"") + std::to_string(i) + "\":" + std::to_string(i);
    }
    text += "}";
    const Document document = read(text);
    ASSERT_EQ(document.root().size(), static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
      const std::string name = std::to_string(i);
      const Value* const found = document.root().find(name);
      ASSERT_NE(found, nullptr) << name << " of " << count;
      EXPECT_EQ(found->get_int64(), i);
      EXPECT_EQ(document.root().find(name, name_hash(name)), found);
    }
    EXPECT_EQ(document.root().find("absent"), nullptr);
    EXPECT_EQ(document.root().find("absent", name_hash("absent")), nullptr);
    EXPECT_EQ(document.root().find(""), nullptr);
  }
}

TEST(Value_Find, NamesAreComparedUnescaped) {
  const Document document = read(R"({"\u0061\n": 1, "": 2, "a\u0000": 3})");
  EXPECT_EQ(document.root().find("a\n")->get_int64(), 1);
  EXPECT_EQ(document.root().find("")->get_int64(), 2);
  EXPECT_EQ(document.root().find(std::string_view("a\0", 2))->get_int64(), 3);
  EXPECT_EQ(document.root().find("a"), nullptr);
}

TEST(Value_GetInt64, IntegersInAnySpelling) {
  EXPECT_EQ(int64("12"), 12);
  EXPECT_EQ(int64("12.0"), 12);
  EXPECT_EQ(int64("1.2e1"), 12);
  EXPECT_EQ(int64("1200e-2"), 12);
  EXPECT_EQ(int64("0.0012E+4"), 12);
  EXPECT_EQ(int64("-0"), 0);
  EXPECT_EQ(int64("0e99999999999999999999"), 0);
  EXPECT_EQ(int64("0.000"), 0);
  EXPECT_EQ(int64("9007199254740993"), 9007199254740993);
  EXPECT_EQ(int64("-9007199254740993.000"), -9007199254740993);
  EXPECT_EQ(int64("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(int64("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(int64("922337203685477580.7e1"), INT64_MAX);
  EXPECT_EQ(int64("1e18"), 1'000'000'000'000'000'000);
  EXPECT_EQ(int64("10e-1"), 1);
}

TEST(Value_GetInt64, NothingElse) {
  for (const char* const text :
       {"0.5", "9223372036854775808", "-9223372036854775809", "1e19", "1e400", "-1e400", "1e-400",
        "12.000000000000000000001", "99999999999999999999", "1e99999999999999999999",
        "1e-99999999999999999999", "100000000000000000000e-21", "0.99999999999999999999"}) {
    EXPECT_EQ(int64(text), std::nullopt) << text;
  }
}

TEST(Equality, ScalarsAndContainers) {
  EXPECT_TRUE(equal_texts("null", "null"));
  EXPECT_FALSE(equal_texts("null", "false"));
  EXPECT_FALSE(equal_texts("true", "false"));
  EXPECT_TRUE(equal_texts(R"("\u00e9")", "\"\xC3\xA9\""));
  EXPECT_FALSE(equal_texts(R"("e\u0301")", "\"\xC3\xA9\"")) << "no normalisation";
  EXPECT_TRUE(equal_texts("[1, [2]]", "[1.0,[2e0]]"));
  EXPECT_FALSE(equal_texts("[1,2]", "[2,1]"));
  EXPECT_FALSE(equal_texts("[1,2]", "[1,2,3]"));
  EXPECT_FALSE(equal_texts("[]", "{}"));
  EXPECT_FALSE(equal_texts("0", "false"));
  EXPECT_FALSE(equal_texts("\"1\"", "1"));
}

TEST(Equality, ObjectsHaveNoOrder) {
  EXPECT_TRUE(equal_texts(R"({"a":1,"b":{"c":[],"d":2}})", R"({"b":{"d":2,"c":[]},"a":1})"));
  EXPECT_FALSE(equal_texts(R"({"a":1,"b":2})", R"({"a":1,"c":2})"));
  EXPECT_FALSE(equal_texts(R"({"a":1,"b":2})", R"({"a":2,"b":1})"));
  EXPECT_FALSE(equal_texts(R"({"a":1})", R"({"a":1,"b":1})"));
}

TEST(Equality, NumbersByTheirNearestDouble) {
  EXPECT_TRUE(equal_texts("0", "-0"));
  EXPECT_TRUE(equal_texts("1", "1.0"));
  EXPECT_TRUE(equal_texts("100", "1e2"));
  EXPECT_TRUE(equal_texts("0.1", "0.1000000000000000055511151231257827"));
  EXPECT_TRUE(equal_texts("1e-400", "0"));
  EXPECT_FALSE(equal_texts("1", "1.0000000000000002"));
}

TEST(Equality, LargeNumbersExactly) {
  EXPECT_FALSE(equal_texts("9007199254740993", "9007199254740992"));
  EXPECT_FALSE(equal_texts("12345678901234567890", "12345678901234567891"));
  EXPECT_TRUE(equal_texts("12345678901234567890", "1234567890123456789e1"));
  EXPECT_TRUE(equal_texts("12345678901234567890", "12345678901234567890.000"));
  EXPECT_TRUE(equal_texts("-1E400", "-10e+399"));
  EXPECT_FALSE(equal_texts("1e400", "1e401"));
  EXPECT_FALSE(equal_texts("1e400", "-1e400"));
  EXPECT_TRUE(equal_texts("1e9999999999999999999", "1e9999999999999999999"));
  EXPECT_FALSE(equal_texts("1e9999999999999999999", "1e9999999999999999998"));
}

TEST(Equality, DeepValuesWithoutRecursion) {
  constexpr std::size_t kDepth = 500'000;
  const std::string text = std::string(kDepth, '[') + std::string(kDepth, ']');
  Limits limits;
  limits.depth = kDepth;
  const auto a = parse(text, limits);
  const auto b = parse(text, limits);
  ASSERT_TRUE(a && b);
  EXPECT_TRUE(equal(a->root(), b->root()));
}

TEST(Document, ValuesStayValidWhenMoved) {
  Document first = read(R"(["short"])");
  const Value& root = first.root();
  const std::string_view text = root.items()[0].as_string();
  Document second = std::move(first);
  EXPECT_EQ(&second.root(), &root);
  EXPECT_EQ(root.items()[0].as_string(), "short");
  EXPECT_EQ(text.data(), second.root().items()[0].as_string().data());
  Document third = read("[1]");
  third = std::move(second);
  EXPECT_EQ(&third.root(), &root);
  EXPECT_EQ(text, "short");
}

TEST(Document, TakenTextsStayValidWhenMoved) {
  // Short enough to live inside a std::string, whose bytes move with it.
  auto parsed = parse(std::string(R"(["abc"])"));
  ASSERT_TRUE(parsed);
  Document document = std::move(*parsed);
  EXPECT_EQ(document.root().items()[0].as_string(), "abc");
  EXPECT_EQ(document.root().source(), R"(["abc"])");
}

TEST(Document, BorrowsWithoutCopying) {
  const std::string text = R"(["abc", "d\n"])";
  const auto document = parse_borrowed(text);
  ASSERT_TRUE(document);
  EXPECT_EQ(document->text().data(), text.data());
  EXPECT_EQ(document->root().items()[0].as_string().data(), text.data() + 2);
}

TEST(Document, SaysWhatItHolds) {
  const Document small = read("[1]");
  EXPECT_GE(small.memory(), sizeof(Value));
  EXPECT_LT(small.memory(), 1024U);
  std::string text = "[0";
  for (int i = 0; i < 99'999; ++i) text += ",0";
  const Document large = read(text + "]");
  EXPECT_GE(large.memory(), 100'000 * sizeof(Value));
  EXPECT_LT(large.memory(), 3 * (text.size() + 100'000 * sizeof(Value)));
}

static_assert(sizeof(Value) == 24);
static_assert(sizeof(Member) == 40);

}  // namespace
}  // namespace interline::json
