// Numbers and canonical forms compared with ECMAScript's own, which RFC 8785 is defined by.
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/sanitized.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/random_json.hpp"

namespace interline::json {
namespace {

std::string hex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    out += kDigits[static_cast<unsigned char>(c) >> 4U];
    out += kDigits[static_cast<unsigned char>(c) & 15U];
  }
  return out;
}

std::string hex_bits(double number) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx",
                static_cast<unsigned long long>(std::bit_cast<std::uint64_t>(number)));
  return text;
}

/// The answers of tests/support/json_oracle.mjs, one a question.
std::vector<std::string> ask_node(const std::string& mode,
                                  const std::vector<std::string>& questions) {
  const std::string path =
      ::testing::TempDir() + "json_oracle_" + mode + "_" + std::to_string(getpid()) + ".txt";
  {
    std::ofstream file(path, std::ios::binary);
    for (const std::string& question : questions) file << question << '\n';
  }
  const std::string command =
      "node '" INTERLINE_SOURCE_DIR "/tests/support/json_oracle.mjs' " + mode + " '" + path + "'";
  std::vector<std::string> answers;
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    ADD_FAILURE() << "cannot start a shell";
    return answers;
  }
  std::string line;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) {
    if (c != '\n') {
      line += static_cast<char>(c);
      continue;
    }
    answers.push_back(std::move(line));
    line.clear();
  }
  const int status = pclose(pipe);
  std::remove(path.c_str());
  EXPECT_EQ(status, 0) << "node is needed to check numbers against ECMAScript, and did not run: "
                          "apt-get install nodejs (18 or later)";
  return answers;
}

void add_neighbours(std::vector<double>& numbers, double number) {
  const auto bits = std::bit_cast<std::uint64_t>(number);
  for (std::uint64_t step = 0; step <= 4; ++step) {
    for (const std::uint64_t near : {bits + step, bits - step}) {
      const auto candidate = std::bit_cast<double>(near);
      if (std::isfinite(candidate)) numbers.push_back(candidate);
    }
  }
}

/// Both signs of: neighbours of all powers of two and of ten, and of the borders of the format.
std::vector<double> special_numbers() {
  std::vector<double> numbers;
  for (int exponent = -1074; exponent <= 1023; ++exponent) {
    add_neighbours(numbers, std::ldexp(1.0, exponent));
  }
  for (int exponent = -324; exponent <= 308; ++exponent) {
    const std::string text = "1e" + std::to_string(exponent);
    double power = 0;
    std::from_chars(text.data(), text.data() + text.size(), power);
    add_neighbours(numbers, power);
  }
  for (const double border : {0.0, 1.7976931348623157e308, 9007199254740992.0, 1e21, 1e-6, 1e-7}) {
    add_neighbours(numbers, border);
  }
  for (int i = 0; i < 2000; ++i) numbers.push_back(9007199254740992.0 - 1000 + i);
  const std::size_t positive = numbers.size();
  for (std::size_t i = 0; i < positive; ++i) numbers.push_back(-numbers[i]);
  return numbers;
}

void expect_written_as_by_node(const std::vector<double>& numbers) {
  std::vector<std::string> questions;
  questions.reserve(numbers.size());
  for (const double number : numbers) questions.push_back(hex_bits(number));
  const std::vector<std::string> answers = ask_node("bits", questions);
  ASSERT_EQ(answers.size(), questions.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::string ours;
    append_number(ours, numbers[i]);
    ASSERT_EQ(ours, answers[i]) << questions[i];
    // And back: the text is read as the very same double (but for -0, which is written 0).
    const auto document = parse_borrowed(ours);
    ASSERT_TRUE(document) << ours;
    ASSERT_EQ(document->root().as_double(), numbers[i]) << ours;
    ASSERT_EQ(canonical(document->root()), ours);
  }
}

TEST(Rfc8785_Numbers, AMillionRandomDoublesAsEcmaScriptWritesThem) {
  constexpr std::size_t kCount = cases(std::size_t{1'000'000});
  const std::uint64_t rounds = std::getenv("INTERLINE_LONG") == nullptr ? 1 : 20;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::mt19937_64 random(8785 + round);
    std::vector<double> numbers;
    while (numbers.size() < kCount) {
      const auto number = std::bit_cast<double>(random());
      if (std::isfinite(number)) numbers.push_back(number);
    }
    expect_written_as_by_node(numbers);
  }
  RecordProperty("said", std::to_string(kCount * rounds) + " random doubles");
}

TEST(Rfc8785_Numbers, NeighboursOfPowersOfTwoAndTenAsEcmaScriptWritesThem) {
  const std::vector<double> numbers = special_numbers();
  ASSERT_GT(numbers.size(), 40'000U);
  expect_written_as_by_node(numbers);
}

/// Numbers as people and programs write them, and as attackers would.
std::string random_number_text(std::mt19937_64& random) {
  const auto below = [&random](std::uint64_t n) { return random() % n; };
  const auto digits = [&](std::uint64_t count) {
    std::string out;
    for (; count > 0; --count) out += static_cast<char>('0' + below(10));
    return out;
  };
  std::string text = below(4) == 0 ? "-" : "";
  const std::uint64_t whole = below(8) == 0 ? 1 + below(40) : 1 + below(6);
  std::string integer = digits(whole);
  integer.erase(0, std::min(integer.find_first_not_of('0'), integer.size() - 1));
  text += integer;
  if (below(4) != 0) {
    text += '.';
    text += std::string(below(8) == 0 ? below(12) : 0, '0');
    text += digits(1 + (below(8) == 0 ? below(40) : below(17)));
    if (below(8) == 0) text += "00";
  }
  if (below(3) == 0) {
    text += below(2) == 0 ? 'e' : 'E';
    text += std::string_view("+-").substr(0, below(2));
    if (below(2) == 0) text += text.back() == '+' ? "" : "-";
    while (text.back() == '-' && text[text.size() - 2] == '-') text.pop_back();
    text += std::to_string(below(4) == 0 ? below(400) : below(30));
  }
  return text;
}

TEST(Rfc8785_Numbers, RandomTextsReadAndWrittenAsByEcmaScript) {
  constexpr std::size_t kCount = cases(std::size_t{300'000});
  std::mt19937_64 random(7493);
  std::vector<std::string> texts;
  while (texts.size() < kCount) texts.push_back(random_number_text(random));
  const std::vector<std::string> answers = ask_node("texts", texts);
  ASSERT_EQ(answers.size(), texts.size());
  std::size_t overflows = 0;
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto document = parse_borrowed(texts[i]);
    if (!document) {
      ASSERT_EQ(document.error().code, ParseErrorCode::number_overflow) << texts[i];
      ASSERT_TRUE(answers[i].ends_with("Infinity")) << texts[i];
      ++overflows;
      continue;
    }
    const Value& value = document->root();
    ASSERT_EQ(hex_bits(value.as_double()) + " " + canonical(value), answers[i]) << texts[i];
  }
  EXPECT_GT(overflows, 100U);
  EXPECT_LT(overflows, kCount / 4);
}

/// A text with a few bytes changed, so that some are no JSON any more.
std::string damage(std::string text, testing::RandomJson& random) {
  static constexpr std::string_view kBytes = "{}[]:,\"\\ \n0123456789.eE+-truefalsn/ud8\t\x01\x7F";
  for (std::size_t n = 1 + random.below(2); n > 0 && !text.empty(); --n) {
    const std::size_t at = random.below(text.size());
    const char byte = kBytes[random.below(kBytes.size())];
    switch (random.below(3)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.erase(at, 1);
        break;
      default:
        text.insert(at, 1, byte);
        break;
    }
  }
  return text;
}

/// Where I-JSON and RFC 8785 are stricter than JSON.parse.
bool only_we_refuse(ParseErrorCode code) {
  return code == ParseErrorCode::duplicate_name || code == ParseErrorCode::lone_surrogate ||
         code == ParseErrorCode::number_overflow || code == ParseErrorCode::invalid_utf8;
}

TEST(Rfc8785_Texts, AcceptedRefusedAndWrittenAsByEcmaScript) {
  constexpr std::uint64_t kCount = 20'000;
  std::vector<std::string> texts;
  std::vector<std::string> questions;
  for (std::uint64_t seed = 0; seed < kCount; ++seed) {
    testing::RandomJson random(seed);
    std::string text = random.spell(random.tree(3));
    if (seed % 2 == 1) text = damage(std::move(text), random);
    questions.push_back(hex(text));
    texts.push_back(std::move(text));
  }
  const std::vector<std::string> answers = ask_node("json", questions);
  ASSERT_EQ(answers.size(), questions.size());
  std::size_t refused = 0;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto document = parse_borrowed(texts[i]);
    if (document) {
      ASSERT_EQ(hex(canonical(document->root())), answers[i]) << texts[i];
    } else if (!only_we_refuse(document.error().code)) {
      ASSERT_EQ(answers[i], "refused") << to_string(document.error()) << "\n" << texts[i];
      ++refused;
    }
  }
  EXPECT_GT(refused, kCount / 8);
  EXPECT_LT(refused, kCount / 2);
}

}  // namespace
}  // namespace interline::json
