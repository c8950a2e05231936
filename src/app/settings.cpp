#include "app/settings.hpp"

#include <utility>

namespace interline::app {

policy::Configuration policy_settings(const Configuration& configuration) {
  policy::Configuration rules;
  rules.grants = configuration.grants;
  rules.accounts = configuration.accounts;
  rules.operators = control::local_operators();
  rules.explicit_destructive = configuration.policy.explicit_destructive;
  if (!configuration.xmpp) return rules;
  const XmppSection& xmpp = *configuration.xmpp;
  for (const std::string& admin : xmpp.admins) rules.admins.push_back("xmpp:" + admin);
  rules.local_domains = xmpp.local_domains;
  rules.self_registration = xmpp.self_registration;
  rules.federated_admin = xmpp.federated_admin;
  rules.share_xmpp_tasks = xmpp.share_xmpp_tasks;
  return rules;
}

engine::GatewayConfiguration gateway_settings(const Configuration& configuration,
                                              std::string token_key) {
  const LimitsSection& limits = configuration.limits;
  engine::GatewayConfiguration made;
  made.retention = configuration.tasks.retention;
  made.replay_window = configuration.tasks.replay_window;
  made.max_duration = configuration.tasks.max_duration;
  made.invoke_registered = configuration.tasks.invoke_versions == "registered";
  made.arguments_bytes = limits.arguments_bytes;
  made.input_bytes = limits.input_bytes;
  made.json_depth = limits.json_depth;
  made.manifest = import_settings(configuration).limits;
  made.output.result_bytes = limits.result_bytes;
  made.output.json_depth = limits.json_depth;
  made.rates = policy::RateConfiguration::from(limits.rate_per_second);
  made.open_tasks = limits.open_tasks;
  made.followers = limits.followers;
  made.domain = endpoint_domain(configuration);
  made.token_key = std::move(token_key);
  return made;
}

ImportSettings import_settings(const Configuration& configuration) {
  ImportSettings made;
  made.domain = endpoint_domain(configuration);
  made.limits.manifest_bytes = configuration.limits.manifest_bytes;
  made.limits.schema_bytes = configuration.limits.schema_bytes;
  made.limits.json_depth = configuration.limits.json_depth;
  if (configuration.xmpp) made.stanza_out = configuration.xmpp->stanza_out;
  return made;
}

engine::LaneConfiguration lane_settings(const EndpointTable& endpoint) {
  engine::LaneConfiguration made;
  made.concurrency = endpoint.concurrency;
  made.queue = endpoint.queue;
  made.cold_start = endpoint.cold_start;
  made.rerun_on_restart = endpoint.rerun;
  made.durable = endpoint.durable;
  return made;
}

xmpp::BindingConfig xmpp_binding_settings(const Configuration& configuration) {
  const XmppSection& section = *configuration.xmpp;
  xmpp::BindingConfig made;
  made.title = configuration.gateway.title;
  made.admin = section.admin;
  made.self_registration = section.self_registration;
  made.search = section.search;
  made.vcards = section.vcards;
  made.federated_info_for_all = section.federated_info == "all";
  made.stanza_in = section.stanza_in;
  made.stanza_out = section.stanza_out;
  made.replay_window =
      std::chrono::duration_cast<std::chrono::seconds>(configuration.tasks.replay_window);
  made.page.usual = configuration.limits.page_default;
  made.page.most = configuration.limits.page_max;
  made.page.bytes = section.stanza_out / 2;
  return made;
}

control::Limits control_limits(const LimitsSection& limits) {
  control::Limits made;
  made.arguments_bytes = limits.arguments_bytes;
  made.input_bytes = limits.input_bytes;
  made.manifest_bytes = limits.manifest_bytes;
  made.json_depth = limits.json_depth;
  made.page_default = limits.page_default;
  made.page_max = limits.page_max;
  return made;
}

xmpp::ComponentConfig xmpp_component_settings(const XmppSection& section) {
  xmpp::ComponentConfig made;
  made.stream.ping_interval = section.ping_interval;
  made.stream.ping_timeout = section.ping_timeout;
  made.stream.reconnect.least = section.reconnect_min;
  made.stream.reconnect.most = section.reconnect_max;
  made.stream.bounds.stanza = section.stanza_in;
  made.stanza_out = section.stanza_out;
  std::string server = section.server_domain;
  if (server.empty() && !section.local_domains.empty()) server = section.local_domains.front();
  if (auto target = xmpp::Jid::parse(server)) made.stream.ping_target = *std::move(target);
  return made;
}

std::string_view endpoint_domain(const Configuration& configuration) {
  return configuration.xmpp ? std::string_view(configuration.xmpp->domain) : "localhost";
}

}  // namespace interline::app
