// interline doctor -c FILE: everything that the configuration names, tried out. With a running
// gateway it asks that instead of connecting beside it. Findings are written as they come.
#include <algorithm>
#include <memory>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "bindings/control/control.hpp"
#include "cli/configuration_input.hpp"
#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"
#include "cli/verb.hpp"
#include "json/writer.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

constexpr std::size_t kVerdictWidth = 10;
constexpr std::size_t kLeastWidth = std::string_view("configuration").size();
constexpr std::size_t kMostWidth = 40;

constexpr std::string_view word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::fine:
      return "ok";
    case Verdict::doubtful:
      return "doubtful";
    case Verdict::wrong:
      return "wrong";
  }
  return "";
}

std::string as_json(const Findings& findings, bool healthy) {
  std::string text;
  json::Writer writer(text);
  writer.begin_object();
  writer.member("healthy", healthy);
  writer.name("findings");
  writer.begin_array();
  for (const Finding& finding : findings) {
    writer.begin_object();
    writer.member("verdict", word_of(finding.verdict));
    writer.member("subject", schema::printable(finding.subject));
    writer.member("text", schema::printable(finding.text));
    if (!finding.mend.empty()) writer.member("mend", finding.mend);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return text + "\n";
}

std::string as_text(const Finding& finding, std::size_t width) {
  std::string text(word_of(finding.verdict));
  text.resize(kVerdictWidth, ' ');
  std::string subject = schema::printable(finding.subject);
  subject.resize(std::max(subject.size(), width) + 2, ' ');
  text += subject + schema::printable(finding.text) + "\n";
  std::string before = "to mend it: ";
  std::istringstream lines(finding.mend);
  for (std::string line; std::getline(lines, line); before = "  ") {
    text += std::string(kVerdictWidth, ' ') + before + schema::printable(line) + "\n";
  }
  return text;
}

/// Of the longest subject, which an endpoint has: findings are written before the last is known.
std::size_t subject_width(const app::Configuration& configuration) {
  std::size_t width = kLeastWidth;
  for (const app::EndpointTable& endpoint : configuration.endpoints) {
    width = std::max(width, std::string_view("endpoint ").size() + endpoint.name.size());
  }
  return std::min(width, kMostWidth);
}

class Doctor final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    configuration_.declare(arguments);
    arguments.flag("--json", json_, R"(Print {"healthy","findings":[...]})");
    arguments.number("--wait", wait_seconds_, 1, 3'600,
                     "Seconds in which each agent has to list its tools");
  }

  int run(Streams& io) override {
    const auto configuration = configuration_.read(io);
    if (!configuration) return kUsage;
    const std::size_t width = subject_width(*configuration);
    Findings findings;
    const Say say = [&](Finding finding) {
      findings.push_back(std::move(finding));
      if (json_) return;
      io.out(as_text(findings.back(), width));
      written_ = io.flush() && written_;
    };
    say({Verdict::fine, "configuration", configuration_.path() + " is in order"});
    (void)run_to_end(examine(*configuration, say));
    const bool healthy = std::ranges::none_of(
        findings, [](const Finding& finding) { return finding.verdict == Verdict::wrong; });
    if (json_) io.out(as_json(findings, healthy));
    return healthy && written_ ? kOk : kNo;
  }

 private:
  /// Each check's findings before the next is begun.
  [[nodiscard]] net::awaitable<bool> examine(const app::Configuration& configuration,
                                             const Say& say) const {
    const auto say_all = [&say](Findings found) {
      for (Finding& finding : found) say(std::move(finding));
    };
    const auto socket = configuration.gateway.data_dir / control::kSocketName;
    const ControlClient gateway(socket.string(), "");
    const bool runs = co_await gateway.somebody_answers();
    std::vector<std::string> registered;
    if (runs) registered = co_await endpoint_names(gateway);
    say_all(check_grants(configuration, registered));
    say_all(check_data_dir(configuration, runs));
    say_all(check_secret_files(configuration));
    say_all(check_clock());
    if (runs) {
      say_all(co_await check_gateway(configuration, gateway));
    } else {
      say({Verdict::fine, "gateway", "is not running; its parts are tried from here"});
      say_all(check_database(configuration));
      say_all(co_await check_http(configuration));
    }
    say_all(exposure_findings(configuration));
    say_all(expiry_findings(configuration, std::chrono::system_clock::now()));
    if (runs) say_all(co_await check_public_url(configuration));
    co_await check_issuers(configuration, say);
    if (!runs) {
      say_all(co_await check_xmpp(configuration));
      const auto longest = std::chrono::seconds(wait_seconds_);
      co_await check_endpoints(configuration, longest, say);
    }
    co_return runs;
  }

  ConfigurationInput configuration_;
  bool json_ = false;
  std::size_t wait_seconds_ = 15;
  bool written_ = true;
};

}  // namespace

std::unique_ptr<Verb> make_doctor() {
  return std::make_unique<Doctor>();
}

}  // namespace interline::cli
