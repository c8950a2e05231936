// One IQ request in work: what was asked, by whom, and what its handler may use.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/xmpp/binding_config.hpp"
#include "bindings/xmpp/event_sender.hpp"
#include "bindings/xmpp/incoming_iq.hpp"
#include "bindings/xmpp/manifest_fit.hpp"
#include "bindings/xmpp/outgoing.hpp"
#include "engine/engine.hpp"

namespace interline::xmpp {

using engine::awaitable;
using policy::Principal;

/// Outlives every call.
struct Services {
  engine::Engine& engine;
  const OwnDomain& domain;
  const BindingConfig& config;
  EventSender& events;
  const ManifestFits& fits_stanza;
};

/// Owns its stanza: the request's views stay valid as long as the call.
struct Call {
  Call(std::shared_ptr<const Stanza> kept, IqRequest asked, Principal caller)
      : stanza(std::move(kept)), request(std::move(asked)), who(std::move(caller)) {}

  std::shared_ptr<const Stanza> stanza;
  IqRequest request;
  Principal who;

  [[nodiscard]] Element payload() const { return request.payload; }
  /// The endpoint's name: the localpart written to. "" for the gateway itself.
  [[nodiscard]] std::string endpoint() const { return std::string(request.to.localpart()); }
  [[nodiscard]] OutgoingStanza result() const { return OutgoingStanza::result(request.route); }
};

using Answer = Result<OutgoingStanza>;
using Handler = awaitable<Answer> (*)(Services& services, const Call& call);

// The answers that several operations share, in one place each: what is absent, hidden or not
// permitted (ProtoXEP "Error Handling"), what nobody serves, and what needs an administrator.
[[nodiscard]] inline std::unexpected<Error> absent() {
  return fail(ErrorKind::not_found, "no such item");
}
[[nodiscard]] inline std::unexpected<Error> not_served() {
  return fail(ErrorKind::unavailable, "nothing here serves this request");
}
[[nodiscard]] inline std::unexpected<Error> no_authority() {
  return fail(ErrorKind::forbidden, "this needs administrative authority");
}

/// The principal of an XMPP address: its bare JID.
[[nodiscard]] inline Principal principal_of(const Jid& jid) {
  return Principal::of("xmpp", jid.bare());
}

/// An endpoint's bare JID: self-registered ones are named by theirs.
[[nodiscard]] inline std::string jid_of(const Services& services, std::string_view endpoint) {
  std::string jid(endpoint);
  if (jid.find('@') == std::string::npos) jid.append("@").append(services.domain.jid().text());
  return jid;
}

}  // namespace interline::xmpp
