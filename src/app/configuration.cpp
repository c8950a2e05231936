#include "app/configuration.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <set>
#include <utility>

#include <toml++/toml.h>

#include "app/runtime_factory.hpp"
#include "app/toml_reader.hpp"

namespace interline::app {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kMegabyte = 1U << 20U;
constexpr std::array<std::string_view, 2> kLogFormats = {"text", "json"};
constexpr std::array<std::string_view, 4> kLogLevels = {"debug", "info", "warning", "error"};
constexpr std::array<std::string_view, 3> kTls = {"off", "on", "mutual"};
constexpr std::array<std::string_view, 2> kFederatedInfo = {"granted", "all"};
constexpr std::array<std::string_view, 2> kInvokeVersions = {"active", "registered"};
constexpr std::array<std::string_view, 2> kOnRestart = {"fail", "rerun"};

struct KindRow {
  std::string_view word;
  RuntimeKind kind;
};
constexpr std::array<KindRow, 8> kKinds = {{{"exec", RuntimeKind::exec},
                                            {"mcp", RuntimeKind::mcp},
                                            {"builtin", RuntimeKind::builtin},
                                            {"http", RuntimeKind::http},
                                            {"a2a", RuntimeKind::a2a},
                                            {"xmpp", RuntimeKind::xmpp},
                                            {"simplex", RuntimeKind::simplex},
                                            {"script", RuntimeKind::script}}};

/// Names of endpoints: they become localparts of JIDs and segments of paths.
bool is_endpoint_name(std::string_view name) {
  const auto first = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  return !name.empty() && name.size() <= 64 && first(name.front()) &&
         std::ranges::all_of(
             name, [&first](char c) { return first(c) || c == '.' || c == '_' || c == '-'; });
}

class Reader {
 public:
  Reader(Configuration& configuration, Mistakes& mistakes)
      : configuration_(configuration), mistakes_(mistakes) {}

  void read(const toml::table& root) {
    TomlReader reader(root, "", mistakes_);
    reader.table("gateway", [this](TomlReader& r) { gateway(r); });
    reader.table("http", [this](TomlReader& r) { http(r); });
    reader.table("xmpp", [this](TomlReader& r) { xmpp(r); });
    reader.table("limits", [this](TomlReader& r) { limits(r); });
    reader.table("tasks", [this](TomlReader& r) { tasks(r); });
    reader.tables("account", [this](TomlReader& r) { account(r); });
    reader.tables("grant", [this](TomlReader& r) { grant(r); });
    reader.tables("endpoint", [this](TomlReader& r) { endpoint(r); });
    for (const auto key : {"simplex", "mcp", "a2a", "openwop", "egress", "issuer"}) {
      reader.later(key);
    }
    reader.finish();
  }

 private:
  [[nodiscard]] const std::filesystem::path& base() const { return configuration_.directory; }

  void gateway(TomlReader& r) {
    GatewaySection& section = configuration_.gateway;
    r.text("title", section.title);
    r.path("data_dir", section.data_dir, base());
    r.text("store", section.store);
    r.choice("log_format", section.log_format, kLogFormats);
    r.choice("log_level", section.log_level, kLogLevels);
    if (section.store != "sqlite") {
      r.mistake("store", "store is \"sqlite\"; other stores are not served by this version yet");
    }
  }

  void http(TomlReader& r) {
    HttpSection& section = configuration_.http;
    r.text("listen", section.listen);
    r.text("public_url", section.public_url);
    r.path("tls_certificate", section.tls_certificate, base());
    r.path("tls_key", section.tls_key, base());
    r.texts("trusted_proxies", section.trusted_proxies);
    r.texts("allowed_origins", section.allowed_origins);
    if (section.tls_certificate.empty() != section.tls_key.empty()) {
      r.mistake("", "has one of tls_certificate and tls_key; TLS needs both");
    }
  }

  void xmpp(TomlReader& r) {
    XmppSection& section = configuration_.xmpp.emplace();
    r.required("domain", R"(domain = "agents.example.org")");
    r.text("domain", section.domain);
    r.text("server", section.server);
    r.secret("secret", section.secret, section.secret_file, base());
    if (!r.has("secret") && !r.has("secret_file")) {
      r.mistake("",
                R"(needs the component's secret, for example: secret_file = "secrets/component")");
    }
    std::string tls = "off";
    r.choice("tls", tls, kTls);
    section.tls = tls == "off" ? XmppTls::off : tls == "on" ? XmppTls::on : XmppTls::mutual;
    r.path("tls_ca", section.tls_ca, base());
    r.path("tls_certificate", section.tls_certificate, base());
    r.path("tls_key", section.tls_key, base());
    r.duration("ping_interval", section.ping_interval, 1s, 24h);
    r.duration("ping_timeout", section.ping_timeout, 1s, 1h);
    r.duration("reconnect_min", section.reconnect_min, 100ms, 1h);
    r.duration("reconnect_max", section.reconnect_max, 1s, 24h);
    r.texts("local_domains", section.local_domains);
    r.text("server_domain", section.server_domain);
    r.texts("admins", section.admins);
    r.flag("admin", section.admin);
    r.flag("self_registration", section.self_registration);
    r.flag("self_activate", section.self_activate);
    r.flag("federated_admin", section.federated_admin);
    r.flag("search", section.search);
    r.flag("vcards", section.vcards);
    r.flag("public_profile", section.public_profile);
    r.flag("share_xmpp_tasks", section.share_xmpp_tasks);
    r.choice("federated_info", section.federated_info, kFederatedInfo);
    r.size("stanza_in", section.stanza_in, 10'000, 16 * kMegabyte);
    r.size("stanza_out", section.stanza_out, 10'000, 16 * kMegabyte);
    if (section.tls == XmppTls::mutual && section.tls_certificate.empty()) {
      r.mistake("tls", R"(tls = "mutual" needs tls_certificate and tls_key)");
    }
  }

  void limits(TomlReader& r) {
    LimitsSection& section = configuration_.limits;
    r.size("manifest_bytes", section.manifest_bytes, 1'024, 64 * kMegabyte);
    r.size("schema_bytes", section.schema_bytes, 1'024, 16 * kMegabyte);
    r.size("arguments_bytes", section.arguments_bytes, 1'024, 64 * kMegabyte);
    r.size("input_bytes", section.input_bytes, 1'024, 16 * kMegabyte);
    r.size("result_bytes", section.result_bytes, 1'024, 256 * kMegabyte);
    r.size("json_depth", section.json_depth, 8, 256);
    r.size("page_default", section.page_default, 1, 10'000);
    r.size("page_max", section.page_max, 1, 10'000);
    r.number("rate_per_second", section.rate_per_second, 0.1, 1e6);
    r.size("followers", section.followers, 1, 1'000'000);
    r.size("http_connections", section.http_connections, 1, 1'000'000);
    r.size("http_body_bytes", section.http_body_bytes, 1'024, 256 * kMegabyte);
  }

  void tasks(TomlReader& r) {
    TasksSection& section = configuration_.tasks;
    r.duration("retention", section.retention, 1s, 24h * 366);
    r.duration("replay_window", section.replay_window, 1s, 24h * 366);
    r.duration("max_duration", section.max_duration, 1s, 24h * 366);
    r.duration("drain", section.drain, 0ms, 1h);
    r.choice("invoke_versions", section.invoke_versions, kInvokeVersions);
  }

  void account(TomlReader& r) {
    policy::Account account;
    r.required("name", R"(name = "alice")");
    r.required("principals", R"(principals = ["xmpp:alice@example.org", "key:alice-laptop"])");
    r.text("name", account.name);
    r.texts("principals", account.principals);
    r.text("tenant", account.tenant);
    configuration_.accounts.push_back(std::move(account));
  }

  void grant(TomlReader& r) {
    policy::Grant grant;
    r.required("principals", R"(principals = ["xmpp:*@example.org"])");
    r.required("endpoints", R"(endpoints = ["*"])");
    r.texts("principals", grant.principals);
    r.texts("endpoints", grant.endpoints);
    r.texts("invoke", grant.invoke);
    r.texts("permissions", grant.permissions);
    r.flag("visible", grant.visible);
    configuration_.grants.push_back(std::move(grant));
  }

  void runtime(TomlReader& r, RuntimeTable& table) {
    std::string kind;
    r.text("kind", kind);
    const auto row = std::ranges::find(kKinds, kind, &KindRow::word);
    if (row == kKinds.end()) {
      r.mistake("kind", R"(needs a kind: "exec", "mcp" or "builtin")");
    } else if (!has_runtime(row->kind)) {
      r.mistake("kind", "kind \"" + kind + "\" is not served by this version yet");
    } else {
      table.kind = row->kind;
    }
    r.texts("command", table.command);
    r.text("url", table.url);
    r.path("file", table.file, base());
    r.pairs("environment", table.environment);
    r.texts("inherit", table.inherit);
    const bool starts = table.kind == RuntimeKind::exec || table.kind == RuntimeKind::mcp;
    if (starts && table.command.empty()) {
      r.mistake("command", R"(needs a command, for example: command = ["python3", "agent.py"])");
    }
  }

  void endpoint(TomlReader& r) {
    EndpointTable table;
    r.required("name", R"(name = "weather")");
    r.required("runtime", R"(runtime = { kind = "exec", command = ["python3", "agent.py"] })");
    r.text("name", table.name);
    r.text("title", table.title);
    r.text("description", table.description);
    r.text("vendor", table.vendor);
    r.text("version", table.version);
    r.table("runtime", [this, &table](TomlReader& inner) { runtime(inner, table.runtime); });
    r.path("tools", table.tools, base());
    r.path("manifest", table.manifest, base());
    std::string on_restart = "fail";
    r.choice("on_restart", on_restart, kOnRestart);
    table.rerun = on_restart == "rerun";
    r.flag("cold_start", table.cold_start);
    r.size("concurrency", table.concurrency, 1, 100'000);
    r.size("queue", table.queue, 0, 1'000'000);
    r.size("processes", table.processes, 1, 1'000);
    r.flag("durable", table.durable);
    r.flag("activate", table.activate);
    r.text("default_tool", table.default_tool);
    if (!table.name.empty() && !is_endpoint_name(table.name)) {
      r.mistake("name",
                "name is wrong: a-z, 0-9, and behind the first character also . _ -; at "
                "most 64");
    }
    const bool twice = std::ranges::find(configuration_.endpoints, table.name,
                                         &EndpointTable::name) != configuration_.endpoints.end();
    if (twice) r.mistake("name", "name is used by another endpoint already");
    configuration_.endpoints.push_back(std::move(table));
  }

  Configuration& configuration_;
  Mistakes& mistakes_;
};

/// Mistakes that only the whole shows.
void check_whole(const Configuration& configuration, Mistakes& mistakes) {
  policy::Configuration rules;
  rules.grants = configuration.grants;
  rules.accounts = configuration.accounts;
  const auto compiled = policy::Policy::compile(std::move(rules));
  if (compiled) return;
  for (const Error& error : compiled.error()) mistakes.add(0, error.message);
}

}  // namespace

std::string to_string(const std::filesystem::path& file, const Mistake& mistake) {
  std::string text = file.string();
  if (mistake.line > 0) text.append(":").append(std::to_string(mistake.line));
  return text.append(": ").append(mistake.text);
}

std::expected<Configuration, std::vector<Mistake>> parse_configuration(
    std::string_view text, const std::filesystem::path& file) {
  Mistakes mistakes;
  Configuration configuration;
  configuration.file = file;
  configuration.directory = file.has_parent_path() ? file.parent_path() : ".";
  configuration.gateway.data_dir = configuration.directory / configuration.gateway.data_dir;
  try {
    const toml::table root = toml::parse(text);
    Reader(configuration, mistakes).read(root);
  } catch (const toml::parse_error& error) {  // how toml++ reports what is no TOML
    mistakes.add(error.source().begin.line, std::string(error.description()));
  }
  if (mistakes.empty()) check_whole(configuration, mistakes);
  if (!mistakes.empty()) return std::unexpected(mistakes.take());
  return configuration;
}

std::expected<Configuration, std::vector<Mistake>> read_configuration(
    const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    std::vector<Mistake> mistakes;
    mistakes.emplace_back(0, "cannot be read; name the configuration with -c FILE");
    return std::unexpected(std::move(mistakes));
  }
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  return parse_configuration(text, file);
}

}  // namespace interline::app
