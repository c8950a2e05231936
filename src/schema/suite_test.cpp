// The JSON-Schema-Test-Suite: all required cases, the optional ones that apply, and on each of them
// that every way of asking gives the same answer.
#include "schema/suite.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "json/parse.hpp"
#include "schema/collector.hpp"
#include "schema/inspect.hpp"

namespace interline::schema {
namespace {

const std::filesystem::path kSuite = INTERLINE_SOURCE_DIR "/tests/vectors/json-schema-test-suite";
constexpr std::string_view kFolders[] = {
    "draft2020-12", "draft2020-12/optional", "draft2020-12/optional/format",
    "draft7",       "draft7/optional",       "draft7/optional/format"};

/// A case of the optional folders that does not apply here, and fails: a whole file where `group`
/// is empty, a whole group where `test` is empty.
struct Exception {
  std::string_view folder;
  std::string_view file;
  std::string_view group;
  std::string_view test;
  std::string_view reason;
};
constexpr std::string_view kNo201909 = "2019-09 is neither of the two dialects";
constexpr std::string_view kContentAnnotates =
    "draft-07 lets content keywords annotate, and so does every later draft";
constexpr Exception kExceptions[] = {
    {"draft2020-12/optional", "cross-draft.json", "", "", kNo201909},
    {"draft7/optional", "cross-draft.json", "refs to future drafts are processed as future drafts",
     "", kNo201909},
    {"draft7/optional", "content.json", "validation of string-encoded content based on media type",
     "an invalid JSON document", kContentAnnotates},
    {"draft7/optional", "content.json", "validation of binary string-encoding",
     "an invalid base64 string (% is not a valid character)", kContentAnnotates},
    {"draft7/optional", "content.json", "validation of binary-encoded media type documents",
     "a validly-encoded invalid JSON document", kContentAnnotates},
    {"draft7/optional", "content.json", "validation of binary-encoded media type documents",
     "an invalid base64 string that is valid JSON", kContentAnnotates},
};

const Exception* exception_for(std::string_view folder, const SuiteCase& suite_case) {
  const auto* found = std::ranges::find_if(kExceptions, [&](const Exception& exception) {
    return exception.folder == folder && exception.file == suite_case.file &&
           (exception.group.empty() || exception.group == suite_case.group) &&
           (exception.test.empty() || exception.test == suite_case.test);
  });
  return found == std::end(kExceptions) ? nullptr : found;
}

std::string name_of(std::string_view folder, const SuiteCase& suite_case) {
  return std::string(folder) + "/" + std::string(suite_case.file) + ": " +
         std::string(suite_case.group) + ": " + std::string(suite_case.test);
}

void for_each(std::string_view folder, const std::function<void(const SuiteCase&)>& visit) {
  const auto done = for_each_case(kSuite / "tests" / folder, {}, visit);
  ASSERT_TRUE(done) << done.error().message;
}

TEST(JsonSchemaTestSuite, EveryCasePassesThatIsNotListed) {
  std::set<const Exception*> used;
  for (const std::string_view folder : kFolders) {
    std::size_t passed = 0;
    for_each(folder, [&](const SuiteCase& suite_case) {
      const std::string problem = problem_of(suite_case);
      const Exception* exception = exception_for(folder, suite_case);
      if (exception != nullptr) {
        used.insert(exception);
        EXPECT_NE(problem, "") << name_of(folder, suite_case) << " passes, but is listed";
      } else {
        EXPECT_EQ(problem, "") << name_of(folder, suite_case);
        passed += problem.empty() ? 1 : 0;
      }
    });
    std::cout << folder << ": " << passed << " passed\n";
  }
  EXPECT_EQ(used.size(), std::size(kExceptions)) << "an exception names a case that does not exist";
  for (const Exception& exception : kExceptions) {
    std::cout << "does not apply: " << exception.folder << "/" << exception.file << " "
              << exception.group << " " << exception.test << ": " << exception.reason << "\n";
  }
}

TEST(JsonSchemaTestSuite, TheCollectorAgreesWithTheMachine) {
  for (const std::string_view folder : kFolders) {
    for_each(folder, [&](const SuiteCase& suite_case) {
      if (!suite_case.compiled) return;
      SCOPED_TRACE(name_of(folder, suite_case));
      const Verdict verdict = suite_case.compiled->validate(suite_case.instance);
      for (const auto gather : {Collector::Gather::errors, Collector::Gather::annotations}) {
        Collector collector(Inspect::model(*suite_case.compiled), {}, gather);
        EXPECT_EQ(collector.evaluate(suite_case.instance), verdict);
      }
    });
  }
}

TEST(JsonSchemaTestSuite, ReportsAndOutputsAgreeWithValidate) {
  for (const std::string_view folder : kFolders) {
    for_each(folder, [&](const SuiteCase& suite_case) {
      if (!suite_case.compiled) return;
      SCOPED_TRACE(name_of(folder, suite_case));
      const Schema& schema = *suite_case.compiled;
      const json::Value& instance = suite_case.instance;
      const Verdict verdict = schema.validate(instance);
      const Report report = schema.report(instance);
      EXPECT_EQ(report.verdict, verdict);
      EXPECT_EQ(report.errors.empty(), verdict == Verdict::valid);
      for (const ValidationError& error : report.errors) {
        EXPECT_LE(error.message.size(), 256U);
        EXPECT_LE(error.instance_location.size(), 256U);
        EXPECT_LE(error.keyword_location.size(), 256U);
      }
      for (const auto format : {OutputFormat::flag, OutputFormat::basic, OutputFormat::detailed}) {
        const auto output = json::parse(schema.output(instance, format));
        ASSERT_TRUE(output);
        const json::Value* valid = output->root().find("valid");
        ASSERT_NE(valid, nullptr);
        EXPECT_EQ(valid->get_bool(), verdict == Verdict::valid);
      }
    });
  }
}

TEST(JsonSchemaTestSuite, TheSummaryIsTheLastLine) {
  const auto result = run_suite(kSuite / "tests" / "draft7");
  ASSERT_TRUE(result);
  const std::string text = to_string(*result);
  EXPECT_TRUE(text.ends_with(std::to_string(result->passed) + " passed, 0 failed\n")) << text;
  EXPECT_GT(result->passed, 900U);
}

TEST(JsonSchemaTestSuite, AFileThatCannotBeReadIsAFailureAndNotTheEnd) {
  std::string name = (std::filesystem::temp_directory_path() / "interline-suite-XXXXXX").string();
  ASSERT_NE(::mkdtemp(name.data()), nullptr);
  const std::filesystem::path folder = std::filesystem::path(name) / "draft7";
  std::filesystem::create_directory(folder);
  const auto group = [](const std::string& text) {
    return R"([{"description": "g", "schema": {"type": "string"}, "tests": [)"
           R"({"description": "t", "data": ")" +
           text + R"(", "valid": true}]}])";
  };
  std::ofstream(folder / "a.json") << "[{";
  std::ofstream(folder / "b.json") << R"({"no": "suite"})";
  std::ofstream(folder / "c.json") << group(std::string(5U << 20U, 'x'));  // above json::Limits
  std::ofstream(folder / "d.json") << group("x");
  std::filesystem::create_directory(folder / "e.json");
  const auto result = run_suite(folder);
  std::filesystem::remove_all(name);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->passed, 2U);
  ASSERT_EQ(result->failures.size(), 3U) << to_string(*result);
  EXPECT_EQ(result->failures[0].file, "a.json");
  EXPECT_EQ(result->failures[1].file, "b.json");
  EXPECT_EQ(result->failures[2].file, "e.json");
}

TEST(JsonSchemaTestSuite, AFolderThatIsNoSuiteIsAnError) {
  EXPECT_FALSE(run_suite(kSuite / "tests" / "draft2020-12" / "none"));
  EXPECT_FALSE(run_suite(kSuite / "remotes"));
}

}  // namespace
}  // namespace interline::schema
