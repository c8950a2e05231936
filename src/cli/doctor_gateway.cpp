// What the running gateway says of itself.
#include <algorithm>
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

}  // namespace

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
  co_return found;
}

}  // namespace interline::cli
