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
#include "schema/equal_text.hpp"
#include "schema/program.hpp"
#include "schema/schema.hpp"

namespace interline::schema {

class Machine {
 public:
  Machine(const Model& model, const Program& program, const ValidateLimits& limits)
      : entries_(program.entries.data()),
        blocks_(program.blocks.data()),
        instructions_(program.instructions.data()),
        members_(program.members.data()),
        slots_(program.slots.data()),
        steps_(limits.steps),
        depth_(limits.depth),
        model_(model),
        program_(program) {}

  [[nodiscard]] Verdict validate(const json::Value& instance);

  /// How many steps are left, for tests that count work.
  [[nodiscard]] std::size_t steps_left() const { return steps_; }

 private:
  bool apply(SchemaId schema, const json::Value& value) {
    const BlockId block = entries_[schema].block[index_of(value.kind())];
    return block <= kFail ? block == kPass : run(block, value);
  }
  bool run_any(BlockId block, const json::Value& value) {
    return block <= kFail ? block == kPass : run(block, value);
  }
  bool run(BlockId block, const json::Value& value) {
    if ((block & kLeafBlock) != 0) return run_leaf(block, value);
    if ((block & kMembersBlock) != 0) return run_members(block, value);
    return run_tree(block, value);
  }
  bool run_members(BlockId block, const json::Value& value);
  bool run_leaf(BlockId block, const json::Value& value);
  bool run_tree(BlockId block, const json::Value& value);
  bool test(const Instruction& in, const json::Value& value);
  bool execute(const Instruction& in, const json::Value& value);
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
  [[nodiscard]] const NameSlot* find_slot(const NameTable& table,
                                          const json::Member& member) const {
    return find_name(slots_, table, member.name(), member.name_hash);
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

  // The tables that every step looks at, without the way through the program.
  const Entry* const entries_;
  const Block* const blocks_;
  const Instruction* const instructions_;
  const MemberTable* const members_;
  const NameSlot* const slots_;
  std::size_t steps_;
  std::size_t depth_;
  bool exceeded_ = false;
  const Model& model_;
  const Program& program_;
  std::vector<std::uint32_t> scope_;  ///< resources with dynamic anchors, outermost first
  std::size_t scratch_used_ = 0;
  std::array<std::uint64_t, 64> scratch_;  ///< marks of 4,096 members or items, a stack
};

}  // namespace interline::schema
