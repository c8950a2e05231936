// One process of an exec agent and the calls it has. Lives on its runtime's strand.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "net/process.hpp"
#include "runtimes/exec/protocol.hpp"

namespace interline::runtimes::exec {

class Worker : public std::enable_shared_from_this<Worker> {
 public:
  struct Callbacks {
    /// A call is over, or the answer to `list` came: there may be room.
    std::function<void()> changed;
    /// The process is gone and every open call has failed. `had_success`: something was answered.
    std::function<void(bool had_success)> gone;
    std::function<void(ToolsMessage)> tools;
  };

  Worker(net::Executor strand, std::unique_ptr<net::Process> process, Logger log,
         Callbacks callbacks);

  /// Reads until the process ends. Spawned once by the runtime, which keeps the worker until
  /// gone().
  [[nodiscard]] net::awaitable<void> run();

  void call(std::shared_ptr<engine::Job> job);
  void list();
  /// Calls in work, those that nobody waits for any more included.
  [[nodiscard]] std::size_t calls() const { return calls_.size(); }
  /// Keeps a call that is over for everybody else: it gets no new ones, and is ended when it has no
  /// others.
  [[nodiscard]] bool retiring() const { return dead_ > 0 || ending_; }
  /// Fails what is open as unavailable and ends the process.
  void end();

 private:
  struct Call {
    std::shared_ptr<engine::Job> job;
    bool dead = false;  ///< its task has settled; the process does not know yet
    int asked = 0;      ///< questions without an id of their own
  };

  [[nodiscard]] net::awaitable<void> take(Message message);
  void finish(const std::string& handle);
  void on_input(const std::string& handle, const tasks::Answer& answer);
  void on_cancel(const std::string& handle);
  void on_stop(const std::string& handle);
  void ask(const std::string& handle, Call& call, AskMessage message);
  void send(std::string line);
  void end_if_only_dead();
  [[nodiscard]] net::awaitable<void> terminate();

  net::Executor strand_;
  std::unique_ptr<net::Process> process_;
  Logger log_;
  Callbacks callbacks_;
  std::map<std::string, Call, std::less<>> calls_;
  std::size_t dead_ = 0;
  bool ending_ = false;
  bool had_success_ = false;
};

}  // namespace interline::runtimes::exec
