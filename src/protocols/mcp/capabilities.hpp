// What a client declares that it can do. Declared on each request of a modern revision and never
// remembered (2026-07-28, basic/index); once for all in `initialize` before that.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "json/value.hpp"
#include "tasks/model.hpp"

namespace interline::protocols::mcp {

/// Bits of what we may ever need; a set of them is ClientCapabilities.
enum class ClientCapability : std::uint8_t {
  elicitation_form,
  elicitation_url,
  sampling,
  sampling_tools,
  roots,
  tasks,
};
inline constexpr std::size_t kClientCapabilityCount = 6;

class ClientCapabilities {
 public:
  [[nodiscard]] bool has(ClientCapability one) const { return (bits_ & bit(one)) != 0; }
  [[nodiscard]] bool has_all(ClientCapabilities others) const {
    return (bits_ & others.bits_) == others.bits_;
  }
  void add(ClientCapability one) { bits_ = static_cast<std::uint8_t>(bits_ | bit(one)); }
  void add_all(ClientCapabilities others) {
    bits_ = static_cast<std::uint8_t>(bits_ | others.bits_);
  }
  [[nodiscard]] ClientCapabilities without(ClientCapabilities others) const {
    ClientCapabilities left;
    left.bits_ = static_cast<std::uint8_t>(bits_ & ~others.bits_);
    return left;
  }
  [[nodiscard]] bool empty() const { return bits_ == 0; }
  friend bool operator==(ClientCapabilities, ClientCapabilities) = default;

 private:
  [[nodiscard]] static std::uint8_t bit(ClientCapability one) {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(one));
  }
  std::uint8_t bits_ = 0;
};

/// Reads a ClientCapabilities object of any revision. Unknown members are ignored; one we know that
/// is no object is malformed. `elicitation` without a mode is form mode alone (client/elicitation).
[[nodiscard]] Result<ClientCapabilities> read_capabilities(const json::Value& object);

/// As the wire writes them: `{"sampling":{}}`; what -32021 names as required.
[[nodiscard]] std::string capabilities_text(ClientCapabilities capabilities);

/// Kinds of question that such a client can answer. A secret is asked for by a URL and never by a
/// form (client/elicitation, "Security"), so a credential needs url mode.
[[nodiscard]] tasks::QuestionKinds answerable(ClientCapabilities capabilities);
/// What a question of that kind needs.
[[nodiscard]] ClientCapability needed_for(tasks::QuestionKind kind);

}  // namespace interline::protocols::mcp
