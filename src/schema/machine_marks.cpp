// Machine: unevaluatedItems and unevaluatedProperties where what is evaluated depends on the
// instance. All other keywords of the schema hold by now; a pass over the branches that hold marks
// what they evaluate, and what is left unmarked must match.
#include <algorithm>
#include <memory>

#include "schema/machine.hpp"

namespace interline::schema {
namespace {

constexpr std::size_t kWordBits = 64;

void set(std::span<std::uint64_t> marks, std::size_t index) {
  marks[index / kWordBits] |= std::uint64_t{1} << (index % kWordBits);
}
bool is_set(std::span<const std::uint64_t> marks, std::size_t index) {
  return ((marks[index / kWordBits] >> (index % kWordBits)) & 1U) != 0;
}

}  // namespace

bool Machine::unevaluated(const Instruction& in, const json::Value& value) {
  const std::size_t count = value.size();
  if (count == 0) return true;
  const std::size_t words = (count + kWordBits - 1) / kWordBits;
  if (!spend(count)) return false;
  if (words <= scratch_.size() - scratch_used_) {
    const Marks marks = std::span(scratch_).subspan(scratch_used_, words);
    scratch_used_ += words;
    std::ranges::fill(marks, 0);
    const bool holds = mark(in.b, value, marks) && apply_unmarked(in.a, value, marks);
    scratch_used_ -= words;
    return holds;
  }
  std::vector<std::uint64_t> marks(words);
  return mark(in.b, value, marks) && apply_unmarked(in.a, value, marks);
}

bool Machine::apply_unmarked(SchemaId schema, const json::Value& value, Marks marks) {
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (is_set(marks, i)) continue;
    if (!apply(schema, value.is_array() ? value.items()[i] : value.members()[i].value))
      return false;
  }
  return true;
}

bool Machine::mark(MarkId id, const json::Value& value, Marks marks) {
  if (id == kMarksNothing) return true;
  const MarkBlock& block = program_.marks[id];
  if (depth_ == 0 || !spend(1 + block.step_count)) return exceed();
  if (block.all) {
    std::ranges::fill(marks, ~std::uint64_t{0});
    return spend(marks.size());
  }
  --depth_;
  bool done = mark_own(block, value, marks);
  const auto steps = std::span(program_.mark_steps).subspan(block.first_step, block.step_count);
  for (auto step = steps.begin(); done && step != steps.end(); ++step) {
    done = mark_step(*step, value, marks);
  }
  ++depth_;
  return done;
}

bool Machine::mark_own(const MarkBlock& block, const json::Value& value, Marks marks) {
  if (value.is_array()) {
    const std::size_t count = std::min<std::size_t>(block.prefix, value.size());
    if (!spend(count)) return false;
    for (std::size_t i = 0; i < count; ++i) set(marks, i);
    return true;
  }
  if (!block.has_names && block.pattern_count == 0) return true;
  const auto members = value.members();
  if (!spend(members.size() * (1 + block.pattern_count))) return false;
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (is_set(marks, i)) continue;
    bool marked = block.has_names && find_slot(block.names, members[i]) != nullptr;
    for (std::uint32_t p = 0; !marked && p < block.pattern_count; ++p) {
      marked = search(program_.mark_patterns[block.first_pattern + p], members[i].name());
      if (exceeded_) return false;
    }
    if (marked) set(marks, i);
  }
  return true;
}

bool Machine::mark_step(const MarkStep& step, const json::Value& value, Marks marks) {
  switch (step.kind) {
    case MarkStep::Kind::always:
      return mark_branch(step, step.a, value, marks);
    case MarkStep::Kind::when:
      if (run_any(step.condition, value)) return mark_branch(step, step.a, value, marks);
      return !exceeded_;
    case MarkStep::Kind::choose: {
      const bool yes = run_any(step.condition, value);
      return !exceeded_ && mark_branch(step, yes ? step.a : step.b, value, marks);
    }
    case MarkStep::Kind::present: {
      const Name& name = program_.names[step.condition];
      const bool present = value.find(name.view(), name.hash) != nullptr;
      return !present || mark_branch(step, step.a, value, marks);
    }
    case MarkStep::Kind::matching:
      return mark_matching(step.condition, value.items(), marks);
    case MarkStep::Kind::dynamic: {
      const SchemaId schema = dynamic_schema(step.condition);
      return spend(1 + scope_.size()) &&
             mark(program_.schema_marks[schema][value.is_array() ? 0 : 1], value, marks);
    }
  }
  return true;
}

bool Machine::mark_branch(const MarkStep& step, MarkId id, const json::Value& value, Marks marks) {
  if (step.resource == kNone) return mark(id, value, marks);
  const bool pushed = push_scope(step.resource);
  const bool done = mark(id, value, marks);
  if (pushed) scope_.pop_back();
  return done;
}

bool Machine::mark_matching(SchemaId schema, std::span<const json::Value> items, Marks marks) {
  if (!spend(items.size())) return false;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (is_set(marks, i)) continue;
    if (apply(schema, items[i])) set(marks, i);
    if (exceeded_) return false;
  }
  return true;
}

}  // namespace interline::schema
