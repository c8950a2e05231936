// docs/task-lifecycle.md against the transition table.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "marked_block.hpp"
#include "tasks/transitions.hpp"

namespace interline::documents {
namespace {

using tasks::State;

constexpr std::array<std::string_view, tasks::kMoveCount> kMoves = {
    "start", "progress", "ask", "resume", "cancel", "complete", "fail", "confirm_cancelled"};

std::string_view word(tasks::Move move) {
  return kMoves.at(static_cast<std::size_t>(move));
}

std::vector<State> states_in(tasks::States set) {
  std::vector<State> found;
  for (std::size_t i = 0; i < tasks::kStateCount; ++i) {
    if (tasks::contains(set, static_cast<State>(i))) found.push_back(static_cast<State>(i));
  }
  return found;
}

TEST(TaskLifecycleDocument, TheTableIsTheCodes) {
  std::string expected = "| from | move | to | event |\n|---|---|---|---|\n";
  for (const tasks::Transition& row : tasks::kTransitions) {
    std::string from;
    for (const State state : states_in(row.from)) {
      from.append(from.empty() ? "" : ", ").append(to_string(state));
    }
    expected.append("| ").append(from).append(" | ").append(word(row.on)).append(" | ");
    expected.append(row.to ? to_string(*row.to) : "the same").append(" | ");
    expected.append(to_string(row.event)).append(" |\n");
  }
  EXPECT_EQ(marked_block("task-lifecycle.md", "transitions"), expected);
}

TEST(TaskLifecycleDocument, TheDiagramIsTheCodes) {
  std::string expected = "```mermaid\nstateDiagram-v2\n    [*] --> accepted : admit\n";
  const auto arrow = [&expected](std::string_view from, std::string_view to) -> std::string& {
    return expected.append("    ").append(from).append(" --> ").append(to);
  };
  for (const tasks::Transition& row : tasks::kTransitions) {
    if (!row.to) continue;
    for (const State from : states_in(row.from)) {
      arrow(to_string(from), to_string(*row.to)).append(" : ").append(word(row.on)).append("\n");
    }
  }
  for (std::size_t i = 0; i < tasks::kStateCount; ++i) {
    const auto state = static_cast<State>(i);
    if (!tasks::contains(tasks::kLive, state)) arrow(to_string(state), "[*]\n");
  }
  expected.append("```\n");
  EXPECT_EQ(marked_block("task-lifecycle.md", "diagram"), expected);
}

}  // namespace
}  // namespace interline::documents
