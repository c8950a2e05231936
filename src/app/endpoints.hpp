// The endpoints of the configuration: their runtimes, and the manifests that come from their tools.
//
// A lane is open from the start, so that an endpoint that an earlier run registered serves at once;
// its tools are asked for beside that, again and again where the runtime does not answer.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/configuration.hpp"
#include "app/importer.hpp"
#include "app/runtime_factory.hpp"
#include "base/log.hpp"
#include "engine/gateway.hpp"
#include "net/asio.hpp"
#include "net/event.hpp"
#include "runtimes/process_configuration.hpp"

namespace interline::app {

/// What a reader of /readyz is told of one endpoint.
struct EndpointStatus {
  enum class Phase : std::uint8_t {
    importing,  ///< its tools are being asked for, for the first time
    imported,
    retrying,  ///< its runtime did not answer; asked again soon
    refused,   ///< its tools or its file cannot be served as they are: the operator's turn
  };
  Phase phase = Phase::importing;
  std::string name;
  std::string title;
  std::string why;                                             ///< of retrying and refused
  std::shared_ptr<const runtimes::ProcessCounters> processes;  ///< none: it has no processes
};
[[nodiscard]] std::string_view to_string(EndpointStatus::Phase phase);

class Endpoints {
 public:
  Endpoints(engine::Gateway& gateway, RuntimeServices services, ImportSettings settings,
            Logger log);

  /// Before Gateway::start(): makes the runtimes and opens the lanes.
  void open(const std::vector<EndpointTable>& tables);
  /// After it: takes endpoints of an older configuration out of the directory, and asks the others
  /// for their tools.
  [[nodiscard]] net::awaitable<Result<void>> begin(std::vector<std::string> configured_before);
  /// Takes over a new configuration: what did not change goes on untouched, a runtime that is
  /// replaced or removed ends once its work is done.
  [[nodiscard]] net::awaitable<void> apply(std::vector<EndpointTable> tables);
  /// Nothing is imported any more; before the engine takes nothing more. Any thread.
  void stop_importing();
  /// Ends importing, and the runtimes that were replaced, within `grace`; those in the lanes are
  /// the engine's to drain.
  [[nodiscard]] net::awaitable<void> drain(std::chrono::milliseconds grace);

  /// Any thread; in the order of their names.
  [[nodiscard]] std::vector<EndpointStatus> status() const;

 private:
  struct Hosted;

  [[nodiscard]] std::shared_ptr<runtimes::ProcessCounters> counters_of(
      const std::string& name) const;
  [[nodiscard]] std::shared_ptr<Hosted> host(const EndpointTable& table);
  void start_import(const std::shared_ptr<Hosted>& hosted);
  [[nodiscard]] net::awaitable<void> import(std::shared_ptr<Hosted> hosted);
  /// `again`: it was imported before, and its agent says that its tools changed.
  [[nodiscard]] net::awaitable<Result<void>> import_once(std::shared_ptr<Hosted> hosted,
                                                         bool again);
  [[nodiscard]] net::awaitable<Result<void>> take_over(Hosted& hosted, Imported imported,
                                                       bool again);
  [[nodiscard]] net::awaitable<void> begin_turn(const std::string& name);
  void end_turn(const std::string& name);
  void say_served(const Hosted& hosted, const catalog::Manifest& manifest, bool active,
                  bool again) const;
  void agent_changed(const std::string& name);
  [[nodiscard]] net::awaitable<void> import_again(std::shared_ptr<Hosted> hosted);
  void set_status(Hosted& hosted, EndpointStatus::Phase phase, std::string why);
  [[nodiscard]] net::awaitable<void> change(std::vector<EndpointTable> tables);
  void retire(const std::shared_ptr<Hosted>& hosted);
  [[nodiscard]] net::awaitable<void> end_retired(std::shared_ptr<Hosted> hosted);
  void work_ended();

  engine::Gateway& gateway_;
  const net::Executor strand_;
  RuntimeServices services_;
  const ImportSettings settings_;
  const Logger log_;

  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Hosted>> hosted_;  // guarded by mutex_

  // On the strand:
  std::vector<std::shared_ptr<Hosted>> retired_;
  std::set<std::string> turns_;  // endpoints of which something is being registered
  std::size_t working_ = 0;      // coroutines that were spawned here and have not ended
  bool draining_ = false;
  std::atomic<bool> importing_over_{false};  // set by any thread
  net::Event idle_;
  net::Event turn_;
};

}  // namespace interline::app
