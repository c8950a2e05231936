// XEP-0300 hashes of manifests and schemas.
#pragma once

#include <string>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "bindings/xmpp/stanza.hpp"
#include "bindings/xmpp/xml_writer.hpp"

namespace interline::xmpp {

struct ContentHash {
  std::string algorithm;  ///< case-sensitive, as sent
  std::string digest;     ///< bytes; 32 of them for sha-256

  [[nodiscard]] bool equals(const Digest& sha256) const;
};

/// `<hash xmlns='urn:xmpp:hashes:2' algo='…'>Base64</hash>`: white space around the Base64, none in
/// it, padding as RFC 4648 section 4, tail bits zero. Another algorithm is no error here: the
/// digest cannot be the registered one. Errors: malformed.
[[nodiscard]] Result<ContentHash> read_hash(Element hash);

/// The hash that an element holds as its only child. Errors: malformed.
[[nodiscard]] Result<ContentHash> read_contained_hash(Element container);

void write_hash(XmlWriter& w, const Digest& sha256);

}  // namespace interline::xmpp
