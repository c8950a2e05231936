// Addresses: what is accepted is its own prepared form, part by part and as a whole.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "bindings/xmpp/jid.hpp"

using interline::xmpp::Jid;
using interline::xmpp::Unassigned;

namespace {

void require(bool condition) {
  if (!condition) std::abort();
}

void check(std::string_view text, Unassigned unassigned) {
  const auto jid = Jid::parse(text, unassigned);
  if (!jid) return;
  const auto again = Jid::parse(jid->text(), unassigned);
  require(again.has_value() && *again == *jid);

  std::string parts(jid->localpart());
  if (jid->has_localpart()) parts += '@';
  parts += jid->domain();
  require(parts == jid->bare());
  if (!jid->is_bare()) parts += '/' + std::string(jid->resource());
  require(parts == jid->text());

  const auto bare = Jid::parse(jid->bare(), unassigned);
  require(bare.has_value() && *bare == jid->to_bare() && bare->is_bare());
  for (const std::string_view part : {jid->localpart(), jid->domain(), jid->resource()}) {
    require(part.size() <= interline::xmpp::kMaxJidPart);
  }
  // What is refused in our own names only adds refusals.
  if (unassigned == Unassigned::refuse) require(Jid::parse(text).has_value());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(text, Unassigned::allow);
  check(text, Unassigned::refuse);
  if (interline::xmpp::is_endpoint_localpart(text, true)) {
    const auto prepared = interline::xmpp::prepare_localpart(text, Unassigned::refuse);
    require(prepared.has_value() && *prepared == text);
  }
  return 0;
}
