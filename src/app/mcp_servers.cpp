#include "app/mcp_servers.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "app/toml_writer.hpp"

namespace interline::app {
namespace {

constexpr std::size_t kLongestName = 64;

/// What of a server has a place here; everything else is said in a comment.
bool is_taken_over(std::string_view member) {
  return member == "command" || member == "args" || member == "env" || member == "type" ||
         member == "disabled" || member == "url";
}

bool flag_of(const json::Value& server, std::string_view name) {
  const json::Value* value = server.find(name);
  return value != nullptr && value->is_boolean() && value->as_bool();
}

/// a-z, 0-9 and, behind the first, . _ - ; what is something else becomes "-".
std::string endpoint_name(std::string_view given, std::set<std::string>& taken) {
  std::string name;
  for (const char c : given.substr(0, kLongestName)) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool behind = !name.empty() && (c == '.' || c == '_' || c == '-');
    if (letter || behind) {
      name += c;
    } else if (c >= 'A' && c <= 'Z') {
      name += static_cast<char>(c - 'A' + 'a');
    } else if (!name.empty()) {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  if (name.empty()) name = "server";
  std::string free = name;
  for (int i = 2; !taken.insert(free).second; ++i) {
    const std::string suffix = "-" + std::to_string(i);
    free = name.substr(0, kLongestName - suffix.size()) + suffix;
  }
  return free;
}

std::string command_text(const json::Value& server) {
  std::string text = "[" + toml_string(server.find("command")->as_string());
  const json::Value* arguments = server.find("args");
  if (arguments != nullptr && arguments->is_array()) {
    for (const json::Value& argument : arguments->items()) {
      if (argument.is_string()) text += ", " + toml_string(argument.as_string());
    }
  }
  return text + "]";
}

std::string environment_text(const json::Value& server) {
  const json::Value* variables = server.find("env");
  if (variables == nullptr || !variables->is_object()) return {};
  std::string text;
  for (const json::Member& variable : variables->members()) {
    if (!variable.value.is_string()) continue;
    text += (text.empty() ? "" : ", ") + toml_string(variable.name()) + " = " +
            toml_string(variable.value.as_string());
  }
  return text.empty() ? text : ", environment = { " + text + " }";
}

std::string table_of(std::string_view given, const json::Value& server,
                     std::set<std::string>& taken) {
  const json::Value* command = server.find("command");
  std::string text;
  if (command == nullptr || !command->is_string() || command->as_string().empty()) {
    return toml_comment(std::string(given) +
                        ": left out, it has no command; servers at a URL are not served by this "
                        "version yet");
  }
  if (flag_of(server, "disabled")) return toml_comment(std::string(given) + ": left out, disabled");
  const std::string name = endpoint_name(given, taken);
  if (name != given) text += toml_comment("was " + std::string(given));
  for (const json::Member& member : server.members()) {
    if (is_taken_over(member.name())) continue;
    text += toml_comment("\"" + std::string(member.name()) + "\" was not taken over");
  }
  return text + "[[endpoint]]\nname = " + toml_string(name) +
         "\nruntime = { kind = \"mcp\", command = " + command_text(server) +
         environment_text(server) + " }\n";
}

}  // namespace

Result<std::string> import_mcp_servers(const json::Value& file) {
  const json::Value* servers = file.is_object() ? file.find("mcpServers") : nullptr;
  if (servers == nullptr && file.is_object()) servers = file.find("servers");
  if (servers == nullptr || !servers->is_object()) {
    return fail(ErrorKind::not_acceptable, "it has no object \"mcpServers\"");
  }
  std::string text;
  std::set<std::string> taken;
  for (const json::Member& server : servers->members()) {
    if (!text.empty()) text += '\n';
    text += table_of(server.name(), server.value, taken);
  }
  return text;
}

}  // namespace interline::app
