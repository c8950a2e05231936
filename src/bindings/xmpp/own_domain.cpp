#include "bindings/xmpp/own_domain.hpp"

namespace interline::xmpp {

Result<OwnDomain> OwnDomain::parse(std::string_view domain) {
  auto jid = Jid::parse(domain, Unassigned::refuse);
  if (!jid) return std::unexpected(std::move(jid.error()));
  if (jid->has_localpart() || !jid->is_bare()) {
    return fail(ErrorKind::malformed, "a component's domain has no localpart and no resource");
  }
  return OwnDomain(*std::move(jid));
}

Result<Sender> OwnDomain::endpoint(std::string_view name) const {
  if (!is_endpoint_localpart(name, true)) {
    return fail(ErrorKind::malformed, "not the name of an endpoint");
  }
  return Sender(std::string(name).append("@").append(jid_.text()));
}

Result<Sender> OwnDomain::endpoint(std::string_view name, std::string_view resource) const {
  auto sender = endpoint(name);
  if (!sender) return sender;
  auto prepared = prepare_resource(resource, Unassigned::refuse);
  if (!prepared) return std::unexpected(std::move(prepared.error()));
  sender->text_.append("/").append(*prepared);
  return sender;
}

std::optional<Sender> OwnDomain::addressed(const Jid& to) const {
  if (to.domain() != jid_.domain()) return std::nullopt;
  return Sender(to.text());
}

}  // namespace interline::xmpp
