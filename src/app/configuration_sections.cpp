#include "app/configuration_sections.hpp"

#include <array>

#include "app/value_checks.hpp"
#include "app/xmpp_link.hpp"
#include "bindings/xmpp/outgoing.hpp"

namespace interline::app {
namespace {

// A secret that random bytes of this length would be.
constexpr std::size_t kLeastSealKey = 32;

using namespace std::chrono_literals;

constexpr std::size_t kMegabyte = 1U << 20U;
constexpr auto kLongest = 24h * 366;
constexpr std::array<std::string_view, 2> kLogFormats = {"text", "json"};
constexpr std::array<std::string_view, 4> kLogLevels = {"debug", "info", "warning", "error"};
constexpr std::array<std::string_view, 3> kTls = {"off", "on", "mutual"};
constexpr std::array<std::string_view, 2> kEditions{"1.0.1", "1.0.0"};
constexpr std::array<std::string_view, 3> kMediaTypes{"negotiate", "json", "a2a+json"};
constexpr std::array<std::string_view, 2> kAssumed{"0.3", "1.0"};
constexpr std::array<std::string_view, 2> kMessageIds{"once", "reused"};
constexpr std::array<std::string_view, 2> kFederatedInfo = {"granted", "all"};
constexpr std::array<std::string_view, 2> kInvokeVersions = {"active", "registered"};

void ask_xmpp_tls(Keys& keys, XmppSection& section) {
  std::string tls = "off";
  keys.choice({"tls",
               "`off` is for a server on this machine alone; `on` verifies its certificate; "
               "`mutual` shows ours too"},
              tls, kTls);
  section.tls = tls == "off" ? XmppTls::off : tls == "on" ? XmppTls::on : XmppTls::mutual;
  keys.path({"tls_ca", "PEM file of the authorities to trust; without it those of the system"},
            section.tls_ca, true);
  keys.path({"tls_certificate", "PEM file with our certificate, for `mutual`"},
            section.tls_certificate, true);
  keys.path({"tls_key", "PEM file with its key"}, section.tls_key, true);
  const bool whole = !section.tls_certificate.empty() && !section.tls_key.empty();
  if (section.tls == XmppTls::mutual && !whole) {
    keys.mistake("tls", R"(tls = "mutual" needs tls_certificate and tls_key)");
  }
}

void ask_xmpp_link(Keys& keys, XmppSection& section) {
  keys.duration({"ping_interval", "without a byte from the server; then it is pinged"},
                section.ping_interval, 1s, 24h);
  keys.duration({"ping_timeout", "for the answer; then the connection is made anew"},
                section.ping_timeout, 1s, 1h);
  keys.duration({"reconnect_min", "before the first attempt to come back"}, section.reconnect_min,
                100ms, 1h);
  keys.duration({"reconnect_max", "between two attempts at most"}, section.reconnect_max, 1s, 24h);
  if (section.reconnect_min > section.reconnect_max) {
    keys.mistake("reconnect_min", "reconnect_min is longer than reconnect_max");
  }
  keys.size({"stanza_in", "bytes of a stanza that is taken"}, section.stanza_in, 10'000,
            16 * kMegabyte);
  keys.size(
      {"stanza_out", "bytes of a stanza that is sent; what the server accepts of a component"},
      section.stanza_out, xmpp::OutgoingStanza::kLeastBytes, 16 * kMegabyte);
}

void ask_xmpp_profiles(Keys& keys, XmppSection& section) {
  keys.texts({"admins", "addresses with administrative authority over XMPP"}, section.admins,
             check_bare_jid);
  keys.flag({"admin", "whether administration over XMPP is offered"}, section.admin);
  keys.flag({"self_registration", "accounts of local_domains may register their own address"},
            section.self_registration);
  keys.flag({"federated_admin", "admins may be of a domain that is not local"},
            section.federated_admin);
  keys.flag({"search", "whether the directory can be searched (XEP-0055)"}, section.search);
  keys.flag({"vcards", "whether endpoints have vCards"}, section.vcards);
  keys.flag({"share_xmpp_tasks", "addresses of one account share their tasks over XMPP"},
            section.share_xmpp_tasks);
  keys.choice({"federated_info",
               "who of other domains learns what the gateway is: those with a "
               "grant, or `all`"},
              section.federated_info, kFederatedInfo);
}

}  // namespace

void ask_gateway(Keys& keys, GatewaySection& section) {
  keys.text({"title", "what people are told this gateway is"}, section.title, check_not_empty);
  keys.path({"data_dir", "database, sockets and secrets of its own; made for this user alone"},
            section.data_dir, false);
  keys.text({"store", "where tasks live; only `sqlite` in this version"}, section.store);
  keys.choice({"log_format", "of the lines on standard error"}, section.log_format, kLogFormats);
  keys.choice({"log_level", "the least that is logged"}, section.log_level, kLogLevels);
  if (section.store != "sqlite") {
    keys.mistake("store", "store is \"sqlite\"; other stores are not served by this version yet");
  }
}

void ask_http(Keys& keys, HttpSection& section) {
  keys.text({"listen", "address and port, port 0 for a free one, `off` for no listener"},
            section.listen, check_listen);
  keys.text(
      {"public_url",
       "how others reach it: its host is taken in Host on a loopback listener, and `interline "
       "doctor` tries whether the running gateway answers there"},
      section.public_url, check_web_url);
  keys.path({"tls_certificate",
             "PEM file, our certificate first, then its chain; read again on "
             "SIGHUP"},
            section.tls_certificate, true);
  keys.path({"tls_key", "PEM file with its key"}, section.tls_key, true);
  keys.texts({"trusted_proxies", "addresses or ranges whose X-Forwarded-For and -Proto count"},
             section.trusted_proxies, check_network);
  keys.texts({"allowed_origins", "web pages that may ask, as their browsers name them in Origin"},
             section.allowed_origins, check_origin);
  if (section.tls_certificate.empty() != section.tls_key.empty()) {
    keys.mistake("", "has one of tls_certificate and tls_key; TLS needs both");
  }
}

void ask_xmpp(Keys& keys, XmppSection& section, Lines& lines) {
  keys.required("domain", R"(domain = "agents.example.org")");
  keys.text({"domain", "of the component; endpoints are NAME@domain"}, section.domain,
            check_domain);
  keys.text({"server", "the server's component port (XEP-0114), or `unix:/path`"}, section.server,
            check_xmpp_server);
  keys.secret({"secret",
               "the component's shared secret; the file's first line, read for every "
               "connection"},
              section.secret, section.secret_file);
  if (!keys.has("secret") && !keys.has("secret_file")) {
    keys.mistake("",
                 R"(needs the component's secret, for example: secret_file = "secrets/component")");
  }
  keys.texts({"local_domains", "domains whose addresses the server authenticated"},
             section.local_domains, check_domain);
  keys.text({"server_domain", "who answers pings; without it the first of local_domains"},
            section.server_domain, check_domain);
  ask_xmpp_tls(keys, section);
  if (section.tls == XmppTls::off && !stays_on_this_machine(section.server)) {
    keys.mistake("server",
                 R"(tls = "off" only to this machine; a server elsewhere needs tls = "on")");
  }
  ask_xmpp_link(keys, section);
  ask_xmpp_profiles(keys, section);
  lines.admins = keys.line("admins");
  lines.local_domains = keys.line("local_domains");
}

void ask_mcp(Keys& keys, McpSection& section) {
  keys.flag({"legacy",
             "whether clients of the revisions before 2026-07-28 are served, which open a session "
             "with `initialize`"},
            section.legacy);
  keys.text({"instructions", "what the language models behind clients are told about this gateway"},
            section.instructions);
  keys.texts({"allowed_hosts",
              "names in Host that are taken on a loopback listener beside those of this machine "
              "and of public_url; for a proxy in front of it"},
             section.allowed_hosts, check_domain);
  keys.size({"page", "entries a page of a list"}, section.page, 1, 10'000);
  keys.duration({"lists_ttl", "how long clients may keep a list"}, section.lists_ttl, 0ms, 24h);
  keys.duration({"task_grace",
                 "a call that ends sooner is answered with its result, also for clients that take "
                 "tasks"},
                section.task_grace, 0ms, 1min);
  keys.duration({"poll_interval", "how often clients are told to ask for a task"},
                section.poll_interval, 10ms, 1h);
  keys.duration({"state_life",
                 "how long the answers to questions are waited for, where no task "
                 "waits for them yet"},
                section.state_life, 1s, 24h);
  keys.size({"max_rounds", "of questions before a call"}, section.max_rounds, 1, 1'000);
  keys.size({"subscriptions", "open at once"}, section.subscriptions, 1, 1'000'000);
  keys.size(
      {"sessions", "of the older revisions in memory; those that are not in use wait in the store"},
      section.sessions, 1, 1'000'000);
  keys.secret(
      {"seal_key",
       "seals what clients carry (requestState, cursors), so that gateways with the same key "
       "take each other's; at least 32 characters; without it each has a key of its own; "
       "the file's first line"},
      section.seal_key, section.seal_key_file);
  // Read here, so that a mistake is told with its line, and a reload sees another key.
  if (!section.seal_key_file.empty()) {
    auto key = read_secret_file(section.seal_key_file);
    if (key) static_cast<Secret&>(section.seal_key) = *std::move(key);
  }
  const bool given = keys.has("seal_key") || keys.has("seal_key_file");
  if (given && section.seal_key.reveal().size() < kLeastSealKey) {
    keys.mistake(keys.has("seal_key") ? "seal_key" : "seal_key_file",
                 "a seal key has at least 32 characters; make one with: openssl rand -base64 48");
  }
}

void ask_a2a(Keys& keys, A2aSection& section) {
  keys.text({"default", "the endpoint that `/a2a` itself starts, where no tenant names another"},
            section.default_endpoint, check_endpoint_name);
  std::string edition = "1.0.1";
  keys.choice({"edition", "whose statuses errors have over HTTP; 1.0.1 changed some"}, edition,
              kEditions);
  section.old_edition = edition == "1.0.0";
  std::string media_type = "negotiate";
  keys.choice({"media_type",
               "of answers of HTTP+JSON: what a request accepts, or always application/json or "
               "application/a2a+json"},
              media_type, kMediaTypes);
  section.media_type = media_type == "json"       ? A2aMediaType::json
                       : media_type == "a2a+json" ? A2aMediaType::a2a_json
                                                  : A2aMediaType::negotiate;
  keys.choice({"assume_version",
               "of a request that names none: 0.3, as the specification has it, is not served"},
              section.assume_version, kAssumed);
  std::string message_ids = "once";
  keys.choice({"message_ids",
               "`once`: a messageId that comes again is the same message, and is answered with its "
               "task; `reused`: it says nothing, for clients that use one for many messages"},
              message_ids, kMessageIds);
  section.once = message_ids == "once";
  keys.duration({"blocking_wait", "the most that a call waits for its task to end or to ask"},
                section.blocking_wait, 0ms, 1h);
  keys.duration({"cancel_wait", "the most that a cancellation waits for the agent"},
                section.cancel_wait, 0ms, 1min);
  keys.size({"history", "messages of a task that are shown"}, section.history, 1, 1'000);
}

void ask_limits(Keys& keys, LimitsSection& section) {
  keys.size({"manifest_bytes", "of a manifest"}, section.manifest_bytes, 1'024, 64 * kMegabyte);
  keys.size({"schema_bytes", "of one tool schema"}, section.schema_bytes, 1'024, 16 * kMegabyte);
  keys.size({"arguments_bytes", "of a call's arguments"}, section.arguments_bytes, 1'024,
            64 * kMegabyte);
  keys.size({"input_bytes", "of an answer to a question"}, section.input_bytes, 1'024,
            16 * kMegabyte);
  keys.size({"result_bytes", "of a tool's result"}, section.result_bytes, 1'024, 256 * kMegabyte);
  keys.size({"json_depth", "arrays and objects inside each other"}, section.json_depth, 8, 256);
  keys.size({"page_default", "entries a page, when a request does not say how many"},
            section.page_default, 1, 10'000);
  keys.size({"page_max", "entries a page, whatever a request says"}, section.page_max, 1, 10'000);
  if (section.page_default > section.page_max) {
    keys.mistake("page_default", "page_default is larger than page_max");
  }
  keys.number({"rate_per_second",
               "invocations, and task operations, of a principal; bursts of four "
               "times that; other classes in proportion"},
              section.rate_per_second, 0.1, 1e6);
  keys.size({"open_tasks", "tasks of one principal that are open at once"}, section.open_tasks, 1,
            10'000'000);
  keys.size({"stored_bytes",
             "of all that the database keeps, settled tasks with their results and artifacts above "
             "all; beyond, no task is admitted until some have gone"},
            section.stored_bytes, 64 * kMegabyte, kMegabyte * kMegabyte);
  keys.size({"followers", "tasks that are followed at once"}, section.followers, 1, 1'000'000);
  keys.size({"http_connections", "open at once"}, section.http_connections, 1, 1'000'000);
  keys.size(
      {"http_connections_per_address",
       "open at once from one address, of IPv6 from one /64: all programs of this machine "
       "together are one, and so is a proxy, unless it is in trusted_proxies of [http], whose "
       "connections are not counted"},
      section.http_connections_per_address, 1, 1'000'000);
}

void ask_tasks(Keys& keys, TasksSection& section) {
  keys.duration({"retention", "how long a settled task is kept"}, section.retention, 1s, kLongest);
  keys.duration({"replay_window", "how long the same request gives the same task"},
                section.replay_window, 1s, kLongest);
  keys.duration({"max_duration", "of a task; the deadline of those without one"},
                section.max_duration, 1s, kLongest);
  keys.duration({"drain", "on SIGTERM, before tasks that still run fail as unavailable"},
                section.drain, 0ms, 1h);
  keys.choice({"invoke_versions",
               "which versions can be called: the active one, or every one that "
               "is registered"},
              section.invoke_versions, kInvokeVersions);
}

void ask_policy(Keys& keys, PolicySection& section) {
  keys.flag(
      {"explicit_destructive",
       "whether a tool that says of itself that it destroys (`destructiveHint: true`) is reached "
       "only by a grant that has its whole name in `invoke`, and by no `*`"},
      section.explicit_destructive);
}

void ask_egress(Keys& keys, EgressSection& section) {
  keys.flag({"allow_private",
             "whether addresses that others name may be on this machine, in private networks or "
             "spoken to without TLS"},
            section.allow_private);
}

void ask_all(Keys& keys, Configuration& configuration) {
  keys.table({"gateway", "The gateway itself."},
             [&](Keys& k) { ask_gateway(k, configuration.gateway); });
  keys.table({"http", "The HTTP listener."}, [&](Keys& k) { ask_http(k, configuration.http); });
  keys.table({"xmpp", "The connection to an XMPP server; without the table there is none."},
             [&](Keys& k) { ask_xmpp(k, configuration.xmpp.emplace(), configuration.lines); });
  keys.table({"mcp", "MCP over the HTTP listener: `/mcp` and `/mcp/NAME`."},
             [&](Keys& k) { ask_mcp(k, configuration.mcp); });
  keys.table({"a2a", "A2A over the HTTP listener: `/a2a`, `/a2a/NAME` and `/a2a/NAME/TOOL`."},
             [&](Keys& k) { ask_a2a(k, configuration.a2a); });
  keys.table({"limits", "What anybody may spend."},
             [&](Keys& k) { ask_limits(k, configuration.limits); });
  keys.table({"tasks", "How long tasks live."},
             [&](Keys& k) { ask_tasks(k, configuration.tasks); });
  keys.table({"policy", "What holds for all grants."},
             [&](Keys& k) { ask_policy(k, configuration.policy); });
  keys.table({"egress", "Where connections to others may go."},
             [&](Keys& k) { ask_egress(k, configuration.egress); });
  keys.tables({"issuer",
               "Authorization servers whose access tokens (JWTs) are taken over HTTP: principal "
               "`jwt:URL#SUBJECT`."},
              [&](Keys& k) { ask_issuer(k, configuration); });
  keys.tables({"account", "Principals of several networks that are the same party."},
              [&](Keys& k) { ask_account(k, configuration); });
  keys.tables({"grant",
               "Who may see and use what. Nothing is visible or callable without one. In "
               "patterns `*` stands for any characters, a leading `!` excludes."},
              [&](Keys& k) { ask_grant(k, configuration); });
  keys.tables({"endpoint", "An agent that is hosted here."},
              [&](Keys& k) { ask_endpoint(k, configuration); });
  for (const auto key : {"simplex", "openwop"}) keys.later(key);
}

}  // namespace interline::app
