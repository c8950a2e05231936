// The schema compiler and both evaluators. The input is a line of options ("7": draft-07, "f":
// format asserts), a schema, a line "---", and an instance. Whatever it is: no crash, errors
// bounded, the machine and the collector of one opinion, reports and outputs of the same, and a
// smaller budget never another verdict.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "json/parse.hpp"
#include "schema/collector.hpp"
#include "schema/inspect.hpp"
#include "schema/schema.hpp"

namespace {

using namespace interline;
using namespace interline::schema;

void require(bool holds) {
  if (!holds) std::abort();
}

json::Limits small() {
  json::Limits limits;
  limits.bytes = 16U << 10U;
  limits.nodes = 4'000;
  return limits;
}

CompileOptions options_of(std::string_view line) {
  CompileOptions options;
  if (line.find('7') != std::string_view::npos) options.default_dialect = Dialect::draft_07;
  options.assert_format = line.find('f') != std::string_view::npos;
  options.limits.subschemas = 2'000;
  options.limits.pattern_bytes = 200;
  options.limits.pattern_work = 100'000;
  return options;
}

void check_output(const Schema& schema, const json::Value& instance, OutputFormat format,
                  const ValidateLimits& limits, bool valid) {
  json::Limits nested;  // as deep as the evaluation was
  nested.depth = 1'000;
  const auto output = json::parse(schema.output(instance, format, limits), nested);
  require(output.has_value());
  const json::Value* verdict = output->root().find("valid");
  require(verdict != nullptr && verdict->get_bool() == valid);
}

void check(const Schema& schema, const json::Value& instance) {
  ValidateLimits limits;
  limits.steps = 30'000;
  limits.depth = 100;
  const Verdict verdict = schema.validate(instance, limits);
  for (const auto gather : {Collector::Gather::errors, Collector::Gather::annotations}) {
    Collector collector(Inspect::model(schema), limits, gather);
    const Verdict other = collector.evaluate(instance);
    require(other == verdict || other == Verdict::budget_exceeded ||
            verdict == Verdict::budget_exceeded);
  }
  const Report report = schema.report(instance, limits);
  require(report.verdict == verdict);
  require(report.errors.empty() == (verdict != Verdict::invalid));
  require(report.errors.size() <= limits.errors);
  for (const ValidationError& error : report.errors) {
    require(error.message.size() <= 256 && error.instance_location.size() <= 256 &&
            error.keyword_location.size() <= 256);
  }
  for (const auto format : {OutputFormat::flag, OutputFormat::basic, OutputFormat::detailed}) {
    check_output(schema, instance, format, limits, verdict == Verdict::valid);
  }
  for (const std::size_t steps : {3U, 30U, 300U}) {
    ValidateLimits less = limits;
    less.steps = steps;
    const Verdict bounded = schema.validate(instance, less);
    require(bounded == verdict || bounded == Verdict::budget_exceeded);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t line = input.find('\n');
  if (line == std::string_view::npos) return 0;
  constexpr std::string_view kSeparator = "\n---\n";
  const std::string_view rest = input.substr(line + 1);
  const std::size_t separator = rest.find(kSeparator);
  const std::string_view schema_text = rest.substr(0, separator);
  const std::string_view instance_text = separator == std::string_view::npos
                                             ? schema_text
                                             : rest.substr(separator + kSeparator.size());

  const auto schema_document = json::parse(schema_text, small());
  if (!schema_document) return 0;
  const auto schema = Schema::compile(schema_document->root(), options_of(input.substr(0, line)));
  if (!schema) {
    require(schema.error().message.size() <= 512 && !schema.error().message.empty());
    return 0;
  }
  const auto instance = json::parse(instance_text, small());
  if (instance) check(*schema, instance->root());
  return 0;
}
