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
constexpr std::size_t kMostNames = 10'000;
constexpr std::string_view kDatabase = "database";

std::string mend_of_database(const std::string& folder, const std::string& detail) {
  if (detail.starts_with("more is kept")) {
    return "raise [limits] stored_bytes, or lower [tasks] retention, and start the gateway again; "
           "or wait until tasks have gone";
  }
  if (detail.starts_with("the disk")) {
    return "make room on the disk of " + folder + "; that is noticed within ten seconds";
  }
  return "put interline.db and interline.db-wal back into " + folder +
         " if they were moved; else start the gateway again, with a backup of " + folder +
         " or with nothing";
}

std::string mend_of_endpoint(const app::Configuration& configuration,
                             const app::EndpointTable& table, const std::string& detail) {
  const bool refused = detail.starts_with("refused");
  const auto kind = refused ? ErrorKind::not_acceptable : ErrorKind::unavailable;
  return mend_of_import(configuration, table, kind) +
         (refused ? "\nthen send SIGHUP: it is not asked again before"
                  : "\nit is asked again by itself");
}

Finding endpoint_finding(const app::Configuration& configuration, std::string name,
                         std::string detail, bool stores) {
  if (detail == "importing") {
    return {Verdict::doubtful, std::move(name), "its agent has not listed its tools yet",
            "wait, and look again"};
  }
  if (!stores && !detail.starts_with("refused")) {
    return {Verdict::doubtful, std::move(name), std::move(detail),
            "mend the database first; it is tried again by itself"};
  }
  const auto table = std::ranges::find_if(
      configuration.endpoints,
      [&name](const app::EndpointTable& one) { return std::string(kEndpoint) + one.name == name; });
  std::string mend = "send SIGHUP: the configuration here has no such endpoint any more";
  if (table != configuration.endpoints.end()) {
    mend = mend_of_endpoint(configuration, *table, detail);
  }
  return {Verdict::wrong, std::move(name), std::move(detail), std::move(mend)};
}

Finding part_finding(const app::Configuration& configuration, const json::Value& part,
                     bool stores) {
  std::string name = shown(part, "name");
  std::string detail = shown(part, "detail");
  if (shown(part, "working") == "true") return {Verdict::fine, std::move(name), std::move(detail)};
  if (name.starts_with(kEndpoint)) {
    return endpoint_finding(configuration, std::move(name), std::move(detail), stores);
  }
  std::string mend = name == kDatabase
                         ? mend_of_database(configuration.gateway.data_dir.string(), detail)
                         : "the gateway tries it again by itself, and its log says more; with the "
                           "gateway stopped interline doctor tries it and says what to do";
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

Findings part_findings(const app::Configuration& configuration, const json::Value& parts) {
  const bool stores = std::ranges::none_of(parts.items(), [](const json::Value& part) {
    return shown(part, "name") == kDatabase && shown(part, "working") != "true";
  });
  Findings found;
  for (const json::Value& part : parts.items()) {
    found.push_back(part_finding(configuration, part, stores));
  }
  return found;
}

net::awaitable<std::vector<std::string>> endpoint_names(const ControlClient& gateway) {
  std::vector<std::string> names;
  std::string target = "/v1/endpoints?limit=100";
  while (names.size() < kMostNames) {
    auto answer = co_await gateway.request(net::http::Method::get, target);
    const auto page = parse_gateway_json(answer ? *std::move(answer) : "{}");
    const json::Value* rows = page ? page->root().find("endpoints") : nullptr;
    if (rows == nullptr || !rows->is_array()) break;
    for (const json::Value& row : rows->items()) names.push_back(shown(row, "name"));
    const std::string next = shown(page->root(), "next");
    if (next.empty()) break;
    target = "/v1/endpoints?limit=100&after=" + path_segment(next);
  }
  co_return names;
}

net::awaitable<Findings> check_gateway(const app::Configuration& configuration,
                                       const ControlClient& gateway) {
  Findings found;
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
  std::ranges::move(part_findings(configuration, *parts), std::back_inserter(found));
  std::ranges::move(retention_findings(root), std::back_inserter(found));
  co_return found;
}

}  // namespace interline::cli
