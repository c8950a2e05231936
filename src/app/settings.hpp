// From the configuration as it was read to what each part of the gateway is told.
#pragma once

#include <string>
#include <string_view>

#include "app/configuration.hpp"
#include "app/importer.hpp"
#include "bindings/control/control.hpp"
#include "bindings/xmpp/binding_config.hpp"
#include "bindings/xmpp/component.hpp"
#include "engine/dispatcher.hpp"
#include "engine/gateway.hpp"
#include "policy/policy.hpp"

namespace interline::app {

/// Grants and accounts as written; root and the gateway's own user are operators.
[[nodiscard]] policy::Configuration policy_settings(const Configuration& configuration);
[[nodiscard]] engine::GatewayConfiguration gateway_settings(const Configuration& configuration,
                                                            std::string token_key);
[[nodiscard]] ImportSettings import_settings(const Configuration& configuration);
[[nodiscard]] engine::LaneConfiguration lane_settings(const EndpointTable& endpoint);
[[nodiscard]] control::Limits control_limits(const LimitsSection& limits);
[[nodiscard]] xmpp::BindingConfig xmpp_binding_settings(const Configuration& configuration);
[[nodiscard]] xmpp::ComponentConfig xmpp_component_settings(const XmppSection& section);

/// What stands behind the `@` in the address of an endpoint.
[[nodiscard]] std::string_view endpoint_domain(const Configuration& configuration);

}  // namespace interline::app
