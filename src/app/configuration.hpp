// The whole of interline.toml as structs, each field with its default and unit. Reading reports
// every mistake at once, with file and line. Nothing is opened or connected here.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/secret.hpp"
#include "base/sha256.hpp"
#include "policy/policy.hpp"

namespace interline::app {

using std::chrono::milliseconds;

struct GatewaySection {
  std::string title = "Interline";
  std::filesystem::path data_dir = "var";
  std::string store = "sqlite";
  std::string log_format = "text";  ///< or "json"
  std::string log_level = "info";   ///< debug, info, warning, error

  friend bool operator==(const GatewaySection&, const GatewaySection&) = default;
};

struct HttpSection {
  std::string listen = "127.0.0.1:8080";  ///< "" or "off": no listener
  std::string public_url;                 ///< no network of this version gives it out
  std::filesystem::path tls_certificate;
  std::filesystem::path tls_key;
  std::vector<std::string> trusted_proxies;
  std::vector<std::string> allowed_origins;

  friend bool operator==(const HttpSection&, const HttpSection&) = default;
};

/// A secret that a reload compares with the one in use.
struct ConfiguredSecret : Secret {
  friend bool operator==(const ConfiguredSecret& a, const ConfiguredSecret& b) {
    return a.reveal() == b.reveal();
  }
};

enum class XmppTls : std::uint8_t { off, on, mutual };

struct XmppSection {
  std::string domain;
  std::string server = "127.0.0.1:5347";
  ConfiguredSecret secret;
  std::filesystem::path secret_file;  ///< read anew for every connect
  XmppTls tls = XmppTls::off;
  std::filesystem::path tls_ca;
  std::filesystem::path tls_certificate;
  std::filesystem::path tls_key;
  milliseconds ping_interval{60'000};
  milliseconds ping_timeout{30'000};
  milliseconds reconnect_min{1'000};
  milliseconds reconnect_max{60'000};
  std::vector<std::string> local_domains;
  std::string server_domain;  ///< pinged; "": the first of local_domains
  std::vector<std::string> admins;
  bool admin = true;  ///< Administrative Provisioning over XMPP
  bool self_registration = false;
  bool federated_admin = false;
  bool search = true;
  bool vcards = true;
  bool share_xmpp_tasks = false;
  std::string federated_info = "granted";  ///< or "all": who gets disco#info of the gateway
  std::size_t stanza_in = 524'288;
  std::size_t stanza_out = 393'216;

  friend bool operator==(const XmppSection&, const XmppSection&) = default;
};

struct McpSection {
  bool legacy = true;  ///< revisions before 2026-07-28
  std::string instructions;
  std::vector<std::string> allowed_hosts;  ///< beside this machine's, on a loopback listener
  std::size_t page = 500;
  milliseconds lists_ttl{60'000};
  milliseconds task_grace{100};
  milliseconds poll_interval{1'000};
  milliseconds state_life{600'000};
  std::size_t max_rounds = 10;
  std::size_t subscriptions = 20'000;
  std::size_t sessions = 10'000;
  ConfiguredSecret seal_key;  ///< "": a key of this data_dir alone
  std::filesystem::path seal_key_file;

  friend bool operator==(const McpSection&, const McpSection&) = default;
};

/// Of HTTP+JSON's answers.
enum class A2aMediaType : std::uint8_t { negotiate, json, a2a_json };

struct A2aSection {
  std::string default_endpoint;  ///< what /a2a starts; "" nothing
  bool old_edition = false;      ///< edition = "1.0.0"
  A2aMediaType media_type = A2aMediaType::negotiate;
  std::string assume_version = "0.3";
  bool once = true;  ///< message_ids = "once"
  milliseconds blocking_wait{60'000};
  milliseconds cancel_wait{5'000};
  std::size_t history = 100;

  friend bool operator==(const A2aSection&, const A2aSection&) = default;
};

struct PolicySection {
  bool explicit_destructive = false;  ///< `*` in a grant's `invoke` reaches no destructive tool

  friend bool operator==(const PolicySection&, const PolicySection&) = default;
};

struct LimitsSection {
  std::size_t manifest_bytes = 1'048'576;
  std::size_t schema_bytes = 131'072;
  std::size_t arguments_bytes = 262'144;
  std::size_t input_bytes = 65'536;
  std::size_t result_bytes = 4'194'304;
  std::size_t json_depth = 64;
  std::size_t page_default = 50;
  std::size_t page_max = 100;
  double rate_per_second = 500;
  std::size_t open_tasks = 10'000;
  std::size_t stored_bytes = std::size_t{64} << 30U;
  std::size_t followers = 20'000;
  std::size_t http_connections = 4'096;
  std::size_t http_connections_per_address = 256;

  friend bool operator==(const LimitsSection&, const LimitsSection&) = default;
};

struct TasksSection {
  std::chrono::nanoseconds retention = std::chrono::hours(24);
  std::chrono::nanoseconds replay_window = std::chrono::hours(24);
  std::chrono::nanoseconds max_duration = std::chrono::hours(24);
  milliseconds drain{30'000};
  std::string invoke_versions = "active";  ///< or "registered"

  friend bool operator==(const TasksSection&, const TasksSection&) = default;
};

/// Whose access tokens (JWTs) are taken.
struct IssuerSection {
  std::string url;                  ///< as tokens name it, byte for byte
  std::string audience;             ///< "": our own URLs
  std::string jwks;                 ///< URL or file; "": as the issuer's metadata says
  std::vector<std::string> scopes;  ///< that every token needs

  friend bool operator==(const IssuerSection&, const IssuerSection&) = default;
};

struct EgressSection {
  bool allow_private = false;  ///< http and addresses that are not public may be connected to

  friend bool operator==(const EgressSection&, const EgressSection&) = default;
};

enum class RuntimeKind : std::uint8_t {
  none,
  exec,
  mcp,
  builtin,
  http,
  a2a,
  xmpp,
  simplex,
  script
};

/// Who we are at the authorization server of a server at a URL.
struct OAuthTable {
  bool wanted = false;    ///< the table is there
  bool browser = false;   ///< an operator consents in a browser; else client credentials
  std::string client_id;  ///< "": with a browser, we are registered
  ConfiguredSecret client_secret;
  std::filesystem::path client_secret_file;
  std::string issuer;
  std::string scope;

  friend bool operator==(const OAuthTable&, const OAuthTable&) = default;
};

struct RuntimeTable {
  RuntimeKind kind = RuntimeKind::none;
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;
  std::vector<std::string> inherit;  ///< names of our variables it gets beside the usual ones
  std::filesystem::path file;        ///< of a script
  Digest file_digest{};              ///< of it and what it names, so that a reload sees changes
  std::string url;                   ///< instead of a command
  std::vector<std::pair<std::string, std::string>> headers;
  std::filesystem::path token_file;
  OAuthTable oauth;
  milliseconds idle_timeout{3'600'000};
  std::string jid;  ///< of an agent behind another gateway, as prepared

  friend bool operator==(const RuntimeTable&, const RuntimeTable&) = default;
};

struct EndpointTable {
  std::string name;
  std::string title;
  std::string description;
  std::string vendor;
  std::string version;  ///< "": derived from the manifest's hash
  RuntimeTable runtime;
  std::filesystem::path tools;
  std::filesystem::path manifest;
  bool rerun = false;  ///< on_restart = "rerun"
  bool cold_start = true;
  std::size_t concurrency = 1;
  std::size_t queue = 1'000;
  std::size_t processes = 1;
  bool durable = true;
  std::string default_tool;      ///< what /a2a/NAME starts
  bool activate_changes = true;  ///< on_tool_change = "activate"
  bool activate = true;

  friend bool operator==(const EndpointTable&, const EndpointTable&) = default;
};

/// Where things stand that are only judged together.
struct Lines {
  std::vector<std::uint32_t> accounts;
  std::vector<std::uint32_t> grants;
  std::uint32_t admins = 0;
  std::uint32_t local_domains = 0;
};

struct Configuration {
  std::filesystem::path file;
  std::filesystem::path directory;  ///< what relative paths are relative to
  GatewaySection gateway;
  HttpSection http;
  std::optional<XmppSection> xmpp;
  McpSection mcp;
  A2aSection a2a;
  LimitsSection limits;
  TasksSection tasks;
  PolicySection policy;
  EgressSection egress;
  std::vector<IssuerSection> issuers;
  std::vector<policy::Account> accounts;
  std::vector<policy::Grant> grants;
  std::vector<EndpointTable> endpoints;
  Lines lines;
  bool blank = false;  ///< nothing is in the file, or comments alone
};

/// "interline.toml:12: ..." or, where no line is known, "interline.toml: ...".
struct Mistake {
  std::uint32_t line = 0;  ///< 0: unknown
  std::string text;        ///< says what to write instead

  Mistake(std::uint32_t at, std::string what) : line(at), text(std::move(what)) {}
};
[[nodiscard]] std::string to_string(const std::filesystem::path& file, const Mistake& mistake);

/// Reads and checks a file. `${NAME}` in a string stands for an environment variable.
[[nodiscard]] std::expected<Configuration, std::vector<Mistake>> read_configuration(
    const std::filesystem::path& file);
/// The same from text; `file` names it in messages and anchors relative paths.
[[nodiscard]] std::expected<Configuration, std::vector<Mistake>> parse_configuration(
    std::string_view text, const std::filesystem::path& file);

/// The bytes of a file that -c may have named.
[[nodiscard]] std::expected<std::string, std::vector<Mistake>> read_configuration_text(
    const std::filesystem::path& file);

}  // namespace interline::app
