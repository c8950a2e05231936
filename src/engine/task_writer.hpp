// Commands in, committed outcomes out: gives each command fresh ids, queues it for the committer,
// and shows every committed change to the one observer before the sender is answered.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.hpp"
#include "base/id.hpp"
#include "engine/committer.hpp"
#include "store/work.hpp"
#include "tasks/apply.hpp"

namespace interline::engine {

/// Told of every committed change of a task, on the committer's thread, in commit order.
class CommitObserver {
 public:
  virtual ~CommitObserver() = default;
  virtual void committed(const tasks::Task& task, const tasks::Outcome& outcome) = 0;
  virtual void admitted(const tasks::Task& task) = 0;
};

class TaskWriter {
 public:
  using Applied = store::Apply::Applied;
  using Done = std::move_only_function<void(Result<Applied>)>;

  /// The clock outlives the writer. What else is shared may keep the writer longer than the engine
  /// lives: it only refuses then, since the committer was stopped.
  TaskWriter(std::shared_ptr<Committer> committer, const Clock& clock);

  /// To be set before the first command; outlives the committer's thread.
  void observe(CommitObserver& observer) { observer_ = &observer; }

  /// Error at once where the queue has no place; `done` (on the committer's thread) is not called
  /// then.
  [[nodiscard]] Result<void> submit(std::string task, tasks::Command command,
                                    std::vector<store::RecordChange> records, Done done);
  [[nodiscard]] boost::asio::awaitable<Result<Applied>> apply(
      std::string task, tasks::Command command, std::vector<store::RecordChange> records = {});
  /// `on_admitted` runs on the committer's thread before anything else can happen to the task.
  [[nodiscard]] boost::asio::awaitable<Result<store::Admit::Answer>> admit(
      store::Admit work, std::move_only_function<void(const tasks::Task&)> on_admitted);
  /// Any other work; answers with the work itself. `on_done` runs on the committer's thread, so in
  /// the order of the commits.
  using OnDone = std::move_only_function<void(const store::Work&)>;
  [[nodiscard]] boost::asio::awaitable<Result<store::Work>> perform(store::Work work,
                                                                    Urgency urgency,
                                                                    OnDone on_done = {});
  /// The same without waiting; nobody is told how it ended.
  void perform_unattended(store::Work work);

  [[nodiscard]] std::string fresh_id() { return ids_.next(clock_.now()); }

 private:
  const std::shared_ptr<Committer> committer_;
  IdSource ids_;
  const Clock& clock_;
  CommitObserver* observer_ = nullptr;
};

}  // namespace interline::engine
