// interline.toml: what is read, and what is said about what is wrong.
#include "app/configuration.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace interline::app {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Where the configurations of these tests stand, with the files that they name.
const std::filesystem::path& folder() {
  static const std::filesystem::path made = [] {
    std::string pattern = (std::filesystem::temp_directory_path() / "interline-config-XXXXXX");
    const std::filesystem::path path = mkdtemp(pattern.data());
    for (const auto name : {"s", "c.pem", "k.pem", "ca.pem", "tools.json", "m.json"}) {
      std::ofstream(path / name) << "x";
    }
    return path;
  }();
  return made;
}

class RemoveFolder : public ::testing::Environment {
 public:
  void TearDown() override { std::filesystem::remove_all(folder()); }
};
const ::testing::Environment* const kRemoveFolder =
    ::testing::AddGlobalTestEnvironment(new RemoveFolder);

std::vector<std::string> mistakes_of(std::string_view text) {
  std::vector<std::string> lines;
  const auto read = parse_configuration(text, folder() / "interline.toml");
  if (read) return lines;
  for (const Mistake& mistake : read.error()) {
    lines.push_back(to_string("interline.toml", mistake));
  }
  return lines;
}

std::string mistake_of(std::string_view text) {
  const auto all = mistakes_of(text);
  EXPECT_EQ(all.size(), 1U) << text << "\n" << ::testing::PrintToString(all);
  return all.empty() ? std::string() : all.front();
}

Configuration read(std::string_view text) {
  auto configuration = parse_configuration(text, folder() / "interline.toml");
  if (configuration) return *std::move(configuration);
  throw std::runtime_error(to_string("interline.toml", configuration.error().front()));
}

/// A line of an otherwise complete [xmpp] table.
std::string xmpp(std::string_view lines) {
  std::string text = "[xmpp]\ndomain = \"agents.example.test\"\nsecret_file = \"s\"\n";
  return text.append(lines);
}
/// A line of an otherwise complete endpoint.
std::string endpoint(std::string_view lines) {
  std::string text = "[[endpoint]]\nname = \"a\"\nruntime = { kind = \"builtin\" }\n";
  return text.append(lines);
}

TEST(Configuration, AnEmptyFileHasTheDocumentedDefaults) {
  const Configuration made = read("");
  EXPECT_EQ(made.gateway.data_dir, folder() / "var");
  EXPECT_EQ(made.gateway.store, "sqlite");
  EXPECT_EQ(made.http.listen, "127.0.0.1:8080");
  EXPECT_FALSE(made.xmpp.has_value());
  EXPECT_EQ(made.limits.manifest_bytes, 1'048'576U);
  EXPECT_EQ(made.limits.schema_bytes, 131'072U);
  EXPECT_EQ(made.limits.arguments_bytes, 262'144U);
  EXPECT_EQ(made.limits.input_bytes, 65'536U);
  EXPECT_EQ(made.limits.json_depth, 64U);
  EXPECT_EQ(made.limits.page_default, 50U);
  EXPECT_EQ(made.limits.page_max, 100U);
  EXPECT_EQ(made.limits.rate_per_second, 500);
  EXPECT_EQ(made.tasks.retention, 24h);
  EXPECT_EQ(made.tasks.replay_window, 24h);
  EXPECT_EQ(made.tasks.max_duration, 24h);
  EXPECT_EQ(made.tasks.drain, 30s);
  EXPECT_EQ(made.tasks.invoke_versions, "active");
  const Configuration small = read(xmpp("") + endpoint(""));
  EXPECT_EQ(small.xmpp->server, "127.0.0.1:5347");
  EXPECT_EQ(small.xmpp->tls, XmppTls::off);
  EXPECT_EQ(small.xmpp->ping_interval, 60s);
  EXPECT_EQ(small.xmpp->ping_timeout, 30s);
  EXPECT_EQ(small.xmpp->reconnect_min, 1s);
  EXPECT_EQ(small.xmpp->reconnect_max, 60s);
  EXPECT_FALSE(small.xmpp->self_registration);
  EXPECT_FALSE(small.xmpp->federated_admin);
  EXPECT_EQ(small.xmpp->stanza_in, 524'288U);
  EXPECT_EQ(small.xmpp->stanza_out, 393'216U);
  const EndpointTable& one = small.endpoints.at(0);
  EXPECT_FALSE(one.rerun);
  EXPECT_TRUE(one.cold_start);
  EXPECT_EQ(one.concurrency, 1U);
  EXPECT_EQ(one.queue, 1'000U);
  EXPECT_EQ(one.processes, 1U);
  EXPECT_TRUE(one.activate);
}

TEST(Configuration, EveryKeyOfTheGatewayAndItsListenerIsRead) {
  const Configuration made = read(R"(
[gateway]
title = "Example Agents"
data_dir = "data"
store = "sqlite"
log_format = "json"
log_level = "debug"
[http]
listen = "0.0.0.0:9"
public_url = "https://gateway.example"
tls_certificate = "c.pem"
tls_key = "./k.pem"
trusted_proxies = ["10.0.0.0/8"]
allowed_origins = ["https://a.example"]
)");
  EXPECT_EQ(made.gateway.title, "Example Agents");
  EXPECT_EQ(made.gateway.data_dir, folder() / "data") << "relative to the file";
  EXPECT_EQ(made.gateway.log_format, "json");
  EXPECT_EQ(made.gateway.log_level, "debug");
  EXPECT_EQ(made.http.listen, "0.0.0.0:9");
  EXPECT_EQ(made.http.public_url, "https://gateway.example");
  EXPECT_EQ(made.http.tls_certificate, folder() / "c.pem");
  EXPECT_EQ(made.http.tls_key, folder() / "./k.pem");
  EXPECT_THAT(made.http.trusted_proxies, ElementsAre("10.0.0.0/8"));
  EXPECT_THAT(made.http.allowed_origins, ElementsAre("https://a.example"));
}

TEST(Configuration, EveryKeyOfTheXmppComponentIsRead) {
  const Configuration made = read(R"(
[xmpp]
domain = "agents.example.test"
server = "xmpp.example.test:5347"
secret = "hush"
tls = "mutual"
tls_ca = "ca.pem"
tls_certificate = "c.pem"
tls_key = "k.pem"
ping_interval = "10s"
ping_timeout = "5s"
reconnect_min = "500ms"
reconnect_max = "2m"
local_domains = ["example.test"]
server_domain = "example.test"
admins = ["admin@example.test"]
admin = false
self_registration = true
federated_admin = true
search = false
vcards = false
share_xmpp_tasks = true
federated_info = "all"
stanza_in = 100000
stanza_out = 90000
)");
  const XmppSection& section = *made.xmpp;
  EXPECT_EQ(section.domain, "agents.example.test");
  EXPECT_EQ(section.server, "xmpp.example.test:5347");
  EXPECT_EQ(section.secret.reveal(), "hush");
  EXPECT_EQ(section.tls, XmppTls::mutual);
  EXPECT_EQ(section.tls_ca, folder() / "ca.pem");
  EXPECT_EQ(section.tls_certificate, folder() / "c.pem");
  EXPECT_EQ(section.tls_key, folder() / "k.pem");
  EXPECT_EQ(section.ping_interval, 10s);
  EXPECT_EQ(section.ping_timeout, 5s);
  EXPECT_EQ(section.reconnect_min, 500ms);
  EXPECT_EQ(section.reconnect_max, 2min);
  EXPECT_THAT(section.local_domains, ElementsAre("example.test"));
  EXPECT_EQ(section.server_domain, "example.test");
  EXPECT_THAT(section.admins, ElementsAre("admin@example.test"));
  EXPECT_FALSE(section.admin);
  EXPECT_TRUE(section.self_registration);
  EXPECT_TRUE(section.federated_admin);
  EXPECT_FALSE(section.search);
  EXPECT_FALSE(section.vcards);
  EXPECT_TRUE(section.share_xmpp_tasks);
  EXPECT_EQ(section.federated_info, "all");
  EXPECT_EQ(section.stanza_in, 100'000U);
  EXPECT_EQ(section.stanza_out, 90'000U);
}

TEST(Configuration, EveryKeyOfLimitsAndTasksIsRead) {
  const Configuration made = read(R"(
[limits]
manifest_bytes = 2048
schema_bytes = 2049
arguments_bytes = 2050
input_bytes = 2051
result_bytes = 2052
json_depth = 32
page_default = 7
page_max = 8
rate_per_second = 2.5
open_tasks = 8
stored_bytes = 100000000
followers = 9
http_connections = 10
http_connections_per_address = 11
[tasks]
retention = "2h"
replay_window = "90m"
max_duration = "7d"
drain = "0ms"
invoke_versions = "registered"
)");
  EXPECT_EQ(made.limits.manifest_bytes, 2'048U);
  EXPECT_EQ(made.limits.schema_bytes, 2'049U);
  EXPECT_EQ(made.limits.arguments_bytes, 2'050U);
  EXPECT_EQ(made.limits.input_bytes, 2'051U);
  EXPECT_EQ(made.limits.result_bytes, 2'052U);
  EXPECT_EQ(made.limits.json_depth, 32U);
  EXPECT_EQ(made.limits.page_default, 7U);
  EXPECT_EQ(made.limits.page_max, 8U);
  EXPECT_EQ(made.limits.rate_per_second, 2.5);
  EXPECT_EQ(made.limits.open_tasks, 8U);
  EXPECT_EQ(made.limits.stored_bytes, 100'000'000U);
  EXPECT_EQ(made.limits.followers, 9U);
  EXPECT_EQ(made.limits.http_connections, 10U);
  EXPECT_EQ(made.limits.http_connections_per_address, 11U);
  EXPECT_EQ(made.tasks.retention, 2h);
  EXPECT_EQ(made.tasks.replay_window, 90min);
  EXPECT_EQ(made.tasks.max_duration, 24h * 7);
  EXPECT_EQ(made.tasks.drain, 0ms);
  EXPECT_EQ(made.tasks.invoke_versions, "registered");
}

TEST(Configuration, EveryKeyOfIssuersAndEgressIsRead) {
  const Configuration made = parse_configuration(R"(
[egress]
allow_private = true
[[issuer]]
url = "https://id.example/t"
audience = "https://gateway.example/mcp"
jwks = "keys.json"
scopes = ["tools", "tasks"]
[[issuer]]
url = "https://other.example"
audience = "api://gateway"
jwks = "https://other.example/keys"
)",
                                                 "etc/interline.toml")
                                 .value();
  EXPECT_TRUE(made.egress.allow_private);
  ASSERT_EQ(made.issuers.size(), 2U);
  EXPECT_EQ(made.issuers[0].url, "https://id.example/t");
  EXPECT_EQ(made.issuers[0].audience, "https://gateway.example/mcp");
  EXPECT_EQ(made.issuers[0].jwks, "etc/keys.json");
  EXPECT_THAT(made.issuers[0].scopes, ElementsAre("tools", "tasks"));
  EXPECT_EQ(made.issuers[1].jwks, "https://other.example/keys");
}

TEST(ConfigurationMistakes, AnIssuerNeedsAnAudience) {
  const std::string issuer = "[[issuer]]\nurl = \"https://id.example\"\n";
  EXPECT_THAT(mistake_of(issuer), HasSubstr("audience = "));
  EXPECT_TRUE(parse_configuration("[http]\npublic_url = \"https://gateway.example\"\n" + issuer,
                                  "interline.toml"));
  EXPECT_THAT(mistake_of("[[issuer]]\naudience = \"x\"\n"), HasSubstr("url = "));
}

TEST(Configuration, EveryKeyOfAccountsGrantsAndEndpointsIsRead) {
  const Configuration made = read(R"(
[[account]]
name = "alice"
principals = ["xmpp:alice@example.test", "key:alice-laptop"]
tenant = "blue"
[[grant]]
principals = ["xmpp:*@example.test", "key:*", "local:*"]
endpoints = ["*", "!payroll"]
visible = true
invoke = ["*"]
permissions = ["orders.write"]
[[endpoint]]
name = "weather"
title = "Weather Agent"
description = "Says what the weather will be"
vendor = "Example"
version = "1.4.0"
runtime = { kind = "exec", command = ["python3", "weather.py"], environment = { A = "b" }, inherit = ["HOME"] }
tools = "tools.json"
on_restart = "rerun"
cold_start = false
concurrency = 4
queue = 5
processes = 2
activate = false
[[endpoint]]
name = "other"
runtime = { kind = "builtin" }
manifest = "m.json"
)");
  EXPECT_EQ(made.accounts.at(0).name, "alice");
  EXPECT_EQ(made.accounts.at(0).principals.size(), 2U);
  EXPECT_EQ(made.accounts.at(0).tenant, "blue");
  const policy::Grant& grant = made.grants.at(0);
  EXPECT_EQ(grant.principals.size(), 3U);
  EXPECT_THAT(grant.endpoints, ElementsAre("*", "!payroll"));
  EXPECT_TRUE(grant.visible);
  EXPECT_THAT(grant.invoke, ElementsAre("*"));
  EXPECT_THAT(grant.permissions, ElementsAre("orders.write"));
  const EndpointTable& weather = made.endpoints.at(0);
  EXPECT_EQ(weather.name, "weather");
  EXPECT_EQ(weather.title, "Weather Agent");
  EXPECT_EQ(weather.description, "Says what the weather will be");
  EXPECT_EQ(weather.vendor, "Example");
  EXPECT_EQ(weather.version, "1.4.0");
  EXPECT_EQ(weather.runtime.kind, RuntimeKind::exec);
  EXPECT_THAT(weather.runtime.command, ElementsAre("python3", "weather.py"));
  EXPECT_THAT(weather.runtime.environment, ElementsAre(std::pair("A", "b")));
  EXPECT_THAT(weather.runtime.inherit, ElementsAre("HOME"));
  EXPECT_EQ(weather.tools, folder() / "tools.json");
  EXPECT_TRUE(weather.rerun);
  EXPECT_FALSE(weather.cold_start);
  EXPECT_EQ(weather.concurrency, 4U);
  EXPECT_EQ(weather.queue, 5U);
  EXPECT_EQ(weather.processes, 2U);
  EXPECT_FALSE(weather.activate);
  EXPECT_EQ(made.endpoints.at(1).manifest, folder() / "m.json");
}

TEST(Configuration, AGrantShowsAndGivesNothingUnlessItSaysSo) {
  const Configuration made = read("[[grant]]\nprincipals = [\"*\"]\nendpoints = [\"*\"]\n");
  EXPECT_FALSE(made.grants.at(0).visible);
  EXPECT_TRUE(made.grants.at(0).invoke.empty());
}

TEST(ConfigurationMistakes, AnUnknownKeyIsOneWithItsLineAndTheNearestKnown) {
  EXPECT_EQ(mistake_of("[gateway]\ntitle = \"t\"\ndata_dri = \"x\"\n"),
            "interline.toml:3: [gateway] has an unknown key: data_dri; did you mean data_dir?");
  EXPECT_EQ(mistake_of("[gatewey]\n"),
            "interline.toml:1: has an unknown key: gatewey; did you mean gateway?");
  EXPECT_EQ(mistake_of("[gateway]\ncolour = 1\n"),
            "interline.toml:2: [gateway] has an unknown key: colour");
  EXPECT_EQ(mistake_of(endpoint("consurrency = 2\n")),
            "interline.toml:4: [[endpoint]] has an unknown key: consurrency; did you mean "
            "concurrency?");
  EXPECT_EQ(
      mistake_of("[[endpoint]]\nname = \"a\"\nruntime = { kind = \"builtin\", comand = [] }\n"),
      "interline.toml:3: [[endpoint]] runtime has an unknown key: comand; did you mean command?");
}

TEST(ConfigurationMistakes, EveryOneIsReportedAtOnceInTheOrderOfLines) {
  const auto all = mistakes_of(R"([gateway]
title = 7
[http]
tls_key = "k.pem"
[limits]
json_depth = 1
[[grant]]
principals = ["nobody"]
endpoints = []
[[endpoint]]
name = "A B"
)");
  ASSERT_EQ(all.size(), 7U) << ::testing::PrintToString(all);
  EXPECT_EQ(all[0], "interline.toml:2: [gateway] title is wrong: expected a string; it is 7");
  EXPECT_EQ(all[1],
            "interline.toml:3: [http] has one of tls_certificate and tls_key; TLS needs both");
  EXPECT_EQ(all[2],
            "interline.toml:6: [limits] json_depth is wrong: expected an integer from 8 to 256; it "
            "is 1");
  EXPECT_THAT(all[3], HasSubstr("interline.toml:7: [[grant]] endpoints is missing or empty"));
  EXPECT_THAT(all[4], HasSubstr("interline.toml:7: [[grant]] nobody is wrong"));
  EXPECT_THAT(all[5], HasSubstr("interline.toml:10: [[endpoint]] needs runtime"));
  EXPECT_THAT(all[6], HasSubstr("interline.toml:11: [[endpoint]] name is wrong"));
}

TEST(ConfigurationMistakes, WhatIsNoTomlIsSaidWithItsLine) {
  EXPECT_THAT(mistake_of("[gateway]\ntitle = \"unfinished\n"), HasSubstr("interline.toml:2: "));
  EXPECT_THAT(mistake_of("[gateway]\n[gateway]\n"), HasSubstr("interline.toml:2: "));
  EXPECT_THAT(mistake_of("a = 1\na = 2\n"), HasSubstr("interline.toml:2: "));
  EXPECT_THAT(mistake_of("title = \"\xFF\"\n"), HasSubstr("interline.toml:1: "));
}

TEST(ConfigurationMistakes, TypesAreExact) {
  for (const auto text : {"[gateway]\ntitle = true\n", "[limits]\njson_depth = \"64\"\n",
                          "[limits]\njson_depth = 64.0\n", "[limits]\nrate_per_second = \"5\"\n",
                          "[tasks]\nretention = 24\n", "[http]\nallowed_origins = \"x\"\n",
                          "[http]\nallowed_origins = [1]\n", "gateway = 1\n",
                          "[gateway]\nlog_level = \"loud\"\n", "endpoint = [1]\n"}) {
    EXPECT_THAT(mistake_of(text), HasSubstr(" is wrong: expected ")) << text;
  }
  EXPECT_THAT(mistake_of(xmpp("search = \"yes\"\n")), HasSubstr("expected true or false"));
}

TEST(ConfigurationMistakes, LimitsHaveARange) {
  struct Row {
    const char* key;
    std::int64_t least;
    std::int64_t most;
  };
  const Row rows[] = {{"manifest_bytes", 1'024, 64 << 20},
                      {"schema_bytes", 1'024, 16 << 20},
                      {"arguments_bytes", 1'024, 64 << 20},
                      {"input_bytes", 1'024, 16 << 20},
                      {"result_bytes", 1'024, 256 << 20},
                      {"json_depth", 8, 256},
                      {"page_max", 50, 10'000},
                      {"open_tasks", 1, 10'000'000},
                      {"stored_bytes", 64 << 20, std::int64_t{1} << 40},
                      {"followers", 1, 1'000'000},
                      {"http_connections", 1, 1'000'000},
                      {"http_connections_per_address", 1, 1'000'000}};
  for (const Row& row : rows) {
    const auto with = [&row](std::int64_t value) {
      return "[limits]\n" + std::string(row.key) + " = " + std::to_string(value) + "\n";
    };
    EXPECT_TRUE(mistakes_of(with(row.least)).empty()) << row.key;
    EXPECT_TRUE(mistakes_of(with(row.most)).empty()) << row.key;
    EXPECT_THAT(mistake_of(with(row.least - 1)), HasSubstr(row.key));
    EXPECT_THAT(mistake_of(with(row.most + 1)), HasSubstr(row.key));
    EXPECT_THAT(mistake_of(with(-1)), HasSubstr(row.key));
  }
  EXPECT_EQ(mistake_of("[limits]\nrate_per_second = 0\n"),
            "interline.toml:2: [limits] rate_per_second is wrong: expected a number from 0.1 to "
            "1000000; it is 0");
  EXPECT_TRUE(mistakes_of("[limits]\nrate_per_second = 7\n").empty()) << "an integer is a number";
  EXPECT_THAT(mistake_of("[limits]\nrate_per_second = nan\n"), HasSubstr("expected a number"));
}

TEST(ConfigurationMistakes, DurationsHaveAUnitAndARange) {
  for (const auto text : {"", "24", "h", "24 h", "-1h", "1w", "1.5h", "24H", "1h30m",
                          "99999999999999999999h", "0s", "367d", "1000000001ms"}) {
    const std::string line = "[tasks]\nretention = \"" + std::string(text) + "\"\n";
    EXPECT_EQ(mistake_of(line),
              "interline.toml:2: [tasks] retention is wrong: expected a duration from \"1s\" to "
              "\"366d\", in ms, s, m, h or d; it is \"" +
                  std::string(text) + "\"")
        << text;
  }
  EXPECT_EQ(read("[tasks]\nretention = \"1500ms\"\n").tasks.retention, 1500ms);
}

TEST(ConfigurationMistakes, PairsThatContradictEachOtherAreSaid) {
  EXPECT_THAT(mistake_of("[limits]\npage_max = 10\n"), HasSubstr("page_default"));
  EXPECT_THAT(mistake_of(xmpp("reconnect_min = \"2m\"\n")), HasSubstr("reconnect_max"));
  EXPECT_THAT(mistake_of(xmpp("tls = \"mutual\"\n")), HasSubstr("tls_certificate and tls_key"));
  EXPECT_THAT(mistake_of("[http]\ntls_certificate = \"c.pem\"\n"), HasSubstr("TLS needs both"));
}

TEST(ConfigurationMistakes, PlainTextToAnotherMachineIsRefused) {
  for (const auto server : {"127.0.0.1:5347", "[::1]:5347", "localhost:5347", "127.8.9.1:1"}) {
    EXPECT_TRUE(mistakes_of(xmpp("server = \"" + std::string(server) + "\"\n")).empty()) << server;
  }
  for (const auto server : {"xmpp.example.org:5347", "192.0.2.1:5347", "[2001:db8::1]:5347",
                            "localhost.example.org:5347", "0.0.0.0:5347"}) {
    EXPECT_THAT(mistake_of(xmpp("server = \"" + std::string(server) + "\"\n")),
                HasSubstr(R"(tls = "off" only to this machine)"))
        << server;
    EXPECT_TRUE(
        mistakes_of(xmpp("tls = \"on\"\nserver = \"" + std::string(server) + "\"\n")).empty());
  }
}

TEST(ConfigurationMistakes, AddressesAreAHostAndAPort) {
  for (const auto server :
       {"localhost", ":5347", "localhost:", "localhost:0", "localhost:65536", "localhost:x", ""}) {
    EXPECT_THAT(mistakes_of(xmpp("server = \"" + std::string(server) + "\"\n")),
                ::testing::Contains(HasSubstr("server is wrong")))
        << server;
  }
  EXPECT_THAT(mistake_of("[http]\nlisten = \"8080\"\n"), HasSubstr("listen is wrong"));
  EXPECT_TRUE(mistakes_of("[http]\nlisten = \"off\"\n").empty());
  EXPECT_TRUE(mistakes_of("[http]\nlisten = \"[::]:8080\"\n").empty());
}

TEST(ConfigurationMistakes, EndpointNamesAreLocalpartsAndSegments) {
  for (const auto name : {"A", "-a", ".a", "a b", "a@b", "a/b", "\u00E9"}) {
    EXPECT_THAT(mistake_of("[[endpoint]]\nname = \"" + std::string(name) +
                           "\"\nruntime = { kind = \"builtin\" }\n"),
                HasSubstr("interline.toml:2: [[endpoint]] name is wrong"))
        << name;
  }
  EXPECT_TRUE(
      mistakes_of("[[endpoint]]\nname = \"0a.b_c-d\"\nruntime = { kind = \"builtin\" }\n").empty());
  EXPECT_EQ(mistake_of(endpoint("") + endpoint("")),
            "interline.toml:5: [[endpoint]] name is used by another endpoint already");
  EXPECT_THAT(mistake_of("[[endpoint]]\nruntime = { kind = \"builtin\" }\n"),
              HasSubstr(R"(needs name, for example: name = "weather")"));
}

TEST(ConfigurationMistakes, AVersionHasTheManifestsGrammar) {
  EXPECT_TRUE(mistakes_of(endpoint("version = \"1.4.0-rc_1~2\"\n")).empty());
  EXPECT_THAT(mistake_of(endpoint("version = \"1 4\"\n")), HasSubstr("version is wrong"));
  EXPECT_THAT(mistake_of(endpoint("version = \"" + std::string(65, '1') + "\"\n")),
              HasSubstr("version is wrong"));
}

TEST(ConfigurationMistakes, ARuntimeNeedsWhatItStarts) {
  const auto with = [](std::string_view runtime) {
    return "[[endpoint]]\nname = \"a\"\nruntime = " + std::string(runtime) + "\n";
  };
  EXPECT_THAT(mistake_of(with("{ kind = \"exec\" }")), HasSubstr("needs a command"));
  EXPECT_THAT(mistake_of(with("{ kind = \"exce\" }")), HasSubstr("kind is wrong: expected one of"));
  EXPECT_THAT(mistake_of(with("{}")), HasSubstr("runtime needs kind, for example"));
  EXPECT_THAT(mistake_of(with("{ kind = \"a2a\" }")), HasSubstr("not served by this version yet"));
  EXPECT_THAT(mistake_of(with("{ kind = \"exec\", command = [\"a\", \"${NO_SUCH_ONE}\"] }")),
              HasSubstr("NO_SUCH_ONE, which is not set"));
}

TEST(ConfigurationMistakes, GrantsAndAccountsAreCheckedWithTheirLines) {
  EXPECT_EQ(mistake_of("\n[[grant]]\nprincipals = [\"xmmp:*\"]\nendpoints = [\"*\"]\n"),
            "interline.toml:2: [[grant]] xmmp:* is wrong: no principal begins that way; the "
            "networks are xmpp, key, jwt, simplex, local, anonymous");
  EXPECT_EQ(mistake_of("[[account]]\nname = \"a\"\nprincipals = [\"key:1\"]\n"
                       "[[account]]\nname = \"b\"\nprincipals = [\"key:1\"]\n"),
            "interline.toml:4: [[account]] key:1 belongs to account a already");
  EXPECT_THAT(mistake_of("[[grant]]\nendpoints = [\"*\"]\n"), HasSubstr("needs principals"));
  EXPECT_THAT(mistake_of(xmpp("admins = [\"*@example.test\"]\n")),
              HasSubstr("interline.toml:4: [xmpp] admins: "));
  EXPECT_THAT(mistake_of(xmpp("local_domains = [\"Example.test\"]\n")),
              HasSubstr("interline.toml:4: [xmpp] local_domains is wrong"));
}

TEST(ConfigurationMistakes, WhatALaterVersionServesIsNotCalledUnknown) {
  EXPECT_EQ(mistake_of("\n[[simplex]]\nname = \"main\"\n"),
            "interline.toml:2: simplex is not served by this version yet; remove it");
  EXPECT_THAT(mistake_of("[openwop]\n"), HasSubstr("not served by this version"));
  EXPECT_THAT(mistake_of("[gateway]\nstore = \"postgresql://u@h/db\"\n"),
              HasSubstr("not served by this version yet"));
}

class ConfigurationSecrets : public ::testing::Test {
 protected:
  ConfigurationSecrets() { setenv("INTERLINE_TEST_SECRET", "hush-hush", 1); }
  ~ConfigurationSecrets() override { unsetenv("INTERLINE_TEST_SECRET"); }
};

TEST_F(ConfigurationSecrets, ComeFromTheTextTheEnvironmentOrAFile) {
  const std::string head = "[xmpp]\ndomain = \"d.example\"\n";
  EXPECT_EQ(read(head + "secret = \"${INTERLINE_TEST_SECRET}\"\n").xmpp->secret.reveal(),
            "hush-hush");
  EXPECT_EQ(read(head + "secret = \"a${INTERLINE_TEST_SECRET}b\"\n").xmpp->secret.reveal(),
            "ahush-hushb");
  EXPECT_EQ(read(head + "secret_file = \"s\"\n").xmpp->secret_file, folder() / "s");
  EXPECT_THAT(mistake_of(head), HasSubstr("needs the component's secret"));
  EXPECT_THAT(mistake_of(head + "secret = \"x\"\nsecret_file = \"s\"\n"),
              HasSubstr("has both secret and secret_file; remove one"));
}

TEST_F(ConfigurationSecrets, AreNeverInAMessage) {
  const auto all = mistakes_of(
      "[xmpp]\ndomain = \"D example\"\nsecret = \"${INTERLINE_TEST_SECRET}\"\nsecret_file = \"s\"\n"
      "tls = \"${INTERLINE_TEST_SECRET}\"\nserver = \"${INTERLINE_TEST_SECRET}\"\n"
      "ping_interval = \"${INTERLINE_TEST_SECRET}\"\n");
  EXPECT_GE(all.size(), 4U);
  for (const std::string& line : all) EXPECT_THAT(line, Not(HasSubstr("hush")));
}

TEST_F(ConfigurationSecrets, TheEnvironmentIsReplacedInEveryText) {
  setenv("INTERLINE_TEST_NAME", "desk", 1);
  const Configuration made = read(
      "[gateway]\ntitle = \"${INTERLINE_TEST_NAME} ${INTERLINE_TEST_NAME}\"\n"
      "[http]\nallowed_origins = [\"https://${INTERLINE_TEST_NAME}.example\"]\n"
      "[[endpoint]]\nname = \"${INTERLINE_TEST_NAME}\"\nruntime = { kind = \"exec\", command = "
      "[\"${INTERLINE_TEST_NAME}\"], environment = { N = \"${INTERLINE_TEST_NAME}\" } }\n");
  unsetenv("INTERLINE_TEST_NAME");
  EXPECT_EQ(made.gateway.title, "desk desk");
  EXPECT_THAT(made.http.allowed_origins, ElementsAre("https://desk.example"));
  EXPECT_EQ(made.endpoints.at(0).name, "desk");
  EXPECT_THAT(made.endpoints.at(0).runtime.command, ElementsAre("desk"));
  EXPECT_EQ(made.endpoints.at(0).runtime.environment.at(0).second, "desk");
  EXPECT_EQ(read("[gateway]\ntitle = \"${ and $5\"\n").gateway.title, "${ and $5");
}

TEST(ConfigurationFile, OneThatCannotBeReadIsAMistake) {
  const auto made = read_configuration("/no/such/interline.toml");
  ASSERT_FALSE(made);
  EXPECT_EQ(to_string("x.toml", made.error().at(0)),
            "x.toml: cannot be read: No such file or directory; name the configuration with -c "
            "FILE");
  const auto folder_instead = read_configuration(folder());
  ASSERT_FALSE(folder_instead);
  EXPECT_EQ(to_string("x", folder_instead.error().at(0)),
            "x: cannot be read: it is a folder; name the configuration with -c FILE");
}

}  // namespace
}  // namespace interline::app
