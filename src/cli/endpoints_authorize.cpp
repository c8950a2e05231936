// interline endpoints authorize NAME: leads an operator through the consent that an MCP server at a
// URL wants (OAuth 2.1 in a browser, RFC 8252). The gateway need not run; it uses what is kept.
#include <algorithm>
#include <chrono>
#include <memory>
#include <string>

#include <boost/asio/this_coro.hpp>

#include "app/consent_receiver.hpp"
#include "app/data_dir.hpp"
#include "app/runtime_factory.hpp"
#include "base/clock.hpp"
#include "base/memory_log_sink.hpp"
#include "cli/configuration_input.hpp"
#include "cli/gateway_verb.hpp"
#include "cli/verb.hpp"

namespace interline::cli {
namespace {

constexpr std::chrono::minutes kLongest{10};

/// One attempt, on one thread.
struct Attempt {
  Streams& io;
  const app::Configuration& configuration;
  const app::EndpointTable& endpoint;
  app::ConsentReceiver* receiver = nullptr;
  bool asked = false;
};

/// The URL begins as the authorization server says: nothing but a URL may reach the terminal.
bool may_be_shown(std::string_view url, bool allow_private) {
  const bool scheme = url.starts_with("https://") || (allow_private && url.starts_with("http://"));
  return scheme && std::ranges::all_of(url, [](char c) { return c > ' ' && c < '\x7F'; });
}

net::awaitable<Result<std::string>> show(Attempt& attempt, std::string url) {
  if (!may_be_shown(url, attempt.configuration.egress.allow_private)) {
    co_return fail(ErrorKind::forbidden, "The authorization server names no https URL.");
  }
  attempt.asked = true;
  attempt.io.out("Open this in a browser on this machine, and let the gateway in:\n\n" + url +
                 "\n\n");
  if (!attempt.io.flush()) co_return fail(ErrorKind::unavailable, "The URL cannot be shown.");
  co_return co_await attempt.receiver->wait(std::move(url), kLongest);
}

net::awaitable<Result<std::size_t>> authorize(Attempt& attempt) {
  const auto executor = co_await boost::asio::this_coro::executor;
  auto receiver = app::ConsentReceiver::open(executor);
  if (!receiver) co_return std::unexpected(std::move(receiver.error()));
  attempt.receiver = receiver->get();
  const auto lines = std::make_shared<MemoryLogSink>();
  const SystemClock clock;
  app::RuntimeServices services(executor, attempt.configuration.directory, Logger(lines, clock));
  services.allow_private = attempt.configuration.egress.allow_private;
  services.tokens = app::tokens_folder(attempt.configuration.gateway.data_dir);
  app::Consent consent;
  consent.redirect_uri = (*receiver)->redirect_uri();
  consent.browser = [&attempt](std::string url) { return show(attempt, std::move(url)); };
  const auto runtime = app::make_asking_runtime(attempt.endpoint, services, std::move(consent));
  const auto listed = co_await runtime->list_tools();
  co_await runtime->drain(std::chrono::milliseconds(0));
  co_await (*receiver)->close();
  if (!listed) co_return std::unexpected(listed.error());
  co_return listed->definitions.size();
}

class EndpointsAuthorize final : public Verb {
 public:
  void declare(Arguments& arguments) override {
    arguments.required("NAME", name_, "The endpoint, whose runtime has oauth = { browser = true }");
    configuration_.declare(arguments);
  }

  int run(Streams& io) override {
    const auto configuration = configuration_.read(io);
    if (!configuration) return kUsage;
    const auto found =
        std::ranges::find(configuration->endpoints, name_, &app::EndpointTable::name);
    if (found == configuration->endpoints.end()) {
      io.complain("there is no [[endpoint]] " + name_ + " in " + configuration_.path());
      return kUsage;
    }
    if (!found->runtime.oauth.browser) {
      io.complain("the runtime of " + name_ +
                  " is no MCP server at a url with oauth = { browser = true }");
      return kUsage;
    }
    if (const auto made = app::make_data_dir(configuration->gateway.data_dir); !made) {
      io.complain(made.error().message);
      return kNo;
    }
    return judge(io, *configuration, *found);
  }

 private:
  static int judge(Streams& io, const app::Configuration& configuration,
                   const app::EndpointTable& endpoint) {
    Attempt attempt{io, configuration, endpoint};
    const auto tools = run_to_end(authorize(attempt));
    if (!tools) {
      io.complain(tools.error().message);
      return kNo;
    }
    io.out(attempt.asked ? "The gateway is let in: " : "The server asks nobody for consent: ");
    io.out(std::to_string(*tools) + " tools\n");
    return kOk;
  }

  std::string name_;
  ConfigurationInput configuration_;
};

}  // namespace

std::unique_ptr<Verb> make_endpoints_authorize() {
  return std::make_unique<EndpointsAuthorize>();
}

}  // namespace interline::cli
