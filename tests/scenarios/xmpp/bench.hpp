// The whole XMPP front door in one process: the binding over a real engine, and in place of a
// server one that the test speaks through. Bytes in, bytes out; no socket, no waiting for time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/memory_log_sink.hpp"
#include "base/sha256.hpp"
#include "bindings/xmpp/binding_config.hpp"
#include "emitted.hpp"
#include "engine/runtime.hpp"
#include "policy/policy.hpp"

namespace interline::engine {
class Gateway;
struct GatewayConfiguration;
struct LaneConfiguration;
}  // namespace interline::engine

namespace interline::testing {

inline constexpr std::string_view kGateway = "agents.example.test";
inline constexpr std::string_view kDemo = "demo@agents.example.test";
inline constexpr std::string_view kHidden = "hidden@agents.example.test";
inline constexpr std::string_view kAbsent = "nowhere@agents.example.test";
inline constexpr std::string_view kPuppet = "puppet@agents.example.test";
/// What the gateway shows the server that it knows; never in any stanza or line of the log.
inline constexpr std::string_view kComponentSecret = "component-secret-of-the-bench";

// Who may do what, by the policy of the bench.
inline constexpr std::string_view kCaller = "alice@example.test/desk";    // sees and invokes
inline constexpr std::string_view kOther = "bob@example.test/phone";      // the same
inline constexpr std::string_view kViewer = "viewer@example.test/1";      // sees demo, invokes none
inline constexpr std::string_view kRunner = "runner@example.test/1";      // invokes demo, sees none
inline constexpr std::string_view kOutsider = "outsider@example.test/1";  // local, granted nothing
inline constexpr std::string_view kAdmin = "admin@example.test/console";  // and as kCaller
inline constexpr std::string_view kPartner = "carol@partner.test/1";      // federated: demo's echo
inline constexpr std::string_view kForeigner = "eve@elsewhere.test/1";    // federated, no grant

struct XmppBenchOptions {
  std::function<void(engine::LaneConfiguration&)> lane;
  std::function<void(engine::GatewayConfiguration&)> engine;
  xmpp::BindingConfig binding;
  policy::Configuration policy;
  const Clock* clock = nullptr;
  bool real_rates = false;  ///< limited as an operator's gateway is by default
  bool puppet = false;      ///< whether the endpoint "puppet" is there too
  engine::RuntimeFeatures puppet_features{true, true, true, false};

  XmppBenchOptions();  ///< the bench's own policy
};

class EngineBench;
class PuppetCall;

class XmppBench {
 public:
  explicit XmppBench(XmppBenchOptions options = {});
  ~XmppBench();
  XmppBench(const XmppBench&) = delete;
  XmppBench& operator=(const XmppBench&) = delete;

  [[nodiscard]] EngineBench& engine_bench();
  [[nodiscard]] engine::Gateway& engine();
  [[nodiscard]] const MemoryLogSink& log() const;
  [[nodiscard]] const policy::Configuration& policy() const;
  void use_policy(policy::Configuration configuration);

  using Wanted = std::function<bool(const Emitted&)>;
  /// Sends bytes to the gateway.
  void say(std::string xml);
  /// Takes the first stanza of that kind, waiting for it; throws if it never comes.
  Emitted take(const Wanted& wanted);
  /// All that is there and was not taken, in order.
  std::vector<Emitted> take_all();
  /// The server ends the stream; the next one is the n-th.
  void break_stream();
  /// The server reads no more of the current stream than what it is about to.
  void stop_reading();
  /// Once this returns, the binding has done what it had to do before.
  void turn();
  void let_in(bool yes);
  void wait_for_stream(std::size_t number);
  /// For the next stream.
  void use_secret(std::string secret);
  /// What the gateway said to be let in, the last time.
  [[nodiscard]] std::string handshake() const;

  /// Sends an IQ with an id of its own and returns the answer.
  Reply iq(std::string_view type, std::string_view from, std::string_view to,
           std::string_view payload);
  Reply get(std::string_view from, std::string_view to, std::string_view payload) {
    return iq("get", from, to, payload);
  }
  Reply set(std::string_view from, std::string_view to, std::string_view payload) {
    return iq("set", from, to, payload);
  }
  /// Once this returns, everything said before has been taken in, and answered if nothing had to be
  /// committed for it.
  void settle();

  /// Registers and activates a version of an endpoint that has no runtime; returns its hash.
  Digest add(std::string name, std::string manifest, bool activate = true);
  [[nodiscard]] Digest demo_hash();
  /// Tells subscribers what changed.
  void refresh_presence();

  // What callers say.
  [[nodiscard]] std::string fresh_id();
  [[nodiscard]] std::string invoke_xml(std::string_view tool, std::string_view arguments = "{}",
                                       std::string_view request_id = {},
                                       std::string_view deadline = {});
  /// Invokes demo's tool for kCaller, and returns the task's id.
  std::string invoke(std::string_view tool, std::string_view arguments = "{}",
                     std::string_view who = kCaller);
  /// Invokes the puppet's one tool for kCaller; the task's id and its work.
  std::pair<std::string, std::shared_ptr<PuppetCall>> invoke_puppet();
  /// The task's event of that revision, in the order they came.
  Emitted event(const std::string& task, std::uint64_t revision);
  /// Takes events until one has that type.
  Emitted event_of_type(const std::string& task, std::string_view type);
  /// Waits until demo's `ask` has asked; returns the event.
  Emitted asked(const std::string& task) { return event_of_type(task, "input_required"); }
  Reply answer(const std::string& task, std::string_view request, std::string_view revision,
               std::string_view value, std::string_view who = kCaller);
  Reply cancel(const std::string& task, std::string_view revision,
               std::optional<std::string_view> reason = {}, std::string_view who = kCaller);
  Reply state(const std::string& task, std::string_view who = kCaller);
  Reply result(const std::string& task, std::string_view who = kCaller);

  /// Ends engine and binding, the engine as a crash would, and starts others on what the disk has.
  void restart();

 private:
  struct Parts;
  void make_binding();
  void run_binding();
  void stop_binding();
  std::unique_ptr<Parts> parts_;
};

/// The member of a JSON object, as it is written.
[[nodiscard]] std::string member(std::string_view json, std::string_view name);
/// The same of a string: what it says.
[[nodiscard]] std::string string_member(std::string_view json, std::string_view name);
/// A manifest of `name`@agents.example.test with these tools.
[[nodiscard]] std::string manifest_text(std::string_view name, std::string_view version,
                                        std::string_view agent_members = {},
                                        std::string_view tools = "[]");

/// Text as character data or as an attribute's value.
[[nodiscard]] std::string escape_xml(std::string_view text);
[[nodiscard]] std::string hash_xml(const Digest& digest, std::string_view algorithm = "sha-256");

}  // namespace interline::testing
