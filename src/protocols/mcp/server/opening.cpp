#include "protocols/mcp/server/opening.hpp"

#include <utility>

#include "protocols/mcp/params.hpp"

namespace interline::protocols::mcp::server {

std::expected<SessionRecord, ErrorAnswer> agree(const LegacyExchange& opening, Principal who,
                                                std::string endpoint) {
  const auto params = read_initialize_params(opening.message.params);
  if (!params) return bad_params(params.error());
  const auto capabilities = read_capabilities(*params->capabilities);
  if (!capabilities) return bad_params(capabilities.error());
  SessionRecord agreed;
  agreed.who = std::move(who);
  agreed.endpoint = std::move(endpoint);
  agreed.revision = opening.revision;
  agreed.capabilities = *capabilities;
  return agreed;
}

std::string opened_result(const Core& core, Revision revision, const Features& features) {
  return initialize_result({revision, core.self}, features, core.settings.instructions);
}

}  // namespace interline::protocols::mcp::server
