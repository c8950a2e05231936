#include "bindings/xmpp/message_gate.hpp"

#include <algorithm>

#include "bindings/xmpp/names.hpp"
#include "bindings/xmpp/stanza_error.hpp"

namespace interline::xmpp {
namespace {

constexpr std::size_t kSendersRemembered = 10'000;
constexpr std::chrono::seconds kRefuseEvery{10};

bool has_body(Element message) {
  return std::ranges::any_of(message.children(), [](Element child) {
    return child.name() == element::kBody && is_stanza_namespace(child.ns());
  });
}

}  // namespace

bool MessageGate::may_refuse(const std::string& sender) {
  const SteadyTime now = clock_.steady();
  if (refused_.size() >= kSendersRemembered) refused_.clear();
  const auto [last, fresh] = refused_.try_emplace(sender, now);
  if (!fresh && now - last->second < kRefuseEvery) return false;
  last->second = now;
  return true;
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
  if (type == "groupchat" || type == "headline" || !stanza.complete()) return std::nullopt;
  // The caller's side of tasks takes it or nobody does: an event is never bounced.
  if (root.child(ns::kAgentTask, element::kEvent) || !has_body(root)) return std::nullopt;

  const auto from = Jid::parse(from_text);
  const auto to = Jid::parse(root.attribute(attribute::kTo).value_or(""));
  const auto sender = to ? domain_.addressed(*to) : std::nullopt;
  if (!from || !sender || !may_refuse(std::string(from->bare()))) return std::nullopt;
  OutgoingStanza refusal = OutgoingStanza::message("error", *sender, from_text, id);
  write_error(refusal.xml(), Error(ErrorKind::unavailable, "no conversations here"));
  return refusal;
}

}  // namespace interline::xmpp
