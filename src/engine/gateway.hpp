// The Engine over a store: what `interline serve` runs, and what tests run without a network.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/log.hpp"
#include "engine/admissions_in_flight.hpp"
#include "engine/change_hub.hpp"
#include "engine/committer.hpp"
#include "engine/consultation_rules.hpp"
#include "engine/counters.hpp"
#include "engine/dispatcher.hpp"
#include "engine/engine.hpp"
#include "engine/followed_resources.hpp"
#include "engine/keys.hpp"
#include "engine/manifest_cache.hpp"
#include "engine/open_tasks.hpp"
#include "engine/record_cache.hpp"
#include "engine/retention_clock.hpp"
#include "engine/run_deadlines.hpp"
#include "engine/task_writer.hpp"
#include "engine/timers.hpp"
#include "engine/watch_hub.hpp"

namespace interline::engine {

struct GatewayConfiguration {
  std::chrono::nanoseconds retention = std::chrono::hours(24);
  std::chrono::nanoseconds replay_window = std::chrono::hours(24);
  std::chrono::nanoseconds max_duration = std::chrono::hours(24);
  std::size_t arguments_bytes = 262'144;
  std::size_t input_bytes = 65'536;
  std::size_t json_depth = 64;
  catalog::ManifestLimits manifest;
  OutputLimits output;
  CommitterLimits committer;
  policy::RateConfiguration rates = policy::RateConfiguration::from(500);
  std::size_t open_tasks = 10'000;  ///< of one principal
  std::size_t followers = 20'000;
  std::size_t manifests_cached = 4'096;
  std::chrono::nanoseconds consultation = std::chrono::seconds(60);  ///< the longest that one takes
  std::size_t worker_threads = 2;  ///< of the pool for costly untrusted input
  bool invoke_registered = false;  ///< also versions that are registered but not active
  std::string domain;              ///< of endpoints' addresses; "" without XMPP
  std::string token_key;           ///< secret behind opaque tokens; 32 random bytes
};

class Gateway final : public Engine, private CommitObserver {
 public:
  /// `on_uncertain` is called once, on the committer's thread, when a commit's outcome is unknown:
  /// nothing is committed any more, every call is answered `unavailable`, and the process is to end
  /// without draining; the next start finds out. It must only hand that on. The executor, the store
  /// and the clock outlive the gateway.
  Gateway(boost::asio::any_io_executor executor, store::Store& store, const Clock& clock,
          Logger log, GatewayConfiguration configuration,
          std::shared_ptr<const policy::Policy> policy, std::function<void()> on_uncertain);
  /// The executor's threads have ended by then.
  ~Gateway() override;

  /// Loads the directory, settles or resumes what an earlier boot left, and starts the timers.
  /// Lanes are opened before. Ends when every open task has been looked at.
  [[nodiscard]] awaitable<Result<void>> start();
  /// Takes no new calls from here on; drain() does it too.
  void close() { dispatcher_.close(); }
  /// Takes no new calls, lets running work end within `grace`, and fails the rest as unavailable;
  /// what waits in line waits for the next start. Reading, answering and cancelling go on.
  [[nodiscard]] awaitable<void> drain(std::chrono::milliseconds grace);

  /// Ends without draining, as a crash would: what is in the committer's queue is still committed,
  /// nothing is started any more, watches end, calls are answered `unavailable`. Called by the
  /// destructor at the latest; may be repeated.
  void stop();

  void open_lane(const std::string& endpoint, std::shared_ptr<Runtime> runtime,
                 const LaneConfiguration& configuration);
  void close_lane(const std::string& endpoint);
  /// Called, on any thread, when the tools of an endpoint's agent are others; it must only hand
  /// that on. Whoever imports them sets it, before the first lane is opened: listeners of
  /// on_change() then hear of tools only when a version is registered or activated.
  void on_agent_tools(std::function<void(const std::string& endpoint)> changed);
  /// Registers a version on the configuration's own authority and, with `activate`, makes it the
  /// active one where it is not the version that the configuration activated the last time: what
  /// administrators chose since then stands. With `only_first` it does so for the first version
  /// that the endpoint ever had from the configuration. Whether it is the active one.
  [[nodiscard]] awaitable<Result<bool>> register_configured(
      std::string endpoint, std::shared_ptr<const catalog::Manifest> manifest, bool activate,
      std::string loss_report, bool only_first = false);
  /// Takes an endpoint that the configuration does not have any more out of the directory.
  [[nodiscard]] awaitable<Result<void>> deactivate_configured(std::string endpoint);
  /// Whether tasks still run or wait in a lane that was closed; false once it is open again.
  [[nodiscard]] bool closed_lane_has_work(std::string_view endpoint) const;
  void use_policy(std::shared_ptr<const policy::Policy> policy);
  /// Ends what is past its retention now (it is done twice a minute by itself): how many rows went;
  /// what a step of the clock alone would end stays.
  [[nodiscard]] awaitable<Result<std::size_t>> purge();

  struct Statistics {
    Committer::Statistics committer;
    Counts counts;
    std::uint64_t discarded_reports = 0;  ///< of runtimes: after an end, or beyond a bound
    std::size_t followers = 0;
    std::optional<RetentionHold> retention_hold;  ///< as of the last look, a second ago at most
  };
  [[nodiscard]] Statistics statistics() const;
  /// As in statistics(), without the rest.
  [[nodiscard]] std::optional<RetentionHold> retention_hold() const {
    return retention_clock_.hold();
  }
  /// Charges that were refused since the start.
  [[nodiscard]] std::uint64_t refused_charges(policy::RateClass operation) const {
    return limiter_.refused(operation);
  }
  /// What runs and waits at an endpoint.
  [[nodiscard]] Dispatcher::Load load(std::string_view endpoint) const {
    return dispatcher_.load(endpoint);
  }

  // Engine
  awaitable<Result<catalog::DirectoryPage>> list(Principal who, catalog::PageRequest page) override;
  awaitable<Result<catalog::DirectoryPage>> search(Principal who, std::string words,
                                                   catalog::PageRequest page) override;
  awaitable<Result<EndpointView>> describe(Principal who, std::string endpoint,
                                           std::string version) override;
  Result<void> invocable(const Principal& who, std::string_view endpoint) const override;
  bool invocable(const Principal& who, std::string_view endpoint,
                 const catalog::Tool& tool) const override;
  awaitable<Result<std::shared_ptr<const catalog::Manifest>>> read_manifest(
      std::string text) override;
  awaitable<Result<void>> register_version(
      Principal who, std::string endpoint,
      std::shared_ptr<const catalog::Manifest> manifest) override;
  awaitable<Result<void>> activate(Principal who, std::string endpoint, std::string version,
                                   std::optional<Digest> hash) override;
  awaitable<Result<void>> deactivate(Principal who, std::string endpoint) override;
  awaitable<Result<std::vector<store::VersionRow>>> status(Principal who,
                                                           std::string endpoint) override;
  awaitable<Result<void>> remove(Principal who, std::string endpoint, std::string version) override;
  awaitable<Result<std::vector<store::EndpointRow>>> registered(Principal who, std::string after,
                                                                std::size_t limit) override;
  awaitable<Result<std::string>> loss_report(Principal who, std::string endpoint,
                                             std::string version) override;
  awaitable<Result<Admission>> admit(Principal who, Invocation invocation) override;
  awaitable<Result<TaskView>> state(Principal who, std::string task) override;
  awaitable<Result<std::vector<store::Artifact>>> artifacts(Principal who,
                                                            std::string task) override;
  awaitable<Result<store::TaskPage>> list_tasks(Principal who, store::TaskQuery query) override;
  awaitable<Result<Accepted>> provide_input(Principal who, Input input) override;
  awaitable<Result<Accepted>> cancel(Principal who, Cancellation request) override;
  awaitable<Result<void>> hold(Principal who, std::string task) override;
  awaitable<Result<void>> release(Principal who, std::string task) override;
  awaitable<Result<Accepted>> approve(Principal who, std::string task) override;
  awaitable<Result<void>> detach(Principal who, std::string task) override;
  awaitable<Result<std::unique_ptr<Watch>>> watch(Principal who, std::string task,
                                                  tasks::Sequence after) override;
  awaitable<Result<Consulted>> consult(Principal who, std::string endpoint, Consultation asked,
                                       std::shared_ptr<Withdrawal> withdrawal) override;
  awaitable<Result<RunOutcome>> run(Principal who, Invocation invocation, RunListener listener,
                                    std::shared_ptr<Withdrawal> withdrawal) override;
  std::unique_ptr<Subscription> on_change(ChangeListener listener) override;
  awaitable<Result<std::unique_ptr<Subscription>>> follow_resource(Principal who,
                                                                   std::string endpoint,
                                                                   std::string uri) override;
  awaitable<Result<void>> change_records(std::vector<store::RecordChange> changes) override;
  awaitable<Result<std::optional<store::Record>>> record(store::RecordKey key) override;
  awaitable<Result<std::vector<store::Record>>> records(std::string binding, std::string kind,
                                                        std::string after,
                                                        std::size_t limit) override;
  void on_commit(std::string network, Listener listener) override;
  void on_result(std::string network, BodyGuard guard) override;
  void audit(std::string tenant, std::string type, std::string body_json) override;
  awaitable<Result<std::optional<RetentionHold>>> trust_clock(Principal who) override;
  Result<void> charge(const Principal& who, policy::RateClass operation) override;
  std::shared_ptr<const policy::Policy> policy() const override;

 private:
  void committed(const tasks::Task& task, const tasks::Outcome& outcome) override;
  void admitted(const tasks::Task& task) override;

  // gateway_admit.cpp
  struct Prepared;
  [[nodiscard]] awaitable<Result<Admission>> admit_uncounted(Principal who, Invocation invocation);
  [[nodiscard]] awaitable<Result<Prepared>> prepare_call(const Principal& who,
                                                         const Invocation& invocation);
  [[nodiscard]] awaitable<Result<Admission>> admit_now(Principal who, Invocation invocation,
                                                       std::optional<Digest>& fingerprint);
  [[nodiscard]] std::optional<Result<Admission>> answer_of(const AdmissionsInFlight::Ended& first,
                                                           const Invocation& copy) const;
  using FoundManifest = Result<std::shared_ptr<const catalog::Manifest>>;
  [[nodiscard]] Result<Prepared> prepare(const Principal& who, const Invocation& invocation,
                                         FoundManifest found, const std::string& active) const;
  [[nodiscard]] Result<std::string> canonical_arguments(std::string_view text) const;
  [[nodiscard]] Result<Admission> repeat(const Principal& who, const Invocation& invocation,
                                         Error otherwise);
  [[nodiscard]] std::optional<tasks::Deadline> effective_deadline(const Invocation& invocation,
                                                                  const catalog::Tool& tool,
                                                                  SystemTime now) const;
  [[nodiscard]] Result<void> check_prepared(const Invocation& invocation) const;
  // gateway_changes.cpp
  struct Ear;
  void hear(const std::string& endpoint, const std::shared_ptr<Runtime>& runtime);
  [[nodiscard]] std::shared_ptr<FollowedResources> make_followed();
  [[nodiscard]] awaitable<Result<void>> tell_follow(std::string endpoint, std::string uri,
                                                    bool follow);
  // gateway_run.cpp
  [[nodiscard]] awaitable<Result<RunOutcome>> run_uncounted(Principal who, Invocation invocation,
                                                            RunListener listener,
                                                            std::shared_ptr<Withdrawal> withdrawal);
  // gateway_consult.cpp
  [[nodiscard]] awaitable<Result<void>> permit(const Principal& who, const std::string& endpoint,
                                               Consultation& asked);
  [[nodiscard]] ConsultationLimits consultation_limits() const;
  // gateway_tasks.cpp
  enum class Access { owner, owner_or_operator };
  [[nodiscard]] Result<tasks::Task> controlled(const Principal& who, const std::string& task,
                                               Access access);
  [[nodiscard]] awaitable<Result<Accepted>> command(std::string task, tasks::Command command,
                                                    std::vector<store::RecordChange> records = {},
                                                    bool whatever_revision = true);
  [[nodiscard]] awaitable<Result<void>> owner_command(Principal who, std::string task,
                                                      tasks::Command asked);
  [[nodiscard]] Result<std::vector<tasks::Answer>> read_answers(const tasks::Task& task,
                                                                const Input& input) const;
  // gateway_catalog.cpp
  /// From the cache, else compiled on the worker pool.
  [[nodiscard]] awaitable<FoundManifest> manifest(std::string endpoint, std::string version);
  [[nodiscard]] FoundManifest load_manifest(std::string_view endpoint, std::string_view version);
  void give_pinned(const tasks::Task& task, GivenManifest given);
  [[nodiscard]] std::string active_version(std::string_view endpoint) const;
  /// What the directory shows of a version, and finds it by.
  struct ShownName {
    std::string title;
    std::string agent;

    ShownName() = default;
    ShownName(std::string a_title, std::string its_agent)
        : title(std::move(a_title)), agent(std::move(its_agent)) {}
  };
  [[nodiscard]] awaitable<Result<void>> change_catalog(store::Work work,
                                                       ShownName of_selected = ShownName());
  void follow_catalog(const store::Work& work, const ShownName& of_selected);
  [[nodiscard]] Result<void> load_directory();
  // gateway_recovery.cpp
  struct Recovery;
  [[nodiscard]] awaitable<Result<void>> recover();
  void recover(std::string task, const std::shared_ptr<Recovery>& recovery, bool again = false);
  // gateway_retention.cpp
  [[nodiscard]] awaitable<void> look_at_clock();
  [[nodiscard]] Result<void> resume_hold();
  [[nodiscard]] awaitable<void> purge_regularly();
  [[nodiscard]] bool stopping() const;

  const boost::asio::any_io_executor executor_;
  store::Store& store_;
  const Clock& clock_;
  const Logger log_;
  const GatewayConfiguration configuration_;
  policy::RateLimiter limiter_;
  catalog::Directory directory_;
  ManifestCache manifests_;
  RetentionClock retention_clock_;
  AdmissionsInFlight in_flight_;
  OpenTasks open_tasks_;
  boost::asio::thread_pool workers_;

  mutable std::mutex mutex_;
  std::shared_ptr<const policy::Policy> policy_;            // guarded by mutex_, as below
  std::map<std::string, std::string, std::less<>> active_;  // endpoint -> active version
  std::map<std::string, std::shared_ptr<const Listener>, std::less<>> listeners_;
  std::optional<RetentionHold> told_hold_;   // in the log
  std::optional<RetentionHold> noted_hold_;  // in the store
  bool stopping_ = false;

  Counters counters_;
  RecordCache keys_{kKeysBinding};  ///< presented with every request of a program
  WatchHub hub_;
  Timers timers_;
  boost::asio::steady_timer purge_timer_;
  const std::shared_ptr<Committer> committer_;
  const std::shared_ptr<TaskWriter> writer_;
  Dispatcher dispatcher_;
  const std::shared_ptr<RunDeadlines> run_deadlines_;
  const std::shared_ptr<ChangeHub> changes_;
  const std::shared_ptr<FollowedResources> followed_;
  std::shared_ptr<const std::function<void(const std::string&)>> on_agent_tools_;
  std::map<std::string, std::shared_ptr<Ear>, std::less<>> ears_;  // guarded by mutex_
};

}  // namespace interline::engine
