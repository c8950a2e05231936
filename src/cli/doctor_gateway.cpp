// What the running gateway says of itself.
#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

Finding part_finding(const json::Value& part) {
  const bool working = shown(part, "working") == "true";
  return {
      working ? Verdict::fine : Verdict::wrong, shown(part, "name"), shown(part, "detail"),
      working ? "" : "see the gateway's log; interline doctor with the gateway stopped tries it"};
}

}  // namespace

net::awaitable<Findings> check_gateway(const ControlClient& gateway) {
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
  for (const json::Value& part : parts->items()) found.push_back(part_finding(part));
  co_return found;
}

}  // namespace interline::cli
