// Calls of agents elsewhere, as stanzas: what protocols/xmpp/agent_calls.hpp has as values. Brief
// sections 4 and 10.2.
#pragma once

#include <optional>
#include <string_view>

#include "bindings/xmpp/stanza.hpp"
#include "bindings/xmpp/xml_writer.hpp"
#include "protocols/xmpp/agent_calls.hpp"

namespace interline::xmpp {

/// "get" or "set".
[[nodiscard]] std::string_view iq_type(const protocols::xmpp::AgentRequest& request);

/// The request's payload, into an open IQ.
void write_request(XmlWriter& w, const protocols::xmpp::AgentRequest& request);

/// An IQ of type result or error that answers the request. A result that is too large, or not as
/// the specification has it, is unreadable; nobody is told.
[[nodiscard]] protocols::xmpp::Answered<protocols::xmpp::AgentAnswer> read_answer(
    const protocols::xmpp::AgentRequest& request, const Stanza& answer);

/// Whether a message has an event in the specification's namespace, whatever else is in it.
[[nodiscard]] bool has_event(Element message);
/// The event of a lifecycle message. Nothing: the message is to be ignored whole.
[[nodiscard]] std::optional<protocols::xmpp::Event> read_event(const Stanza& message);

}  // namespace interline::xmpp
