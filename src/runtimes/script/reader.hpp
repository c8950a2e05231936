// Reads an agent: every mistake at once, each with its line. Limits: the text kAgentBytes, its
// tables kAgentDepth deep, files Reading::kFileBytes, 1,000 of each kind, 1,000 steps a tool.
#pragma once

#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/sha256.hpp"
#include "runtimes/script/agent.hpp"
#include "runtimes/script/agent_text.hpp"
#include "runtimes/script/fields.hpp"

namespace interline::runtimes::script {

using AgentRead = std::expected<std::shared_ptr<const Agent>, std::vector<Mistake>>;

[[nodiscard]] AgentRead parse_agent(std::string_view text, Format format, const ReadFile& files);

struct Loaded {
  std::shared_ptr<const Agent> agent;
  Digest digest{};  ///< of the file and of all that it names: another one, another agent
};
/// A file whose name ends in ".json" is JSON, any other TOML. Paths in it begin at its folder.
[[nodiscard]] std::expected<Loaded, std::vector<Mistake>> read_agent(
    const std::filesystem::path& file);

/// "agent.toml:12: tool "echo": needs ..."
[[nodiscard]] std::string to_string(const std::filesystem::path& file, const Mistake& mistake);

}  // namespace interline::runtimes::script
