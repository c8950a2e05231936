// One child process and the calls it has, whatever language its lines are in. What is common to all
// languages is here: who waits for what, cancelled and dead calls, limits, and the process's end.
//
// Lives on its pool's strand.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/steady_timer.hpp>

#include "base/log.hpp"
#include "engine/runtime.hpp"
#include "net/line_throttle.hpp"
#include "net/process.hpp"
#include "runtimes/lost_lines.hpp"
#include "runtimes/process_configuration.hpp"

namespace interline::runtimes {

/// "The agent's process ended before the call did.": code unavailable, retryable.
[[nodiscard]] tasks::Failure unavailable(std::string message);

class ProcessWorker : public std::enable_shared_from_this<ProcessWorker> {
 public:
  /// Who has the workers. Called on the strand.
  class Owner {
   public:
    virtual ~Owner() = default;
    /// There may be room for a call, or one less in work.
    virtual void worker_changed() = 0;
    /// The process has ended, or closed its output; its calls are about to fail. Until it is gone
    /// nothing takes its place.
    virtual void worker_ending(ProcessWorker& worker) = 0;
    /// The process is gone and every call of it has failed.
    virtual void worker_gone(ProcessWorker& worker) = 0;
  };
  using Listed = std::function<void(Result<engine::ImportedTools>)>;

  struct Setup {
    net::Executor strand;
    std::unique_ptr<net::Process> process;
    ProcessConfiguration configuration;
    Logger log;
    std::weak_ptr<Owner> owner;
  };

  explicit ProcessWorker(Setup setup);
  virtual ~ProcessWorker() = default;
  ProcessWorker(const ProcessWorker&) = delete;
  ProcessWorker& operator=(const ProcessWorker&) = delete;

  /// Reads until the process ends. Spawned once, by the owner, which keeps the worker until then.
  [[nodiscard]] net::awaitable<void> run();

  void call(const std::shared_ptr<engine::Job>& job);
  void list(Listed listed);
  void cancel(const std::string& handle);
  void answer(const std::string& handle, const tasks::Answer& answer);
  /// Its task has settled: nobody waits for the call any more.
  void stop(const std::string& handle);
  /// Ends the process. Its open calls fail, or are cancelled where that was asked for.
  void end();

  [[nodiscard]] bool has(const std::string& handle) const { return calls_.contains(handle); }
  /// Calls that somebody waits for.
  [[nodiscard]] std::size_t live() const { return live_; }
  /// It can take calls, as far as it knows.
  [[nodiscard]] bool ready() const { return ready_; }
  /// Has a call whose task has settled, and may still give it back; or has yet to show that it
  /// reads and answers.
  [[nodiscard]] bool settling() const;
  /// Gets no new calls: it keeps a dead one, has stopped to work, or is on its way out.
  [[nodiscard]] bool retiring() const {
    return kept_ > 0 || deaf_ || silent_ || retired_ || ending_;
  }
  /// Gets no new calls for now.
  [[nodiscard]] virtual bool occupied() const { return false; }
  /// The end was ours, and no reason to be careful with the next start.
  [[nodiscard]] bool ended_by_us() const { return ended_by_us_; }
  /// It ended a call or listed its tools: starting it is of use.
  [[nodiscard]] bool was_useful() const { return was_useful_; }
  /// It could take calls once.
  [[nodiscard]] bool was_ready() const { return was_ready_; }
  /// It ended since it was opened in a way that it does not know: the next one is opened in
  /// another, at once, and is no repetition of a failure.
  [[nodiscard]] virtual bool to_be_opened_anew() const { return false; }

 protected:
  struct Call {
    enum class Stage : std::uint8_t { working, cancelling, kept };

    explicit Call(std::shared_ptr<engine::Job> a_job) : job(std::move(a_job)) {}

    std::shared_ptr<engine::Job> job;  ///< null: its task has settled
    Stage stage = Stage::working;
    std::size_t bytes = 0;  ///< of lines about it
    std::uint64_t id = 0;   ///< the language's own, where it has one
    int asked = 0;          ///< questions without a key of their own
    std::unique_ptr<boost::asio::steady_timer> grace;
  };

  // What a language is. All on the strand.

  /// The process runs. A language without an opening calls set_ready().
  virtual void open() = 0;
  /// A line, at most line_limit long. `line` lives until it returns.
  [[nodiscard]] virtual net::awaitable<void> take_line(std::string_view line) = 0;
  /// A line beyond the limit: its head, and once it has ended its last bytes. Whoever waits for it
  /// must not wait for ever. False: whose it is shows at its end; called again then.
  [[nodiscard]] virtual bool take_cut_line(const net::Line& line) = 0;
  /// Writes the call. False: it could not be written.
  [[nodiscard]] virtual bool write_call(const std::string& handle, Call& call) = 0;
  virtual void write_cancel(const std::string& handle, const Call& call) = 0;
  /// The same where nobody waits for an end of the call any more.
  virtual void write_stop(const std::string& handle, const Call& call) {
    write_cancel(handle, call);
  }
  [[nodiscard]] virtual bool write_answer(const std::string& handle, const Call& call,
                                          const tasks::Answer& answer) = 0;
  virtual void write_list() = 0;
  /// Whether a cancelled call is over by the rules of the language, without a word about it.
  [[nodiscard]] virtual bool cancel_ends_call() const { return false; }
  /// This one is not: the language brings it to its end itself, within the grace of a cancel.
  [[nodiscard]] virtual bool ends_late(const std::string& /*handle*/) const { return false; }
  /// How the process is ended: SIGTERM first, or the end of its input first.
  [[nodiscard]] virtual bool ends_with_its_input() const { return false; }
  /// The process has ended, or closed its output: nothing comes any more.
  virtual void closed() {}

  // For languages.

  /// Why it is doubtful whether the process still works.
  enum class Doubt : std::uint8_t {
    input,   ///< so much waits for it to be read that no more is written
    answer,  ///< it was asked, and has not answered
  };
  /// From now on it has cancel_grace to dispel that. It gets no calls meanwhile; after it never
  /// again any, and it is ended as soon as nobody waits for a call of it.
  void doubt(Doubt why);
  void reassured(Doubt why);
  /// It gets no calls any more, and is ended as soon as it has none.
  void retire();
  /// There may be room for a call.
  void changed();
  void set_ready();
  [[nodiscard]] Call* find(const std::string& handle);
  /// The process has ended the call: forget it. The job, if somebody waits for it.
  std::shared_ptr<engine::Job> finish(const std::string& handle);
  /// Ends it with a failure of its own; the process is told to drop it.
  void fail_call(const std::string& handle, tasks::Failure failure);
  /// A line beyond the limit names no call. As take_cut_line().
  [[nodiscard]] bool take_nameless_line(bool ended);
  [[nodiscard]] static tasks::Failure too_large();
  /// Counts bytes of a call's output; false when that was too much and the call has failed.
  [[nodiscard]] bool count_output(const std::string& handle, std::size_t bytes);
  /// False: it was not written, as the process does not read or has closed its input.
  [[nodiscard]] bool send(std::string_view line);
  /// Answers everybody who asked for the tools.
  void listed(Result<engine::ImportedTools> tools);
  /// Ends the process because it cannot be used: the next start is in no hurry.
  void end_as_failed();
  /// A line of output that belongs to no call, for the log; a talkative process gets only so many.
  void note_output(std::string_view line);
  /// A warning, of which a talkative process gets only so many a second.
  void complain(std::string_view what, std::string_view detail);
  [[nodiscard]] const Logger& log() const { return setup_.log; }
  [[nodiscard]] const ProcessConfiguration& configuration() const { return setup_.configuration; }
  [[nodiscard]] const net::Executor& strand() const { return setup_.strand; }

 private:
  [[nodiscard]] net::awaitable<void> read_all();
  [[nodiscard]] net::awaitable<void> watch_input();
  [[nodiscard]] net::awaitable<void> shut_down();
  void drop(const std::string& handle, Call& call);
  void start_grace(const std::string& handle, Call& call, std::chrono::milliseconds grace);
  void keep(const std::string& handle);
  void take_long_line(const net::Line& line);
  void fail_lost(const LostLines::Names& handles);
  [[nodiscard]] net::awaitable<void> watch_backlog();
  void fall_silent();
  void end_if_only_kept();

  Setup setup_;
  std::map<std::string, Call, std::less<>> calls_;
  std::vector<Listed> lists_;
  LostLines lost_lines_;
  bool long_line_ = false;   ///< within a line beyond the limit
  bool line_owned_ = false;  ///< and whose it is is known
  net::LineThrottle complaints_;
  net::LineThrottle output_;
  std::size_t live_ = 0;
  std::size_t kept_ = 0;
  bool ready_ = false;
  bool was_ready_ = false;
  std::array<std::unique_ptr<boost::asio::steady_timer>, 2> doubts_;  ///< by Doubt
  bool deaf_ = false;                                                 ///< it has closed its input
  bool silent_ = false;                                               ///< a doubt was not dispelled
  bool retired_ = false;
  bool ending_ = false;
  bool ended_by_us_ = false;
  bool was_useful_ = false;
  std::optional<std::string> ended_;  ///< how, once the process is gone
};

}  // namespace interline::runtimes
