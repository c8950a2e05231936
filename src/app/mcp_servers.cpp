#include "app/mcp_servers.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "app/foreign_references.hpp"
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

/// One server on its way into a table: what is said of it, and whether it can be one.
class ServerTable {
 public:
  ServerTable(std::string_view given, const json::Value& server) : given_(given), server_(server) {}

  /// The table, with a comment for each remark.
  std::string write(std::set<std::string>& taken, std::vector<std::string>& remarks) {
    std::string text;
    const json::Value* command = server_.find("command");
    const json::Value* url = server_.find("url");
    remote_ = command == nullptr && url != nullptr && url->is_string();
    if (!remote_ && (command == nullptr || !command->is_string() || command->as_string().empty())) {
      remark("left out, it has no command and no url");
    } else if (flag_of(server_, "disabled")) {
      remark("left out, disabled");
    } else if (remote_ && type() == "sse") {
      remark(
          "left out, its \"type\" is sse, the HTTP of before 2025-03-26, which is not spoken here: "
          "ask whether the server has an address for streamable HTTP (docs/mcp-servers.md)");
    } else {
      text = table(endpoint_name(given_, taken));
    }
    std::string comments;
    for (const std::string& one : remarks_) {
      comments += toml_comment(given_ + ": " + one);
      remarks.push_back(given_ + ": " + one);
    }
    return comments + (unknown_ ? toml_comment(text.substr(0, text.size() - 1)) : text);
  }

 private:
  std::string table(const std::string& name) {
    if (name != given_) remark("is the endpoint " + name);
    for (const json::Member& member : server_.members()) {
      if (is_taken_over(member.name()) || (remote_ && member.name() == "headers")) continue;
      remark("\"" + std::string(member.name()) + "\" was not taken over");
    }
    const std::string where =
        remote_ ? "url = " + value(server_.find("url")->as_string()) : "command = " + command();
    std::string text =
        "[[endpoint]]\nname = " + toml_string(name) + "\nruntime = { kind = \"mcp\", " + where;
    text += remote_ ? pairs("headers", "headers") : pairs("env", "environment");
    text += " }\n";
    if (unknown_) remark("so its table is a comment: write what they stand for, and uncomment it");
    return text;
  }

  std::string command() {
    const std::string_view program = server_.find("command")->as_string();
    if (program.find(' ') != std::string_view::npos &&
        program.find('/') == std::string_view::npos) {
      remark("\"" + std::string(program) +
             "\" is taken as the name of one program, spaces and all; if it is a program and its "
             "arguments, write each of them as an element of command");
    }
    std::string text = "[" + value(program);
    const json::Value* arguments = server_.find("args");
    if (arguments != nullptr && arguments->is_array()) {
      for (const json::Value& argument : arguments->items()) {
        if (argument.is_string()) {
          text += ", " + value(argument.as_string());
        } else {
          remark("an element of \"args\" that is no string was not taken over");
        }
      }
    } else if (arguments != nullptr) {
      remark("\"args\" is no array and was not taken over");
    }
    return text + "]";
  }

  [[nodiscard]] std::string_view type() const {
    const json::Value* given = server_.find("type");
    if (given == nullptr) given = server_.find("transport");
    return given == nullptr ? std::string_view() : given->get_string().value_or("");
  }

  /// An object of strings: `member` there, `key` here.
  std::string pairs(const std::string& member, const std::string& key) {
    const json::Value* variables = server_.find(member);
    if (variables == nullptr) return {};
    if (!variables->is_object()) {
      remark("\"" + member + "\" is no object and was not taken over");
      return {};
    }
    std::string text;
    for (const json::Member& variable : variables->members()) {
      const std::string name(variable.name());
      if (!variable.value.is_string()) {
        remark("\"" + name + "\" of \"" + member + "\" is no string and was not taken over");
        continue;
      }
      text += (text.empty() ? "" : ", ") + toml_string(name) + " = " +
              value(variable.value.as_string());
    }
    return text.empty() ? text : ", " + key + " = { " + text + " }";
  }

  std::string value(std::string_view foreign) {
    const ForeignText taken = take_over_references(foreign);
    for (const std::string& one : taken.changed) remark(one);
    for (const std::string& one : taken.unknown) {
      unknown_ = true;
      remark(one + " means nothing here");
    }
    return toml_string(taken.text);
  }

  void remark(std::string text) {
    if (std::ranges::find(remarks_, text) == remarks_.end()) remarks_.push_back(std::move(text));
  }

  const std::string given_;
  const json::Value& server_;
  std::vector<std::string> remarks_;
  bool remote_ = false;  ///< at a URL
  bool unknown_ = false;
};

}  // namespace

Result<ImportedServers> import_mcp_servers(const json::Value& file) {
  const json::Value* servers = file.is_object() ? file.find("mcpServers") : nullptr;
  if (servers == nullptr && file.is_object()) servers = file.find("servers");
  if (servers == nullptr || !servers->is_object()) {
    return fail(ErrorKind::not_acceptable, "it has no object \"mcpServers\"");
  }
  ImportedServers imported;
  std::set<std::string> taken;
  for (const json::Member& server : servers->members()) {
    if (!imported.toml.empty()) imported.toml += '\n';
    imported.toml += ServerTable(server.name(), server.value).write(taken, imported.remarks);
  }
  return imported;
}

}  // namespace interline::app
