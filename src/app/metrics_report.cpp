#include "app/metrics_report.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <span>
#include <string_view>
#include <utility>

#include "app/metrics.hpp"

namespace interline::app {
namespace {

template <class Number>
void one(MetricsWriter& writer, std::string_view name, std::string_view type, std::string_view help,
         const Number& value) {
  writer.family(name, type, help);
  writer.sample(static_cast<double>(value));
}

// --- the engine ---------------------------------------------------------------------------------

void write_admissions(MetricsWriter& writer, const engine::Counts& counts) {
  writer.family("interline_admissions_total", "counter",
                "Calls by the network they came by and how their admission ended.");
  for (std::size_t network = 0; network < counts.admissions.size(); ++network) {
    const auto& outcomes = counts.admissions[network];
    const std::string_view name = engine::kCountedNetworks[network];
    const bool called = std::ranges::any_of(outcomes, [](auto count) { return count > 0; });
    if (!called && name != "local") continue;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      writer.sample(static_cast<double>(outcomes[i]),
                    {{"network", name}, {"outcome", engine::kAdmissionOutcomes[i]}});
    }
  }
}

void write_tasks(MetricsWriter& writer, const engine::Counts& counts) {
  const auto write = [&writer, &counts](bool terminal, std::string_view label) {
    for (std::size_t i = 0; i < tasks::kStateCount; ++i) {
      const auto state = static_cast<tasks::State>(i);
      if (tasks::is_terminal(state) != terminal) continue;
      writer.sample(static_cast<double>(counts.tasks[i]), {{label, tasks::to_string(state)}});
    }
  };
  writer.family("interline_tasks_open", "gauge", "Tasks that have not settled, by state.");
  write(false, "state");
  writer.family("interline_tasks_settled_total", "counter", "Tasks that settled, by outcome.");
  write(true, "outcome");
}

void write_commits(MetricsWriter& writer, const engine::Committer::Statistics& commits) {
  writer.family("interline_commit_group_size", "histogram", "Changes in one commit to the store.");
  writer.histogram(commits.group_sizes);
  writer.family("interline_commit_duration_seconds", "histogram",
                "Time until the store had a commit on disk.");
  writer.histogram(commits.commit_times);
  one(writer, "interline_commits_waiting", "gauge", "Changes that wait to be committed.",
      commits.waiting);
  one(writer, "interline_commits_waiting_bytes", "gauge", "Bytes of the changes that wait.",
      commits.waiting_bytes);
  one(writer, "interline_commits_refused_total", "counter",
      "Changes refused because too many were waiting, or the store did not take them.",
      commits.refused);
}

void write_engine(MetricsWriter& writer, const engine::Gateway::Statistics& engine) {
  write_admissions(writer, engine.counts);
  write_tasks(writer, engine.counts);
  write_commits(writer, engine.committer);
  one(writer, "interline_followers", "gauge", "Followers of tasks.", engine.followers);
  one(writer, "interline_reports_discarded_total", "counter",
      "Reports of agents that came after the end of their task, or beyond a bound.",
      engine.discarded_reports);
  one(writer, "interline_retention_held", "gauge",
      "1 while what is kept ends later than the clock says, because that was set forward.",
      engine.retention_hold.has_value());
}

// --- endpoints ----------------------------------------------------------------------------------

void write_endpoints(MetricsWriter& writer, const std::vector<EndpointFigures>& endpoints) {
  const auto each = [&](std::string_view name, std::string_view help, auto value) {
    writer.family(name, "gauge", help);
    for (const EndpointFigures& endpoint : endpoints) {
      writer.sample(static_cast<double>(value(endpoint)), {{"endpoint", endpoint.name}});
    }
  };
  each("interline_endpoint_imported", "1 where the agent's tools are known.",
       [](const EndpointFigures& of) { return of.imported; });
  each("interline_endpoint_calls_running", "Calls in work.",
       [](const EndpointFigures& of) { return of.load.running; });
  each("interline_endpoint_calls_waiting", "Calls that wait for their turn.",
       [](const EndpointFigures& of) { return of.load.waiting; });
}

void write_processes(MetricsWriter& writer, const std::vector<EndpointFigures>& endpoints) {
  using Counters = runtimes::ProcessCounters;
  const auto each = [&](std::string_view name, std::string_view help,
                        const std::atomic<std::uint64_t> Counters::*count) {
    writer.family(name, "counter", help);
    for (const EndpointFigures& endpoint : endpoints) {
      if (!endpoint.processes) continue;
      writer.sample(static_cast<double>((*endpoint.processes.*count).load()),
                    {{"endpoint", endpoint.name}});
    }
  };
  each("interline_agent_starts_total", "Processes of the agent that were started.",
       &Counters::starts);
  each("interline_agent_failed_starts_total", "Attempts to start one that failed.",
       &Counters::failed_starts);
  each("interline_agent_deaths_total",
       "Processes that ended without being told to; another is started when one is needed.",
       &Counters::deaths);
}

// --- who is refused -----------------------------------------------------------------------------

struct DenialRow {
  policy::Operation operation;
  policy::Denial rule;
};
using policy::Denial;
using policy::Operation;
constexpr std::array kDenials = {
    DenialRow{Operation::see, Denial::no_grant},
    DenialRow{Operation::see, Denial::hidden},
    DenialRow{Operation::invoke, Denial::no_grant},
    DenialRow{Operation::invoke, Denial::tool},
    DenialRow{Operation::invoke, Denial::destructive},
    DenialRow{Operation::invoke, Denial::permission},
    DenialRow{Operation::invoke, Denial::approval},
    DenialRow{Operation::task, Denial::not_owner},
    DenialRow{Operation::administer, Denial::not_admin},
    DenialRow{Operation::operate, Denial::not_operator},
    DenialRow{Operation::self_register, Denial::not_own_address},
};

void write_refusals(MetricsWriter& writer, const Figures& figures) {
  writer.family(
      "interline_denials_total", "counter",
      "Requests that the policy denied, by what was asked and the rule that was missing.");
  for (const DenialRow& row : kDenials) {
    if (!figures.decisions) break;
    writer.sample(static_cast<double>(figures.decisions->denials(row.operation, row.rule)),
                  {{"operation", to_string(row.operation)}, {"rule", to_string(row.rule)}});
  }
  writer.family("interline_rate_limited_total", "counter",
                "Requests refused because their sender had made too many, by class.");
  for (std::size_t i = 0; i < figures.rate_limited.size(); ++i) {
    writer.sample(static_cast<double>(figures.rate_limited[i]),
                  {{"class", to_string(static_cast<policy::RateClass>(i))}});
  }
}

// --- networks -----------------------------------------------------------------------------------

void write_xmpp(MetricsWriter& writer, const XmppFigures& xmpp) {
  one(writer, "interline_xmpp_connected", "gauge", "1 while the component is authenticated.",
      xmpp.connected);
  one(writer, "interline_xmpp_connection_attempts_total", "counter",
      "Attempts to connect to the XMPP server.", xmpp.attempts);
  one(writer, "interline_xmpp_sessions_total", "counter",
      "Connections that were authenticated; each after the first is a reconnect.", xmpp.sessions);
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

// --- the process --------------------------------------------------------------------------------

void write_process(MetricsWriter& writer, const ProcessFigures& process) {
  one(writer, "process_start_time_seconds", "gauge", "When the process started, since 1970.",
      process.start_seconds);
  one(writer, "process_cpu_seconds_total", "counter", "User and system CPU time spent.",
      process.cpu_seconds);
  one(writer, "process_resident_memory_bytes", "gauge", "Resident memory size.",
      process.resident_bytes);
  one(writer, "process_virtual_memory_bytes", "gauge", "Virtual memory size.",
      process.virtual_bytes);
  one(writer, "process_open_fds", "gauge", "Open file descriptors.", process.open_files);
  one(writer, "process_max_fds", "gauge", "Most file descriptors that may be open.",
      process.most_files);
  one(writer, "process_threads", "gauge", "Threads.", process.threads);
}

}  // namespace

std::string metrics_text(const Figures& figures) {
  MetricsWriter writer;
  writer.family("interline_build_info", "gauge", "1; the version is in the label.");
  writer.sample(1, {{"version", figures.version}});
  one(writer, "interline_ready", "gauge", "1 while /readyz answers that the gateway is ready.",
      figures.ready);
  write_engine(writer, figures.engine);
  write_endpoints(writer, figures.endpoints);
  write_processes(writer, figures.endpoints);
  write_refusals(writer, figures);
  if (figures.xmpp) write_xmpp(writer, *figures.xmpp);
  write_http(writer, figures.http, figures.local);
  if (figures.process) write_process(writer, *figures.process);
  return writer.take();
}

}  // namespace interline::app
