// Stanza errors: the one place that builds them, and the reader for those that come back.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "bindings/xmpp/stanza.hpp"
#include "bindings/xmpp/tables.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {

/// Bytes of the sentence in an error.
inline constexpr std::size_t kMaxErrorText = 256;

/// Writes `<error/>` into an open stanza of type error. Never a payload, never `by`; a sentence
/// only where the table has one. An internal error with retry_after says `wait`: the store refused
/// a commit and the same request may be repeated.
void write_error(XmlWriter& w, const Error& error);

/// What a peer said. The condition is "undefined-condition" where we cannot read one.
struct ReceivedError {
  std::string condition;
  std::string type;
};
/// Of a stanza of type error; nothing if it has no `<error/>`.
[[nodiscard]] std::optional<ReceivedError> read_error(Element stanza);

/// Namespaces that `<error/>` and top-level elements come in.
[[nodiscard]] bool is_stanza_namespace(std::string_view ns);

}  // namespace interline::xmpp
