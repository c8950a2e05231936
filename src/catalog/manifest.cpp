// Reading a manifest: the normative manifest schema of the ProtoXEP as a table of rules, and the
// rules beside it that a schema cannot say (URIs, tool names, tool schemas).
#include "catalog/manifest.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <utility>

#include "base/utf8.hpp"
#include "catalog/https_uri.hpp"
#include "json/canonical.hpp"
#include "json/parse.hpp"
#include "json/pointer.hpp"
#include "schema/registration.hpp"

namespace interline::catalog {
namespace {

constexpr std::string_view kExtension = "urn:xmpp:agent-api:0";
constexpr std::size_t kNoLimit = std::numeric_limits<std::size_t>::max();

enum class Type : std::uint8_t { string, object, array, boolean, positive_integer, strings };

/// One member of an object: sizes count code points of strings and elements of arrays.
struct MemberRule {
  std::string_view name;
  Type type;
  bool required = false;
  std::size_t minimum = 0;
  std::size_t maximum = kNoLimit;
};

// clang-format off
constexpr std::array kRootRules = {
    MemberRule{"manifestSpecVersion", Type::string, true},
    MemberRule{"agent",               Type::object, true},
    MemberRule{"implementation",      Type::object},
    MemberRule{"mcpProtocolVersion",  Type::string},
    MemberRule{"tools",               Type::array, true, 0, 4096},
};
constexpr std::array kAgentRules = {
    MemberRule{"jid",         Type::string, true, 3, 3071},
    MemberRule{"name",        Type::string, true, 1, 128},
    MemberRule{"title",       Type::string, false, 0, 256},
    MemberRule{"description", Type::string, false, 0, 4096},
    MemberRule{"version",     Type::string, true},
    MemberRule{"vendor",      Type::string, false, 0, 256},
    MemberRule{"homepage",    Type::string, false, 0, 2048},
    MemberRule{"avatarUrl",   Type::string, false, 0, 2048},
};
constexpr std::array kImplementationRules = {
    MemberRule{"name",    Type::string, true, 1, 128},
    MemberRule{"version", Type::string, true, 1, 128},
};
constexpr std::array kToolRules = {
    MemberRule{"name",         Type::string, true, 1},
    MemberRule{"title",        Type::string, false, 0, 256},
    MemberRule{"description",  Type::string, false, 0, 8192},
    MemberRule{"inputSchema",  Type::object, true},
    MemberRule{"outputSchema", Type::object},
    MemberRule{"annotations",  Type::object},
    MemberRule{"execution",    Type::object},
    MemberRule{"_meta",        Type::object},
    MemberRule{kExtension,     Type::object},
};
constexpr std::array kExtensionRules = {
    MemberRule{"supportsProgress",      Type::boolean},
    MemberRule{"supportsCancellation",  Type::boolean},
    MemberRule{"supportsInput",         Type::boolean},
    MemberRule{"defaultTimeoutSeconds", Type::positive_integer},
    MemberRule{"maximumTimeoutSeconds", Type::positive_integer},
    MemberRule{"requiredPermissions",   Type::strings, false, 1, 256},
    MemberRule{"approvalRequired",      Type::boolean},
    MemberRule{"tags",                  Type::strings, false, 1, 128},
};
// clang-format on

std::unexpected<Error> refused(const std::string& where, std::string_view expected) {
  std::string message = "The manifest is refused at ";
  message.append(where.empty() ? std::string_view("its root") : std::string_view(where));
  message.append(": ").append(expected);
  return fail(ErrorKind::not_acceptable, std::move(message));
}

std::string child(const std::string& where, std::string_view name) {
  std::string pointer = where;
  json::append_token(pointer, name);
  return pointer;
}

/// Unknown members of a tool are allowed where their names are URIs: "^[a-z][a-z0-9+.-]*:".
bool is_uri_name(std::string_view name) {
  const auto lower = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto scheme = [&lower](char c) {
    return lower(c) || (c >= '0' && c <= '9') || c == '+' || c == '.' || c == '-';
  };
  const auto colon = name.find(':');
  return colon != std::string_view::npos && lower(name.front()) &&
         std::ranges::all_of(name.substr(0, colon), scheme);
}

bool in_length(const json::Value& text, const MemberRule& rule) {
  const std::size_t length = count_code_points(text.as_string());
  return length >= rule.minimum && length <= rule.maximum;
}

bool are_unique_strings(const json::Value& value, const MemberRule& rule) {
  if (!value.is_array()) return false;
  std::vector<std::string_view> seen;
  for (const json::Value& item : value.items()) {
    if (!item.is_string() || !in_length(item, rule)) return false;
    seen.push_back(item.as_string());
  }
  std::ranges::sort(seen);
  return std::ranges::adjacent_find(seen) == seen.end();
}

bool holds(const json::Value& value, const MemberRule& rule) {
  switch (rule.type) {
    case Type::string:
      return value.is_string() && in_length(value, rule);
    case Type::object:
      return value.is_object();
    case Type::array:
      return value.is_array() && value.size() <= rule.maximum;
    case Type::boolean:
      return value.is_boolean();
    case Type::positive_integer:
      return value.is_number() && value.as_double() >= 1 &&
             value.as_double() == static_cast<double>(static_cast<std::int64_t>(
                                      std::min(value.as_double(), 9.0e15)));
    case Type::strings:
      return are_unique_strings(value, rule);
  }
  return false;
}

std::string expectation(const MemberRule& rule) {
  static constexpr std::array<std::string_view, 6> kWords = {"a string",
                                                             "an object",
                                                             "an array",
                                                             "a boolean",
                                                             "an integer of at least 1",
                                                             "an array of unique strings"};
  std::string text = "expected ";
  text.append(kWords.at(static_cast<std::size_t>(rule.type)));
  if (rule.minimum > 0) text.append(", at least ").append(std::to_string(rule.minimum));
  if (rule.maximum != kNoLimit) text.append(", at most ").append(std::to_string(rule.maximum));
  const bool counts_text = rule.type == Type::string || rule.type == Type::strings;
  if (counts_text && (rule.minimum > 0 || rule.maximum != kNoLimit)) text.append(" characters");
  return text;
}

Result<void> check_members(const json::Value& object, std::span<const MemberRule> rules,
                           const std::string& where, bool uri_names) {
  for (const MemberRule& rule : rules) {
    const json::Value* value = object.find(rule.name);
    if (value == nullptr) {
      if (rule.required) return refused(child(where, rule.name), "this member is required");
      continue;
    }
    if (!holds(*value, rule)) return refused(child(where, rule.name), expectation(rule));
  }
  for (const json::Member& member : object.members()) {
    if (std::ranges::find(rules, member.name(), &MemberRule::name) != rules.end()) continue;
    if (uri_names && is_uri_name(member.name())) continue;
    return refused(where, uri_names ? "a member that is not defined, and whose name is no URI"
                                    : "a member that is not defined");
  }
  return {};
}

/// ProtoXEP "Protocol Namespaces and Identifiers": ^[A-Za-z0-9._~-]{1,64}$.
bool is_version(std::string_view text) {
  const auto legal = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '_' || c == '~' || c == '-';
  };
  return !text.empty() && text.size() <= 64 && std::ranges::all_of(text, legal);
}

/// ^[0-9]{4}-[0-9]{2}-[0-9]{2}$
bool is_revision_date(std::string_view text) {
  if (text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool dash = i == 4 || i == 7;
    if (dash ? text[i] != '-' : text[i] < '0' || text[i] > '9') return false;
  }
  return true;
}

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

Result<void> read_extension(const json::Value& tool_value, Tool& tool, const std::string& where) {
  const json::Value* extension = tool_value.find(kExtension);
  if (extension == nullptr) return {};
  const std::string place = child(where, kExtension);
  if (auto checked = check_members(*extension, kExtensionRules, place, false); !checked) {
    return checked;
  }
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
  return {};
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
  if (!value.is_object()) return refused(where, "expected an object");
  if (auto checked = check_members(value, kToolRules, where, true); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
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
  if (auto read = read_extension(value, tool, where); !read) {
    return std::unexpected(std::move(read.error()));
  }
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
  const std::string where = "/agent";
  if (auto checked = check_members(agent, kAgentRules, where, false); !checked) return checked;
  manifest.jid = text_of(agent, "jid");
  manifest.name = text_of(agent, "name");
  manifest.title = text_of(agent, "title");
  manifest.description = text_of(agent, "description");
  manifest.version = text_of(agent, "version");
  manifest.vendor = text_of(agent, "vendor");
  manifest.homepage = text_of(agent, "homepage");
  manifest.avatar_url = text_of(agent, "avatarUrl");
  if (!is_version(manifest.version)) {
    return refused("/agent/version", "expected 1 to 64 of A-Z a-z 0-9 . _ ~ -");
  }
  for (const auto name : {"homepage", "avatarUrl"}) {
    if (agent.find(name) != nullptr && !is_https_uri(text_of(agent, name))) {
      return refused(child(where, name),
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
  if (!root.is_object()) return refused("", "expected an object");
  if (auto checked = check_members(root, kRootRules, "", false); !checked) {
    return std::unexpected(std::move(checked.error()));
  }
  if (root.find("manifestSpecVersion")->as_string() != "0") {
    return refused("/manifestSpecVersion", "expected \"0\"");
  }
  const json::Value* revision = root.find("mcpProtocolVersion");
  if (revision != nullptr && !is_revision_date(revision->as_string())) {
    return refused("/mcpProtocolVersion", "expected YYYY-MM-DD");
  }
  if (const json::Value* implementation = root.find("implementation")) {
    auto checked = check_members(*implementation, kImplementationRules, "/implementation", false);
    if (!checked) return std::unexpected(std::move(checked.error()));
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
