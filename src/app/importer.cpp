#include "app/importer.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <utility>

#include "app/tool_import.hpp"
#include "base/base64.hpp"
#include "base/sha256.hpp"
#include "base/utf8.hpp"
#include "bindings/xmpp/manifest_fit.hpp"
#include "catalog/losses.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/writer.hpp"
#include "protocols/mcp/tool_names.hpp"

namespace interline::app {
namespace {

constexpr std::size_t kVersionDigits = 16;
constexpr std::size_t kLabel = 128;  // code points of implementation.name and .version

/// Digits that name a manifest by its content: of the manifest without version and JID.
std::string version_of(std::string_view manifest_without) {
  const auto parsed = json::parse_borrowed(manifest_without);
  const Digest digest =
      sha256(parsed ? json::canonical(parsed->root()) : std::string(manifest_without));
  std::string version = encode_base64url(BytesView(digest)).substr(0, kVersionDigits);
  if (version.starts_with('-')) version.front() = '_';  // command lines take it for an option
  return version;
}

/// What a peer says of itself goes into the manifest where it fits there; nothing depends on it.
bool is_label(std::string_view text) {
  return !text.empty() && count_code_points(text) <= kLabel;
}
bool is_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  const auto fits = [](char have, char want) {
    return want == '-' ? have == '-' : have >= '0' && have <= '9';
  };
  return std::ranges::equal(text, kForm, fits);
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
  if (is_label(tools.server_name) && is_label(tools.server_version)) {
    writer.name("implementation");
    writer.begin_object();
    writer.member("name", tools.server_name);
    writer.member("version", tools.server_version);
    writer.end_object();
  }
  if (is_date(tools.mcp_protocol_version)) {
    writer.member("mcpProtocolVersion", tools.mcp_protocol_version);
  }
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
  const std::string tool_array = carry_tools(tools, features, limits, report);
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

void report_misfits(Imported& imported, std::size_t stanza_out) {
  const std::vector<xmpp::Misfit> found = xmpp::misfits(*imported.manifest, stanza_out);
  if (found.empty()) return;
  LossReport report(imported.loss_report);
  for (const xmpp::Misfit& misfit : found) report.add(misfit.tool, misfit.location, misfit.loss);
  imported.loss_report = report.finish();
}

std::vector<ShownOtherwise> shown_otherwise(std::string_view endpoint,
                                            const catalog::Manifest& manifest) {
  namespace mcp = protocols::mcp;
  const std::string plain = std::string(endpoint) + ".";
  const std::string shown = mcp::tool_name({std::string(endpoint), "TOOL"});
  const std::string head = shown.substr(0, shown.rfind('.') + 1);
  std::vector<ShownOtherwise> found;
  if (shown != plain + "TOOL") found.push_back({"", shown});
  for (const catalog::Tool& tool : manifest.tools) {
    std::string name = mcp::tool_name({std::string(endpoint), tool.name});
    if (name != plain + tool.name && name != head + tool.name) {
      found.push_back({tool.name, std::move(name)});
    }
  }
  return found;
}

void report_names(Imported& imported, std::string_view endpoint) {
  const std::vector<ShownOtherwise> others = shown_otherwise(endpoint, *imported.manifest);
  if (others.empty()) return;
  LossReport report(imported.loss_report);
  for (const ShownOtherwise& other : others) {
    report.add(other.tool, "/name",
               catalog::loss_text(catalog::Loss::name_shown_otherwise, other.name));
  }
  imported.loss_report = report.finish();
}

}  // namespace interline::app
