// What the service says of itself: /readyz and /metrics.
#include <algorithm>

#include "app/metrics.hpp"
#include "app/service.hpp"
#include "json/writer.hpp"

namespace interline::app {
namespace {

using Phase = EndpointStatus::Phase;

void write_endpoints(json::Writer& writer, const std::vector<EndpointStatus>& all) {
  writer.name("endpoints");
  writer.begin_array();
  for (const EndpointStatus& one : all) {
    writer.begin_object();
    writer.member("name", one.name);
    writer.member("state", to_string(one.phase));
    if (!one.why.empty()) writer.member("why", one.why);
    writer.end_object();
  }
  writer.end_array();
}

}  // namespace

/// An endpoint whose agent does not answer keeps nobody from using the others: it is shown, but
/// counts only as long as it was not asked once.
Readiness Service::readiness() const {
  const std::vector<EndpointStatus> all = endpoints_->status();
  const bool asked = std::ranges::none_of(
      all, [](const EndpointStatus& one) { return one.phase == Phase::importing; });
  const bool connected = !xmpp_ || xmpp_->ready();
  Readiness now;
  now.ready = asked && connected && !draining_;
  json::Writer writer(now.details);
  writer.begin_object();
  writer.member("ready", now.ready);
  writer.member("draining", draining_.load());
  writer.member("store", "open");
  write_endpoints(writer, all);
  if (xmpp_) {
    writer.name("xmpp");
    writer.begin_object();
    writer.member("connected", connected);
    if (!connected) writer.member("why", xmpp_->why_not());
    writer.end_object();
  }
  writer.end_object();
  return now;
}

control::GatewayStatus Service::status() const {
  control::GatewayStatus status;
  status.title = title_;
  status.version = INTERLINE_VERSION;
  status.started = created_;
  status.ready = readiness().ready;
  const auto part = [&status](std::string name, bool working, std::string detail) {
    status.parts.push_back({std::move(name), working, std::move(detail)});
  };
  if (http_) part("http", true, "listens on " + http_->address());
  if (xmpp_) part("xmpp", xmpp_->ready(), xmpp_->ready() ? "connected" : xmpp_->why_not());
  for (const EndpointStatus& one : endpoints_->status()) {
    const std::string state(to_string(one.phase));
    part("endpoint " + one.name, one.phase == Phase::imported,
         one.why.empty() ? state : state + ": " + one.why);
  }
  return status;
}

std::string Service::metrics() const {
  MetricsWriter writer;
  const engine::Gateway::Statistics engine = gateway_->statistics();
  writer.family("interline_commit_group_size", "summary",
                "Commits to the store, and how many changes each held.");
  writer.sample(static_cast<double>(engine.committer.works), {}, "_sum");
  writer.sample(static_cast<double>(engine.committer.groups), {}, "_count");
  writer.family("interline_commits_refused_total", "counter",
                "Changes refused because too many were waiting.");
  writer.sample(static_cast<double>(engine.committer.refused));
  writer.family("interline_commits_waiting", "gauge", "Changes that wait to be committed.");
  writer.sample(static_cast<double>(engine.committer.waiting));
  if (xmpp_) {
    writer.family("interline_xmpp_connected", "gauge", "1 while the component is authenticated.");
    writer.sample(xmpp_->ready() ? 1 : 0);
  }
  return writer.take();
}

}  // namespace interline::app
