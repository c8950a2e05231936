// The dispatcher's inside: lanes and the work that runs in them. Shared with whatever has been
// posted, so that nothing posted outlives it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "engine/countdown.hpp"
#include "engine/dispatcher.hpp"
#include "engine/followups.hpp"

namespace interline::engine {

/// Stands in a lane's line: a task, or a call without one.
struct Waiting {
  std::string task;
  std::shared_ptr<TransientRun> run;
};

struct Dispatcher::State : std::enable_shared_from_this<Dispatcher::State> {
  struct Lane {
    std::shared_ptr<Runtime> runtime;  // none: the line waits for one
    LaneConfiguration configuration;
    std::size_t running = 0;   // slots taken, reserved ones included
    std::size_t reserved = 0;  // places in the line that no task stands in yet
    std::deque<Waiting> line;
    std::size_t asked = 0;  // what its runtime is asked outside of tasks
    bool open = false;

    /// Whether it takes calls now.
    [[nodiscard]] bool serves() const {
      return open && runtime && (configuration.cold_start || runtime->available());
    }
  };
  /// How far the end has come: what is attended later than that is ended at once.
  enum class End : std::uint8_t { none, interrupted, abandoned };

  explicit State(DispatcherParts some_parts);

  void launch(const tasks::Task& task);
  void launch(const std::string& endpoint, const std::shared_ptr<TransientRun>& run);
  /// A slot, or what a drain waits for like one, is free again. With the lock held.
  void give_back() {
    if (--taken == 0 && last_slot) last_slot->arrive();
  }
  void end_attended(End how);
  void job_ended(JobRun& job);
  void free_slot(const std::string& endpoint);
  void take_back_place(const std::string& endpoint);
  /// Moves the first of the line to the free slots: commits each dispatch, then starts the work.
  void fill_slots(const std::string& endpoint);
  void dispatched(const std::string& endpoint, const Result<TaskWriter::Applied>& answer);
  [[nodiscard]] std::shared_ptr<JobRun> job_of(const std::string& task) const;
  [[nodiscard]] std::vector<std::shared_ptr<JobRun>> all_jobs() const;
  [[nodiscard]] std::string caller_token(std::string_view tenant, std::string_view owner) const;
  [[nodiscard]] std::string context_token(std::string_view tenant, std::string_view context) const;
  /// `remembers`: its runtime goes on by what it remembered, and knows what it has asked.
  [[nodiscard]] JobInput job_input(const tasks::Task& task, bool remembers) const;
  /// Work of an earlier boot that stands in the line, to go on by what its runtime remembered: who
  /// gets it is told then that it was cancelled.
  [[nodiscard]] bool goes_on(const tasks::Task& task) const;
  /// Until no slot is taken, not by work nor by what is on its way to it, or `longest` is over.
  [[nodiscard]] boost::asio::awaitable<void> quiet(std::chrono::milliseconds longest);

  const DispatcherParts parts;
  const std::shared_ptr<JobServices> services;
  const std::shared_ptr<Followups> followups;

  mutable std::mutex mutex;
  std::map<std::string, Lane, std::less<>> lanes;                 // guarded by mutex, as below
  std::unordered_map<std::string, std::shared_ptr<JobRun>> jobs;  // by task
  std::map<std::string, BodyGuard, std::less<>> guards;           // by network
  std::unordered_set<std::shared_ptr<Attended>> attended;
  End end = End::none;
  std::size_t taken = 0;                 // slots of all lanes
  std::shared_ptr<Countdown> last_slot;  // of quiet(), or null
  bool draining = false;                 // nothing new is started
};

}  // namespace interline::engine
