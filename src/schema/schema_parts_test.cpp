// The small parts by themselves: URIs, decimals, names, hashes.
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/hash.hpp"
#include "schema/decimal.hpp"
#include "schema/name_table.hpp"
#include "schema/schema_test_support.hpp"
#include "schema/uri.hpp"
#include "schema/value_hash.hpp"

namespace interline::schema {
namespace {

struct Resolved {
  std::string_view reference;
  std::string_view target;
};

// The table of RFC 3986 section 5.4, normal and abnormal examples.
TEST(Rfc3986_5_4, Examples) {
  for (const Resolved& row :
       std::initializer_list<Resolved>{{"g:h", "g:h"},
                                       {"g", "http://a/b/c/g"},
                                       {"./g", "http://a/b/c/g"},
                                       {"g/", "http://a/b/c/g/"},
                                       {"/g", "http://a/g"},
                                       {"//g", "http://g"},
                                       {"?y", "http://a/b/c/d;p?y"},
                                       {"g?y", "http://a/b/c/g?y"},
                                       {"#s", "http://a/b/c/d;p?q#s"},
                                       {"g#s", "http://a/b/c/g#s"},
                                       {"g?y#s", "http://a/b/c/g?y#s"},
                                       {";x", "http://a/b/c/;x"},
                                       {"", "http://a/b/c/d;p?q"},
                                       {".", "http://a/b/c/"},
                                       {"./", "http://a/b/c/"},
                                       {"..", "http://a/b/"},
                                       {"../g", "http://a/b/g"},
                                       {"../..", "http://a/"},
                                       {"../../g", "http://a/g"},
                                       {"../../../g", "http://a/g"},
                                       {"/./g", "http://a/g"},
                                       {"/../g", "http://a/g"},
                                       {"g.", "http://a/b/c/g."},
                                       {"..g", "http://a/b/c/..g"},
                                       {"./../g", "http://a/b/g"},
                                       {"./g/.", "http://a/b/c/g/"},
                                       {"g/./h", "http://a/b/c/g/h"},
                                       {"g/../h", "http://a/b/c/h"},
                                       {"g?y/../x", "http://a/b/c/g?y/../x"},
                                       {"g#s/../x", "http://a/b/c/g#s/../x"}}) {
    EXPECT_EQ(resolve_uri("http://a/b/c/d;p?q", row.reference), row.target) << row.reference;
  }
}

TEST(SchemaUris, BasesWithoutSchemeOrPathWorkToo) {
  EXPECT_EQ(resolve_uri("", "a/b.json"), "a/b.json");
  EXPECT_EQ(resolve_uri("a/b.json", "c.json#x"), "a/c.json#x");
  EXPECT_EQ(resolve_uri("http://example.com", "a"), "http://example.com/a");
  EXPECT_EQ(resolve_uri("urn:uuid:1234", "#/x"), "urn:uuid:1234#/x");
  EXPECT_EQ(resolve_uri("HTTP://User@EXAMPLE.com/A", "#"), "http://User@example.com/A#");
  EXPECT_EQ(percent_decoded("a%20b%25"), "a b%");
  EXPECT_FALSE(percent_decoded("%2"));
  EXPECT_FALSE(percent_decoded("%zz"));
}

bool multiple(std::string_view number, std::string_view divisor) {
  const json::Document n = testing::parsed(number);
  const json::Document d = testing::parsed(divisor);
  return is_multiple(n.root(), make_divisor(d.root()));
}

TEST(MultipleOf, IsDecimal) {
  EXPECT_TRUE(multiple("0.0075", "0.0001"));
  EXPECT_FALSE(multiple("0.00751", "0.0001"));
  EXPECT_TRUE(multiple("19.99", "0.01"));
  EXPECT_TRUE(multiple("1e308", "0.5"));
  EXPECT_FALSE(multiple("1e308", "0.123456789"));
  EXPECT_TRUE(multiple("-4.5", "1.5"));
  EXPECT_TRUE(multiple("0", "3"));
  EXPECT_TRUE(multiple("-0.0e5", "0.3"));
  EXPECT_TRUE(multiple("9007199254740993", "3"));
  EXPECT_FALSE(multiple("9007199254740992", "3"));
  EXPECT_TRUE(multiple("12e1", "40"));
  EXPECT_FALSE(multiple("1e-5", "1e-4"));
  EXPECT_TRUE(multiple("1e-4", "1e-5"));
  EXPECT_TRUE(multiple("1e999999999999", "1024"));
  EXPECT_FALSE(multiple("1e999999999999", "3"));
  EXPECT_TRUE(multiple("1" + std::string(300, '0'), "1e10"));
  EXPECT_FALSE(multiple("1.5", "0.12345678901234567890123"));
}

TEST(MultipleOf, IsExactForAnyNumberOfDigits) {
  EXPECT_FALSE(multiple("3.0000000000000000001", "1"));
  EXPECT_FALSE(multiple("3.0000000000000000001", "0.5"));
  EXPECT_TRUE(multiple("3.0000000000000000000", "1"));
  EXPECT_FALSE(multiple("3", "1.0000000000000000001"));
  EXPECT_TRUE(multiple("3.0000000000000000003", "1.0000000000000000001"));
  EXPECT_TRUE(multiple("-30.000000000000000003", "1.0000000000000000001"));
  EXPECT_TRUE(multiple("0.37037036703703703670369", "0.12345678901234567890123"));
  EXPECT_FALSE(multiple("0.37037036703703703670368", "0.12345678901234567890123"));
  EXPECT_TRUE(multiple("0", "0.12345678901234567890123"));
  EXPECT_FALSE(multiple("1e-400", "1"));
  EXPECT_FALSE(multiple("123456789012345.5", "1"));
  EXPECT_TRUE(multiple("123456789012345678901234567890", "123456789012345678901234567890"));
  EXPECT_FALSE(multiple("123456789012345678901234567891", "123456789012345678901234567890"));
  EXPECT_TRUE(multiple("9007199254740993", "9007199254740993"));
  EXPECT_FALSE(multiple("9007199254740992", "9007199254740993"));
}

TEST(MultipleOf, TensCancelWhatALongDivisorHasOfTwosAndFives) {
  const std::string two_to_100 = "1267650600228229401496703205376";
  EXPECT_TRUE(multiple("1e100", two_to_100));
  EXPECT_FALSE(multiple("1e99", two_to_100));
  EXPECT_FALSE(multiple("3e99", two_to_100));
  EXPECT_TRUE(multiple("1e200", two_to_100));
  const std::string five_to_40 = "9094947017729282379150390625";
  EXPECT_TRUE(multiple("1e40", five_to_40));
  EXPECT_FALSE(multiple("1e39", five_to_40));
  const std::string twice_odd =
      "20000000000000000000000000002";  // 2 * 10000000000000000000000000001
  EXPECT_FALSE(multiple("1e400", twice_odd));
  EXPECT_TRUE(multiple("10000000000000000000000000001e1", twice_odd));
  EXPECT_FALSE(multiple("10000000000000000000000000001", twice_odd));
}

// Products of two random numbers are multiples of both, and one unit beside them is not.
TEST(MultipleOf, AgreesWithMultiplication) {
  std::mt19937_64 random(20);
  for (int round = 0; round < 200; ++round) {
    std::string divisor = "1";
    const std::size_t digits = 1 + random() % 60;
    while (divisor.size() < digits) divisor.push_back(static_cast<char>('0' + random() % 10));
    divisor.push_back("1379"[random() % 4]);
    std::string product(divisor.size() + 3, '0');  // times a factor below 1,000
    const unsigned factor = 1 + static_cast<unsigned>(random() % 999);
    unsigned carry = 0;
    for (std::size_t i = 0; i < product.size(); ++i) {
      if (i < divisor.size()) {
        carry += static_cast<unsigned>(divisor[divisor.size() - 1 - i] - '0') * factor;
      }
      product[product.size() - 1 - i] = static_cast<char>('0' + carry % 10);
      carry /= 10;
    }
    product.erase(0, product.find_first_not_of('0'));
    SCOPED_TRACE(product + " by " + divisor);
    EXPECT_TRUE(multiple(product, divisor));
    EXPECT_TRUE(multiple(product + "e-7", divisor + "e-7"));
    EXPECT_TRUE(multiple(product + "e5", divisor + "e-7"));
    EXPECT_FALSE(multiple(product + ".1", divisor));
    EXPECT_EQ(multiple(product + "e-8", divisor + "e-7"), factor % 10 == 0);
    EXPECT_FALSE(multiple(product.substr(0, product.size() - 1) +
                              static_cast<char>(product.back() == '9' ? '8' : product.back() + 1),
                          divisor));
  }
}

TEST(MultipleOf, CostsStepsByTheDigitsOfBoth) {
  const json::Document number = testing::parsed(std::string(1'000, '7'));
  const auto steps = [&number](const std::string& divisor) {
    return multiple_steps(number.root(), make_divisor(testing::parsed(divisor).root()));
  };
  EXPECT_LE(steps("7"), 1'000U);
  EXPECT_GT(steps(std::string(1'000, '3')), 10'000U);
  EXPECT_LT(steps(std::string(1'000, '3')), 100'000U);
}

TEST(NameTable, FindsEveryNameAndNoOther) {
  for (const std::size_t count : {0U, 1U, 2U, 7U, 50U, 1'000U}) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < count; ++i)
      texts.push_back("n" + std::string(i % 40, 'x') + std::to_string(i));
    std::vector<NameSlot> names;
    for (const std::string& text : texts) names.push_back({.name = make_name(text)});
    std::vector<NameSlot> slots(3);  // tables share an array
    const NameTable table = make_name_table(slots, names);
    for (const std::string& text : texts) {
      const NameSlot* slot = find_name(slots.data(), table, text, json::name_hash(text));
      ASSERT_NE(slot, nullptr) << text;
      EXPECT_EQ(slot->name.view(), text);
      const std::string other = text + "!";
      EXPECT_EQ(find_name(slots.data(), table, other, json::name_hash(other)), nullptr);
    }
    EXPECT_EQ(find_name(slots.data(), table, "", json::name_hash("")), nullptr);
  }
}

TEST(NameTable, EqualBytesLooksAtEveryByte) {
  for (std::size_t size = 0; size < 80; ++size) {
    const std::string text(size, 'a');
    EXPECT_TRUE(equal_text(text, std::string(text)));
    for (std::size_t i = 0; i < size; ++i) {
      std::string other = text;
      other[i] = 'b';
      EXPECT_FALSE(equal_text(text, other)) << size << " " << i;
    }
  }
}

TEST(ValueHash, AgreesWithEquality) {
  constexpr std::string_view kValues[] = {"null",
                                          "true",
                                          "false",
                                          "0",
                                          "-0.0",
                                          "1",
                                          "1.0",
                                          "10e-1",
                                          "1.5",
                                          "9007199254740993",
                                          "9007199254740992",
                                          "\"\"",
                                          "\"a\"",
                                          "\"\\u0061\"",
                                          "[]",
                                          "[1]",
                                          "[1.0]",
                                          "[1,2]",
                                          "[2,1]",
                                          "{}",
                                          R"({"a":1,"b":[2]})",
                                          R"({"b":[2.0],"a":1})",
                                          R"({"a":1})",
                                          R"({"a":null})",
                                          "[[1]]"};
  for (const std::string_view a : kValues) {
    for (const std::string_view b : kValues) {
      const json::Document x = testing::parsed(a);
      const json::Document y = testing::parsed(b);
      if (!json::equal(x.root(), y.root())) continue;
      EXPECT_EQ(value_hash(x.root()), value_hash(y.root())) << a << " " << b;
    }
  }
  const json::Document one = testing::parsed("[1,2]");
  const json::Document other = testing::parsed("[2,1]");
  EXPECT_NE(value_hash(one.root()), value_hash(other.root()));
}

}  // namespace
}  // namespace interline::schema
