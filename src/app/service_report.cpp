// What the service says of itself: /readyz and /metrics.
#include <algorithm>
#include <string>
#include <utility>

#include "app/metrics_report.hpp"
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

/// What a person is told of retention that is held; nothing where it is not.
void write_retention(json::Writer& writer, const std::optional<engine::RetentionHold>& hold) {
  if (!hold) return;
  writer.name("retention");
  writer.begin_object();
  writer.member("held", true);
  writer.member("since", Instant(hold->since).text());
  writer.member("why", "the clock was set forward, or the machine slept");
  writer.member("do", "interline doctor");
  writer.end_object();
}

/// What is the matter with the database, for people; "" where nothing is.
std::string_view trouble_of(store::State state) {
  switch (state) {
    case store::State::open:
      return "";
    case store::State::full:
      return "the disk is full: nothing new is taken until there is space";
    case store::State::over:
      return "more is kept than [limits] stored_bytes allows: no task is admitted until some are "
             "gone";
    case store::State::gone:
      return "the database was removed or replaced under the gateway: nothing new is taken, and "
             "what runs is lost when it ends";
  }
  return "";
}

std::string_view word_of(store::State state) {
  switch (state) {
    case store::State::open:
      return "open";
    case store::State::full:
      return "full";
    case store::State::over:
      return "over";
    case store::State::gone:
      return "gone";
  }
  return "";
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
  const store::State store = store_condition_->state();
  now.ready = asked && connected && !draining_ && store == store::State::open;
  json::Writer writer(now.details);
  writer.begin_object();
  writer.member("ready", now.ready);
  writer.member("draining", draining_.load());
  writer.member("store", word_of(store));
  if (store != store::State::open) writer.member("why", trouble_of(store));
  write_retention(writer, gateway_->retention_hold());
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
  status.retention_hold = gateway_->retention_hold();
  const auto part = [&status](std::string name, bool working, std::string detail) {
    status.parts.push_back({std::move(name), working, std::move(detail)});
  };
  const store::State store = store_condition_->state();
  const bool open = store == store::State::open;
  part("database", open, open ? "takes new work" : std::string(trouble_of(store)));
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
  Figures figures;
  figures.version = INTERLINE_VERSION;
  figures.ready = readiness().ready;
  figures.engine = gateway_->statistics();
  for (std::size_t i = 0; i < figures.rate_limited.size(); ++i) {
    figures.rate_limited[i] = gateway_->refused_charges(static_cast<policy::RateClass>(i));
  }
  figures.decisions = decisions_;
  for (EndpointStatus& one : endpoints_->status()) {
    EndpointFigures& endpoint = figures.endpoints.emplace_back();
    endpoint.imported = one.phase == Phase::imported;
    endpoint.load = gateway_->load(one.name);
    endpoint.processes = std::move(one.processes);
    endpoint.name = std::move(one.name);
  }
  if (xmpp_) figures.xmpp = xmpp_->figures();
  figures.http = http_ ? http_->stats() : nullptr;
  figures.local = control_->stats();
  figures.process = read_process_figures();
  return metrics_text(figures);
}

}  // namespace interline::app
