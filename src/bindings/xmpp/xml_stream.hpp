// The XML stream of a component connection, parsed as it arrives: bytes in, events out.
//
// Bounded in memory (StreamBounds), not in length: what a client writes is multiplied by servers,
// and nobody behind a server may end the stream that all share. So a stanza beyond a bound is read
// to its end, and only its beginning is kept.
// No DTD, processing instruction, comment or entity of
// one's own (RFC 6120 section 11.1); CDATA is plain text; white space between stanzas is nothing.
// The events do not depend on how the bytes were cut into pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "bindings/xmpp/stanza.hpp"
#include "bindings/xmpp/stanza_builder.hpp"

namespace interline::xmpp {

struct StreamBounds {
  std::size_t stanza = 524'288;  ///< bytes of a stanza that is kept; beyond: oversized
  /// Bytes of one tag that are read; of the rest only what addresses the stanza. It is misshapen
  /// then. Servers write `'` as `&apos;`: an attribute of 512 KiB, what they take from each other,
  /// comes as 3 MiB.
  std::size_t tag = 8 << 20;
  std::size_t parser_memory = 64 << 20;  ///< bytes expat may hold; beyond: the stream ends
  StanzaBounds shape;
};

/// RFC 6120 section 4.9.3: what an XML stream can be ended with for its XML.
enum class XmlCondition : std::uint8_t {
  bad_format,
  not_well_formed,
  policy_violation,
  restricted_xml,
  unsupported_encoding,
};
[[nodiscard]] std::string_view to_string(XmlCondition condition);

/// The stream header.
struct StreamOpened {
  std::string ns;    ///< of the root element
  std::string name;  ///< of the root element
  std::string default_ns;
  std::string id;    ///< as parsed; empty if absent
  std::string from;  ///< as parsed; empty if absent
};
struct StreamClosed {};
/// Nothing comes after it. `why` is a fixed sentence for the log.
struct StreamFault {
  XmlCondition condition;
  std::string_view why;
};
using StreamEvent = std::variant<StreamOpened, Stanza, StreamClosed, StreamFault>;

class XmlStream {
 public:
  /// `hash_salt` from the CSPRNG: it keeps peers from choosing names that collide in expat's
  /// tables.
  XmlStream(const StreamBounds& bounds, std::uint64_t hash_salt);
  ~XmlStream();
  XmlStream(const XmlStream&) = delete;
  XmlStream& operator=(const XmlStream&) = delete;

  /// Appends what the bytes complete. After StreamClosed and StreamFault bytes are ignored.
  void feed(std::string_view bytes, std::vector<StreamEvent>& out);
  /// The peer sends no more bytes: reports a fault in those not looked at yet. That the document is
  /// unfinished is no fault of its XML.
  void finish(std::vector<StreamEvent>& out);

  /// Bytes looked at, those looked at again counted again: linear in the bytes fed.
  [[nodiscard]] std::uint64_t work() const;

 private:
  class Parser;
  std::unique_ptr<Parser> parser_;
};

}  // namespace interline::xmpp
