// XMPP addresses (RFC 6122), always in prepared form.
//
// Prosody rewrites `to` and `from` into that form and ejabberd passes on the spelling it got, so
// every address is prepared here before it becomes a principal, a key or a comparison.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "bindings/xmpp/stringprep.hpp"

namespace interline::xmpp {

/// `[localpart@]domain[/resource]`. A value; equal addresses have equal bytes, and the order is
/// that of the bytes, as the directory lists them.
class Jid {
 public:
  /// Errors: malformed. With Unassigned::refuse also for code points without a meaning, as our own
  /// endpoint names need it.
  [[nodiscard]] static Result<Jid> parse(std::string_view text,
                                         Unassigned unassigned = Unassigned::allow);

  /// The address as prepared.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] std::string_view localpart() const;  ///< empty if there is none
  [[nodiscard]] std::string_view domain() const;
  [[nodiscard]] std::string_view resource() const;  ///< empty if there is none
  /// Without the resource.
  [[nodiscard]] std::string_view bare() const { return {text_.data(), bare_size_}; }
  [[nodiscard]] Jid to_bare() const;

  [[nodiscard]] bool is_bare() const { return bare_size_ == text_.size(); }
  [[nodiscard]] bool has_localpart() const { return domain_begin_ > 0; }

  friend bool operator==(const Jid& a, const Jid& b) { return a.text_ == b.text_; }
  friend std::strong_ordering operator<=>(const Jid& a, const Jid& b) {
    return a.text_ <=> b.text_;
  }

 private:
  Jid(std::string text, std::size_t domain_begin, std::size_t bare_size);

  std::string text_;
  std::uint16_t domain_begin_ = 0;
  std::uint16_t bare_size_ = 0;
};

/// The localpart of an endpoint of ours: `[a-z0-9][a-z0-9._-]{0,63}`, which every server leaves as
/// it is; with `allow_unicode` also what nodeprep and PRECIS both leave unchanged.
[[nodiscard]] bool is_endpoint_localpart(std::string_view name, bool allow_unicode = false);

/// For a `jid` attribute or a manifest's agent.jid that must name an endpoint: an address with
/// localpart and without resource. Errors: malformed.
[[nodiscard]] Result<Jid> parse_endpoint_jid(std::string_view text);

}  // namespace interline::xmpp

template <>
struct std::hash<interline::xmpp::Jid> {
  std::size_t operator()(const interline::xmpp::Jid& jid) const noexcept {
    return std::hash<std::string>()(jid.text());
  }
};
