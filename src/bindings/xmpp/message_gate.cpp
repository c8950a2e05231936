#include "bindings/xmpp/message_gate.hpp"

#include <algorithm>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/stanza_error.hpp"

namespace interline::xmpp {
namespace {

constexpr std::size_t kSendersRemembered = 10'000;
constexpr std::chrono::seconds kEvery{10};
constexpr std::size_t kSenderShown = 256;  // bytes of an address in a line of the log

bool has_body(Element message) {
  return std::ranges::any_of(message.children(), [](Element child) {
    return child.name() == element::kBody && is_stanza_namespace(child.ns());
  });
}

}  // namespace

bool NowAndThen::is_time_for(const std::string& sender) {
  const SteadyTime now = clock_.steady();
  if (last_.size() >= kSendersRemembered) last_.clear();
  const auto [last, fresh] = last_.try_emplace(sender, now);
  if (!fresh && now - last->second < kEvery) return false;
  last->second = now;
  return true;
}

/// ProtoXEP "Lifecycle Events": ignored whole and logged, bounded and without its body. Nothing of
/// it but the sender is shown, since a sender may be wrong but cannot choose what it is.
void MessageGate::note_event(Element message) {
  const auto from = Jid::parse(message.attribute(attribute::kFrom).value_or(""));
  if (!from || !notes_.is_time_for(std::string(from->bare()))) return;
  log_.warning("an event of a task that is not followed here was ignored",
               {{"from", from->bare().substr(0, kSenderShown)}});
}

std::optional<OutgoingStanza> MessageGate::take(const Stanza& stanza) {
  const Element root = stanza.root();
  const std::string_view from_text = root.attribute(attribute::kFrom).value_or("");
  const std::string_view type = root.attribute(attribute::kType).value_or("");
  const auto id = root.attribute(attribute::kId);
  if (type == "error") {
    if (id) events_.bounced(*id, from_text);
    return std::nullopt;
  }
  // Events of agents that we call were taken before: no other can be valid. It is never bounced,
  // nor is anything beside it taken for conversation.
  if (root.child(ns::kAgentTask, element::kEvent)) {
    note_event(root);
    return std::nullopt;
  }
  if (type == "groupchat" || type == "headline" || !stanza.complete()) return std::nullopt;
  if (!has_body(root)) return std::nullopt;

  const auto from = Jid::parse(from_text);
  const auto to = Jid::parse(root.attribute(attribute::kTo).value_or(""));
  const auto sender = to ? domain_.addressed(*to) : std::nullopt;
  if (!from || !sender || !refusals_.is_time_for(std::string(from->bare()))) return std::nullopt;
  OutgoingStanza refusal = OutgoingStanza::message("error", *sender, from_text, id);
  write_error(refusal.xml(), Error(ErrorKind::unavailable, "no conversations here"));
  return refusal;
}

}  // namespace interline::xmpp
