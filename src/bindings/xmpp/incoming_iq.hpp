// The rules every IQ request passes before anybody looks at what it asks (RFC 6120 section 8.2.3
// and the duties of a component).
#pragma once

#include <optional>
#include <string_view>
#include <variant>

#include "base/error.hpp"
#include "bindings/xmpp/jid.hpp"
#include "bindings/xmpp/outgoing.hpp"
#include "bindings/xmpp/own_domain.hpp"
#include "bindings/xmpp/stanza.hpp"

namespace interline::xmpp {

/// A request that is owed exactly one answer. Views into its Stanza.
struct IqRequest {
  bool set;  ///< else get
  Jid from;
  Jid to;
  ReplyRoute route;
  Element payload;
  /// Too large to be kept: of the payload there are its name and attributes alone. To be answered
  /// with resource-constraint, once it is sure that the sender may know so much.
  bool oversized;
};
/// Answered at once, without a look at anything else.
struct RefusedIq {
  ReplyRoute route;
  Error error;
};
/// Not answered. `why` is a fixed sentence for the log.
struct DroppedStanza {
  std::string_view why;
};
using IqVerdict = std::variant<IqRequest, RefusedIq, DroppedStanza>;

/// Of a top-level `<iq/>`.
[[nodiscard]] IqVerdict read_iq(const Stanza& stanza, const OwnDomain& domain);

}  // namespace interline::xmpp
