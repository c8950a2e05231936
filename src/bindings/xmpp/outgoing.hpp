// Stanzas on their way out.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "bindings/xmpp/own_domain.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {

/// Where the answer to a request goes: to the address it came from, unchanged, from our form of
/// the address it was sent to, with its id.
struct ReplyRoute {
  Sender from;
  std::string to;
  std::optional<std::string> id;  ///< nothing if the request had none
};

/// One stanza, open for its payload until finish(). Movable.
///
///   OutgoingStanza stanza = OutgoingStanza::result(route);
///   stanza.xml().begin(element::kQuery, ns::kDiscoInfo);
///   stanza.xml().end();
///   component.send(SendKind::reply, std::move(stanza));
class OutgoingStanza {
 public:
  /// Bytes that a stanza may have on the wire: servers end the stream of a component that sends
  /// more than 512 KiB, as they count.
  static constexpr std::size_t kMostBytes = 393'216;
  /// The least that an operator may make of it: whatever is told of a task but its result and its
  /// questions, a failure with its details above all, fits at its longest.
  static constexpr std::size_t kLeastBytes = 65'536;

  [[nodiscard]] static OutgoingStanza result(const ReplyRoute& route);
  /// The whole answer; nothing may be added.
  [[nodiscard]] static OutgoingStanza error(const ReplyRoute& route, const Error& error);
  /// `type` is "get" or "set".
  [[nodiscard]] static OutgoingStanza request(std::string_view type, const Sender& from,
                                              std::string_view to, std::string_view id);
  [[nodiscard]] static OutgoingStanza message(std::string_view type, const Sender& from,
                                              std::string_view to,
                                              std::optional<std::string_view> id);
  /// Without a type: available.
  [[nodiscard]] static OutgoingStanza presence(std::string_view type, const Sender& from,
                                               std::string_view to);

  [[nodiscard]] XmlWriter& xml() { return *xml_; }
  /// Closes what is open; nothing may be added. Returns the bytes.
  const std::string& finish();
  /// As XmlWriter::wire_size; of the whole once finished.
  [[nodiscard]] std::size_t wire_size() const { return xml_->wire_size(); }

 private:
  OutgoingStanza(std::string_view name, std::string_view type, std::optional<std::string_view> id,
                 const Sender& from, std::string_view to);

  std::unique_ptr<std::string> bytes_;  // where it is stays when the stanza moves
  std::unique_ptr<XmlWriter> xml_;
};

}  // namespace interline::xmpp
