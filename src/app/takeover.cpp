#include "app/takeover.hpp"

namespace interline::app {
namespace {

void take_gateway(GatewaySection& section, const GatewaySection& fresh) {
  section.log_level = fresh.log_level;
}

void take_http(HttpSection& section, const HttpSection& fresh) {
  const bool tls = !section.tls_certificate.empty();
  if (tls != !fresh.tls_certificate.empty()) return;
  section.tls_certificate = fresh.tls_certificate;
  section.tls_key = fresh.tls_key;
}

void take_xmpp(XmppSection& section, const XmppSection& fresh) {
  section.admins = fresh.admins;
  section.federated_admin = fresh.federated_admin;
  section.share_xmpp_tasks = fresh.share_xmpp_tasks;
}

void take_tasks(TasksSection& section, const TasksSection& fresh) {
  section.drain = fresh.drain;
}

}  // namespace

Takeover take_over(const Configuration& running, const Configuration& fresh) {
  Takeover takeover(running);
  Configuration& merged = takeover.configuration;
  merged.accounts = fresh.accounts;
  merged.grants = fresh.grants;
  merged.policy = fresh.policy;
  merged.endpoints = fresh.endpoints;
  take_gateway(merged.gateway, fresh.gateway);
  take_http(merged.http, fresh.http);
  take_tasks(merged.tasks, fresh.tasks);
  if (merged.xmpp && fresh.xmpp) take_xmpp(*merged.xmpp, *fresh.xmpp);
  const auto compare = [&takeover](bool same, const char* name) {
    if (!same) takeover.waiting.emplace_back(name);
  };
  compare(merged.gateway == fresh.gateway, "[gateway]");
  compare(merged.http == fresh.http, "[http]");
  compare(merged.xmpp == fresh.xmpp, "[xmpp]");
  compare(merged.mcp == fresh.mcp, "[mcp]");
  compare(merged.a2a == fresh.a2a, "[a2a]");
  compare(merged.limits == fresh.limits, "[limits]");
  compare(merged.tasks == fresh.tasks, "[tasks]");
  compare(merged.egress == fresh.egress, "[egress]");
  compare(merged.issuers == fresh.issuers, "[[issuer]]");
  return takeover;
}

}  // namespace interline::app
