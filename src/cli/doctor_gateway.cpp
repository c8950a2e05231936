// What the running gateway says of itself.
#include <algorithm>
#include <iterator>
#include <utility>

#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

constexpr std::string_view kEndpoint = "endpoint ";

std::string mend_of_part(const app::Configuration& configuration, const std::string& name,
                         const std::string& detail) {
  const auto table = std::ranges::find_if(
      configuration.endpoints,
      [&name](const app::EndpointTable& one) { return std::string(kEndpoint) + one.name == name; });
  if (table != configuration.endpoints.end()) {
    return detail.starts_with("refused")
               ? mend_of_tools(*table) + "; then send SIGHUP"
               : mend_of_agent(configuration, *table) + "\nit is asked again by itself";
  }
  const std::string folder = configuration.gateway.data_dir.string();
  if (name == "database") {
    if (detail.starts_with("more is kept")) {
      return "raise [limits] stored_bytes, or lower [tasks] retention, and start the gateway "
             "again; "
             "or wait until tasks have gone";
    }
    return detail.starts_with("the disk")
               ? "make room on the disk of " + folder + "; that is noticed within ten seconds"
               : "put interline.db and interline.db-wal back into " + folder +
                     " if they were moved; else start the gateway again, with a backup of " +
                     folder + " or with nothing";
  }
  return "the gateway tries it again by itself, and its log says more; with the gateway stopped "
         "interline doctor tries it and says what to do";
}

Finding part_finding(const app::Configuration& configuration, const json::Value& part) {
  std::string name = shown(part, "name");
  std::string detail = shown(part, "detail");
  if (shown(part, "working") == "true") return {Verdict::fine, std::move(name), std::move(detail)};
  std::string mend = mend_of_part(configuration, name, detail);
  return {Verdict::wrong, std::move(name), std::move(detail), std::move(mend)};
}

/// A number of seconds as people say it, rounded up.
std::string time_text(const json::Value& object, std::string_view name) {
  const json::Value* value = object.find(name);
  const std::int64_t seconds = value == nullptr ? 0 : value->get_int64().value_or(0);
  const auto in = [seconds](std::int64_t unit, std::string_view word) {
    return std::to_string((seconds + unit - 1) / unit) + std::string(word);
  };
  if (seconds > 2 * 3'600) return in(3'600, " hours");
  if (seconds > 2 * 60) return in(60, " minutes");
  return in(1, " seconds");
}

}  // namespace

Findings retention_findings(const json::Value& status) {
  const json::Value* hold = status.find("retention");
  if (hold == nullptr || shown(*hold, "held") != "true") return {};
  return {{Verdict::doubtful, "retention",
           "is held since " + shown(*hold, "since") +
               ": the clock was set forward then, or the machine slept. Settled tasks and request "
               "keys are kept " +
               time_text(*hold, "behindSeconds") +
               " longer than the clock says; by itself that "
               "ends in " +
               time_text(*hold, "overInSeconds"),
           "if the machine's time is right: interline tasks trust-clock; if not, set it right"}};
}

net::awaitable<Findings> check_gateway(const app::Configuration& configuration,
                                       const ControlClient& gateway) {
  Findings found;
  if (!co_await gateway.somebody_answers()) co_return found;
  const auto answer = co_await gateway.request(net::http::Method::get, "/v1/status");
  const auto status = parse_gateway_json(answer ? *answer : "{}");
  if (!answer || !status) {
    found.emplace_back(Verdict::wrong, "gateway",
                       answer ? "its answer cannot be read" : answer.error().message,
                       "start it again");
    co_return found;
  }
  const json::Value& root = status->root();
  const bool ready = shown(root, "ready") == "true";
  found.emplace_back(ready ? Verdict::fine : Verdict::doubtful, "gateway",
                     "runs since " + shown(root, "started") + ", version " +
                         shown(root, "version") + (ready ? "" : ", but is not ready yet"),
                     ready ? "" : "see the parts below");
  const json::Value* parts = root.find("parts");
  if (parts == nullptr || !parts->is_array()) {
    found.emplace_back(
        Verdict::doubtful, "gateway",
        "shows its parts to operators only; this user is " + shown(root, "principal"),
        "run this as root or as the gateway's user");
    co_return found;
  }
  for (const json::Value& part : parts->items()) {
    found.push_back(part_finding(configuration, part));
  }
  std::ranges::move(retention_findings(root), std::back_inserter(found));
  co_return found;
}

}  // namespace interline::cli
