// interline doctor -c FILE: everything that the configuration names, tried out. With a running
// gateway it asks that instead of connecting beside it.
#include <algorithm>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>

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

void append(Findings& all, Findings more) {
  std::ranges::move(more, std::back_inserter(all));
}

net::awaitable<Findings> check_parts(const app::Configuration& configuration,
                                     const ControlClient& gateway) {
  Findings found = co_await check_gateway(configuration, gateway);
  Findings network = exposure_findings(configuration);
  append(network, expiry_findings(configuration, std::chrono::system_clock::now()));
  if (!found.empty()) {
    append(found, std::move(network));
    append(found, co_await check_public_url(configuration));
    co_return found;
  }
  found.emplace_back(Verdict::fine, "gateway", "is not running; its parts are tried from here");
  append(found, co_await check_http(configuration));
  append(found, std::move(network));
  append(found, co_await check_xmpp(configuration));
  append(found, co_await check_endpoints(configuration));
  co_return found;
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

std::string as_text(const Findings& findings) {
  std::size_t width = 0;
  for (const Finding& finding : findings) width = std::max(width, finding.subject.size());
  std::string text;
  for (const Finding& finding : findings) {
    std::string head(word_of(finding.verdict));
    head.resize(10, ' ');
    std::string subject = schema::printable(finding.subject);
    subject.resize(std::max(subject.size(), width + 2), ' ');
    text += head + subject + schema::printable(finding.text) + "\n";
    std::string before = "to mend it: ";
    std::istringstream lines(finding.mend);
    for (std::string line; std::getline(lines, line); before = "  ") {
      text += std::string(10, ' ') + before + schema::printable(line) + "\n";
    }
  }
  return text;
}

class Doctor final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    configuration_.declare(arguments);
    arguments.flag("--json", json_, R"(Print {"healthy","findings":[...]})");
  }

  int run(Streams& io) override {
    const auto configuration = configuration_.read(io);
    if (!configuration) return kUsage;
    Findings findings;
    findings.emplace_back(Verdict::fine, "configuration", configuration_.path() + " is in order");
    append(findings, check_grants(*configuration));
    append(findings, check_data_dir(*configuration));
    append(findings, check_clock());
    const auto socket = configuration->gateway.data_dir / control::kSocketName;
    const ControlClient gateway(socket.string(), "");
    append(findings, run_to_end(check_parts(*configuration, gateway)));
    const bool healthy = std::ranges::none_of(
        findings, [](const Finding& finding) { return finding.verdict == Verdict::wrong; });
    io.out(json_ ? as_json(findings, healthy) : as_text(findings));
    return healthy ? kOk : kNo;
  }

 private:
  ConfigurationInput configuration_;
  bool json_ = false;
};

}  // namespace

std::unique_ptr<Verb> make_doctor() {
  return std::make_unique<Doctor>();
}

}  // namespace interline::cli
