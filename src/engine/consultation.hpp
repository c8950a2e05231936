// What an agent is asked outside of any task: its prompts, its resources, what it would complete,
// and what a tool wants to know before it is called. No id, no commit; nothing of it survives.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tasks/model.hpp"

namespace interline::engine {

enum class ConsultationKind : std::uint8_t {
  list_prompts,
  list_resources,
  list_resource_templates,
  get_prompt,
  read_resource,
  complete,
  prepare,  ///< before a tool is called: may ask, under the tool's own keys
};
inline constexpr std::size_t kConsultationKindCount = 7;

/// A set of bits: what an agent can be asked.
class Offers {
 public:
  Offers() = default;
  [[nodiscard]] bool has(ConsultationKind kind) const { return (bits_ & bit(kind)) != 0; }
  Offers& add(ConsultationKind kind) {
    bits_ = static_cast<std::uint8_t>(bits_ | bit(kind));
    return *this;
  }
  friend bool operator==(const Offers&, const Offers&) = default;

 private:
  [[nodiscard]] static std::uint8_t bit(ConsultationKind kind) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind));
  }
  std::uint8_t bits_ = 0;
};

/// A question as an agent asks it.
struct AskedQuestion {
  std::string key;
  tasks::QuestionKind kind = tasks::QuestionKind::form;
  std::string text;
  std::string schema;  ///< JSON Schema text or ""
  std::string url;
  std::chrono::nanoseconds expires_in{};
  std::uint32_t reasks = 0;
};

/// Everything is data: JSON texts were parsed and bounded by who asks.
struct Consultation {
  ConsultationKind kind = ConsultationKind::list_prompts;
  /// The prompt's name, the resource's URI, the tool; "" for lists. Of `complete`, what the
  /// reference names: a prompt's name, or a resource's URI or URI template.
  std::string subject;
  /// JSON object text. get_prompt: the arguments, all of them strings. prepare: the tool's
  /// arguments. complete: the params of MCP's completion/complete (`ref`, `argument`, `context`).
  /// "" otherwise.
  std::string params;
  std::string caller;    ///< opaque token of the party, as a job gets it: set by the engine
  std::string metadata;  ///< caller's metadata and trace context: JSON object text or ""
  tasks::QuestionKinds answerable = 0;
  std::optional<std::string> state;    ///< what an earlier round left when it asked
  std::vector<tasks::Answer> answers;  ///< to what that round asked
  std::chrono::nanoseconds timeout = std::chrono::seconds(60);

  Consultation() = default;
};

/// What the agent said: a result, or questions first.
struct Consulted {
  /// JSON text, as the agent wrote it. Lists: an array of definitions (MCP's Prompt, Resource,
  /// ResourceTemplate), those of all pages. get_prompt, read_resource: MCP's GetPromptResult,
  /// ReadResourceResult. complete: MCP's `completion` object. prepare: "".
  std::string result;
  /// Not empty: it asks, and comes again with `state` and answers.
  std::vector<AskedQuestion> questions;
  /// prepare without questions: what the call begins with, in JobInput::state.
  std::optional<std::string> state;

  Consulted() = default;
};

/// Whoever waited is gone: work that has no task is to end. Shared by who waits and who works, on
/// any thread.
class Withdrawal {
 public:
  /// Only the first time counts. Calls what on_withdraw() was given.
  void withdraw() {
    std::function<void()> tell;
    {
      const std::scoped_lock lock(mutex_);
      withdrawn_ = true;
      tell = std::exchange(tell_, nullptr);
    }
    if (tell) tell();
  }
  [[nodiscard]] bool withdrawn() const {
    const std::scoped_lock lock(mutex_);
    return withdrawn_;
  }
  /// One listener at a time; called at once where that has happened. nullptr: none any more.
  void on_withdraw(std::function<void()> tell) {
    {
      const std::scoped_lock lock(mutex_);
      if (!withdrawn_ || !tell) {
        tell_ = std::move(tell);
        return;
      }
    }
    tell();
  }

 private:
  mutable std::mutex mutex_;
  std::function<void()> tell_;
  bool withdrawn_ = false;
};

/// What is different now at an agent.
enum class ChangeKind : std::uint8_t { tools, prompts, resources, resource };
struct AgentChange {
  ChangeKind kind = ChangeKind::tools;
  std::string uri;  ///< of ChangeKind::resource
};

}  // namespace interline::engine
