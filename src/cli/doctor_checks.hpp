// What `interline doctor` looks at, one function a subject. Each says what it found, and for what
// is wrong how to mend it.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "app/configuration.hpp"
#include "cli/control_client.hpp"
#include "json/value.hpp"

namespace interline::cli {

struct Finding {
  enum class Verdict : std::uint8_t {
    fine,
    doubtful,  ///< works, but may not be what is wanted
    wrong,
  };
  Verdict verdict = Verdict::fine;
  std::string subject;
  std::string text;
  std::string mend;  ///< what to do, perhaps in lines; "" where nothing is to be done

  Finding(Verdict how, std::string about, std::string what, std::string remedy = {})
      : verdict(how), subject(std::move(about)), text(std::move(what)), mend(std::move(remedy)) {}
};
using Findings = std::vector<Finding>;

/// The data directory: there, ours, written to and synced, with room left on its disk.
[[nodiscard]] Findings check_data_dir(const app::Configuration& configuration);
/// The machine's time.
[[nodiscard]] Findings check_clock();
/// Whether anybody is granted anything.
[[nodiscard]] Findings check_grants(const app::Configuration& configuration);

/// What to do where an endpoint's agent does not list its tools.
[[nodiscard]] std::string mend_of_agent(const app::Configuration& configuration,
                                        const app::EndpointTable& endpoint);
/// What to do where its files or its tools cannot be served.
[[nodiscard]] std::string mend_of_tools(const app::EndpointTable& endpoint);

/// The running gateway by its own account. Empty: none is running.
[[nodiscard]] net::awaitable<Findings> check_gateway(const app::Configuration& configuration,
                                                     const ControlClient& gateway);

/// Whether the running gateway answers at `[http] public_url`.
[[nodiscard]] net::awaitable<Findings> check_public_url(const app::Configuration& configuration);
/// Of an answer of /v1/status: what is said where retention is held.
[[nodiscard]] Findings retention_findings(const json::Value& status);

/// Whether other machines send their keys in plain text; nothing where they do not.
[[nodiscard]] Findings exposure_findings(const app::Configuration& configuration);
/// Whether the certificate has ended by `now`; nothing where it has not.
[[nodiscard]] Findings expiry_findings(const app::Configuration& configuration,
                                       std::chrono::system_clock::time_point now);

// Where none is running:
[[nodiscard]] net::awaitable<Findings> check_http(const app::Configuration& configuration);
[[nodiscard]] net::awaitable<Findings> check_xmpp(const app::Configuration& configuration);
/// Starts each endpoint's command and asks it for its tools.
[[nodiscard]] net::awaitable<Findings> check_endpoints(const app::Configuration& configuration);

}  // namespace interline::cli
