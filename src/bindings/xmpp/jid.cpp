#include "bindings/xmpp/jid.hpp"

#include <algorithm>
#include <utility>

namespace interline::xmpp {

Jid::Jid(std::string text, std::size_t domain_begin, std::size_t bare_size)
    : text_(std::move(text)),
      domain_begin_(static_cast<std::uint16_t>(domain_begin)),
      bare_size_(static_cast<std::uint16_t>(bare_size)) {}

Result<Jid> Jid::parse(std::string_view text, Unassigned unassigned) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::string_view address = text.substr(0, slash);
  const std::size_t at = address.find('@');

  std::string out;
  if (at != std::string_view::npos) {
    auto localpart = prepare_localpart(address.substr(0, at), unassigned);
    if (!localpart) return std::unexpected(std::move(localpart.error()));
    out = *std::move(localpart);
    out += '@';
  }
  const std::size_t domain_begin = out.size();
  auto domain =
      prepare_domain(at == std::string_view::npos ? address : address.substr(at + 1), unassigned);
  if (!domain) return std::unexpected(std::move(domain.error()));
  out += *domain;
  const std::size_t bare_size = out.size();
  if (slash < text.size()) {
    auto resource = prepare_resource(text.substr(slash + 1), unassigned);
    if (!resource) return std::unexpected(std::move(resource.error()));
    out += '/';
    out += *resource;
  }
  return Jid(std::move(out), domain_begin, bare_size);
}

std::string_view Jid::localpart() const {
  return has_localpart() ? std::string_view(text_).substr(0, domain_begin_ - 1U)
                         : std::string_view();
}

std::string_view Jid::domain() const {
  return bare().substr(domain_begin_);
}

std::string_view Jid::resource() const {
  return is_bare() ? std::string_view() : std::string_view(text_).substr(bare_size_ + 1U);
}

Jid Jid::to_bare() const {
  return Jid(std::string(bare()), domain_begin_, bare_size_);
}

bool is_endpoint_localpart(std::string_view name, bool allow_unicode) {
  const auto alphanumeric = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
  const auto rest = [&](char c) { return alphanumeric(c) || c == '.' || c == '_' || c == '-'; };
  if (name.empty()) return false;
  if (name.size() <= 64 && alphanumeric(name.front()) && std::ranges::all_of(name, rest)) {
    return true;
  }
  const bool ascii =
      std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  return allow_unicode && !ascii && stable_in_both_profiles(name);
}

Result<Jid> parse_endpoint_jid(std::string_view text) {
  auto jid = Jid::parse(text);
  if (!jid) return jid;
  if (!jid->has_localpart() || !jid->is_bare()) {
    return fail(ErrorKind::malformed, "an endpoint is named by localpart@domain");
  }
  return jid;
}

}  // namespace interline::xmpp
