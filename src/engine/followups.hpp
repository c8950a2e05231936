// Commands that follow from commits and must get through: the dispatch of the next in line, the
// confirmation of a cancellation that nobody works on, the end of what shutdown interrupts. Where
// the committer has no place or the store could not commit, they are sent again.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>

#include "engine/task_writer.hpp"

namespace interline::engine {

/// Whether the same command may be sent again: nothing was decided about it, or a question expired
/// in its place and the task lives on.
[[nodiscard]] bool may_be_repeated(const Result<TaskWriter::Applied>& answer);

/// Thread-safe. As many wait as there are open tasks at most: each task has one at a time.
class Followups : public std::enable_shared_from_this<Followups> {
 public:
  using Done = std::move_only_function<void(Result<TaskWriter::Applied>)>;

  Followups(boost::asio::any_io_executor executor, std::shared_ptr<TaskWriter> writer);

  /// `done` is called on the committer's thread with the final answer; not after stop().
  void send(std::string task, tasks::Command command, Done done = {});
  /// Nothing is sent again.
  void stop();

 private:
  struct Item {
    std::string task;
    tasks::Command command;
    Done done;
  };
  void submit(std::shared_ptr<Item> item);
  void later(std::shared_ptr<Item> item);
  void fire();

  const std::shared_ptr<TaskWriter> writer_;
  std::mutex mutex_;
  boost::asio::steady_timer timer_;             // guarded by mutex_, as below
  std::vector<std::shared_ptr<Item>> waiting_;  // for the timer
  bool stopped_ = false;
};

}  // namespace interline::engine
