// What agents of other gateways answer and tell: whatever it is, it is read or refused whole, and a
// body that was read can be judged. The first byte chooses what was asked; the rest is one stanza.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/xmpp/agent_stanzas.hpp"
#include "bindings/xmpp/testing.hpp"
#include "bindings/xmpp/xml_stream.hpp"
#include "protocols/xmpp/history.hpp"

namespace {

using namespace interline::protocols::xmpp;
using interline::xmpp::Stanza;
using interline::xmpp::StreamEvent;

AgentRequest asked(std::uint8_t which) {
  switch (which % 7) {
    case 0:
      return AskEndpoint{};
    case 1:
      return AskManifest{};
    case 2:
      return Invoke{};
    case 3:
      return AskState{};
    case 4:
      return AskResult{};
    case 5:
      return ProvideInput{};
    default:
      return CancelTask{};
  }
}

void judge(const Event& event) {
  const auto body = read_event_body(event.type, event.body);
  if (!body) return;
  History history;
  history.jump(interline::tasks::State::running, event.revision - 1);
  if (history.judge(event, *body) == History::Verdict::next) history.take(event, *body);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 1) return 0;
  interline::xmpp::XmlStream stream({}, 1);
  std::vector<StreamEvent> events;
  stream.feed(interline::xmpp::testing::kHeader, events);
  stream.feed(std::string_view(reinterpret_cast<const char*>(data) + 1, size - 1), events);
  for (const StreamEvent& each : events) {
    const auto* stanza = std::get_if<Stanza>(&each);
    if (stanza == nullptr) continue;
    const auto answer = interline::xmpp::read_answer(asked(data[0]), *stanza);
    if (answer) {
      if (const auto* state = std::get_if<RemoteState>(&*answer)) {
        (void)read_event_body(interline::tasks::EntryType::input_required, state->pending);
      }
    }
    if (const auto event = interline::xmpp::read_event(*stanza)) judge(*event);
  }
  return 0;
}
