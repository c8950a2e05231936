// Runs a Program on one instance: yes or no, within a budget.
//
// A member function that returns bool says whether what it tests holds; false also when the budget
// is spent, and then exceeded_ is set. Whoever turns a false into something else than false must
// look at it.
//
// Recursion: run() -> one handler -> run(), at most ValidateLimits::depth deep.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "json/value.hpp"
#include "schema/program.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

class Machine {
 public:
  Machine(const Model& model, const Program& program, const ValidateLimits& limits)
      : model_(model), program_(program), steps_(limits.steps), depth_(limits.depth) {}

  [[nodiscard]] Verdict validate(const json::Value& instance);

  /// How many steps are left, for tests that count work.
  [[nodiscard]] std::size_t steps_left() const { return steps_; }

 private:
  bool apply(SchemaId schema, const json::Value& value) {
    const BlockId block = program_.entries[schema].block[index_of(value.kind())];
    return block <= kFail ? block == kPass : run(block, value);
  }
  bool run_any(BlockId block, const json::Value& value) {
    return block <= kFail ? block == kPass : run(block, value);
  }
  bool run(BlockId block, const json::Value& value);
  bool execute(const Block& block, const json::Value& value);
  bool spend(std::size_t steps) {
    if (steps <= steps_) {
      steps_ -= steps;
      return true;
    }
    return exceed();
  }
  bool exceed() {
    exceeded_ = true;
    steps_ = 0;
    return false;
  }

  // machine.cpp
  bool any_of(const Instruction& in, const json::Value& value);
  bool one_of(const Instruction& in, const json::Value& value);
  bool not_block(const Instruction& in, const json::Value& value);
  bool choose(const Instruction& in, const json::Value& value);
  bool enter(std::uint32_t resource, BlockId block, const json::Value& value);
  bool dynamic(const Instruction& in, const json::Value& value);
  bool push_scope(std::uint32_t resource);
  SchemaId dynamic_schema(std::uint32_t target);

  // machine_values.cpp
  bool number_in(const Instruction& in, double number);
  bool string_in(const Instruction& in, std::string_view text);
  bool string_in_table(const Instruction& in, std::string_view text);
  bool value_in(const Instruction& in, const json::Value& value);
  bool min_length(std::string_view text, std::size_t least);
  bool max_length(std::string_view text, std::size_t most);
  bool search(std::uint32_t pattern, std::string_view text);
  bool in_format(std::uint32_t format, std::string_view text);

  // machine_arrays.cpp
  bool prefix(const Instruction& in, std::span<const json::Value> items);
  bool items(const Instruction& in, std::span<const json::Value> items);
  bool contains(const Instruction& in, std::span<const json::Value> items);
  bool unique_items(std::span<const json::Value> items);
  bool unique_pairwise(std::span<const json::Value> items);
  bool unique_hashed(std::span<const json::Value> items, std::span<std::uint64_t> table);

  // machine_objects.cpp
  bool members(const MemberTable& table, std::span<const json::Member> members);
  bool other_member(const MemberTable& table, const json::Member& member);
  bool required(const Instruction& in, const json::Value& object);
  bool member_names(const Instruction& in, std::span<const json::Member> members);
  bool dependent_required(const Instruction& in, const json::Value& object);
  [[nodiscard]] const NameSlot* find_slot(NameTable table, const json::Member& member) const {
    const NameSlot* const slots = program_.slots.data() + table.first;
    for (std::uint32_t at = member.name_hash & table.mask;; at = (at + 1) & table.mask) {
      const Name& name = slots[at].name;
      if (name.text == nullptr) return nullptr;
      if (name.hash == member.name_hash && name.view() == member.name()) return &slots[at];
    }
  }

  // machine_marks.cpp
  using Marks = std::span<std::uint64_t>;
  bool unevaluated(const Instruction& in, const json::Value& value);
  bool apply_unmarked(SchemaId schema, const json::Value& value, Marks marks);
  bool mark(MarkId id, const json::Value& value, Marks marks);
  bool mark_own(const MarkBlock& block, const json::Value& value, Marks marks);
  bool mark_step(const MarkStep& step, const json::Value& value, Marks marks);
  bool mark_branch(const MarkStep& step, MarkId id, const json::Value& value, Marks marks);
  bool mark_matching(SchemaId schema, std::span<const json::Value> items, Marks marks);

  const Model& model_;
  const Program& program_;
  std::size_t steps_;
  std::size_t depth_;
  bool exceeded_ = false;
  std::vector<std::uint32_t> scope_;  ///< resources with dynamic anchors, outermost first
  std::size_t scratch_used_ = 0;
  std::array<std::uint64_t, 64> scratch_;  ///< marks of 4,096 members or items, a stack
};

}  // namespace interline::schema
