#include "bench.hpp"

#include <chrono>
#include <stdexcept>

#include "../engine/bench.hpp"
#include "base/base64.hpp"
#include "bindings/xmpp/binding.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/stanza_error.hpp"
#include "fake_server.hpp"
#include "json/parse.hpp"

namespace interline::testing {
namespace {

using xmpp::Element;

policy::Grant grant(std::vector<std::string> principals, std::vector<std::string> endpoints,
                    bool visible, std::vector<std::string> invoke) {
  policy::Grant made;
  made.principals = std::move(principals);
  made.endpoints = std::move(endpoints);
  made.visible = visible;
  made.invoke = std::move(invoke);
  return made;
}

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '\'':
        out += "&apos;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string hash_xml(const Digest& digest, std::string_view algorithm) {
  return "<hash xmlns='urn:xmpp:hashes:2' algo='" + std::string(algorithm) + "'>" +
         encode_base64(BytesView(digest)) + "</hash>";
}

std::string member(std::string_view json, std::string_view name) {
  const auto document = json::parse_borrowed(json);
  const json::Value* found = document ? document->root().find(name) : nullptr;
  return found == nullptr ? std::string() : std::string(found->source());
}

std::string string_member(std::string_view json, std::string_view name) {
  const auto document = json::parse_borrowed(json);
  const json::Value* found = document ? document->root().find(name) : nullptr;
  return found == nullptr ? std::string() : std::string(found->as_string());
}

std::string manifest_text(std::string_view name, std::string_view version,
                          std::string_view agent_members, std::string_view tools) {
  std::string text = R"({"manifestSpecVersion":"0","agent":{"jid":")";
  text.append(name).append(R"(@agents.example.test","name":")").append(name);
  text.append(R"(","version":")").append(version).append("\"");
  if (!agent_members.empty()) text.append(",").append(agent_members);
  return text.append(R"(},"tools":)").append(tools).append("}");
}

// --- answers ------------------------------------------------------------------------------------

std::string Reply::error() const {
  if (type() != "error") return {};
  const auto received = xmpp::read_error(root());
  return received ? received->condition + "/" + received->type : "an error without a condition";
}

std::string Reply::value(std::string_view name) const {
  if (root().children().empty()) return {};
  return std::string(payload().attribute(name).value_or(""));
}

std::string Reply::text(std::string_view name) const {
  if (root().children().empty()) return {};
  if (name.empty()) return payload().text();
  for (const Element child : payload().children()) {
    if (child.name() == name) return child.text();
  }
  return {};
}

std::string Reply::masked() const {
  std::string text = bytes;
  for (const std::string_view name : {"id", "from", "to"}) {
    const std::string written = " " + std::string(name) + "='";
    const auto begin = text.find(written);
    if (begin == std::string::npos || begin > text.find('>')) continue;
    const auto end = text.find('\'', begin + written.size());
    text.erase(begin, end + 1 - begin);
  }
  return text;
}

// --- the bench ----------------------------------------------------------------------------------

XmppBenchOptions::XmppBenchOptions() {
  policy.local_domains = {"example.test"};
  policy.admins = {"xmpp:admin@example.test", "xmpp:root@partner.test"};
  policy.operators = {"local:root"};
  policy.self_registration = true;
  policy.grants.push_back(
      grant({"xmpp:*@example.test", "!xmpp:viewer@*", "!xmpp:runner@*", "!xmpp:outsider@*"},
            {"*", "!hidden"}, true, {"*"}));
  policy.grants.push_back(grant({"xmpp:viewer@example.test"}, {"demo"}, true, {}));
  policy.grants.push_back(grant({"xmpp:runner@example.test"}, {"demo"}, false, {"*"}));
  policy.grants.push_back(grant({"xmpp:*@partner.test"}, {"demo"}, true, {"echo"}));
  policy::Account account;
  account.name = "alice";
  account.principals = {"xmpp:alice@example.test", "xmpp:alice@partner.test", "key:alice-laptop"};
  policy.accounts.push_back(std::move(account));
  binding.title = "Example Agents";
  binding.self_registration = true;
}

struct XmppBench::Parts {
  XmppBenchOptions options;
  std::unique_ptr<EngineBench> engine;
  std::shared_ptr<MemoryLogSink> log = std::make_shared<MemoryLogSink>();
  std::unique_ptr<FakeServer> server;
  std::unique_ptr<xmpp::Binding> binding;
  std::future<void> running;
  std::optional<Digest> demo_hash;
  std::size_t ids = 0;
};

XmppBench::XmppBench(XmppBenchOptions options) : parts_(std::make_unique<Parts>()) {
  engine::LaneConfiguration lane;
  if (options.lane) options.lane(lane);
  engine::GatewayConfiguration configuration;
  // Tests ask more than people: only those of the limits themselves meet them.
  if (!options.real_rates) {
    for (policy::Rate& rate : configuration.rates.rates) rate = {1e6, 1e6};
  }
  if (options.engine) options.engine(configuration);
  parts_->options = std::move(options);
  parts_->engine = std::make_unique<EngineBench>(lane, std::move(configuration),
                                                 parts_->options.clock, parts_->options.puppet);
  parts_->engine->puppet().features(parts_->options.puppet_features);
  use_policy(parts_->options.policy);
  make_binding();
  run_binding();
}

XmppBench::~XmppBench() {
  stop_binding();
}

EngineBench& XmppBench::engine_bench() {
  return *parts_->engine;
}
engine::Gateway& XmppBench::engine() {
  return parts_->engine->engine();
}
const MemoryLogSink& XmppBench::log() const {
  return *parts_->log;
}
const policy::Configuration& XmppBench::policy() const {
  return parts_->options.policy;
}

void XmppBench::use_policy(policy::Configuration configuration) {
  auto compiled = policy::Policy::compile(std::move(configuration));
  if (!compiled) throw std::runtime_error(compiled.error().front().message);
  engine().use_policy(std::make_shared<policy::Policy>(*std::move(compiled)));
}

void XmppBench::make_binding() {
  EngineBench& engine_bench = *parts_->engine;
  parts_->server = std::make_unique<FakeServer>(engine_bench.executor());
  xmpp::ComponentConfig component;
  component.stanza_out = parts_->options.binding.stanza_out;
  component.stream.reconnect.least = std::chrono::milliseconds(1);
  component.stream.reconnect.most = std::chrono::milliseconds(1);
  parts_->binding = std::make_unique<xmpp::Binding>(
      engine_bench.executor(), engine(), xmpp::OwnDomain::parse(kGateway).value(),
      Secret(std::string(kComponentSecret)), component, parts_->options.binding,
      parts_->server->connector(), engine_bench.clock(), Logger(parts_->log, engine_bench.clock()));
}

void XmppBench::run_binding() {
  parts_->running = boost::asio::co_spawn(parts_->engine->executor(), parts_->binding->run(),
                                          boost::asio::use_future);
  wait_for_stream(1);
  settle();
}

void XmppBench::stop_binding() {
  if (!parts_->binding) return;
  boost::asio::co_spawn(parts_->engine->executor(),
                        parts_->binding->drain(std::chrono::milliseconds(0)),
                        boost::asio::use_future)
      .get();
  parts_->running.get();
  parts_->binding.reset();
  parts_->server.reset();
}

void XmppBench::restart() {
  stop_binding();
  parts_->engine->before_start = [this] {
    use_policy(parts_->options.policy);
    make_binding();
  };
  parts_->engine->restart();
  run_binding();
}

void XmppBench::refresh_presence() {
  boost::asio::co_spawn(parts_->engine->executor(), parts_->binding->refresh_presence(),
                        boost::asio::use_future)
      .get();
}

void XmppBench::say(std::string xml) {
  parts_->server->say(std::move(xml));
}
Emitted XmppBench::take(const Wanted& wanted) {
  return parts_->server->take(wanted);
}
std::vector<Emitted> XmppBench::take_all() {
  return parts_->server->take_all();
}
void XmppBench::break_stream() {
  parts_->server->hang_up();
}
void XmppBench::stop_reading() {
  parts_->server->stop_reading();
}
void XmppBench::turn() {
  parts_->server->turn();
}
void XmppBench::let_in(bool yes) {
  parts_->server->let_in(yes);
}
void XmppBench::wait_for_stream(std::size_t number) {
  parts_->server->wait_for_stream(number);
}
void XmppBench::use_secret(std::string secret) {
  parts_->binding->set_secret(Secret(std::move(secret)));
}
std::string XmppBench::handshake() const {
  return parts_->server->handshake();
}

Reply XmppBench::iq(std::string_view type, std::string_view from, std::string_view to,
                    std::string_view payload) {
  const std::string id = "iq-" + std::to_string(++parts_->ids);
  std::string xml = "<iq type='" + std::string(type) + "' id='" + id + "' from='" +
                    std::string(from) + "' to='" + std::string(to) + "'>";
  xml.append(payload).append("</iq>");
  say(std::move(xml));
  return Reply{take([&id](const Emitted& emitted) {
    return emitted.root().name() == "iq" && emitted.attribute("id") == id;
  })};
}

void XmppBench::settle() {
  const Reply reply = get("barrier@example.test/1", kGateway, "<ping xmlns='urn:xmpp:ping'/>");
  if (!reply.ok()) throw std::runtime_error("no answer to a ping: " + reply.bytes);
}

Digest XmppBench::add(std::string name, std::string manifest, bool activate) {
  EngineBench& bench = *parts_->engine;
  auto read = bench.run(engine().read_manifest(std::move(manifest)));
  if (!read) throw std::runtime_error(read.error().message);
  const auto done = bench.run(engine().register_configured(std::move(name), *read, activate, "[]"));
  if (!done) throw std::runtime_error(done.error().message);
  return (*read)->hash;
}

Digest XmppBench::demo_hash() {
  if (!parts_->demo_hash) {
    const auto demo = parts_->engine->run(engine().describe(kAlice, "demo", "1"));
    parts_->demo_hash = demo.value().manifest->hash;
  }
  return *parts_->demo_hash;
}

std::string XmppBench::fresh_id() {
  return "request-of-a-test-" + std::to_string(100'000 + ++parts_->ids);
}

std::string XmppBench::invoke_xml(std::string_view tool, std::string_view arguments,
                                  std::string_view request_id, std::string_view deadline) {
  std::string xml = "<invoke xmlns='urn:xmpp:agent-task:0' request-id='";
  xml.append(request_id.empty() ? fresh_id() : std::string(request_id));
  xml.append("' tool='").append(escape_xml(tool)).append("' api-version='1'><manifest-hash>");
  xml.append(hash_xml(demo_hash())).append("</manifest-hash>");
  xml.append("<arguments media-type='application/json'>").append(escape_xml(arguments));
  xml.append("</arguments>");
  if (!deadline.empty()) xml.append("<deadline>").append(deadline).append("</deadline>");
  return xml.append("</invoke>");
}

std::string XmppBench::invoke(std::string_view tool, std::string_view arguments,
                              std::string_view who) {
  const Reply reply = set(who, kDemo, invoke_xml(tool, arguments));
  if (!reply.ok()) throw std::runtime_error("not accepted: " + reply.bytes);
  return reply.value("task-id");
}

std::pair<std::string, std::shared_ptr<PuppetCall>> XmppBench::invoke_puppet() {
  EngineBench& bench = engine_bench();
  const auto puppet = bench.run(engine().describe(kAlice, "puppet", "1"));
  std::string xml = invoke_xml("do");
  const std::string demo = hash_xml(demo_hash());
  xml.replace(xml.find(demo), demo.size(), hash_xml(puppet.value().manifest->hash));
  const Reply reply = set(kCaller, kPuppet, xml);
  if (!reply.ok()) throw std::runtime_error("not accepted: " + reply.bytes);
  return {reply.value("task-id"), bench.puppet().next()};
}

Emitted XmppBench::event(const std::string& task, std::uint64_t revision) {
  return take([&](const Emitted& emitted) {
    if (emitted.root().name() != "message" || emitted.root().children().empty()) return false;
    const Element payload = emitted.payload();
    return payload.is(xmpp::ns::kAgentTask, "event") && payload.attribute("task-id") == task &&
           payload.attribute("revision") == std::to_string(revision);
  });
}

Emitted XmppBench::event_of_type(const std::string& task, std::string_view type) {
  return take([&](const Emitted& emitted) {
    if (emitted.root().name() != "message" || emitted.root().children().empty()) return false;
    const Element payload = emitted.payload();
    return payload.is(xmpp::ns::kAgentTask, "event") && payload.attribute("task-id") == task &&
           payload.attribute("type") == type;
  });
}

Reply XmppBench::answer(const std::string& task, std::string_view request,
                        std::string_view revision, std::string_view value, std::string_view who) {
  std::string xml = "<provide-input xmlns='urn:xmpp:agent-task:0' task-id='" + task;
  xml.append("' request-id='").append(request).append("' expected-revision='").append(revision);
  xml.append("'><input media-type='application/json'>").append(escape_xml(value));
  return set(who, kDemo, xml.append("</input></provide-input>"));
}

Reply XmppBench::cancel(const std::string& task, std::string_view revision,
                        std::optional<std::string_view> reason, std::string_view who) {
  std::string xml = "<cancel xmlns='urn:xmpp:agent-task:0' task-id='" + task;
  xml.append("' expected-revision='").append(revision).append("'>");
  if (reason) xml.append("<reason>").append(escape_xml(*reason)).append("</reason>");
  return set(who, kDemo, xml.append("</cancel>"));
}

Reply XmppBench::state(const std::string& task, std::string_view who) {
  return get(who, kDemo,
             "<task-state-request xmlns='urn:xmpp:agent-task:0' task-id='" + task + "'/>");
}

Reply XmppBench::result(const std::string& task, std::string_view who) {
  return get(who, kDemo,
             "<task-result-request xmlns='urn:xmpp:agent-task:0' task-id='" + task + "'/>");
}

}  // namespace interline::testing
