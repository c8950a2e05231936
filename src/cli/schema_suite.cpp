// interline schema suite DIR: the official test suite's *.json files in a folder, counted.
#include <memory>
#include <string>

#include "cli/verb.hpp"
#include "json/writer.hpp"
#include "schema/suite.hpp"

namespace interline::cli {
namespace {

std::string json_report(const schema::SuiteResult& result) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("passed", static_cast<std::uint64_t>(result.passed));
  writer.member("failed", static_cast<std::uint64_t>(result.failures.size()));
  writer.name("failures");
  writer.begin_array();
  for (const schema::SuiteFailure& failure : result.failures) {
    writer.begin_object();
    writer.member("file", failure.file);
    writer.member("group", failure.group);
    writer.member("test", failure.test);
    writer.member("problem", failure.problem);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return text + "\n";
}

class SchemaSuite final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required(
        "DIR", folder_,
        "A folder below tests/draft2020-12 or tests/draft7; remotes are two above those");
    arguments.flag("--format", format_,
                   "Let `format` decide; in a folder named format it does anyway");
    arguments.flag("--json", json_, "Print {\"passed\",\"failed\",\"failures\"}");
  }

  int run(Streams& io) override {
    schema::SuiteOptions options;
    options.assert_format = format_;
    const auto result = schema::run_suite(folder_, options);
    if (!result) {
      io.complain(result.error().message);
      return kUsage;
    }
    io.out(json_ ? json_report(*result) : schema::to_string(*result));
    return result->failures.empty() && result->passed > 0 ? kOk : kNo;
  }

 private:
  std::string folder_;
  bool format_ = false;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_schema_suite() {
  return std::make_unique<SchemaSuite>();
}

}  // namespace interline::cli
