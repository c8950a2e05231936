// The dispatcher's inside: lanes and the work that runs in them. Shared with whatever has been
// posted, so that nothing posted outlives it.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/countdown.hpp"
#include "engine/dispatcher.hpp"
#include "engine/followups.hpp"

namespace interline::engine {

struct Dispatcher::State : std::enable_shared_from_this<Dispatcher::State> {
  struct Lane {
    std::shared_ptr<Runtime> runtime;  // none: the line waits for one
    LaneConfiguration configuration;
    std::size_t running = 0;   // slots taken, reserved ones included
    std::size_t reserved = 0;  // places in the line that no task stands in yet
    std::deque<std::string> line;
    bool open = false;
  };

  explicit State(DispatcherParts some_parts);

  void launch(const tasks::Task& task);
  void job_ended(JobRun& job);
  void free_slot(const std::string& endpoint);
  void take_back_place(const std::string& endpoint);
  /// Moves the first of the line to the free slots: commits each dispatch, then starts the work.
  void fill_slots(const std::string& endpoint);
  void dispatched(const std::string& endpoint, const Result<TaskWriter::Applied>& answer);
  [[nodiscard]] std::shared_ptr<JobRun> job_of(const std::string& task) const;
  [[nodiscard]] std::vector<std::shared_ptr<JobRun>> all_jobs() const;
  [[nodiscard]] JobInput job_input(const tasks::Task& task) const;
  /// Until no slot is taken, not by work nor by what is on its way to it, or `longest` is over.
  [[nodiscard]] boost::asio::awaitable<void> quiet(std::chrono::milliseconds longest);

  const DispatcherParts parts;
  const std::shared_ptr<JobServices> services;
  const std::shared_ptr<Followups> followups;

  mutable std::mutex mutex;
  std::map<std::string, Lane, std::less<>> lanes;                 // guarded by mutex, as below
  std::unordered_map<std::string, std::shared_ptr<JobRun>> jobs;  // by task
  std::map<std::string, BodyGuard, std::less<>> guards;           // by network
  std::size_t taken = 0;                                          // slots of all lanes
  std::shared_ptr<Countdown> last_slot;                           // of quiet(), or null
  bool draining = false;                                          // nothing new is started
};

}  // namespace interline::engine
