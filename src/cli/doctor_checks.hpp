// What `interline doctor` looks at, one function a subject. Each says what it found, and for what
// is wrong how to mend it.
#pragma once

#include <chrono>
#include <functional>
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

/// Takes each finding as it comes.
using Say = std::function<void(Finding)>;

/// The data directory: there, for us alone, written to and synced, with room left on its disk.
/// Where a gateway `runs`, it has shown that it can write there, and this user may not be it.
[[nodiscard]] Findings check_data_dir(const app::Configuration& configuration, bool runs);
/// Files with secrets that others may read.
[[nodiscard]] Findings check_secret_files(const app::Configuration& configuration);
/// The machine's time.
[[nodiscard]] Findings check_clock();
/// Whether anybody is granted anything, and whether there is what is granted. `registered`: names
/// of endpoints beside those of the configuration.
[[nodiscard]] Findings check_grants(const app::Configuration& configuration,
                                    const std::vector<std::string>& registered);
/// The database, read and not changed; for where no gateway runs.
[[nodiscard]] Findings check_database(const app::Configuration& configuration);

/// What to do where an endpoint's agent does not list its tools.
[[nodiscard]] std::string mend_of_agent(const app::Configuration& configuration,
                                        const app::EndpointTable& endpoint);
/// What to do where its files or its tools cannot be served.
[[nodiscard]] std::string mend_of_tools(const app::EndpointTable& endpoint);
/// What to do about an endpoint that could not be imported for that reason.
[[nodiscard]] std::string mend_of_import(const app::Configuration& configuration,
                                         const app::EndpointTable& endpoint, ErrorKind kind);

/// The running gateway by its own account.
[[nodiscard]] net::awaitable<Findings> check_gateway(const app::Configuration& configuration,
                                                     const ControlClient& gateway);
/// Of an answer of /v1/status: its parts.
[[nodiscard]] Findings part_findings(const app::Configuration& configuration,
                                     const json::Value& parts);
/// Names of the running gateway's endpoints, as far as this user sees them.
[[nodiscard]] net::awaitable<std::vector<std::string>> endpoint_names(const ControlClient& gateway);

/// Whether the running gateway answers at `[http] public_url`.
[[nodiscard]] net::awaitable<Findings> check_public_url(const app::Configuration& configuration);
/// Of an answer of /v1/status: what is said where retention is held.
[[nodiscard]] Findings retention_findings(const json::Value& status);

/// Whether other machines send their keys in plain text; nothing where they do not.
[[nodiscard]] Findings exposure_findings(const app::Configuration& configuration);
/// Whether the certificate has ended by `now`; nothing where it has not.
[[nodiscard]] Findings expiry_findings(const app::Configuration& configuration,
                                       std::chrono::system_clock::time_point now);

/// Whether the keys of each `[[issuer]]` can be had.
[[nodiscard]] net::awaitable<void> check_issuers(const app::Configuration& configuration, Say say);

/// What to do about a certificate and a key that TLS cannot be set up with; `why` is OpenSSL's.
[[nodiscard]] std::string mend_of_certificate(const app::HttpSection& http, std::string_view why);
/// What to do about an address that cannot be listened on.
[[nodiscard]] std::string mend_of_listening(const std::string& listen, std::string_view why);
/// What to do about a public_url that leads to no gateway.
[[nodiscard]] std::string mend_of_public_url(const app::HttpSection& http, std::string_view why);

// Where none is running:
[[nodiscard]] net::awaitable<Findings> check_http(const app::Configuration& configuration);
[[nodiscard]] net::awaitable<Findings> check_xmpp(const app::Configuration& configuration);
/// Starts each endpoint's agent and asks it for its tools, several at once, each for at most
/// `longest`.
[[nodiscard]] net::awaitable<void> check_endpoints(const app::Configuration& configuration,
                                                   net::Duration longest, Say say);

}  // namespace interline::cli
