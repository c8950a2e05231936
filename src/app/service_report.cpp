// What the service says of itself: /readyz and /metrics.
#include <algorithm>
#include <array>
#include <string>
#include <utility>

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

template <class Number>
void one(MetricsWriter& writer, std::string_view name, std::string_view type, std::string_view help,
         const Number& value) {
  writer.family(name, type, help);
  writer.sample(static_cast<double>(value));
}

void write_engine(MetricsWriter& writer, const engine::Gateway::Statistics& engine) {
  writer.family("interline_commit_group_size", "summary",
                "Commits to the store, and how many changes each held.");
  writer.sample(static_cast<double>(engine.committer.works), {}, "_sum");
  writer.sample(static_cast<double>(engine.committer.groups), {}, "_count");
  one(writer, "interline_commits_refused_total", "counter",
      "Changes refused because too many were waiting.", engine.committer.refused);
  one(writer, "interline_commits_waiting", "gauge", "Changes that wait to be committed.",
      engine.committer.waiting);
  one(writer, "interline_followers", "gauge", "Tasks that are followed now.", engine.followers);
  one(writer, "interline_reports_discarded_total", "counter",
      "Reports of agents that came after the end of their task.", engine.discarded_reports);
}

void write_states(MetricsWriter& writer, const std::vector<EndpointStatus>& endpoints) {
  writer.family("interline_endpoint_imported", "gauge", "1 where the agent's tools are known.");
  for (const EndpointStatus& endpoint : endpoints) {
    writer.sample(endpoint.phase == Phase::imported ? 1 : 0, {{"endpoint", endpoint.name}});
  }
}

struct HttpRow {
  std::string_view name;
  std::string_view type;
  std::string_view help;
  const std::atomic<std::uint64_t> net::http::ServerStats::*count;
};
using Stats = net::http::ServerStats;
constexpr std::array kHttpRows = {
    HttpRow{"interline_http_connections_total", "counter", "Connections that were taken.",
            &Stats::connections_accepted},
    HttpRow{"interline_http_connections_refused_total", "counter",
            "Connections refused because too many were open.", &Stats::connections_refused},
    HttpRow{"interline_http_connections_open", "gauge", "Connections that are open.",
            &Stats::connections_open},
    HttpRow{"interline_http_requests_total", "counter", "Requests that were read.",
            &Stats::requests},
    HttpRow{"interline_http_timeouts_total", "counter", "Requests and answers that took too long.",
            &Stats::timeouts},
};

/// `open` is the TCP listener's, and may be none; `local` is the Unix socket's.
void write_http(MetricsWriter& writer, const Stats* open, const Stats* local) {
  const std::array<std::pair<std::string_view, const Stats*>, 2> all = {
      {{"http", open}, {"local", local}}};
  for (const HttpRow& row : kHttpRows) {
    writer.family(row.name, row.type, row.help);
    for (const auto& [listener, stats] : all) {
      if (stats == nullptr) continue;
      writer.sample(static_cast<double>((stats->*row.count).load()), {{"listener", listener}});
    }
  }
  writer.family("interline_http_responses_total", "counter",
                "Answers, by the status's first digit.");
  for (const auto& [listener, stats] : all) {
    for (std::size_t digit = 1; stats != nullptr && digit < std::size(stats->responses); ++digit) {
      const std::string status = std::to_string(digit) + "xx";
      writer.sample(static_cast<double>(stats->responses[digit].load()),
                    {{"listener", listener}, {"status", status}});
    }
  }
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
  write_engine(writer, gateway_->statistics());
  write_states(writer, endpoints_->status());
  if (xmpp_) {
    writer.family("interline_xmpp_connected", "gauge", "1 while the component is authenticated.");
    writer.sample(xmpp_->ready() ? 1 : 0);
  }
  write_http(writer, http_ ? http_->stats() : nullptr, control_->stats());
  return writer.take();
}

}  // namespace interline::app
