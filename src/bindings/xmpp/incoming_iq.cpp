#include "bindings/xmpp/incoming_iq.hpp"

#include <string>
#include <utility>

#include "bindings/xmpp/names.hpp"

namespace interline::xmpp {

IqVerdict read_iq(const Stanza& stanza, const OwnDomain& domain) {
  const Element root = stanza.root();
  const std::string_view type = root.attribute(attribute::kType).value_or("");
  if (type == "result" || type == "error") return DroppedStanza{"an answer to no request"};

  const std::string_view from_text = root.attribute(attribute::kFrom).value_or("");
  auto from = Jid::parse(from_text);
  if (!from) return DroppedStanza{"no sender, or none that can be read"};
  auto to = Jid::parse(root.attribute(attribute::kTo).value_or(""));
  if (!to) return DroppedStanza{"no addressee, or none that can be read"};
  auto sender = domain.addressed(*to);
  if (!sender) return DroppedStanza{"an addressee in another domain"};

  const auto id = root.attribute(attribute::kId);
  ReplyRoute route{*std::move(sender), std::string(from_text),
                   id ? std::optional<std::string>(*id) : std::nullopt};
  const auto refuse = [&](const char* why) {
    return RefusedIq{std::move(route), Error(ErrorKind::malformed, why)};
  };
  if (!id) return refuse("an iq needs an id");
  if (type != "get" && type != "set") return refuse("an iq is get, set, result or error");
  if (stanza.misshapen()) return refuse("too deep, too many or too long elements or attributes");
  const auto children = root.children();
  const bool one_child = stanza.oversized() ? !children.empty() : children.size() == 1;
  if (!one_child) return refuse("a request has exactly one payload");
  return IqRequest{type == "set",    *std::move(from), *std::move(to),
                   std::move(route), children.front(), stanza.oversized()};
}

}  // namespace interline::xmpp
