// Whether the endpoints' commands run and list their tools.
#include <algorithm>
#include <deque>
#include <filesystem>
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

constexpr net::Duration kLongestListing{60'000};
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

Finding judge(const Listing& listing, const app::Configuration& configuration) {
  const std::string subject = "endpoint " + listing.table.name;
  if (!listing.imported) {
    return {Verdict::wrong, subject,
            "its runtime did not list its tools within a minute" + listing.lines->text(),
            mend_of_agent(configuration, listing.table)};
  }
  if (!*listing.imported) {
    const Error& error = listing.imported->error();
    return {Verdict::wrong, subject, error.message + listing.lines->text(),
            error.kind == ErrorKind::unavailable ? mend_of_agent(configuration, listing.table)
                                                 : mend_of_tools(listing.table)};
  }
  const app::Imported& imported = **listing.imported;
  const std::size_t losses = count_of(imported.loss_report);
  const std::string tools = std::to_string(imported.manifest->tools.size()) + " tools";
  if (losses == 0) return {Verdict::fine, subject, tools};
  return {Verdict::doubtful, subject,
          tools + ", " + std::to_string(losses) + " of their parts changed or left out",
          "interline endpoints show " + listing.table.name + " lists them, once it runs"};
}

Finding asked_by_gateway(const app::EndpointTable& table) {
  return {
      Verdict::fine, "endpoint " + table.name,
      table.runtime.jid +
          " is asked by the running gateway alone; interline endpoints list says how it stands"};
}

}  // namespace

std::string mend_of_agent(const app::Configuration& configuration,
                          const app::EndpointTable& endpoint) {
  std::error_code ignored;
  auto folder = std::filesystem::absolute(configuration.directory, ignored).lexically_normal();
  if (!folder.has_filename()) folder = folder.parent_path();  // without a slash at its end
  std::string by_hand = "cd " + shell_word(folder.string()) + " &&";
  for (const std::string& word : endpoint.runtime.command) by_hand += " " + shell_word(word);
  const bool lines = endpoint.runtime.kind == app::RuntimeKind::exec;
  return "try its command by hand, as the user and with the PATH of the gateway:\n" + by_hand +
         (lines ? "\nand type {\"type\":\"list\"}; docs/exec.md says what it has to answer" : "");
}

std::string mend_of_tools(const app::EndpointTable& endpoint) {
  if (!endpoint.manifest.empty()) return "mend " + endpoint.manifest.string();
  const std::string where =
      endpoint.tools.empty() ? "the tools that it lists" : endpoint.tools.string();
  return "mend " + where +
         "; for a tool's schema `interline schema check --tool input FILE` says "
         "what is wrong with it";
}

net::awaitable<Findings> check_endpoints(const app::Configuration& configuration) {
  Findings found;
  const net::Executor executor = co_await net::asio::this_coro::executor;
  for (const app::EndpointTable& table : configuration.endpoints) {
    if (!app::has_runtime(table.runtime.kind)) {
      found.emplace_back(Verdict::wrong, "endpoint " + table.name,
                         "this version has no such runtime", "choose another runtime kind");
      continue;
    }
    if (table.runtime.kind == app::RuntimeKind::xmpp) {  // the domain has one connection, and this
      found.push_back(asked_by_gateway(table));          // is not it
      continue;
    }
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
    deadline.expires_after(kLongestListing);
    net::asio::co_spawn(executor, list(listing), net::asio::detached);
    while (!late && !listing->over) co_await listing->changed.wait();
    found.push_back(judge(*listing, configuration));
    co_await listing->runtime->drain(kGoodbye);
  }
  if (configuration.endpoints.empty()) {
    found.emplace_back(Verdict::doubtful, "endpoints", "none is configured",
                       "add an [[endpoint]], or register manifests");
  }
  co_return found;
}

}  // namespace interline::cli
