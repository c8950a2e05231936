#include "app/importer.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>

#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "schema/registration.hpp"
#include "schema/upgrade.hpp"

namespace interline::app {
namespace {

constexpr std::string_view kExtension = "urn:xmpp:agent-api:0";
// Members of an MCP Tool that a manifest's tool carries as they are (ProtoXEP, "MCP Mapping").
constexpr std::array<std::string_view, 6> kCarried = {"name",        "title",     "description",
                                                      "annotations", "execution", "_meta"};
constexpr std::size_t kVersionDigits = 16;

class LossReport {
 public:
  LossReport() : writer_(text_) { writer_.begin_array(); }

  void add(std::string_view tool, std::string_view location, std::string_view loss) {
    writer_.begin_object();
    writer_.member("tool", tool);
    writer_.member("location", location);
    writer_.member("loss", loss);
    writer_.end_object();
  }
  [[nodiscard]] std::string finish() {
    writer_.end_array();
    return std::move(text_);
  }

 private:
  std::string text_;
  json::Writer writer_;
};

bool is_uri_name(std::string_view name) {
  const auto colon = name.find(':');
  return colon != std::string_view::npos && colon > 0 && name.front() >= 'a' && name.front() <= 'z';
}

/// The schema as it can be registered: itself, or upgraded from draft-07. Nothing: it cannot be.
std::optional<std::string> carry_schema(const json::Value& schema, schema::Direction direction,
                                        std::string_view tool, std::string_view member,
                                        LossReport& report) {
  std::string text(schema.source());
  if (schema::is_draft_07(schema)) {
    auto upgraded = schema::upgrade_draft_07(schema);
    if (!upgraded) {
      report.add(
          tool, member,
          "the draft-07 schema has no equal in 2020-12: " + schema::to_string(upgraded.error()));
      return std::nullopt;
    }
    report.add(tool, member, "the schema was upgraded from draft-07 to 2020-12");
    for (const schema::UpgradeChange& change : upgraded->changes) {
      report.add(tool, std::string(member) + change.location, change.change);
    }
    text = std::move(upgraded->text);
  }
  const auto parsed = json::parse_borrowed(text);
  if (!parsed) {
    report.add(tool, member, "the schema is no I-JSON: " + json::to_string(parsed.error()));
    return std::nullopt;
  }
  const auto compiled = schema::compile_for_registration(parsed->root(), direction);
  if (compiled) return text;
  report.add(tool, member,
             "the schema cannot be registered: " + schema::to_string(compiled.error()));
  return std::nullopt;
}

void write_extension(json::Writer& writer, const engine::RuntimeFeatures& features) {
  writer.name(kExtension);
  writer.begin_object();
  writer.member("supportsCancellation", features.cancel);
  writer.member("supportsInput", features.input);
  writer.member("supportsProgress", features.progress);
  writer.end_object();
}

/// One tool object of the manifest, or "" where the tool cannot be expressed.
std::string carry_tool(const json::Value& definition, const engine::RuntimeFeatures& features,
                       LossReport& report) {
  const json::Value* name_value = definition.find("name");
  if (name_value == nullptr || !name_value->is_string() || name_value->as_string().empty()) {
    report.add("", "/name", "the tool has no name and was left out");
    return {};
  }
  const std::string_view tool = name_value->as_string();
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  for (const json::Member& member : definition.members()) {
    const bool carried =
        std::ranges::find(kCarried, member.name()) != kCarried.end() || is_uri_name(member.name());
    if (carried) {
      writer.member(member.name(), member.value);
      continue;
    }
    const bool input = member.name() == "inputSchema";
    if (input || member.name() == "outputSchema") {
      const auto schema =
          carry_schema(member.value, input ? schema::Direction::input : schema::Direction::output,
                       tool, input ? "/inputSchema" : "/outputSchema", report);
      if (schema) {
        writer.raw_member(member.name(), *schema);
      } else if (input) {
        report.add(tool, "", "the tool was left out");
        return {};
      }
      continue;
    }
    std::string location = "/";
    location.append(member.name());
    report.add(tool, location, "this member has no place in a manifest and is not shown there");
  }
  if (definition.find(kExtension) == nullptr) write_extension(writer, features);
  writer.end_object();
  return definition.find("inputSchema") == nullptr ? std::string() : text;
}

std::string carry_tools(const engine::ImportedTools& tools, const engine::RuntimeFeatures& features,
                        LossReport& report) {
  for (const engine::ImportLoss& lost : tools.losses) {
    report.add(lost.tool, lost.location, lost.loss);
  }
  std::string text = "[";
  for (const std::string& definition : tools.definitions) {
    const auto parsed = json::parse_borrowed(definition);
    if (!parsed || !parsed->root().is_object()) {
      report.add("", "", "a tool's definition is no I-JSON object and was left out");
      continue;
    }
    const std::string tool = carry_tool(parsed->root(), features, report);
    if (tool.empty()) continue;
    if (text.size() > 1) text.push_back(',');
    text.append(tool);
  }
  return text.append("]");
}

/// Digits that name a manifest by its content: of the manifest without version and JID.
std::string version_of(std::string_view manifest_without) {
  const auto parsed = json::parse_borrowed(manifest_without);
  const Digest digest =
      sha256(parsed ? json::canonical(parsed->root()) : std::string(manifest_without));
  return encode_base64url(BytesView(digest)).substr(0, kVersionDigits);
}

std::string write_manifest(const EndpointTable& endpoint, const engine::ImportedTools& tools,
                           std::string_view tool_array, std::string_view version,
                           std::string_view jid) {
  std::string text;
  json::Writer writer(text);
  const auto optional = [&writer](std::string_view name, const std::string& value) {
    if (!value.empty()) writer.member(name, value);
  };
  writer.begin_object();
  writer.member("manifestSpecVersion", "0");
  writer.name("agent");
  writer.begin_object();
  if (!jid.empty()) writer.member("jid", jid);
  writer.member("name", endpoint.name);
  optional("title", endpoint.title);
  optional("description", endpoint.description);
  optional("vendor", endpoint.vendor);
  if (!version.empty()) writer.member("version", version);
  writer.end_object();
  if (!tools.server_name.empty() && !tools.server_version.empty()) {
    writer.name("implementation");
    writer.begin_object();
    writer.member("name", tools.server_name);
    writer.member("version", tools.server_version);
    writer.end_object();
  }
  optional("mcpProtocolVersion", tools.mcp_protocol_version);
  writer.raw_member("tools", tool_array);
  writer.end_object();
  return text;
}

Result<std::string> read_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    return fail(ErrorKind::not_acceptable, file.string() + " cannot be read");
  }
  return std::string((std::istreambuf_iterator<char>(stream)), {});
}

}  // namespace

Result<Imported> import_tools(const EndpointTable& endpoint, const engine::ImportedTools& tools,
                              const engine::RuntimeFeatures& features, std::string_view domain,
                              const catalog::ManifestLimits& limits) {
  LossReport report;
  const std::string tool_array = carry_tools(tools, features, report);
  const std::string version = endpoint.version.empty()
                                  ? version_of(write_manifest(endpoint, tools, tool_array, "", ""))
                                  : endpoint.version;
  const std::string jid = std::string(endpoint.name).append("@").append(domain);
  auto manifest =
      catalog::read_manifest(write_manifest(endpoint, tools, tool_array, version, jid), limits);
  if (!manifest) return std::unexpected(std::move(manifest.error()));
  return Imported{*std::move(manifest), report.finish()};
}

Result<engine::ImportedTools> read_tools_file(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) return std::unexpected(text.error());
  const auto parsed = json::parse_borrowed(*text);
  if (!parsed) {
    return fail(ErrorKind::not_acceptable, file.string() + ": " + json::to_string(parsed.error()));
  }
  const json::Value* tools =
      parsed->root().is_object() ? parsed->root().find("tools") : &parsed->root();
  if (tools == nullptr || !tools->is_array()) {
    return fail(ErrorKind::not_acceptable,
                file.string() + " is neither an array of tools nor an object with \"tools\"");
  }
  engine::ImportedTools imported;
  for (const json::Value& tool : tools->items()) imported.definitions.emplace_back(tool.source());
  return imported;
}

Result<Imported> read_manifest_file(const std::filesystem::path& file, std::string_view endpoint,
                                    std::string_view domain,
                                    const catalog::ManifestLimits& limits) {
  const auto text = read_file(file);
  if (!text) return std::unexpected(text.error());
  auto manifest = catalog::read_manifest(*text, limits);
  if (!manifest) {
    Error error = std::move(manifest.error());
    error.message.insert(0, file.string() + ": ");
    return std::unexpected(std::move(error));
  }
  const std::string jid = std::string(endpoint).append("@").append(domain);
  if (!(*manifest)->jid.empty() && (*manifest)->jid != jid) {
    return fail(ErrorKind::not_acceptable, file.string() + ": agent.jid must be " + jid);
  }
  return Imported{*std::move(manifest), "[]"};
}

}  // namespace interline::app
