// The runtime contract: what does the work sees a Job, and nothing of networks.
//
// No JID, URL, tenant or principal crosses this line. A runtime is owned by the application and
// lives on the shared io_context; it must never block a thread of it. Jobs may be called from any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/asio/awaitable.hpp>

#include "base/error.hpp"
#include "engine/consultation.hpp"
#include "tasks/model.hpp"

namespace interline::engine {

template <class T>
using awaitable = boost::asio::awaitable<T>;

/// What a worker is given. Everything is data.
struct JobInput {
  std::string handle;  ///< opaque, unique for this piece of work
  std::string tool;
  std::string arguments;  ///< RFC 8785 text, valid against the tool's schema
  std::optional<Instant> deadline;
  std::string caller;    ///< opaque token of the party, to pool sessions by
  std::string context;   ///< opaque token of the conversation; "" if none
  std::string metadata;  ///< caller's metadata and trace context: JSON object text or ""
  tasks::QuestionKinds answerable = 0;
  std::optional<std::string> state;    ///< what an earlier piece of work left when it asked
  std::vector<tasks::Answer> answers;  ///< that `state` waited for; with `memory`: all so far
  std::string memory;                  ///< what was remembered; not empty: go on, do not start anew
  /// The same for all work of this task, also after a restart: what a worker may know a repeated
  /// call again by. Opaque, at most 64 bytes.
  std::string repeat_key;
  std::vector<std::string>
      open_questions;  ///< keys of questions of earlier work that are open still
};

struct ProgressReport {
  std::optional<double> percent;
  std::optional<std::string> stage;
  std::optional<std::string> message;
};

/// Called by the engine, at most one at a time, never after `stopped`.
struct JobCallbacks {
  std::function<void(const tasks::Answer&)> on_input;
  std::function<void(const std::optional<std::string>& reason)> on_cancel;
  /// The task settled without this work (deadline, expiry, shutdown): drop it, report nothing.
  std::function<void()> on_stop;
};

/// One piece of work. Every report is queued in order and committed before any network sees it;
/// reports after the end are discarded and counted. Not to be kept longer than the executor lives.
class Job {
 public:
  virtual ~Job() = default;

  [[nodiscard]] virtual const JobInput& input() const = 0;
  /// The tool as the manifest that the call is pinned to has it: JSON object text, "" if unknown.
  [[nodiscard]] virtual std::string tool_definition() const { return {}; }
  /// Before the first report. Answers and cancellations that came earlier are delivered at once.
  virtual void listen(JobCallbacks callbacks) = 0;

  virtual void progress(ProgressReport report) = 0;
  /// Dropped where it is too long, too much waits, or the task's log is full.
  virtual void log(std::string level, std::string data_json) = 0;
  /// `parts` is a JSON array. More than this gateway keeps, or far more than the disk takes from
  /// work that does not wait for ready(), fails the task.
  virtual void output(tasks::ArtifactChunk chunk) = 0;
  /// Refused questions end in `on_refused` with the reason; with `state` this work ends here.
  virtual void ask(std::vector<AskedQuestion> questions, std::optional<std::string> state,
                   std::function<void(const Error&)> on_refused) = 0;
  /// CallToolResult as JSON text, as the tool wrote it.
  virtual void complete(std::string result_json) = 0;
  /// A code without ':' that is not reserved gets the prefix "interline.runtime:".
  virtual void fail(tasks::Failure failure) = 0;
  virtual void cancelled(std::optional<std::string> reason) = 0;
  /// Durable before it returns. Refused when the task has settled (then nothing may be sent
  /// upstream) and where it is too large. At most 64 KiB.
  [[nodiscard]] virtual awaitable<Result<void>> remember(std::string memory) = 0;
  /// Returns when few reports wait to be committed: what reads a worker's output waits for it
  /// before it reads on, so that a worker never gets ahead of the disk without bound.
  [[nodiscard]] virtual awaitable<void> ready() = 0;
};

/// What the runtime kind can do at all; a tool's features are these and its own declarations.
struct RuntimeFeatures {
  bool progress = false;
  bool cancel = false;
  bool input = false;
  bool resumable = false;  ///< goes on with remembered work after a restart
};

/// What of a worker's tools cannot be had through us; for the endpoint's loss report.
struct ImportLoss {
  std::string tool;
  std::string location;  ///< JSON pointer into the definition
  std::string loss;

  ImportLoss(std::string of, std::string at, std::string what)
      : tool(std::move(of)), location(std::move(at)), loss(std::move(what)) {}
};

/// The tools of a runtime that can list them: definitions in the MCP Tool data model.
struct ImportedTools {
  std::vector<std::string> definitions;  ///< JSON object texts
  std::vector<ImportLoss> losses;
  std::string server_name;  ///< implementation, "" if unknown
  std::string server_version;
  std::string mcp_protocol_version;  ///< "" unless it is an MCP server
};

class Runtime {
 public:
  virtual ~Runtime() = default;

  [[nodiscard]] virtual RuntimeFeatures features() const = 0;
  /// Whether it could take work now without a cold start.
  [[nodiscard]] virtual bool available() const = 0;
  /// Asks the worker for its tools, starting it if need be. Error: unavailable, not_acceptable.
  [[nodiscard]] virtual awaitable<Result<ImportedTools>> list_tools() = 0;
  /// Takes the work, also while it is drained (it may fail it as unavailable then). Whatever goes
  /// wrong is reported through the job; never throws for the worker's
  /// faults.
  virtual void start(std::shared_ptr<Job> job) = 0;
  /// No new work; running work may end until `grace` is over. What has not ended then, the engine
  /// stops and fails as unavailable.
  [[nodiscard]] virtual awaitable<void> drain(std::chrono::milliseconds grace) = 0;

  // Outside of tasks. A runtime that has nothing of this leaves it as it is.
  /// What it can be asked, as far as it knows now; may change with AgentChange.
  [[nodiscard]] virtual Offers offers() const { return {}; }
  /// Asks the worker, starting it if need be, and returns within the consultation's timeout, or
  /// soon after it is withdrawn. Errors: not_found (the subject), malformed (the params, as the
  /// worker says), not_acceptable (nothing of this kind), unavailable, internal (the worker's own
  /// failure: its message).
  [[nodiscard]] virtual awaitable<Result<Consulted>> consult(
      Consultation asked, std::shared_ptr<Withdrawal> withdrawal);
  /// One listener, set before the first call; called from any thread, must only hand it on.
  virtual void on_change(std::function<void(const AgentChange&)> listener);
  /// Whether somebody wants to hear of changes of that resource. Errors as of consult().
  [[nodiscard]] virtual awaitable<Result<void>> follow_resource(std::string uri, bool follow);
};

}  // namespace interline::engine
