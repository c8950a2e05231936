// Our own addresses: the only senders that a stanza of ours can have.
//
// A server ends the stream of a component that sends from another domain, so a sender is never made
// from a string that came from outside, only from an endpoint's name or from an address of ours
// that somebody wrote to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "bindings/xmpp/jid.hpp"

namespace interline::xmpp {

/// An address of our domain, made by OwnDomain.
class Sender {
 public:
  [[nodiscard]] const std::string& text() const { return text_; }
  friend bool operator==(const Sender&, const Sender&) = default;

 private:
  friend class OwnDomain;
  explicit Sender(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

class OwnDomain {
 public:
  /// Errors: malformed unless the text is a domain alone.
  [[nodiscard]] static Result<OwnDomain> parse(std::string_view domain);

  [[nodiscard]] const Jid& jid() const { return jid_; }
  [[nodiscard]] Sender gateway() const { return Sender(jid_.text()); }
  /// Of an endpoint of ours, by its name. Errors: malformed unless is_endpoint_localpart.
  [[nodiscard]] Result<Sender> endpoint(std::string_view name) const;
  /// The same with a resource, which names this node to a peer we call. Errors: malformed.
  [[nodiscard]] Result<Sender> endpoint(std::string_view name, std::string_view resource) const;
  /// Who answers a stanza to that address; nobody if it is in another domain.
  [[nodiscard]] std::optional<Sender> addressed(const Jid& to) const;

 private:
  explicit OwnDomain(Jid jid) : jid_(std::move(jid)) {}
  Jid jid_;
};

}  // namespace interline::xmpp
