#include "app/endpoints.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <set>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>

#include "app/import_pace.hpp"
#include "app/settings.hpp"
#include "app/tool_source.hpp"
#include "bindings/xmpp/manifest_fit.hpp"

namespace interline::app {
namespace {

using namespace std::chrono_literals;
using Phase = EndpointStatus::Phase;

constexpr std::chrono::milliseconds kRetryMin = 1s;
constexpr std::chrono::milliseconds kRetryMax = 60s;
constexpr std::chrono::milliseconds kLookEvery = 250ms;
constexpr std::chrono::milliseconds kWholeLife = 24h * 366;  // the longest that a task may run

}  // namespace

std::string_view to_string(Phase phase) {
  switch (phase) {
    case Phase::importing:
      return "importing";
    case Phase::imported:
      return "imported";
    case Phase::retrying:
      return "retrying";
    case Phase::refused:
      return "refused";
  }
  return "";
}

struct Endpoints::Hosted {
  Hosted(EndpointTable from, std::shared_ptr<engine::Runtime> works, const net::Executor& executor)
      : table(std::move(from)), runtime(std::move(works)), pause(executor), settle(executor) {}

  const EndpointTable table;
  const std::shared_ptr<engine::Runtime> runtime;
  std::shared_ptr<runtimes::ProcessCounters> processes;
  EndpointStatus status;             // guarded by Endpoints::mutex_
  boost::asio::steady_timer pause;   // on the strand, as below
  boost::asio::steady_timer settle;  // before tools that changed are asked for
  ImportPace pace;
  std::optional<Digest> hash;  // of the manifest that was imported last
  bool importing = false;
  bool leaving = false;
  std::atomic<bool> changed = false;  // its tools are to be asked for again: any thread

  /// Whether other tools of its agent's make another manifest.
  [[nodiscard]] bool follows_agent() const {
    return table.tools.empty() && table.manifest.empty() && table.version.empty();
  }
  void wake() {
    pause.cancel();
    settle.cancel();
  }
};

Endpoints::Endpoints(engine::Gateway& gateway, RuntimeServices services, ImportSettings settings,
                     Logger log)
    : gateway_(gateway),
      strand_(net::new_strand(services.executor)),
      services_(std::move(services)),
      settings_(std::move(settings)),
      log_(std::move(log)),
      idle_(strand_),
      turn_(strand_) {
  gateway_.on_agent_tools([this](const std::string& name) { agent_changed(name); });
}

std::vector<EndpointStatus> Endpoints::status() const {
  std::vector<EndpointStatus> all;
  const std::lock_guard lock(mutex_);
  for (const auto& [name, hosted] : hosted_) all.push_back(hosted->status);
  return all;
}

void Endpoints::set_status(Hosted& hosted, Phase phase, std::string why) {
  const std::lock_guard lock(mutex_);
  hosted.status.phase = phase;
  hosted.status.why = std::move(why);
}

/// Those of the runtime that is replaced: what is counted only grows.
std::shared_ptr<runtimes::ProcessCounters> Endpoints::counters_of(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto found = hosted_.find(name);
  const bool there = found != hosted_.end() && found->second->processes;
  return there ? found->second->processes : std::make_shared<runtimes::ProcessCounters>();
}

std::shared_ptr<Endpoints::Hosted> Endpoints::host(const EndpointTable& table) {
  RuntimeServices services = services_;
  services.log = log_.with({{"endpoint", table.name}});
  if (has_processes(table.runtime.kind)) services.processes = counters_of(table.name);
  auto hosted = std::make_shared<Hosted>(table, make_runtime(table, services), strand_);
  hosted->status.name = table.name;
  hosted->status.title = table.title;
  hosted->status.processes = hosted->processes = services.processes;
  gateway_.open_lane(table.name, hosted->runtime, lane_settings(table));
  const std::lock_guard lock(mutex_);
  hosted_[table.name] = hosted;
  return hosted;
}

void Endpoints::open(const std::vector<EndpointTable>& tables) {
  for (const EndpointTable& table : tables) static_cast<void>(host(table));
}

net::awaitable<Result<void>> Endpoints::begin(std::vector<std::string> configured_before) {
  std::vector<std::shared_ptr<Hosted>> all;
  std::vector<std::string> gone;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [name, hosted] : hosted_) all.push_back(hosted);
    for (std::string& name : configured_before) {
      if (!hosted_.contains(name)) gone.push_back(std::move(name));
    }
  }
  for (const std::string& name : gone) {
    Result<void> done = co_await gateway_.deactivate_configured(name);
    if (!done) co_return done;
    log_.info("an endpoint is not in the configuration any more: it was deactivated",
              {{"endpoint", name}});
  }
  for (const auto& hosted : all) start_import(hosted);
  co_return Result<void>();
}

// --- importing ----------------------------------------------------------------------------------

void Endpoints::start_import(const std::shared_ptr<Hosted>& hosted) {
  boost::asio::co_spawn(strand_, import(hosted), boost::asio::detached);
}

void Endpoints::work_ended() {
  if (--working_ == 0) idle_.notify_all();
}

net::awaitable<void> Endpoints::import(std::shared_ptr<Hosted> hosted) {
  ++working_;
  std::chrono::milliseconds pause = kRetryMin;
  while (!hosted->leaving && !importing_over_) {
    const Result<void> done = co_await import_once(hosted, false);
    if (done || hosted->leaving || importing_over_) break;
    const Error& error = done.error();
    if (error.kind != ErrorKind::unavailable) {
      set_status(*hosted, Phase::refused, error.message);
      log_.error("an endpoint cannot be served: mend its [[endpoint]], then send SIGHUP",
                 {{"endpoint", hosted->table.name}, {"error", error}});
      break;
    }
    set_status(*hosted, Phase::retrying, error.message);
    log_.warning("an endpoint's agent did not list its tools: it is asked again",
                 {{"endpoint", hosted->table.name}, {"error", error}, {"after_ms", pause.count()}});
    hosted->pause.expires_after(pause);
    co_await hosted->pause.async_wait(net::use_tuple);
    pause = std::min(pause * 2, kRetryMax);
  }
  work_ended();
}

net::awaitable<Result<void>> Endpoints::import_once(std::shared_ptr<Hosted> hosted, bool again) {
  hosted->importing = true;
  auto imported = co_await import_endpoint(hosted->table, *hosted->runtime, settings_);
  Result<void> done;
  if (!imported) {
    done = std::unexpected(std::move(imported.error()));
  } else {
    co_await begin_turn(hosted->table.name);
    if (!hosted->leaving && !importing_over_) {
      done = co_await take_over(*hosted, *std::move(imported), again);
    }
    end_turn(hosted->table.name);
  }
  hosted->importing = false;
  co_return done;
}

/// What is registered of one endpoint is registered one after the other: what a later configuration
/// decides may depend on what the one before did.
net::awaitable<void> Endpoints::begin_turn(const std::string& name) {
  while (turns_.contains(name)) co_await turn_.wait();
  turns_.insert(name);
}

void Endpoints::end_turn(const std::string& name) {
  turns_.erase(name);
  turn_.notify_all();
}

net::awaitable<Result<void>> Endpoints::take_over(Hosted& hosted, Imported imported, bool again) {
  const EndpointTable& table = hosted.table;
  const auto manifest = imported.manifest;
  if (again && hosted.hash == manifest->hash) co_return Result<void>();
  const bool only_first = !table.activate_changes && hosted.follows_agent();
  std::string name = table.name;
  Result<bool> registered = co_await gateway_.register_configured(
      std::move(name), manifest, table.activate, std::move(imported.loss_report), only_first);
  if (!registered) {
    Error error = std::move(registered.error());
    if (error.kind == ErrorKind::conflict) {
      error.message =
          "Version " + manifest->version +
          " is registered with other content already; give the new one another version.";
    }
    co_return std::unexpected(std::move(error));
  }
  hosted.hash = manifest->hash;
  set_status(hosted, Phase::imported, "");
  say_served(hosted, *manifest, *registered, again);
  co_return Result<void>();
}

void Endpoints::say_served(const Hosted& hosted, const catalog::Manifest& manifest, bool active,
                           bool again) const {
  const EndpointTable& table = hosted.table;
  if (settings_.stanza_out && !xmpp::fits_stanza(manifest, *settings_.stanza_out)) {
    log_.warning("a manifest is larger than an XMPP stanza may be: see interline endpoints show",
                 {{"endpoint", table.name}});
  }
  log_.info(again ? LogMessage("an agent's tools changed: a version was made of them")
                  : LogMessage("an endpoint is served"),
            {{"endpoint", table.name},
             {"version", manifest.version},
             {"tools", manifest.tools.size()},
             {"active", active}});
  if (const auto others = shown_otherwise(table.name, manifest); !others.empty()) {
    log_.info("names are others in /mcp: see interline endpoints show",
              {{"endpoint", table.name}, {"example", others.front().name}});
  }
  if (!table.activate || active) return;
  if (!table.activate_changes) {
    log_.warning("a version of other tools waits: interline endpoints activate makes it active",
                 {{"endpoint", table.name}, {"version", manifest.version}});
    return;
  }
  log_.info("what was chosen by hand stands: the configured version is not the active one",
            {{"endpoint", table.name}, {"version", manifest.version}});
}

/// However often an agent says so, one import is on its way at most.
void Endpoints::agent_changed(const std::string& name) {
  std::shared_ptr<Hosted> hosted;
  {
    const std::lock_guard lock(mutex_);
    const auto found = hosted_.find(name);
    if (found != hosted_.end()) hosted = found->second;
  }
  if (!hosted || !hosted->follows_agent() || hosted->changed.exchange(true)) return;
  boost::asio::co_spawn(strand_, import_again(std::move(hosted)), boost::asio::detached);
}

net::awaitable<void> Endpoints::import_again(std::shared_ptr<Hosted> hosted) {
  ++working_;
  while (!hosted->leaving && !importing_over_) {
    hosted->settle.expires_after(hosted->pace.wait(std::chrono::steady_clock::now()));
    co_await hosted->settle.async_wait(net::use_tuple);
    if (hosted->leaving || importing_over_) break;
    if (hosted->importing) continue;
    hosted->changed = false;  // what changes from here on is a change of its own
    hosted->pace.imported(std::chrono::steady_clock::now());
    const Result<void> done = co_await import_once(hosted, true);
    if (done || hosted->leaving || importing_over_) break;
    log_.warning("an agent's tools changed, and cannot be taken over: the version before stays",
                 {{"endpoint", hosted->table.name}, {"error", done.error()}});
    const bool later = done.error().kind == ErrorKind::unavailable;
    if (!later || hosted->changed.exchange(true)) break;
  }
  work_ended();
}

// --- changes ------------------------------------------------------------------------------------

net::awaitable<void> Endpoints::apply(std::vector<EndpointTable> tables) {
  co_await boost::asio::co_spawn(strand_, change(std::move(tables)), boost::asio::use_awaitable);
}

net::awaitable<void> Endpoints::change(std::vector<EndpointTable> tables) {
  std::set<std::string> kept;
  std::vector<std::shared_ptr<Hosted>> fresh;
  std::vector<std::shared_ptr<Hosted>> leaving;
  for (const EndpointTable& table : tables) {
    kept.insert(table.name);
    std::shared_ptr<Hosted> before;
    {
      const std::lock_guard lock(mutex_);
      const auto found = hosted_.find(table.name);
      if (found != hosted_.end()) before = found->second;
    }
    // One that was refused is looked at anew: its files may have been mended.
    if (before && before->table == table && before->status.phase != Phase::refused) continue;
    log_.info(before ? LogMessage("an endpoint was changed") : LogMessage("an endpoint was added"),
              {{"endpoint", table.name}});
    fresh.push_back(host(table));
    if (before) leaving.push_back(before);
  }
  std::vector<std::string> removed;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = hosted_.begin(); at != hosted_.end();) {
      if (kept.contains(at->first)) {
        ++at;
        continue;
      }
      removed.push_back(at->first);
      leaving.push_back(at->second);
      at = hosted_.erase(at);
    }
  }
  for (const auto& hosted : leaving) hosted->leaving = true;  // it registers nothing from here on
  for (const std::string& name : removed) {
    gateway_.close_lane(name);
    co_await begin_turn(name);
    const Result<void> done = co_await gateway_.deactivate_configured(name);
    end_turn(name);
    if (done) {
      log_.info("an endpoint was removed; its running tasks go on", {{"endpoint", name}});
    } else {
      log_.warning("an endpoint was removed, but is still listed",
                   {{"endpoint", name}, {"error", done.error()}});
    }
  }
  for (const auto& hosted : leaving) retire(hosted);
  for (const auto& hosted : fresh) start_import(hosted);
}

void Endpoints::retire(const std::shared_ptr<Hosted>& hosted) {
  boost::asio::co_spawn(strand_, end_retired(hosted), boost::asio::detached);
}

/// A runtime that has no lane any more ends when its work has.
net::awaitable<void> Endpoints::end_retired(std::shared_ptr<Hosted> hosted) {
  ++working_;
  hosted->wake();
  retired_.push_back(hosted);
  // A removed endpoint's tasks may still wait in its lane for this runtime. At least one pause in
  // any case: a call that was just handed out is on its way to it.
  do {
    hosted->pause.expires_after(kLookEvery);
    co_await hosted->pause.async_wait(net::use_tuple);
  } while (!draining_ && gateway_.closed_lane_has_work(hosted->table.name));
  if (!draining_) co_await hosted->runtime->drain(kWholeLife);
  std::erase(retired_, hosted);
  work_ended();
}

void Endpoints::stop_importing() {
  importing_over_ = true;
}

net::awaitable<void> Endpoints::drain(std::chrono::milliseconds grace) {
  auto work = [this, grace]() -> net::awaitable<void> {
    draining_ = true;
    importing_over_ = true;
    std::vector<std::shared_ptr<Hosted>> all = retired_;
    {
      const std::lock_guard lock(mutex_);
      for (const auto& [name, hosted] : hosted_) hosted->wake();
    }
    for (const auto& hosted : all) hosted->wake();
    for (const auto& hosted : all) co_await hosted->runtime->drain(grace);
    while (working_ > 0) co_await idle_.wait();
  };
  co_await boost::asio::co_spawn(strand_, work(), boost::asio::use_awaitable);
}

}  // namespace interline::app
