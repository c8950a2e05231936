#include <algorithm>
#include <iterator>
#include <utility>

#include "json/parse.hpp"
#include "json/writer.hpp"
#include "runtimes/script/read_offers.hpp"
#include "runtimes/script/read_steps.hpp"
#include "schema/registration.hpp"
#include "schema/upgrade.hpp"

namespace interline::runtimes::script {
namespace {

constexpr std::string_view kNoArguments = R"({"type":"object","properties":{}})";
// What XMPP has beside MCP's members: what a caller can expect of the tool.
constexpr std::string_view kXmppExtension = "urn:xmpp:agent-api:0";
// A hint to whoever streams an answer: let go of the stream, and let the client come back.
constexpr std::string_view kCutStream = "interline/cutStream";

template <class Action>
bool has_action(const std::vector<Step>& steps) {
  return std::ranges::any_of(
      steps, [](const Step& step) { return std::holds_alternative<Action>(step.action); });
}

void write_text(json::Writer& writer, std::string_view name, const std::string& text) {
  if (!text.empty()) writer.member(name, text);
}
void write_object(json::Writer& writer, std::string_view name, const std::string& object) {
  if (!object.empty()) writer.raw_member(name, object);
}

void write_meta(Fields& fields, json::Writer& writer) {
  const std::string meta = fields.object("meta");
  const auto cut = fields.duration("cut_stream");
  if (cut.count() == 0) return write_object(writer, "_meta", meta);
  writer.name("_meta");
  writer.begin_object();
  if (const auto parsed = json::parse_borrowed(meta); parsed) {
    for (const json::Member& member : parsed->root().members()) {
      if (member.name() != kCutStream) writer.member(member.name(), member.value);
    }
  }
  writer.name(kCutStream);
  writer.begin_object();
  writer.member("retryMs", std::chrono::duration_cast<std::chrono::milliseconds>(cut).count());
  writer.end_object();
  writer.end_object();
}

void write_extension(json::Writer& writer, const std::vector<Step>& steps) {
  writer.name(kXmppExtension);
  writer.begin_object();
  writer.member("supportsCancellation", true);
  writer.member("supportsInput", has_action<Ask>(steps));
  writer.member("supportsProgress", has_action<ReportProgress>(steps));
  writer.end_object();
}

/// "" where the schema can be registered; else why the tool would be left out.
std::string fault_of(const std::string& text, schema::Direction direction) {
  const auto parsed = json::parse_borrowed(text);
  if (!parsed) return {};  // said where it was read
  if (schema::is_draft_07(parsed->root())) {
    const auto upgraded = schema::upgrade_draft_07(parsed->root());
    return upgraded ? fault_of(upgraded->text, direction) : schema::to_string(upgraded.error());
  }
  const auto compiled = schema::compile_for_registration(parsed->root(), direction);
  return compiled ? std::string() : schema::to_string(compiled.error());
}

std::string read_schema(Fields& fields, std::string_view key, schema::Direction direction) {
  std::string text = fields.object(key);
  if (text.empty()) return text;
  if (std::string fault = fault_of(text, direction); !fault.empty()) {
    fields.mistake(key, std::string(key) + " is no schema of a tool: " + fault);
  }
  return text;
}

}  // namespace

Tool read_tool(Reading& reading, const json::Value& table) {
  const json::Value* name = table.find("name");
  const bool named = name != nullptr && name->is_string();
  Fields fields(reading, table,
                named ? "tool \"" + std::string(name->as_string()) + "\"" : "[[tool]]");
  Tool tool;
  tool.name = fields.required_text("name");
  tool.steps = read_steps(fields, "prepare", StepsOf::prepare);
  tool.prepared = tool.steps.size();
  auto steps = read_steps(fields, "steps", StepsOf::call);
  std::ranges::move(steps, std::back_inserter(tool.steps));

  json::Writer writer(tool.definition);
  writer.begin_object();
  writer.member("name", tool.name);
  write_text(writer, "title", fields.text("title"));
  write_text(writer, "description", fields.text("description"));
  const std::string input = read_schema(fields, "input_schema", schema::Direction::input);
  writer.raw_member("inputSchema", input.empty() ? kNoArguments : input);
  write_object(writer, "outputSchema",
               read_schema(fields, "output_schema", schema::Direction::output));
  write_object(writer, "annotations", fields.object("annotations"));
  const std::string task = fields.choice("task", {"forbidden", "optional", "required"});
  if (!task.empty()) {
    writer.name("execution");
    writer.begin_object();
    writer.member("taskSupport", task);
    writer.end_object();
  }
  write_meta(fields, writer);
  write_extension(writer, tool.steps);
  writer.end_object();
  fields.finish();
  return tool;
}

}  // namespace interline::runtimes::script
