// The one facade that bindings call: policy, catalog, tasks, store and runtimes put together.
//
// Every call takes the authenticated principal and decides first; what a principal may not see or
// use answers exactly like what does not exist. All calls may be made from any thread of the
// io_context; they return on the caller's executor.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/error.hpp"
#include "catalog/directory.hpp"
#include "catalog/manifest.hpp"
#include "engine/body_guard.hpp"
#include "engine/retention_hold.hpp"
#include "engine/runtime.hpp"
#include "engine/watch.hpp"
#include "policy/policy.hpp"
#include "policy/rate.hpp"
#include "store/store.hpp"
#include "tasks/model.hpp"

namespace interline::engine {

using policy::Principal;

// What a binding handles of the store's types, without the store.
using store::Artifact;
using store::EndpointRow;
using store::Expect;
using store::Record;
using store::RecordChange;
using store::RecordKey;
using store::TaskPage;
using store::TaskQuery;
using store::VersionRow;

/// An endpoint as a principal that may see it sees it.
struct EndpointView {
  std::string name;
  std::shared_ptr<const catalog::Manifest> manifest;  ///< of the version asked for
  bool active = false;                                ///< that version is the active one
  RuntimeFeatures features;                           ///< of its runtime; all false without one
  bool has_runtime = false;
  bool available = false;   ///< could take work now without a cold start
  bool cold_start = false;  ///< may be started for a call
  Offers offers;            ///< what its agent can be asked outside of tasks
  bool durable = true;      ///< false: a call may be run() without a task
};

/// A call as a binding understood it.
struct Invocation {
  std::string endpoint;
  std::string tool;
  std::string version;                  ///< "" accepts the active one
  std::optional<Digest> manifest_hash;  ///< must be that version's hash, if given
  std::string arguments;                ///< JSON text as received
  std::optional<Instant> deadline;
  std::string network;
  std::string request_key;  ///< "" if the caller gave none
  /// Scope of the request key beyond principal and endpoint; the network's own label.
  std::string replay_label;
  /// Bytes before the arguments' canonical form in the fingerprint (ProtoXEP order); the engine
  /// appends LP(JCS(arguments)) and `fingerprint_tail`, and hashes.
  std::string fingerprint_head;
  std::string fingerprint_tail;
  std::string context;
  std::string metadata;
  tasks::QuestionKinds answerable = 0;
  bool attached = false;                     ///< belongs to an open request until detach()
  std::vector<store::RecordChange> records;  ///< one with an empty key gets the task's id
  /// What prepare() led to: the work begins with this state ("" where there are only answers) and
  /// these answers, known by the agent's own keys. They are part of the fingerprint.
  std::optional<std::string> prepared;
  std::vector<tasks::Answer> answers;

  Invocation() = default;
};

/// What an admission answers, and repeats for the same request key.
struct Admission {
  std::string task;
  SystemTime created{};
  SystemTime retain_until{};  ///< as promised then
  bool replayed = false;
};

/// A consistent snapshot of one task.
struct TaskView {
  tasks::Task task;
  std::string pending_body;  ///< body of the pending request's event; "" if none
};

/// An answer to open questions, as a binding understood it.
struct Input {
  std::string task;
  std::string request;  ///< request id; "" answers by question
  std::optional<tasks::Revision> expected;
  /// With `request` and no answers: the one value for the request's form (the single question's, or
  /// an object with a member a question).
  std::optional<std::string> value;
  struct Part {
    std::string question;  ///< question id or key
    tasks::AnswerAction action = tasks::AnswerAction::accept;
    std::string value;  ///< JSON text
  };
  std::vector<Part> parts;
  std::optional<std::string> fingerprint_head;  ///< hashed with LP(JCS(value)), where defined
  std::vector<store::RecordChange> records;

  Input() = default;
};

struct Cancellation {
  std::string task;
  std::optional<tasks::Revision> expected;
  std::optional<std::string> reason;
  std::optional<Digest> fingerprint;
  std::vector<store::RecordChange> records;

  Cancellation() = default;
};

/// What a command on a task answers: the revision of its first acceptance.
struct Accepted {
  tasks::Revision revision = 0;
  bool replayed = false;
};

/// How a call without a task went.
struct RunOutcome {
  tasks::State state = tasks::State::completed;  ///< a terminal one
  std::string result;                            ///< CallToolResult text of `completed`
  tasks::Failure failure;                        ///< of `failed`

  RunOutcome() = default;
};

/// What is told while a call without a task runs: in order, never after it has returned, on any
/// thread.
struct RunListener {
  std::function<void(const ProgressReport&)> progress;
  std::function<void(const std::string& level, const std::string& data_json)> log;
};

/// Something of an endpoint is different. To be told only to those who may see the endpoint.
struct EndpointChange {
  std::string endpoint;  ///< "": any of them, since the policy is another
  /// tools: also activation, registration, whether there is one at all. A resource: told of where
  /// the endpoint has a follower of any resource; who may hear of it is who may read it now.
  AgentChange change;
};

/// Ends what it stands for when it is destroyed; nothing is called any more after that.
class Subscription {
 public:
  virtual ~Subscription() = default;
};

class Engine {
 public:
  virtual ~Engine() = default;

  // Directory and metadata: for principals that may see.
  [[nodiscard]] virtual awaitable<Result<catalog::DirectoryPage>> list(
      Principal who, catalog::PageRequest page) = 0;
  [[nodiscard]] virtual awaitable<Result<catalog::DirectoryPage>> search(
      Principal who, std::string words, catalog::PageRequest page) = 0;
  /// `version` "": the active one (not_found if there is none).
  [[nodiscard]] virtual awaitable<Result<EndpointView>> describe(Principal who,
                                                                 std::string endpoint,
                                                                 std::string version) = 0;

  /// Whether `who` may invoke any tool of the endpoint, which is active. Errors: not_found.
  [[nodiscard]] virtual Result<void> invocable(const Principal& who,
                                               std::string_view endpoint) const = 0;
  /// Whether `who` may invoke that very tool: for lists, and before anything of it is told.
  [[nodiscard]] virtual bool invocable(const Principal& who, std::string_view endpoint,
                                       const catalog::Tool& tool) const = 0;

  // Administration: for administrators, and self-registration.
  /// Reads and compiles a manifest on the worker pool.
  [[nodiscard]] virtual awaitable<Result<std::shared_ptr<const catalog::Manifest>>> read_manifest(
      std::string text) = 0;
  /// `endpoint` is the name that the binding derived from the manifest's address.
  [[nodiscard]] virtual awaitable<Result<void>> register_version(
      Principal who, std::string endpoint, std::shared_ptr<const catalog::Manifest> manifest) = 0;
  [[nodiscard]] virtual awaitable<Result<void>> activate(Principal who, std::string endpoint,
                                                         std::string version,
                                                         std::optional<Digest> hash) = 0;
  [[nodiscard]] virtual awaitable<Result<void>> deactivate(Principal who, std::string endpoint) = 0;
  [[nodiscard]] virtual awaitable<Result<std::vector<store::VersionRow>>> status(
      Principal who, std::string endpoint) = 0;
  [[nodiscard]] virtual awaitable<Result<void>> remove(Principal who, std::string endpoint,
                                                       std::string version) = 0;
  /// Every endpoint there is, inactive ones too, in the order of their names: those after `after`.
  [[nodiscard]] virtual awaitable<Result<std::vector<store::EndpointRow>>> registered(
      Principal who, std::string after, std::size_t limit) = 0;
  /// What the version lost when it was made from its runtime's tools: a JSON array text, "" where
  /// nothing was written down.
  [[nodiscard]] virtual awaitable<Result<std::string>> loss_report(Principal who,
                                                                   std::string endpoint,
                                                                   std::string version) = 0;

  // Tasks.
  [[nodiscard]] virtual awaitable<Result<Admission>> admit(Principal who,
                                                           Invocation invocation) = 0;
  [[nodiscard]] virtual awaitable<Result<TaskView>> state(Principal who, std::string task) = 0;
  [[nodiscard]] virtual awaitable<Result<std::vector<store::Artifact>>> artifacts(
      Principal who, std::string task) = 0;
  /// The party's own tasks; over XMPP those of the very JID (and those of its account that came by
  /// other networks). Operators get everybody's, or those of the owners they name.
  [[nodiscard]] virtual awaitable<Result<store::TaskPage>> list_tasks(Principal who,
                                                                      store::TaskQuery query) = 0;
  [[nodiscard]] virtual awaitable<Result<Accepted>> provide_input(Principal who, Input input) = 0;
  [[nodiscard]] virtual awaitable<Result<Accepted>> cancel(Principal who, Cancellation request) = 0;
  [[nodiscard]] virtual awaitable<Result<void>> hold(Principal who, std::string task) = 0;
  [[nodiscard]] virtual awaitable<Result<void>> release(Principal who, std::string task) = 0;
  /// Releases a held task, for operators too. A task that is not held stays as it is.
  [[nodiscard]] virtual awaitable<Result<Accepted>> approve(Principal who, std::string task) = 0;
  /// The caller was told the id: the task outlives its request.
  [[nodiscard]] virtual awaitable<Result<void>> detach(Principal who, std::string task) = 0;
  /// One snapshot, then each log entry after the one of that sequence (kFromSnapshot: those that
  /// the snapshot does not cover), each after its commit, none lost or twice.
  [[nodiscard]] virtual awaitable<Result<std::unique_ptr<Watch>>> watch(Principal who,
                                                                        std::string task,
                                                                        tasks::Sequence after) = 0;

  // Outside of tasks.
  /// Asks an endpoint's agent. Who may invoke `prompt:NAME` may get that prompt, `resource:URI`
  /// that resource, and lists show no others; prepare() needs what a call of the tool needs.
  /// Errors: not_found (also what the principal may not use), malformed, not_acceptable,
  /// unavailable, resource_constraint (rate, too many at once), internal (the agent's own failure:
  /// its message).
  [[nodiscard]] virtual awaitable<Result<Consulted>> consult(
      Principal who, std::string endpoint, Consultation asked,
      std::shared_ptr<Withdrawal> withdrawal) = 0;
  /// A call that is no task: no id, no commit, no replay, no questions; for endpoints that are not
  /// `durable`. Everything else is as in admit(), the checks of the result too. Errors as there.
  [[nodiscard]] virtual awaitable<Result<RunOutcome>> run(
      Principal who, Invocation invocation, RunListener listener,
      std::shared_ptr<Withdrawal> withdrawal) = 0;
  /// Hears of changes of any endpoint, on any thread; must only hand it on.
  using ChangeListener = std::function<void(const EndpointChange&)>;
  [[nodiscard]] virtual std::unique_ptr<Subscription> on_change(ChangeListener listener) = 0;
  /// As long as it lives, changes of that resource are heard of through on_change(). Errors as of
  /// consult().
  [[nodiscard]] virtual awaitable<Result<std::unique_ptr<Subscription>>> follow_resource(
      Principal who, std::string endpoint, std::string uri) = 0;

  // Binding records. Bindings see their own; no principal is involved.
  [[nodiscard]] virtual awaitable<Result<void>> change_records(
      std::vector<store::RecordChange> changes) = 0;
  [[nodiscard]] virtual awaitable<Result<std::optional<store::Record>>> record(
      store::RecordKey key) = 0;
  [[nodiscard]] virtual awaitable<Result<std::vector<store::Record>>> records(
      std::string binding, std::string kind, std::string after, std::size_t limit) = 0;

  /// Called after each commit that made a log entry of a task admitted over `network`, in commit
  /// order, on the committer's thread: it must only hand the entry on. One listener a network.
  using Listener = std::function<void(const tasks::Task&, const tasks::LogEntry&)>;
  virtual void on_commit(std::string network, Listener listener) = 0;

  /// What a network cannot carry, an XMPP stanza for example, is refused before it is committed: a
  /// result then fails its task with interline:result-too-large, a question is refused to the work
  /// that asks. One guard a network, set before the first task is admitted.
  virtual void on_result(std::string network, BodyGuard guard) = 0;

  /// An operator says that the clock is right: ends the hold on retention after it was set forward,
  /// for good once this returns. What was held, if anything. Errors: forbidden, unavailable.
  [[nodiscard]] virtual awaitable<Result<std::optional<RetentionHold>>> trust_clock(
      Principal who) = 0;

  /// Appended to the tenant's host log within a second, in no answer's way.
  virtual void audit(std::string tenant, std::string type, std::string body_json) = 0;

  /// The rate limiter's decision for an operation of a class, before any other work.
  [[nodiscard]] virtual Result<void> charge(const Principal& who, policy::RateClass operation) = 0;
  [[nodiscard]] virtual std::shared_ptr<const policy::Policy> policy() const = 0;
};

}  // namespace interline::engine
