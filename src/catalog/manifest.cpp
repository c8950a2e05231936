// Reading a manifest: the normative schema (manifest_rules.hpp), and the rules beside it that a
// schema cannot say (URIs, tool names, tool schemas).
#include "catalog/manifest.hpp"

#include <algorithm>
#include <utility>

#include "base/utf8.hpp"
#include "catalog/https_uri.hpp"
#include "catalog/manifest_rules.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "schema/registration.hpp"

namespace interline::catalog {
namespace {

/// Whether XML 1.0 can carry every character of a valid UTF-8 text.
bool is_xml_text(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const Utf8CodePoint point = decode_valid_utf8(text.data() + i);
    const char32_t c = point.value;
    const bool control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
    if (control || c == 0xFFFE || c == 0xFFFF) return false;
    i += point.size;
  }
  return true;
}

std::string text_of(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  return value == nullptr ? std::string() : std::string(value->as_string());
}

std::optional<bool> hint_of(const json::Value& tool, std::string_view name) {
  const json::Value* annotations = tool.find("annotations");
  const json::Value* hint = annotations == nullptr ? nullptr : annotations->find(name);
  return hint == nullptr ? std::nullopt : hint->get_bool();
}

void read_extension(const json::Value& tool_value, Tool& tool) {
  const json::Value* extension = tool_value.find(kManifestExtension);
  if (extension == nullptr) return;
  const auto flag = [extension](std::string_view name) {
    const json::Value* value = extension->find(name);
    return value != nullptr && value->as_bool();
  };
  const auto seconds = [extension](std::string_view name) -> std::optional<std::uint64_t> {
    const json::Value* value = extension->find(name);
    if (value == nullptr) return std::nullopt;
    return static_cast<std::uint64_t>(std::min(value->as_double(), 9.0e9));  // 285 years
  };
  tool.supports_progress = flag("supportsProgress");
  tool.supports_cancellation = flag("supportsCancellation");
  tool.supports_input = flag("supportsInput");
  tool.approval_required = flag("approvalRequired");
  tool.default_timeout_seconds = seconds("defaultTimeoutSeconds");
  tool.maximum_timeout_seconds = seconds("maximumTimeoutSeconds");
  if (const json::Value* permissions = extension->find("requiredPermissions")) {
    for (const json::Value& item : permissions->items()) {
      tool.required_permissions.emplace_back(item.as_string());
    }
  }
}

Result<schema::Schema> read_schema(const json::Value& value, schema::Direction direction,
                                   const std::string& where, const ManifestLimits& limits,
                                   std::string& text, Digest& hash) {
  text = json::canonical(value);
  if (text.size() > limits.schema_bytes) {
    return fail(
        ErrorKind::resource_constraint, ErrorReason::too_large,
        "A tool's schema is larger than " + std::to_string(limits.schema_bytes) + " bytes.");
  }
  hash = sha256(text);
  auto compiled = schema::compile_for_registration(value, direction);
  if (compiled) return *std::move(compiled);
  Error error = schema::to_error(compiled.error());
  error.message.insert(0, "At " + where + ": ");
  return std::unexpected(std::move(error));
}

Result<Tool> read_tool(const json::Value& value, const std::string& where,
                       const ManifestLimits& limits) {
  Tool tool;
  tool.name = text_of(value, "name");
  if (!is_xml_text(tool.name)) {
    return refused(child(where, "name"), "a character that XML cannot carry");
  }
  tool.title = text_of(value, "title");
  tool.description = text_of(value, "description");
  tool.definition = json::canonical(value);
  tool.annotations = {hint_of(value, "readOnlyHint"), hint_of(value, "destructiveHint"),
                      hint_of(value, "idempotentHint"), hint_of(value, "openWorldHint")};
  read_extension(value, tool);
  auto input =
      read_schema(*value.find("inputSchema"), schema::Direction::input, child(where, "inputSchema"),
                  limits, tool.input_schema_text, tool.input_schema_hash);
  if (!input) return std::unexpected(std::move(input.error()));
  tool.input_schema = *std::move(input);
  if (const json::Value* output = value.find("outputSchema")) {
    auto compiled = read_schema(*output, schema::Direction::output, child(where, "outputSchema"),
                                limits, tool.output_schema_text, tool.output_schema_hash);
    if (!compiled) return std::unexpected(std::move(compiled.error()));
    tool.output_schema = *std::move(compiled);
  }
  return tool;
}

Result<void> read_agent(const json::Value& agent, Manifest& manifest) {
  manifest.jid = text_of(agent, "jid");
  manifest.name = text_of(agent, "name");
  manifest.title = text_of(agent, "title");
  manifest.description = text_of(agent, "description");
  manifest.version = text_of(agent, "version");
  manifest.vendor = text_of(agent, "vendor");
  manifest.homepage = text_of(agent, "homepage");
  manifest.avatar_url = text_of(agent, "avatarUrl");
  for (const auto name : {"homepage", "avatarUrl"}) {
    if (agent.find(name) != nullptr && !is_https_uri(text_of(agent, name))) {
      return refused(child("/agent", name),
                     "expected an absolute https URI with a host and without user information");
    }
  }
  return {};
}

Result<void> read_tools(const json::Value& tools, Manifest& manifest,
                        const ManifestLimits& limits) {
  manifest.tools.reserve(tools.size());
  for (std::size_t i = 0; i < tools.size(); ++i) {
    std::string where = "/tools";
    json::append_index(where, i);
    auto tool = read_tool(tools.items()[i], where, limits);
    if (!tool) return std::unexpected(std::move(tool.error()));
    manifest.tools.push_back(*std::move(tool));
  }
  std::ranges::sort(manifest.tools, {}, &Tool::name);
  if (std::ranges::adjacent_find(manifest.tools, {}, &Tool::name) != manifest.tools.end()) {
    return refused("/tools", "two tools have the same name");
  }
  return {};
}

}  // namespace

const Tool* Manifest::find_tool(std::string_view tool_name) const {
  const auto found = std::ranges::lower_bound(
      tools, tool_name, {}, [](const Tool& tool) { return std::string_view(tool.name); });
  return found == tools.end() || found->name != tool_name ? nullptr : &*found;
}

Result<std::shared_ptr<const Manifest>> read_manifest(std::string_view text,
                                                      const ManifestLimits& limits) {
  json::Limits json_limits;
  json_limits.bytes = limits.manifest_bytes;
  json_limits.depth = limits.json_depth;
  const auto document = json::parse_borrowed(text, json_limits);
  if (!document) return std::unexpected(json::to_error(document.error()));
  const json::Value& root = document->root();
  if (auto checked = check_manifest_schema(root); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  auto manifest = std::make_shared<Manifest>();
  if (auto read = read_agent(*root.find("agent"), *manifest); !read) {
    return std::unexpected(std::move(read.error()));
  }
  if (auto read = read_tools(*root.find("tools"), *manifest, limits); !read) {
    return std::unexpected(std::move(read.error()));
  }
  manifest->text = json::canonical(root);
  if (!is_xml_text(manifest->text)) return refused("", "a character that XML cannot carry");
  manifest->hash = sha256(manifest->text);
  return manifest;
}

}  // namespace interline::catalog
