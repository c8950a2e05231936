// The text of an agent, TOML or JSON, as one JSON document that knows the line of each value. What
// is written in JSON keeps its bytes; TOML becomes JSON in the order in which it was written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "json/value.hpp"

namespace interline::runtimes::script {

/// `line` counts from 1; 0: unknown.
struct Mistake {
  std::uint32_t line = 0;
  std::string text;  ///< says what was expected

  Mistake(std::uint32_t at, std::string what) : line(at), text(std::move(what)) {}
};

enum class Format : std::uint8_t { toml, json };

inline constexpr std::size_t kAgentBytes = 1U << 20U;
inline constexpr std::size_t kAgentDepth = 48;

class AgentText {
 public:
  /// Mistakes: no TOML or JSON, no table at its root, a date, an infinity, too large, too deep.
  [[nodiscard]] static std::expected<AgentText, Mistake> read(std::string_view text, Format format);

  [[nodiscard]] const json::Value& root() const { return document_->root(); }
  /// Of a value of this document.
  [[nodiscard]] std::uint32_t line(const json::Value& value) const;

 private:
  struct Start {
    std::size_t offset;  ///< of a value in the document's text
    std::uint32_t line;  ///< where it stands in the agent's
  };

  AgentText(json::Document document, std::vector<Start> starts)
      : document_(std::make_shared<const json::Document>(std::move(document))),
        starts_(std::move(starts)) {}
  [[nodiscard]] static std::expected<AgentText, Mistake> read_toml(std::string_view text);
  [[nodiscard]] static std::expected<AgentText, Mistake> read_json(std::string_view text);

  friend class TomlToJson;

  std::shared_ptr<const json::Document> document_;
  std::vector<Start> starts_;  // rising; empty: lines are those of the document itself
};

}  // namespace interline::runtimes::script
