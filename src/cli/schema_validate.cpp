// interline schema validate SCHEMA INSTANCE: yes, or no and where.
#include <memory>
#include <string>

#include "cli/schema_input.hpp"
#include "cli/verb.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

struct FormatRow {
  std::string_view word;
  schema::OutputFormat format;
};

// JSON Schema 2020-12 Core, section 12.4.
constexpr FormatRow kFormats[] = {
    {"flag", schema::OutputFormat::flag},
    {"basic", schema::OutputFormat::basic},
    {"detailed", schema::OutputFormat::detailed},
};

/// "/days/3: must be at most 10  [/properties/days/items/maximum]"
std::string line_of(const schema::ValidationError& error) {
  return schema::printable((error.instance_location.empty() ? "(root)" : error.instance_location) +
                           ": " + error.message + "  [" + error.keyword_location + "]") +
         "\n";
}

class SchemaValidate final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    schema_.declare(arguments);
    arguments.optional("INSTANCE", instance_, "A JSON text; - or nothing is standard input");
    arguments.choice("--output", output_, {"flag", "basic", "detailed"},
                     "Print the specification's output format, as JSON");
    arguments.flag("--json", json_, "The same as --output basic");
  }

  int run(Streams& io) override {
    if (schema_.path() == "-" && (instance_.empty() || instance_ == "-")) {
      io.complain("only one of SCHEMA and INSTANCE can be standard input");
      return kUsage;
    }
    const auto compiled = schema_.compile("");
    if (!compiled) {  // here the schema is not what is judged, but what was to judge
      io.complain(compiled.error().message);
      return kUsage;
    }
    const auto instance = load_json(instance_, schema_.limits());
    if (!instance) {
      io.complain(instance.error().message);
      return instance.error().unreadable ? kUsage : kNo;
    }
    if (json_ && output_.empty()) output_ = "basic";
    return output_.empty() ? report(io, *compiled, instance->root())
                           : output(io, *compiled, instance->root());
  }

 private:
  int report(Streams& io, const schema::Schema& compiled, const json::Value& instance) const {
    const schema::Report report = compiled.report(instance);
    if (report.verdict == schema::Verdict::budget_exceeded) return undecided(io);
    if (report.verdict == schema::Verdict::valid) {
      io.out(schema::printable(display_name(instance_)) + ": valid\n");
      return kOk;
    }
    io.out(schema::printable(display_name(instance_)) + ": not valid\n");
    for (const schema::ValidationError& error : report.errors) io.out(line_of(error));
    if (report.more) io.out("... and more\n");
    return kNo;
  }

  int output(Streams& io, const schema::Schema& compiled, const json::Value& instance) const {
    for (const FormatRow& row : kFormats) {
      if (row.word == output_) io.out(compiled.output(instance, row.format) + "\n");
    }
    const schema::Verdict verdict = compiled.validate(instance);
    if (verdict == schema::Verdict::budget_exceeded) return undecided(io);
    return verdict == schema::Verdict::valid ? kOk : kNo;
  }

  int undecided(Streams& io) const {
    io.complain(display_name(instance_) +
                ": undecided: validating it costs more than is allowed; simplify the schema's "
                "references, patterns or combinators");
    return kNo;
  }

  SchemaInput schema_;
  std::string instance_;
  std::string output_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_schema_validate() {
  return std::make_unique<SchemaValidate>();
}

}  // namespace interline::cli
