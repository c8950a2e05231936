// interline schema check SCHEMA: whether it compiles, and where asked, whether a tool may have it.
#include <memory>
#include <string>

#include "cli/schema_input.hpp"
#include "cli/verb.hpp"
#include "json/writer.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

std::string json_report(const std::expected<schema::Schema, SchemaFailure>& compiled) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("valid", compiled.has_value());
  if (compiled) {
    writer.member("dialect", word_of(compiled->dialect()));
  } else {
    const schema::CompileError& error = *compiled.error().error;
    writer.name("error");
    writer.begin_object();
    writer.member("code", word_of(error.code));
    writer.member("document", error.document);
    writer.member("location", error.location);
    writer.member("message", error.message);
    writer.end_object();
  }
  writer.end_object();
  return text + "\n";
}

class SchemaCheck final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    schema_.declare(arguments);
    arguments.choice("--tool", tool_, {"input", "output"},
                     "Apply the rules for a tool's input or output schema too");
    arguments.flag("--json", json_, "Print {\"valid\",\"dialect\"} or {\"valid\",\"error\"}");
  }

  int run(Streams& io) override {
    const auto compiled = schema_.compile(tool_);
    if (json_ && (compiled || compiled.error().error)) {
      io.out(json_report(compiled));
      return compiled ? kOk : kNo;
    }
    if (!compiled) {
      io.complain(compiled.error().message);
      return compiled.error().code;
    }
    io.out(schema::printable(display_name(schema_.path())) + ": a valid JSON Schema (" +
           std::string(word_of(compiled->dialect())) + ")" +
           (tool_.empty() ? "" : ", fit for a tool's " + tool_) + "\n");
    return kOk;
  }

 private:
  SchemaInput schema_;
  std::string tool_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_schema_check() {
  return std::make_unique<SchemaCheck>();
}

}  // namespace interline::cli
