// Whether the endpoints' agents run and list their tools.
#include <algorithm>
#include <deque>
#include <memory>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include "app/runtime_factory.hpp"
#include "app/settings.hpp"
#include "app/tool_source.hpp"
#include "base/log_format.hpp"
#include "cli/doctor_checks.hpp"
#include "cli/gateway_verb.hpp"
#include "json/parse.hpp"
#include "net/deadline.hpp"
#include "net/event.hpp"
#include "schema/bounded_text.hpp"

namespace interline::cli {
namespace {

using Verdict = Finding::Verdict;

constexpr std::size_t kAtOnce = 16;
constexpr std::chrono::milliseconds kGoodbye{2'000};

/// An agent's last words on its standard error.
class LastLines final : public LogSink {
 public:
  LastLines() : LogSink(LogLevel::info) {}

  void write(const LogRecord& record) override {
    if (record.message != "an agent says") return;  // the rest is in the error
    std::string line = "it says:";
    for (const LogField& field : record.fields) line += " " + format_value(field.value());
    lines_.push_back(schema::bounded(line, kLongestLine));
    if (lines_.size() > kLines) lines_.pop_front();
  }
  /// "", or "; " and the lines.
  [[nodiscard]] std::string text() const {
    std::string text;
    for (const std::string& line : lines_) text += "; " + line;
    return text;
  }

 private:
  static constexpr std::size_t kLines = 4;
  static constexpr std::size_t kLongestLine = 200;
  std::deque<std::string> lines_;
};

/// One endpoint's answer, or none in time. Shared: an answer may come when nobody waits any more.
struct Listing {
  explicit Listing(const net::Executor& executor) : changed(executor) {}

  const SystemClock clock;  // lives as long as what uses it
  net::Event changed;
  app::EndpointTable table;
  std::shared_ptr<engine::Runtime> runtime;
  app::ImportSettings settings;
  const std::shared_ptr<LastLines> lines = std::make_shared<LastLines>();
  bool over = false;
  std::optional<Result<app::Imported>> imported;
};

net::awaitable<void> list(std::shared_ptr<Listing> listing) {
  auto imported =
      co_await app::import_endpoint(listing->table, *listing->runtime, listing->settings);
  listing->imported.emplace(std::move(imported));
  listing->over = true;
  listing->changed.notify_all();
}

std::size_t count_of(const std::string& json_array) {
  const auto parsed = json::parse_borrowed(json_array);
  return parsed ? parsed->root().size() : 0;
}

/// "TOOL /inputSchema: why"
std::string first_loss(const std::string& loss_report) {
  const auto parsed = json::parse_borrowed(loss_report);
  if (!parsed || parsed->root().size() == 0) return {};
  const json::Value& loss = parsed->root().items().front();
  const std::string tool = shown(loss, "tool");
  const std::string location = shown(loss, "location");
  return tool + (tool.empty() || location.empty() ? "" : " ") + location + ": " +
         shown(loss, "loss");
}

Finding judge(const Listing& listing, const app::Configuration& configuration,
              net::Duration longest) {
  const std::string subject = "endpoint " + listing.table.name;
  if (!listing.imported) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(longest).count();
    return {
        Verdict::wrong, subject,
        "its agent did not list its tools within " + std::to_string(seconds) + " s" +
            listing.lines->text(),
        mend_of_agent(configuration, listing.table) +
            "\nto give it more time, for a first download perhaps: interline doctor --wait 120"};
  }
  if (!*listing.imported) {
    const Error& error = listing.imported->error();
    return {Verdict::wrong, subject, error.message + listing.lines->text(),
            mend_of_import(configuration, listing.table, error.kind)};
  }
  const app::Imported& imported = **listing.imported;
  const std::size_t losses = count_of(imported.loss_report);
  const std::size_t tools = imported.manifest->tools.size();
  const std::string counted = std::to_string(tools) + (tools == 1 ? " tool" : " tools");
  if (tools == 0) {
    return {Verdict::wrong, subject,
            losses == 0 ? "its agent lists no tools: there is nothing to call"
                        : "none of its tools can be served: " + first_loss(imported.loss_report),
            mend_of_tools(listing.table)};
  }
  if (losses == 0) return {Verdict::fine, subject, counted};
  return {Verdict::doubtful, subject,
          counted + ", " + std::to_string(losses) +
              " of their parts changed or left out; the first: " + first_loss(imported.loss_report),
          "interline endpoints show " + listing.table.name + " lists them, once it runs"};
}

Finding asked_by_gateway(const app::EndpointTable& table) {
  return {
      Verdict::fine, "endpoint " + table.name,
      table.runtime.jid +
          " is asked by the running gateway alone; interline endpoints list says how it stands"};
}

/// What the workers of one check share. They and it end before check_endpoints() does.
struct Round {
  Round(const net::Executor& executor, const app::Configuration& of, net::Duration for_each,
        Say say_each)
      : configuration(of), longest(for_each), say(std::move(say_each)), ended(executor) {}

  const app::Configuration& configuration;
  const net::Duration longest;
  const Say say;
  std::size_t next = 0;     ///< endpoint to be looked at
  std::size_t working = 0;  ///< workers
  net::Event ended;
};

net::awaitable<Finding> examine(const Round& round, const app::EndpointTable& table) {
  const app::Configuration& configuration = round.configuration;
  if (table.runtime.kind == app::RuntimeKind::xmpp) {  // the domain has one connection, and this
    co_return asked_by_gateway(table);                 // is not it
  }
  const net::Executor executor = co_await net::asio::this_coro::executor;
  auto listing = std::make_shared<Listing>(executor);
  listing->table = table;
  app::RuntimeServices services(executor, configuration.directory,
                                Logger(listing->lines, listing->clock));
  services.allow_private = configuration.egress.allow_private;
  services.tokens = app::tokens_folder(configuration.gateway.data_dir);
  listing->runtime = app::make_runtime(table, services);
  listing->settings = app::import_settings(configuration);
  bool late = false;
  net::Deadline deadline(executor, [listing, &late] {
    late = true;
    listing->changed.notify_all();
  });
  deadline.expires_after(round.longest);
  net::asio::co_spawn(executor, list(listing), net::asio::detached);
  while (!late && !listing->over) co_await listing->changed.wait();
  Finding finding = judge(*listing, configuration, round.longest);
  co_await listing->runtime->drain(kGoodbye);
  co_return finding;
}

net::awaitable<void> work(std::shared_ptr<Round> round) {
  const auto& endpoints = round->configuration.endpoints;
  while (round->next < endpoints.size()) {
    const app::EndpointTable& table = endpoints[round->next++];
    Finding finding = co_await examine(*round, table);
    round->say(std::move(finding));
  }
  --round->working;
  round->ended.notify_all();
}

}  // namespace

net::awaitable<void> check_endpoints(const app::Configuration& configuration, net::Duration longest,
                                     Say say) {
  if (configuration.endpoints.empty()) {
    say({Verdict::doubtful, "endpoints", "none is configured",
         "add an [[endpoint]], or register manifests"});
    co_return;
  }
  const net::Executor executor = co_await net::asio::this_coro::executor;
  auto round = std::make_shared<Round>(executor, configuration, longest, std::move(say));
  round->working = std::min(kAtOnce, configuration.endpoints.size());
  const std::size_t workers = round->working;
  for (std::size_t i = 0; i < workers; ++i) {
    net::asio::co_spawn(executor, work(round), net::asio::detached);
  }
  while (round->working > 0) co_await round->ended.wait();
}

}  // namespace interline::cli
