// server/discover, and what an endpoint has.
#include "protocols/mcp/server/core.hpp"

namespace interline::protocols::mcp::server {
namespace {

using engine::ConsultationKind;

/// Always there: tools, and what the gateway does itself.
Features own_features() {
  Features features;
  features.tools_changed = true;
  features.logging = true;
  features.tasks = true;
  return features;
}

}  // namespace

awaitable<Result<Features>> features_of(Core& core, Principal who, std::string endpoint) {
  Features features = own_features();
  engine::Offers offers;
  if (endpoint.empty()) {
    // What one of them may have, all of them have: a list of nothing is a list.
    for (std::size_t i = 0; i < engine::kConsultationKindCount; ++i) {
      offers.add(static_cast<ConsultationKind>(i));
    }
  } else {
    auto view = co_await core.engine.describe(std::move(who), std::move(endpoint), std::string());
    if (!view) co_return std::unexpected(std::move(view.error()));
    offers = view->offers;
  }
  features.prompts = offers.has(ConsultationKind::list_prompts);
  features.prompts_changed = features.prompts;
  features.resources = offers.has(ConsultationKind::list_resources) ||
                       offers.has(ConsultationKind::list_resource_templates);
  features.resources_changed = features.resources;
  features.resource_subscriptions = features.resources;
  features.completions = offers.has(ConsultationKind::complete);
  co_return features;
}

awaitable<Answer> discover(Core& core, const Asked& asked) {
  co_return discover_result(core.envelope(asked), asked.features, core.settings.instructions,
                            core.settings.lists);
}

}  // namespace interline::protocols::mcp::server
