// Who works on what: a lane for each endpoint, with so many slots and so long a queue.
//
// A slot is reserved before a task is admitted, so that a fast call is admitted and dispatched in
// one commit. A task that waits for input in a suspended state holds no slot; it gets in line again
// when every question has its answer.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/error.hpp"
#include "engine/attended.hpp"
#include "engine/job_run.hpp"
#include "engine/runtime.hpp"
#include "engine/task_writer.hpp"
#include "engine/transient_run.hpp"

namespace interline::engine {

struct LaneConfiguration {
  std::size_t concurrency = 16;  ///< pieces of work at once
  std::size_t queue = 1'000;     ///< tasks that may wait for a slot
  bool cold_start = true;        ///< take calls while the worker is not running
  bool rerun_on_restart = false;
  std::size_t consultations = 64;  ///< asked outside of tasks at once
  bool durable = true;             ///< false: calls may be run() without a task
};

/// Gives the manifest that a task pinned, nullptr where it is gone: at once or later, on any
/// thread.
using GivenManifest = std::move_only_function<void(std::shared_ptr<const catalog::Manifest>)>;
using PinnedManifest = std::function<void(const tasks::Task&, GivenManifest)>;
/// The opaque tokens a runtime gets instead of principal and context id.
using OpaqueToken = std::function<std::string(std::string_view kind, std::string_view text)>;

/// What a dispatcher is made of.
struct DispatcherParts {
  boost::asio::any_io_executor executor;
  boost::asio::any_io_executor workers;  ///< for costly checks
  std::shared_ptr<TaskWriter> writer;
  std::uint64_t boot = 0;
  OutputLimits limits;
  PinnedManifest manifests;
  OpaqueToken token;
};

class Dispatcher {
  struct State;

 public:
  explicit Dispatcher(DispatcherParts parts);
  ~Dispatcher();
  Dispatcher(const Dispatcher&) = delete;
  Dispatcher& operator=(const Dispatcher&) = delete;

  /// Adds or replaces an endpoint's lane. Work in progress goes on with the runtime it has.
  void open_lane(const std::string& endpoint, std::shared_ptr<Runtime> runtime,
                 const LaneConfiguration& configuration);
  void close_lane(const std::string& endpoint);
  [[nodiscard]] std::shared_ptr<Runtime> runtime(std::string_view endpoint) const;
  [[nodiscard]] std::optional<LaneConfiguration> configuration(std::string_view endpoint) const;
  /// What results and questions of tasks admitted over a network must satisfy.
  void guard(const std::string& network, BodyGuard guard);

  /// Something that is waited for, known to drain() and abandon() until it is destroyed.
  class Attendance {
   public:
    Attendance(std::shared_ptr<State> state, std::shared_ptr<Attended> what);
    Attendance(Attendance&&) noexcept = default;
    Attendance& operator=(Attendance&&) = delete;
    ~Attendance();

   private:
    std::shared_ptr<State> state_;
    std::shared_ptr<Attended> what_;
  };
  /// A call without a task in its place: in the line, or in a slot.
  class Running {
   public:
    Running(std::shared_ptr<State> state, std::string endpoint, std::shared_ptr<TransientRun> run);
    Running(Running&&) noexcept = default;
    Running& operator=(Running&&) = delete;
    ~Running();
    /// Where it has its slot: the work is started, by the thread that calls this.
    void start();

   private:
    std::shared_ptr<State> state_;
    std::string endpoint_;
    std::shared_ptr<TransientRun> run_;
    Attendance attendance_;
  };
  /// A place for one task: given back unless it is used.
  class Place {
   public:
    Place(Place&&) noexcept;
    Place& operator=(Place&&) = delete;
    ~Place();
    /// Whether a slot is free now: admit with dispatch_boot = boot.
    [[nodiscard]] bool immediate() const { return immediate_; }
    [[nodiscard]] const RuntimeFeatures& features() const { return features_; }
    [[nodiscard]] bool rerun_on_restart() const { return rerun_on_restart_; }
    [[nodiscard]] bool durable() const { return durable_; }
    /// The task was admitted into this place.
    void use(const tasks::Task& task);
    /// The place is the run's as long as what is returned lives.
    [[nodiscard]] Running use(std::shared_ptr<TransientRun> run);

   private:
    friend class Dispatcher;
    Place(std::shared_ptr<State> state, std::string endpoint, bool immediate)
        : state_(std::move(state)), endpoint_(std::move(endpoint)), immediate_(immediate) {}
    std::shared_ptr<State> state_;
    std::string endpoint_;
    bool immediate_;
    bool rerun_on_restart_ = false;
    bool durable_ = true;
    RuntimeFeatures features_;
  };
  /// unavailable: no runtime, draining, or down without cold start; resource_constraint: queue
  /// full.
  [[nodiscard]] Result<Place> reserve(const std::string& endpoint);

  /// A runtime that is asked something outside of tasks, and one of its lane's places for that.
  class Asking {
   public:
    Asking(std::shared_ptr<State> state, std::string endpoint, std::shared_ptr<Runtime> runtime);
    Asking(Asking&&) noexcept = default;
    Asking& operator=(Asking&&) = delete;
    ~Asking();
    [[nodiscard]] const std::shared_ptr<Runtime>& runtime() const { return runtime_; }
    /// The place, to be held as long as the runtime is at it: that may be longer than anybody
    /// waits.
    [[nodiscard]] std::shared_ptr<void> place() const { return place_; }
    /// A drain waits for it as long as this lives.
    [[nodiscard]] Attendance attend(std::shared_ptr<Attended> what) const {
      return {state_, std::move(what)};
    }

   private:
    std::shared_ptr<State> state_;
    std::shared_ptr<Runtime> runtime_;
    std::shared_ptr<void> place_;
  };
  /// unavailable: as reserve(); resource_constraint: too many at once.
  [[nodiscard]] Result<Asking> reserve_asking(const std::string& endpoint);
  /// The opaque token of a party.
  [[nodiscard]] const std::shared_ptr<JobServices>& services() const;
  /// What results of calls over that network must satisfy; may be empty.
  [[nodiscard]] BodyGuard guard(std::string_view network) const;
  [[nodiscard]] std::string context_token(std::string_view tenant, std::string_view context) const;
  [[nodiscard]] std::string caller_token(std::string_view tenant, std::string_view owner) const;

  // Effects of commits, from the committer's thread.
  void wait_in_line(const tasks::Task& task);
  void deliver_answers(const tasks::Task& task, std::size_t how_many);
  void tell_cancel(const tasks::Task& task);
  void stop_work(const tasks::Task& task);
  /// A settled or held task leaves the line it may stand in.
  void leave_line(const tasks::Task& task);

  /// No new places from here on.
  void close();
  /// No new places; runtimes are drained side by side. What has not ended when `grace` is over
  /// fails as unavailable; what waits in line, or did not get to its worker yet, waits for the next
  /// start. Returns when all of that is committed.
  [[nodiscard]] boost::asio::awaitable<void> drain(std::chrono::milliseconds grace);
  /// Lets go of all work, as a crash would: no callback is called any more, and reports are
  /// discarded.
  void abandon();

  struct Load {
    std::size_t running = 0;
    std::size_t waiting = 0;
  };
  [[nodiscard]] Load load(std::string_view endpoint) const;
  [[nodiscard]] std::uint64_t boot() const;
  /// Reports of work that came after its end.
  [[nodiscard]] std::uint64_t discarded_reports() const;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace interline::engine
