// tests/draft2020-12/optional/format/*.json and those of draft-07, every case.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "schema/format.hpp"

namespace interline::schema {
namespace {

json::Document parsed_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  auto document = json::parse(std::string((std::istreambuf_iterator<char>(file)), {}));
  EXPECT_TRUE(document) << path;
  return std::move(document.value());
}

/// What one folder of the suite holds: all of it is run.
struct Tally {
  std::size_t files = 0;
  std::size_t cases = 0;
};

Tally run(const std::string& folder) {
  Tally tally;
  const std::filesystem::path root =
      INTERLINE_SOURCE_DIR "/tests/vectors/json-schema-test-suite/tests/";
  for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
    const json::Document document = parsed_file(entry.path());
    ++tally.files;
    for (const json::Value& group : document.root().items()) {
      const std::string_view name = group.find("schema")->find("format")->as_string();
      const std::optional<Format> format = format_named(name);
      EXPECT_EQ(format.has_value(), name != "unknown") << name;
      for (const json::Value& test : group.find("tests")->items()) {
        ++tally.cases;
        const json::Value& data = *test.find("data");
        const bool valid = !format || !data.is_string() || holds(*format, data.as_string());
        EXPECT_EQ(valid, test.find("valid")->as_bool())
            << entry.path().filename() << ": " << test.find("description")->as_string();
      }
    }
  }
  return tally;
}

TEST(JsonSchemaTestSuite_Format, Draft202012) {
  const Tally tally = run("draft2020-12/optional/format");
  EXPECT_EQ(tally.files, 21U);
  EXPECT_EQ(tally.cases, 764U);
}

TEST(JsonSchemaTestSuite_Format, Draft07) {
  const Tally tally = run("draft7/optional/format");
  EXPECT_EQ(tally.files, 19U);
  EXPECT_EQ(tally.cases, 676U);
}

}  // namespace
}  // namespace interline::schema
