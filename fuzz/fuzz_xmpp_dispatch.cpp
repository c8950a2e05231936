// The dispatcher of stanzas over a whole engine: whatever a server sends, nothing breaks, and every
// request is answered once, by a stanza that can be read, with its id, from the address written to.
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include "../tests/scenarios/engine/demo_gateway.hpp"
#include "bindings/xmpp/dispatch.hpp"
#include "bindings/xmpp/incoming_iq.hpp"
#include "bindings/xmpp/message_gate.hpp"
#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/presence.hpp"
#include "bindings/xmpp/testing.hpp"

using namespace interline;        // NOLINT
using namespace interline::xmpp;  // NOLINT

namespace {

policy::Configuration everything_for_everybody() {
  policy::Configuration configuration = interline::testing::everything_for("xmpp:*@example.test");
  configuration.local_domains = {"example.test"};
  configuration.admins = {"xmpp:admin@example.test"};
  configuration.self_registration = true;
  return configuration;
}

BindingConfig all_profiles() {
  BindingConfig config;
  config.title = "Fuzzed";
  config.self_registration = true;
  return config;
}

/// Lives as long as the process: tasks that are never cancelled stay in it.
class Front {
 public:
  void take(Stanza stanza) {
    auto kept = std::make_shared<const Stanza>(std::move(stanza));
    const std::string_view name = kept->root().name();
    if (name == element::kIq) {
      take_iq(std::move(kept));
    } else if (name == element::kMessage) {
      if (auto said = messages_.take(*kept)) check(said->finish(), "message");
    } else if (name == element::kPresence && kept->complete()) {
      gateway_.run(done(presence_.handle(std::move(kept))));
    }
  }

 private:
  static net::awaitable<bool> done(net::awaitable<void> work) {
    co_await std::move(work);
    co_return true;
  }

  void take_iq(std::shared_ptr<const Stanza> stanza) {
    const Element root = stanza->root();
    const std::string_view type = root.attribute(attribute::kType).value_or("");
    const std::string id(root.attribute(attribute::kId).value_or(""));
    IqVerdict verdict = read_iq(*stanza, domain_);
    if (const auto* refused = std::get_if<RefusedIq>(&verdict)) {
      OutgoingStanza answer = OutgoingStanza::error(refused->route, refused->error);
      check(answer.finish(), "iq", id);
    } else if (auto* request = std::get_if<IqRequest>(&verdict)) {
      interline::testing::require(type == "get" || type == "set");
      Principal who = principal_of(request->from);
      Call call(std::move(stanza), std::move(*request), std::move(who));
      OutgoingStanza answer = gateway_.run(xmpp::answer(services_, std::move(call)));
      check(answer.finish(), "iq", id);
    } else {
      const bool answerable =
          (type == "get" || type == "set") &&
          Jid::parse(root.attribute(attribute::kFrom).value_or("")).has_value() &&
          root.attribute(attribute::kTo) == domain_.jid().text();
      interline::testing::require(!answerable);
    }
  }

  void check(const std::string& bytes, std::string_view name, std::string_view id = {}) const {
    const Stanza read = xmpp::testing::read_stanza(bytes);
    const Element root = read.root();
    interline::testing::require(root.name() == name);
    interline::testing::require(id.empty() || root.attribute(attribute::kId) == id);
    const auto from = Jid::parse(root.attribute(attribute::kFrom).value_or(""));
    interline::testing::require(from && domain_.addressed(*from));
    const auto type = root.attribute(attribute::kType);
    interline::testing::require(type == "result" || type == "error");
  }

  interline::testing::DemoGateway gateway_{everything_for_everybody()};
  const OwnDomain domain_ = OwnDomain::parse("agents.example.test").value();
  const BindingConfig config_ = all_profiles();
  Component component_{gateway_.io().get_executor(),
                       domain_,
                       Secret("test"),
                       {},
                       {},
                       {},
                       gateway_.clock(),
                       Logger()};
  EventSender events_{gateway_.engine(), component_, Logger()};
  const ManifestFits fits_{config_.stanza_out};
  Services services_{gateway_.engine(), domain_, config_, events_, fits_};
  MessageGate messages_{domain_, events_, gateway_.clock(), Logger()};
  PresenceBook presence_{services_, [this](OutgoingStanza out) { return sent(std::move(out)); }};

  net::awaitable<void> sent(OutgoingStanza out) {
    const Stanza read = xmpp::testing::read_stanza(out.finish());
    interline::testing::require(read.root().name() == element::kPresence);
    co_return;
  }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Front* const front = new Front;  // its threads end with the process
  XmlStream stream({}, 1);
  std::vector<StreamEvent> events;
  stream.feed(xmpp::testing::kHeader, events);
  stream.feed({reinterpret_cast<const char*>(data), size}, events);
  for (StreamEvent& event : events) {
    if (auto* stanza = std::get_if<Stanza>(&event)) front->take(std::move(*stanza));
  }
  return 0;
}
