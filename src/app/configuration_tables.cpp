// The tables that may be there more than once: accounts, grants, endpoints.
#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <utility>
#include <vector>

#include "app/configuration_sections.hpp"
#include "app/runtime_factory.hpp"
#include "app/similar.hpp"
#include "app/value_checks.hpp"
#include "runtimes/script/reader.hpp"

namespace interline::app {
namespace {

using namespace std::chrono_literals;

constexpr std::array<std::string_view, 2> kOnToolChange = {"activate", "register"};
constexpr std::array<std::string_view, 2> kOnRestart = {"fail", "rerun"};
constexpr std::size_t kRemoteCalls = 64;  // they only wait here

struct KindRow {
  std::string_view word;
  RuntimeKind kind;
  bool starts;  ///< a program: it has command, environment and inherit
};
constexpr std::array<KindRow, 8> kKinds = {{{"exec", RuntimeKind::exec, true},
                                            {"mcp", RuntimeKind::mcp, true},
                                            {"script", RuntimeKind::script, false},
                                            {"builtin", RuntimeKind::builtin, false},
                                            {"http", RuntimeKind::http, false},
                                            {"a2a", RuntimeKind::a2a, false},
                                            {"xmpp", RuntimeKind::xmpp, false},
                                            {"simplex", RuntimeKind::simplex, false}}};

std::string served_kinds() {
  std::string words;
  for (const KindRow& row : kKinds) {
    if (!has_runtime(row.kind)) continue;
    words.append(words.empty() ? "\"" : ", \"").append(row.word).append("\"");
  }
  return words;
}

const KindRow* read_kind(Keys& keys) {
  keys.required("kind", R"(kind = "exec")");
  std::string word;
  keys.text(
      {"kind",
       "what does the work: `exec`, a script that speaks lines of JSON; `mcp`, an MCP "
       "server, a program or at a URL; `xmpp`, an agent behind another gateway; `script`, an agent "
       "that is written down in a file; `builtin`, tools for tests"},
      word);
  if (!keys.has("kind")) return nullptr;
  const auto row = std::ranges::find(kKinds, word, &KindRow::word);
  if (row == kKinds.end()) {
    std::vector<std::string_view> words;
    for (const KindRow& kind : kKinds) {
      if (has_runtime(kind.kind)) words.push_back(kind.word);
    }
    keys.mistake("kind",
                 "kind is wrong: expected one of " + served_kinds() + did_you_mean(word, words));
    return nullptr;
  }
  if (!has_runtime(row->kind)) {
    keys.mistake("kind", "kind \"" + word + "\" is not served by this version yet; it has " +
                             served_kinds());
    return nullptr;
  }
  return &*row;
}

/// Every mistake of the agent is one of the configuration.
void ask_script(Keys& keys, RuntimeTable& table) {
  if (table.kind != RuntimeKind::script) {
    if (keys.has("file")) keys.mistake("file", "file is of use to the kind script alone");
    return;
  }
  if (table.file.empty()) {
    keys.mistake("file", R"(needs a file, for example: file = "agent.toml")");
    return;
  }
  if (const auto read = runtimes::script::read_agent(table.file); read) {
    table.file_digest = read->digest;
  } else if (std::filesystem::is_regular_file(table.file)) {  // else it was said already
    for (const auto& mistake : read.error()) {
      keys.mistake("file", "file " + runtimes::script::to_string(table.file, mistake));
    }
  }
}

void ask_oauth(Keys& keys, OAuthTable& table) {
  table.wanted = true;
  keys.flag({"browser",
             "an operator consents in a browser: `interline endpoints authorize NAME`; without it "
             "client credentials are shown, and client_id is required"},
            table.browser);
  if (!table.browser && !keys.has("client_id")) {
    keys.mistake("", R"(needs client_id, for example: client_id = "interline")");
  }
  keys.text({"client_id",
             "who we are to the server's authorization server; with `browser` it registers us "
             "where there is none"},
            table.client_id, check_not_empty);
  keys.secret({"client_secret", "what proves it; the file's first line"}, table.client_secret,
              table.client_secret_file);
  keys.text({"issuer",
             "which authorization server that is, required beside a client_secret; without it the "
             "one the server names"},
            table.issuer, check_web_url);
  const bool secret = keys.has("client_secret") || keys.has("client_secret_file");
  if (secret && !keys.has("issuer")) {
    keys.mistake("issuer",
                 "is missing: the MCP server itself would choose who gets the client_secret; name "
                 R"(the authorization server, for example: issuer = "https://id.example")");
  }
  keys.text({"scope", "scopes that are asked for beside those the server wants"}, table.scope);
}

/// A server that is not ours to start.
void ask_url(Keys& keys, RuntimeTable& table, const EgressSection& egress) {
  keys.text({"url", "where the MCP server is, instead of a command (kind `mcp`)"}, table.url,
            check_web_url);
  keys.pairs({"headers", "fields of every request to the url"}, table.headers);
  keys.path({"token_file", "file whose first line is shown to the url as a bearer token"},
            table.token_file, true);
  keys.table({"oauth",
              "OAuth 2.1: a token is got from the url's authorization server, and again when it is "
              "over."},
             [&table](Keys& inner) { ask_oauth(inner, table.oauth); });
  keys.duration({"idle_timeout",
                 "of the url: a call fails of which nothing has come for so long, comments of an "
                 "event stream among it; a peer that is gone is noticed earlier, by TCP"},
                table.idle_timeout, 10ms, 192h);
  if (keys.has("oauth") && keys.has("token_file")) {
    keys.mistake("oauth", "has both token_file and oauth; remove one");
  }
  if (table.url.starts_with("http://") && !egress.allow_private) {
    keys.mistake("url", "url is http; use https, or allow_private = true in [egress]");
  }
}

/// An agent behind another gateway.
void ask_agent(Keys& keys, RuntimeTable& table, const std::optional<XmppSection>& xmpp) {
  keys.text({"jid",
             "of the kind `xmpp`: the agent behind another XMPP Agent Gateway that is called, from "
             "this endpoint's own address (docs/remote-agents.md)"},
            table.jid, check_agent_jid);
  if (table.kind != RuntimeKind::xmpp) {
    if (keys.has("jid")) keys.mistake("jid", "jid is of use to the kind xmpp alone");
    return;
  }
  if (!keys.has("jid")) {
    keys.mistake("jid", R"(needs a jid, for example: jid = "weather@agents.example.org")");
  }
  if (!xmpp) {
    keys.mistake("kind",
                 "kind \"xmpp\" needs an [xmpp] table: its calls go through the gateway's own "
                 "connection to an XMPP server");
  } else if (!table.jid.empty() && table.jid.ends_with("@" + xmpp->domain)) {
    keys.mistake("jid", "jid is of this gateway's own domain; give callers that endpoint instead");
  }
}

void ask_runtime(Keys& keys, RuntimeTable& table, const EgressSection& egress,
                 const std::optional<XmppSection>& xmpp) {
  const KindRow* row = read_kind(keys);
  if (row != nullptr) table.kind = row->kind;
  keys.texts({"command", "program and arguments, run in the configuration's folder"},
             table.command);
  keys.pairs({"environment", "variables that the program gets beside the inherited ones"},
             table.environment);
  keys.texts({"inherit",
              "names of our own variables that it gets beside HOME, LANG, LC_ALL, "
              "LOGNAME, PATH, SHELL, TMPDIR, TZ and USER"},
             table.inherit, check_variable_name);
  keys.path({"file", "of the kind `script`: the agent, in TOML or JSON (docs/script-agents.md)"},
            table.file, true);
  ask_url(keys, table, egress);
  keys.later("address");
  ask_agent(keys, table, xmpp);
  if (row == nullptr) return;
  const bool remote = table.kind == RuntimeKind::mcp && keys.has("url");
  for (const auto key : {"url", "headers", "token_file", "oauth", "idle_timeout"}) {
    if (!remote && keys.has(key)) {
      keys.mistake(key,
                   std::string(key) + " is of no use here; it belongs to an MCP server at a url");
    }
  }
  for (const auto key : {"command", "environment", "inherit"}) {
    if (remote && keys.has(key)) {
      keys.mistake(key, "has both url and " + std::string(key) + "; remove one");
    }
  }
  if (row->starts && !remote && (table.command.empty() || table.command.front().empty())) {
    keys.mistake("command", R"(needs a command, for example: command = ["python3", "agent.py"])");
  }
  for (const auto key : {"command", "environment", "inherit"}) {
    if (!row->starts && keys.has(key)) {
      keys.mistake(key, std::string(key) + " is of no use to the kind " + std::string(row->word));
    }
  }
  ask_script(keys, table);
}

void ask_manifest(Keys& keys, EndpointTable& table) {
  keys.path({"tools", "JSON file with the tools, where the runtime cannot list its own"},
            table.tools, true);
  keys.path({"manifest", "JSON file with a complete manifest, instead of one made from the tools"},
            table.manifest, true);
  for (const auto key : {"tools", "manifest"}) {
    if (table.runtime.kind == RuntimeKind::xmpp && keys.has(key)) {
      keys.mistake(key, std::string(key) +
                            " is of no use to the kind xmpp: what is called is what the agent's "
                            "own manifest says");
    }
  }
  if (table.manifest.empty()) return;
  // A manifest says all of this itself.
  for (const auto key : {"tools", "title", "description", "vendor", "version"}) {
    if (keys.has(key))
      keys.mistake(key, std::string("has both manifest and ") + key + "; remove one");
  }
}

void ask_work(Keys& keys, EndpointTable& table) {
  std::string on_restart = "fail";
  keys.choice({"on_restart",
               "what becomes of a task that was running when the gateway died; `rerun` "
               "only where running twice does no harm"},
              on_restart, kOnRestart);
  table.rerun = on_restart == "rerun";
  keys.flag({"cold_start",
             "the program is started for a call; `false`: it is kept running, and "
             "without it there are no calls"},
            table.cold_start);
  if (table.runtime.kind == RuntimeKind::xmpp) table.concurrency = kRemoteCalls;
  keys.size({"concurrency",
             "calls in work at once, over all processes; of the kind `xmpp` 64 if not said"},
            table.concurrency, 1, 100'000);
  keys.size({"queue", "calls that may wait for their turn"}, table.queue, 0, 1'000'000);
  keys.size({"processes", "of the program"}, table.processes, 1, 1'000);
  keys.flag(
      {"durable",
       "`false`: where a network needs no task, a call is none: quicker, and nothing of it is on "
       "the disk; it ends with its connection, is not recognised when it is repeated, and can "
       "neither ask while it works nor leave artifacts"},
      table.durable);
}

}  // namespace

void ask_account(Keys& keys, Configuration& configuration) {
  policy::Account account;
  keys.required("name", R"(name = "alice")");
  keys.required("principals", R"(principals = ["xmpp:alice@example.org", "key:alice-laptop"])");
  keys.text({"name", "of the party"}, account.name, check_not_empty);
  keys.texts({"principals", "all that the party is known as"}, account.principals);
  keys.text({"tenant", "whose tasks, contexts and logs are kept apart from others'"},
            account.tenant, check_not_empty);
  configuration.lines.accounts.push_back(keys.line(""));
  configuration.accounts.push_back(std::move(account));
}

void ask_issuer(Keys& keys, Configuration& configuration) {
  IssuerSection issuer;
  keys.required("url", R"(url = "https://id.example.org")");
  keys.text({"url", "the `iss` of its tokens, byte for byte; its metadata is found below it"},
            issuer.url, check_web_url);
  keys.text({"audience",
             "must be in a token's `aud`; without it `PUBLIC_URL/mcp` or the URL that is asked"},
            issuer.audience, check_not_empty);
  keys.text({"jwks", "URL or file of its keys; without it as its metadata says"}, issuer.jwks,
            check_not_empty);
  keys.texts({"scopes", "that a token must have"}, issuer.scopes, check_not_empty);
  if (!keys.has("audience") && configuration.http.public_url.empty()) {
    keys.mistake(
        "",
        R"(needs the audience of its tokens, for example: audience = "https://gateway.example/mcp"; or a public_url in [http])");
  }
  if (!issuer.jwks.empty() && issuer.jwks.find("://") == std::string::npos) {
    issuer.jwks = (configuration.directory / issuer.jwks).string();
  }
  configuration.issuers.push_back(std::move(issuer));
}

void ask_grant(Keys& keys, Configuration& configuration) {
  policy::Grant grant;
  keys.required("principals", R"(principals = ["xmpp:*@example.org"])");
  keys.required("endpoints", R"(endpoints = ["*"])");
  keys.texts({"principals", "patterns of who it is for; another XMPP domain has to be spelled out"},
             grant.principals);
  keys.texts({"endpoints", "patterns of endpoints' names"}, grant.endpoints);
  keys.flag({"visible", "whether they see the endpoints"}, grant.visible);
  keys.texts(
      {"invoke",
       "patterns of the tools that they may call; `prompt:NAME` and `resource:URI`, patterns too, "
       "reach prompts and resources and no tool, `*` reaches all three"},
      grant.invoke);
  keys.texts({"permissions", "permissions that tools require and this grant gives"},
             grant.permissions, check_not_empty);
  configuration.lines.grants.push_back(keys.line(""));
  configuration.grants.push_back(std::move(grant));
}

void ask_endpoint(Keys& keys, Configuration& configuration) {
  EndpointTable table;
  keys.required("name", R"(name = "weather")");
  keys.required("runtime", R"(runtime = { kind = "exec", command = ["python3", "agent.py"] })");
  keys.text({"name", "of the endpoint: a localpart over XMPP, a segment of paths"}, table.name,
            check_endpoint_name);
  keys.text({"title", "what people are told it is"}, table.title);
  keys.text({"description", "and what it is for"}, table.description);
  keys.text({"vendor", "who made it"}, table.vendor);
  keys.text({"version",
             "of its manifest; without it one is derived from the content. A version's "
             "content never changes"},
            table.version, check_version);
  keys.flag(
      {"activate",
       "whether the version becomes the active one when the configuration names it for the first "
       "time, or again after another. A version that an administrator activates by hand, and a "
       "deactivation, stand across restarts and reloads until then"},
      table.activate);
  std::string on_tool_change = "activate";
  keys.choice(
      {"on_tool_change",
       "what becomes of a version that is derived from other tools than before, because the "
       "agent said that they changed or has others after a restart: it is active at once, or "
       "registered and waits for `interline endpoints activate`. With a `version` of yours "
       "the tools stay as they are until you write another one"},
      on_tool_change, kOnToolChange);
  table.activate_changes = on_tool_change == "activate";
  keys.table({"runtime", "What does the work."}, [&](Keys& inner) {
    ask_runtime(inner, table.runtime, configuration.egress, configuration.xmpp);
  });
  ask_manifest(keys, table);
  ask_work(keys, table);
  keys.text({"default_tool",
             "the tool that a message to `/a2a/NAME` starts; without it the only one there is"},
            table.default_tool);
  const bool twice = std::ranges::find(configuration.endpoints, table.name, &EndpointTable::name) !=
                     configuration.endpoints.end();
  if (twice) keys.mistake("name", "name is used by another endpoint already");
  configuration.endpoints.push_back(std::move(table));
}

}  // namespace interline::app
